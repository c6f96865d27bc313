"""People named in a message, and names that mean one person."""
