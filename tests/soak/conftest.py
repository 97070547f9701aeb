"""The service of the tests of `api`."""

from tests.api.conftest import anyio_backend, app, client, database_url, server_url, settings, template

__all__ = ["anyio_backend", "app", "client", "database_url", "server_url", "settings", "template"]
