"""A sentence as its tree, and text as it is compared."""
