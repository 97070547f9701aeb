"""Capicua's service: the engine's matches over HTTP, kept in PostgreSQL."""
