"""The `capicua` command: its options. What a command needs is imported when it runs, for the service takes seconds."""

import argparse
import logging
import os
import pkgutil
import signal
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NoReturn

from api.interruptions import StartupError, Terminated
from arena.errors import Refused

SETTINGS: Final = """\
settings, as environment variables; options win over them:
  CAPICUA_DATABASE_URL   PostgreSQL 15 or newer (default: a private one in the data directory)
  CAPICUA_DATA_DIR       where the private PostgreSQL and the secret are kept (default: .capicua)
  CAPICUA_HOST           the address to listen on (default: 127.0.0.1)
  CAPICUA_PORT           the port to listen on (default: 8000)
  CAPICUA_SECRET         what tokens derive from, 32 bytes or more (default: made once, in the data directory)
  CAPICUA_CORS_ORIGINS   web pages that may call the service, by origin, comma-separated (default: none)
"""

LADDER: Final = """\
A pair is one numbered deal, a single hand at 0-0, played twice with the seats swapped. A hand is won by the
side that gets more points out of it, and half won where both get the same; a penalty charged to the other
side counts as won. The intervals are for 95% confidence, two-sided, over the pairs: give 30 or more.
All but the times is the same for any number of workers.

columns of FILE, one row for each game and pairing:
  game, seats, player, against, first_deal, pairs
  won_percent, won_percent_low, won_percent_high               of the hands, for `player`
  points_per_hand, points_per_hand_low, points_per_hand_high   gained by `player`
  ms_median, ms_p99, against_ms_median, against_ms_p99         of decisions among several moves
"""

SIMULATE: Final = """\
The matches are those that the service plays with the same CPU seats, rules and numbered deals.
All of it is the same for any number of workers. Teams and seats are numbered from 0.

columns of a row for each match:
  match, deal, hands, reason     `reason` as in the result of a match
  winner                         the team; empty where nobody won
  score_team_0, score_team_1 ... at the end
  moves                          plays, draws and passes

columns of a row for each hand:
  match, deal, hand, leader      the seat that led
  reason, winner                 as in the result of a hand; empty for a tied block
  play_points_team_0 ...         taken in play
  end_points_team_0 ...          for the end; a penalty stands with the team charged
  score_team_0 ...               of the match, after the hand
  tiles_left_seat_0 ..., pips_left_seat_0 ..., boneyard, moves
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and answer its exit status."""
    options = vars(_parser().parse_args(arguments))
    run = options.pop("run")
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    signal.signal(signal.SIGTERM, _terminate)
    try:
        pkgutil.resolve_name(run)(**options)
        sys.stdout.flush()
    except (StartupError, PermissionError) as error:  # the latter where the data is another user's
        print(f"capicua: {error}", file=sys.stderr)
        return 1
    except Refused as error:
        print(f"capicua: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read has read enough; what is left in the buffer goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("capicua", description="A dominoes table over HTTP.")
    parser.add_argument("--version", action="version", version=version("capicua"))
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_service(commands)
    _add_ladder(commands)
    _add_simulate(commands)
    return parser


def _add_service(commands: Any) -> None:
    run = "api.commands:serve"
    command = _add(commands, "serve", run, "bring the database up to date and serve until stopped", SETTINGS)
    command.add_argument("--host", help="the address to listen on; 0.0.0.0 is every one of this machine's")
    command.add_argument("--port", type=int, help="the port to listen on; 0 takes a free one")
    command.add_argument("--workers", type=_positive, default=1, help="how many processes serve (default: 1)")
    command.add_argument("--no-migrate", action="store_false", dest="migrating", help="leave the schema as it is")

    _add(commands, "migrate", "api.commands:migrate_database", "bring the database up to date", SETTINGS)

    run = "api.commands:write_openapi"
    command = _add(commands, "openapi", run, "print the OpenAPI document of the service")
    command.add_argument("--output", type=Path, metavar="FILE", help="write it to this file instead")

    run = "api.commands:write_games"
    command = _add(commands, "games", run, "print the page of all games and parameters, as Markdown")
    command.add_argument("--output", type=Path, metavar="FILE", help="write it to this file instead")


def _add_ladder(commands: Any) -> None:
    text = "measure the CPU levels against each other on duplicate deals"
    command = _add(commands, "ladder", "arena.ladder:run", text, LADDER)
    command.add_argument(
        *("--games", "--game"),
        nargs="+",
        metavar="GAME",
        help="ids of games (default: partner-penalty, all-fives, draw, block)",
    )
    command.add_argument(
        "--players",
        nargs=2,
        metavar=("A", "B"),
        help="one pairing only: two of the levels and `reference`, which plays doubles first and then the heaviest "
        "(default: each level and the one below it, and the highest and `reference`)",
    )
    command.add_argument(
        "--seats", type=_positive, metavar="N", help="how many (default: as the game is usually played)"
    )
    command.add_argument("--pairs", type=_at_least(2), default=200, metavar="N", help="how many (default: 200)")
    command.add_argument("--first", type=_at_least(0), default=0, metavar="N", help="the first deal (default: 0)")
    command.add_argument("--output", type=Path, metavar="FILE", help="write the rows as CSV, too")
    _add_workers(command)


def _add_simulate(commands: Any) -> None:
    text = "play whole matches among CPU levels and print them as CSV"
    command = _add(commands, "simulate", "api.simulate:run", text, SIMULATE)
    command.add_argument("--game", required=True, dest="name", metavar="GAME", help="the id of a game")
    command.add_argument("--seats", nargs="+", metavar="LEVEL", help="a level for each seat (default: hard for all)")
    command.add_argument(
        "--rules",
        nargs="+",
        default=[],
        metavar="NAME=VALUE",
        help="parameters to change, with values as in JSON: target=50 spinner=none scored_multiples=[3,5]",
    )
    command.add_argument("--matches", type=_positive, default=100, metavar="N", help="how many (default: 100)")
    command.add_argument("--first-deal", type=_at_least(0), default=0, metavar="N", help="of the first (default: 0)")
    command.add_argument("--rows", choices=["matches", "hands"], default="matches", help="(default: matches)")
    command.add_argument("--output", type=Path, metavar="FILE", help="write to this file instead")
    _add_workers(command)


def _add_workers(command: argparse.ArgumentParser) -> None:
    command.add_argument("--workers", type=_positive, metavar="N", help="processes that play (default: the cores)")


def _add(commands: Any, name: str, run: str, text: str, epilog: str = "") -> argparse.ArgumentParser:
    described = {"help": text, "description": text[0].upper() + text[1:] + "."}
    layout = argparse.RawDescriptionHelpFormatter
    command: argparse.ArgumentParser = commands.add_parser(name, **described, epilog=epilog, formatter_class=layout)
    command.set_defaults(run=run)
    return command


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"should be {least} or more")
        return int(text)

    return number


_positive: Final = _at_least(1)


def _terminate(signum: int, _: Any) -> NoReturn:
    raise Terminated(128 + signum)


if __name__ == "__main__":
    sys.exit(main())
