"""Embedders behind ``memory_lib.ports.embedder``: in this process, behind a server, shared, or switched off."""
