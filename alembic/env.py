"""Alembic's entry. `api.database.migrate` hands it a connection, on which it holds the lock and runs every step; the
`alembic` command, which makes and compares revisions, gets one to the database of the settings.
"""

from alembic import context
from sqlalchemy import Connection, create_engine
from sqlmodel import SQLModel

import api.tables  # noqa: F401 - defines the tables
from api.database import database
from api.settings import Settings


def run(connection: Connection) -> None:
    """Do what the command asked for, in the transaction of `connection`."""
    context.configure(connection=connection, target_metadata=SQLModel.metadata, compare_server_default=True)
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    with database(Settings.load()) as url, create_engine(url).begin() as connection:
        run(connection)
