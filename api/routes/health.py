"""Whether the process runs, and whether it can serve."""

from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, Request

from api import declared
from api.database import is_current
from api.openapi import operation_id
from api.problems import Unavailable

router = APIRouter(prefix="/health", tags=["health"], generate_unique_id_function=operation_id)


@dataclass(frozen=True)
class Health:
    """A process that is well."""

    status: Literal["ok"]


@router.get("/live", response_description="It runs.", openapi_extra={"security": []})
async def live() -> Health:
    """Whether the process runs.

    It says nothing about the database, so that losing it restarts nobody.
    """
    return Health("ok")


@router.get(
    "/ready",
    response_description="It can serve.",
    responses=declared.refusals(Unavailable),
    openapi_extra={"security": []},
)
async def ready(request: Request) -> Health:
    """Whether the service can serve.

    It can where the database answers, and its schema is the current one.
    """
    if not await is_current(request.app.state.database):
        raise Unavailable
    return Health("ok")
