"""Frozen values, standard library only: what everything else speaks in."""
