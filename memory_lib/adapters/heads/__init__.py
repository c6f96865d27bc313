"""The learnt weights that are shipped, and the one way to load them."""
