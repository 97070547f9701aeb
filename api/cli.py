"""The `capicua` command."""

import argparse
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NoReturn

import uvicorn

from api.database import database, migrate
from api.handbook import handbook
from api.main import create_app
from api.protocol import Protocol
from api.settings import Settings, StartupError
from api.workers import Workers

CONNECTIONS_WAITING: Final = 2_048
WORKER_SECONDS: Final = 60
"""A worker that says nothing for so long is replaced. It says nothing while it starts, which takes a while on a machine
that is busy: with too little time for that, workers would be replaced for ever."""

SETTINGS: Final = """\
settings, as environment variables; options win over them:
  CAPICUA_DATABASE_URL   PostgreSQL 15 or newer (default: a private one in the data directory)
  CAPICUA_DATA_DIR       where the private PostgreSQL and the secret are kept (default: .capicua)
  CAPICUA_HOST           the address to listen on (default: 127.0.0.1)
  CAPICUA_PORT           the port to listen on (default: 8000)
  CAPICUA_SECRET         what tokens derive from, 32 bytes or more (default: made once, in the data directory)
  CAPICUA_CORS_ORIGINS   web pages that may call the service, by origin, comma-separated (default: none)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and answer its exit status."""
    options = vars(_parser().parse_args(arguments))
    run = options.pop("run")
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    signal.signal(signal.SIGTERM, _terminate)
    try:
        run(**options)
    except (StartupError, PermissionError) as error:  # the latter where the data is another user's
        print(f"capicua: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("capicua", description="A dominoes table over HTTP.")
    parser.add_argument("--version", action="version", version=version("capicua"))
    commands = parser.add_subparsers(required=True, metavar="command")

    command = _add(commands, "serve", serve, "bring the database up to date and serve until stopped", SETTINGS)
    command.add_argument("--host", help="the address to listen on; 0.0.0.0 is every one of this machine's")
    command.add_argument("--port", type=int, help="the port to listen on; 0 takes a free one")
    command.add_argument("--workers", type=_positive, default=1, help="how many processes serve (default: 1)")
    command.add_argument("--no-migrate", action="store_false", dest="migrating", help="leave the schema as it is")

    _add(commands, "migrate", migrate_database, "bring the database up to date", SETTINGS)

    command = _add(commands, "openapi", write_openapi, "print the OpenAPI document of the service")
    command.add_argument("--output", type=Path, metavar="FILE", help="write it to this file instead")

    command = _add(commands, "games", write_games, "print the page of all games and parameters, as Markdown")
    command.add_argument("--output", type=Path, metavar="FILE", help="write it to this file instead")
    return parser


def _add(commands: Any, name: str, run: Callable[..., None], text: str, epilog: str = "") -> argparse.ArgumentParser:
    described = {"help": text, "description": text[0].upper() + text[1:] + "."}
    layout = argparse.RawDescriptionHelpFormatter
    command: argparse.ArgumentParser = commands.add_parser(name, **described, epilog=epilog, formatter_class=layout)
    command.set_defaults(run=run)
    return command


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
        with suppress(KeyboardInterrupt, _Terminated), _listen(settings.host, settings.port) as listener:
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


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("should be 1 or more")
    return int(text)


class _Terminated(SystemExit):
    """SIGTERM as an exception, so that a private database is stopped on the way out."""


def _terminate(signum: int, _: Any) -> NoReturn:
    raise _Terminated(128 + signum)


if __name__ == "__main__":
    sys.exit(main())
