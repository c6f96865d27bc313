"""Pure functions of values, numbers and ``now`` that return a decision with its reason."""
