"""One verb a file: read, let policies decide, write one change set."""
