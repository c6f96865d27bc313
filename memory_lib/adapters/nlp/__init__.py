"""Parsers of Russian and English. Nothing is loaded on import; models load at the first sentence of their language."""
