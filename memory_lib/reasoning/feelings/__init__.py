"""Feelings told or shown, and whose they are."""
