"""What the `capicua` commands about the service do."""

import json
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import uvicorn

from api.database import database, migrate
from api.handbook import handbook
from api.interruptions import StartupError, Terminated
from api.main import create_app
from api.protocol import Protocol
from api.settings import Settings
from api.workers import Workers

CONNECTIONS_WAITING: Final = 2_048
WORKER_SECONDS: Final = 60
"""A worker that says nothing for so long is replaced. It says nothing while it starts, which takes a while on a machine
that is busy: with too little time for that, workers would be replaced for ever."""


def serve(*, host: str | None, port: int | None, workers: int, migrating: bool) -> None:
    """Serve until SIGINT or SIGTERM; requests under way are then finished, within `CAPICUA_SHUTDOWN_SECONDS`."""
    settings = Settings.load(host=host, port=port)
    settings.signing_key()  # made here, so that what is wrong with it is told once
    with database(settings) as url:
        if migrating:
            migrate(url)
        os.environ["CAPICUA_DATABASE_URL"] = url  # for the processes that serve
        config = uvicorn.Config(
            "api.main:create_app_from_environment",
            factory=True,
            workers=workers,
            access_log=False,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=settings.shutdown_seconds,
            timeout_worker_healthcheck=WORKER_SECONDS,
            http=Protocol,
            ws="none",
        )
        # uvicorn sends itself again the signal that it stopped for: that is how serving is meant to end.
        with suppress(KeyboardInterrupt, Terminated), _listen(settings.host, settings.port) as listener:
            _say_where(listener)
            if workers > 1:
                Workers(config, sockets=[listener]).run()
            else:
                uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=CONNECTIONS_WAITING)
    except OSError as error:
        raise StartupError(f"cannot listen on {host}, port {port}: {str(error).partition(' (while')[0]}") from None


def _say_where(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    print(f"Capicua listens on {url} (documentation: {url}/docs). Ctrl-C stops it.", flush=True)


def migrate_database() -> None:
    """Bring the database of the settings up to date."""
    with database(Settings.load()) as url:
        migrate(url)


def write_openapi(*, output: Path | None) -> None:
    """Write the document as the repository keeps it: indented, in the order of the code, with a newline at its end."""
    _write(json.dumps(create_app(Settings.load()).openapi(), indent=2, ensure_ascii=False) + "\n", output)


def write_games(*, output: Path | None) -> None:
    """Write the page of all games."""
    _write(handbook(), output)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")
