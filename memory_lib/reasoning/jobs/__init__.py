"""Cognitive jobs, one a file: the strict schema of an answer, the prompt with its version, the checks, the offline rule."""
