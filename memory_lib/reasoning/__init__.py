"""Cognitive jobs, one a file: schema, prompt, offline rule and checks; pure, parses and vectors are arguments."""
