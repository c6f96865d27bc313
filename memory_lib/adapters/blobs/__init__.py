"""Bytes by path: a local directory, or an object store."""
