"""What happens without a call: matches that are due are settled, and watchers hear what other processes wrote.

Each process has one pulse, one statement for all its matches. Several processes may settle the same match: one of them
writes, and the others find it done.
"""

import asyncio
import logging
import random
from contextlib import suppress
from typing import Final
from uuid import UUID

import psycopg

from api.matches import Matches
from api.problems import Unavailable
from api.store import NewerFormat

PULSE_SECONDS: Final = 0.25
"""From one pulse to the next: how late an expired clock, and news from another process, may be."""

FORGET_SECONDS: Final = 3_600

_logger = logging.getLogger(__name__)


async def run(matches: Matches) -> None:
    """Beat until cancelled; while the database is away, go on trying."""
    loop = asyncio.get_running_loop()
    forget_at = loop.time() + FORGET_SECONDS
    is_lost = False
    while True:
        next_at = loop.time() + PULSE_SECONDS
        is_all = True
        try:
            is_all = await beat(matches)
            if loop.time() > forget_at:
                forget_at += FORGET_SECONDS
                await matches.store.forget()
            is_lost = False
        except psycopg.Error as error:
            if not is_lost:
                _logger.warning("clocks and streams wait for the database: %s", type(error).__name__)
            is_lost = True
        except Exception:
            _logger.exception("a pulse failed")
        if is_all:
            with suppress(TimeoutError):
                await asyncio.wait_for(matches.watch.behind.wait(), next_at - loop.time())


async def beat(matches: Matches) -> bool:
    """One pulse; false where there were more news than it took in."""
    matches.watch.behind.clear()
    pulse = await matches.store.pulse(*matches.watch.known())
    for match_id, events in pulse.news:
        matches.watch.publish(match_id, events)
    for match_id in random.sample(pulse.due, len(pulse.due)):  # so that processes do not all begin with the same one
        await _settle(matches, match_id)
    return pulse.is_all


async def _settle(matches: Matches, match_id: UUID) -> None:
    """Settle one match; whatever is wrong with it is no reason to leave the others."""
    try:
        await matches.load(match_id)
    except (Unavailable, NewerFormat):
        pass  # somebody else is at it, or will be
    except psycopg.Error:
        raise
    except Exception:
        _logger.exception("match %s could not be settled", match_id)
