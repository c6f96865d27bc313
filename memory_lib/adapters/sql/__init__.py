"""The ledger on SQLAlchemy Core: SQLite in the home, or any PostgreSQL."""
