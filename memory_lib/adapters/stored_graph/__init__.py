"""What every graph store shares: a person's rows, head, columns, and how a change set is played."""
