"""Pictures of one person's memory: an SVG, and a page that opens offline."""
