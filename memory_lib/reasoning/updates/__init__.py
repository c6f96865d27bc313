"""What a statement takes back: corrections, ends, bare values."""
