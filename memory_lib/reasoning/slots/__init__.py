"""Named properties that a clause gives a value."""
