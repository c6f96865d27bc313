"""From trees to clauses: what is said of whom, how it is meant, and how clauses hang together."""
