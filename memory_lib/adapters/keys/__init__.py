"""Keys and seals on this machine."""
