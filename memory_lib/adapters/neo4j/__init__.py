"""The graph store of deployments with servers: Neo4j, many people in one database, words sealed, vectors turned (ADR 0010)."""
