"""HTTP as uvicorn reads it, with limits, and with problems where a request is refused before its path is looked at."""

import asyncio
import re
from collections import deque
from typing import Any, Final

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from api.headers import DEFAULTS
from api.limits import MOST_HEADER_BYTES, MOST_HEADERS, MOST_TARGET_BYTES
from api.problems import HeadersTooLarge, MalformedRequest, Problem, UriTooLong, render

LINGER_SECONDS: Final = 5
"""How long what still comes after a refusal is thrown away. Closing at once would reset the connection, and a client
that is still sending would lose the answer."""

REQUEST_SECONDS: Final = 30
"""How long a request may take to arrive, and a connection to begin one where it has none."""

STUCK_SECONDS: Final = 30
"""How long a client may read nothing of what waits for it."""

_VERSIONS: Final = frozenset({"1.0", "1.1"})
_IS_HOST: Final = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(:[0-9]*)?").fullmatch


class _Flow(FlowControl):
    """Reads no further while requests wait for their turn: what a client sends ahead is kept nowhere but in sockets."""

    def __init__(self, transport: asyncio.Transport, pipeline: deque[Any]) -> None:
        super().__init__(transport)
        self._pipeline = pipeline

    def resume_reading(self) -> None:
        if not self._pipeline:
            super().resume_reading()


