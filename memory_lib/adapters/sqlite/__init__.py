"""The embedded graph store: SQLite, one file a person, every word and vector sealed (DESIGN §3)."""
