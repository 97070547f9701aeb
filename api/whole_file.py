"""Files of the service's own, for browsers."""

from fastapi.responses import FileResponse
from starlette.types import Receive, Scope, Send


class WholeFile(FileResponse):
    """A file that is always sent as a whole: a server need not know `Range`, and some are refused in plain text."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.headers["Accept-Ranges"] = "none"
        headers = [header for header in scope["headers"] if header[0] != b"range"]
        await super().__call__({**scope, "headers": headers}, receive, send)
