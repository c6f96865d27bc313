"""A person's graph in sealed SYNX files."""
