"""Learnt heads and small detectors: worth, valence, displeasure, repeats, change, causes among turns."""
