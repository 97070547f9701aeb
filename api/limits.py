"""How much a request may hold, beside its body, whose limit the operator sets (`Settings.max_body_bytes`)."""

from typing import Final

MOST_TARGET_BYTES: Final = 8_192
"""Of a request's path and query. The longest that this service answers has under 200."""

MOST_HEADERS: Final = 100
MOST_HEADER_BYTES: Final = 32_768
"""Of all header lines together, with those after a chunked body; a browser's cookies and a proxy's notes have room."""

MOST_NESTING: Final = 32
"""Lists and objects within each other. The deepest legal body, a fixed deal, has 4."""
