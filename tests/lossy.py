"""A line on which things get lost, between a client and the service."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Thread
from typing import Final

import httpx

PASSED_ON: Final = {"authorization", "content-type", "etag", "idempotency-key", "if-none-match", "prefer"}


@dataclass
class Line:
    """The address that a client calls, and what has become of its calls."""

    url: str = ""
    lost: list[str] = field(default_factory=list)
    """Calls that were carried out, and whose answer did not arrive."""

    refused: list[str] = field(default_factory=list)
    """Calls that were answered 503 instead."""


@contextmanager
def lossy(service: str) -> Iterator[Line]:
    """Of five calls in a row the second one's answer is lost, and the fourth one finds the service unavailable."""
    line, numbers = Line(), count()

    class Handler(BaseHTTPRequestHandler):
        def do(self) -> None:
            turn, call = next(numbers) % 5, f"{self.command} {self.path}"
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if turn == 3:
                line.refused.append(call)
                self.send_response(503)
                self.send_header("Retry-After", "0")
                self.end_headers()
                return
            headers = {name: value for name, value in self.headers.items() if name.lower() in PASSED_ON}
            answer = httpx.request(self.command, service + self.path, content=body, headers=headers, timeout=60)
            if turn == 1:
                line.lost.append(call)
                return
            self.send_response(answer.status_code)
            for name in PASSED_ON & answer.headers.keys():
                self.send_header(name, answer.headers[name])
            self.end_headers()
            self.wfile.write(answer.content)

        do_GET = do_POST = do  # noqa: N815 - as the standard library calls them

        def log_message(self, *_: object) -> None:
            """Nothing is to be said of what goes wrong on purpose."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        line.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield line
        finally:
            server.shutdown()
            thread.join()