class Protocol(HttpToolsProtocol):
    """One connection.

    The parser keeps the line that it is in and hands it over once it is complete, so that the limits on complete lines
    need one on bytes of which the parser says nothing.
    """

    url = b""
    _in_head = False
    """Whether the parser is in a request line or in the headers after it."""
    _in_message = False
    _heard = False
    """Whether the parser has said something of the bytes that were last received."""
    _silent = 0
    """How many bytes were received since it last did."""
    _line_bytes = 0
    _problem: Problem | None = None
    """Why the parser is broken off."""
    _owed: Problem | None = None
    """What is answered once earlier requests are."""
    _is_refused = False
    """Whether nothing more is read of this connection."""
    _declined = b""
    """How the body is framed of a request that offers a change of protocol, while the parser has yet to be told."""
    _late: asyncio.TimerHandle | None = None
    """Runs while the next request is on its way."""
    _stuck: asyncio.TimerHandle | None = None
    """Runs while the client has something to read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        super().connection_made(transport)
        self.flow = _Flow(transport, self.pipeline)
        self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for timer in (self.timeout_keep_alive_task, self._late, self._stuck):
            if timer is not None:
                timer.cancel()

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        self._unset_keepalive_if_required()
        self._heard = False
        try:
            self._feed(data)
        except HttpParserError:
            self.logger.warning("Invalid HTTP request received.")
            self._refuse(self._problem or MalformedRequest())
            return
        self._silent = 0 if self._heard else self._silent + len(data)
        if self._silent > MOST_HEADER_BYTES:
            self._refuse(HeadersTooLarge() if self._in_message else MalformedRequest())
        elif self._in_message or self._is_idle():
            self._expect_request()

    def _feed(self, data: bytes) -> None:
        """An offer to change the protocol is not taken, so that the request goes on in HTTP. The parser believes that
        it has: it would drop the body, and a call be carried out that nobody made.
        """
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade as offer:
            if self._declined:
                head = b"%b / HTTP/1.1\r\n%b\r\n" % (self.scope["method"].encode(), self._declined)
                self._declined = b""
                self.parser = HttpRequestParser(_Rest(self))
                self.parser.feed_data(head)
                self.parser.feed_data(data[offer.args[0] :])

    def eof_received(self) -> None:
        """A client that says no more; the connection is closed after this."""
        if self._in_message and not self._is_refused:
            self._refuse(MalformedRequest("The request ends before it is complete."))

    def on_message_begin(self) -> None:
        self._heard = self._in_head = self._in_message = True
        self._line_bytes = 0
        self._expect_nothing()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._heard = True
        super().on_url(url)
        if len(self.url) > MOST_TARGET_BYTES:
            self._stop(UriTooLong())

    def on_header(self, name: bytes, value: bytes) -> None:
        """Lines after a chunked body are no headers: uvicorn would add them to those of the running call."""
        self._heard = True
        self._line_bytes += len(name) + len(value) + 4  # with `: ` and the end of the line
        if self._line_bytes > MOST_HEADER_BYTES:
            self._stop(HeadersTooLarge())
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._heard = True
        if len(self.headers) > MOST_HEADERS:
            self._stop(HeadersTooLarge())
        if (wrong := _wrong(self.parser.get_http_version(), self.headers)) is not None:
            self._stop(MalformedRequest(wrong))
        if self.parser.get_http_version() == "1.0":
            self.expect_100_continue = False  # such a client would take the go-ahead for the answer
        super().on_headers_complete()
        if self.parser.should_upgrade():
            self.cycle.keep_alive = False  # the parser passes over what comes after this request
            self._declined = b"" if self.parser.get_method() == b"CONNECT" else _framing(self.headers)
        self._in_head = False

    def on_body(self, body: bytes) -> None:
        self._heard = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self._declined:
            return
        self._in_message = False
        self._expect_nothing()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        is_last = not self.pipeline
        super().on_response_complete()
        if not is_last and self._in_message:
            self._expect_nothing()
            self._expect_request()  # its time begins as it is read on
        if self.transport.is_closing():
            self._watch_reader()
        elif self._owed and is_last:
            self._answer(self._owed)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._watch_reader()

    def _is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]  # uvicorn hides it

    def _expect_request(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(REQUEST_SECONDS, self._end_late_request)

    def _expect_nothing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _end_late_request(self) -> None:
        """Close the connection, unless the request is not read to its end because others are answered first."""
        self._late = None
        if self.pipeline or (self._in_head and not self._is_idle()):
            self._expect_request()
        elif not self._is_refused:
            self.transport.close()
            self._watch_reader()

    def _watch_reader(self, before: int | None = None) -> None:
        """Break the connection once nothing is read of it any more, which closing it would wait for without an end."""
        left = self.transport.get_write_buffer_size()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
        if left and left == before:
            self.transport.abort()
        elif left:
            self._stuck = self.loop.call_later(STUCK_SECONDS, self._watch_reader, left)

    def _stop(self, problem: Problem) -> None:
        """Have the parser break off."""
        self._problem = problem
        raise problem

    def _refuse(self, problem: Problem) -> None:
        """Answer with `problem` when it is the turn of the request that it is about, and read nothing more."""
        self._is_refused = True
        cycle = self.cycle
        if self._in_message and not self._in_head:  # in the body of the last request that the application has, or will
            if self.pipeline and self.pipeline[0][0] is cycle:
                self.pipeline.popleft()
                self._owed = problem
                return
            is_answered = cycle.response_started  # which cannot be taken back, and no second answer may follow it
            cycle.disconnected = True
            cycle.message_event.set()
            if is_answered:
                self._linger()
            else:
                self._answer(problem)
        elif self._is_idle():
            self._answer(problem)
        else:
            self._owed = problem

    def _answer(self, problem: Problem) -> None:
        response = render(problem)
        headers = [*self.server_state.default_headers, *response.raw_headers, *DEFAULTS, (b"connection", b"close")]
        lines = [STATUS_LINE[response.status_code], *[b"%b: %b\r\n" % header for header in headers], b"\r\n"]
        is_head = self._in_message and self.url and self.parser.get_method() == b"HEAD"
        self.transport.write(b"".join(lines) + (b"" if is_head else bytes(response.body)))
        self._linger()

    def _linger(self) -> None:
        self.transport.write_eof()
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(LINGER_SECONDS, self.timeout_keep_alive_handler)


class _Rest:
    """What a second parser reads: the body of a request whose head the first one has read, and nothing after it."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._is_read = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._is_read:
            self._protocol.on_header(name, value)

    def on_body(self, body: bytes) -> None:
        if not self._is_read:
            self._protocol.on_body(body)

    def on_message_complete(self) -> None:
        if not self._is_read:
            self._is_read = True
            self._protocol.on_message_complete()


def _framing(headers: list[tuple[bytes, bytes]]) -> bytes:
    """The header that says how long the body is; nothing where there is none."""
    lines = [b"%b: %b\r\n" % header for header in headers if header[0] in {b"content-length", b"transfer-encoding"}]
    return b"".join(lines)


def _wrong(version: str, headers: list[tuple[bytes, bytes]]) -> str | None:
    """What the parser passes, and RFC 9112 does not: where proxies before the service read it otherwise, one client's
    request can become a part of another's.
    """
    if version not in _VERSIONS:
        return "Send the request as HTTP/1.1."
    hosts = 0
    for name, value in headers:
        if name == b"host":
            hosts += 1
            if not _IS_HOST(value):
                return "The Host header has to be a host, and a port where there is one."
        elif name == b"transfer-encoding" and (version != "1.1" or value.lower() != b"chunked"):
            return "Transfer-Encoding can only be chunked, in HTTP/1.1."
    if hosts > 1 or (not hosts and version == "1.1"):
        return "A request has one Host header."
    return None
