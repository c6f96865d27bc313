"""What the core needs of the world, as narrow protocols."""
