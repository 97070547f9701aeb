"""The service of the tests of `api`, for those of its contract."""

from tests.api.conftest import (
    anyio_backend,
    app,
    client,
    database_url,
    serve,
    served,
    server_url,
    settings,
    template,
)

__all__ = ["anyio_backend", "app", "client", "database_url", "serve", "served", "server_url", "settings", "template"]
