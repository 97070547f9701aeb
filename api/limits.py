"""How much a request may hold, beside its body, whose limit the operator sets (`Settings.max_body_bytes`)."""

from typing import Final

MOST_TARGET_BYTES: Final = 8_192
"""Of a request's path and query. The longest that this service answers has under 200."""

MOST_HEADERS: Final = 100
MOST_HEADER_BYTES: Final = 32_768
"""Of all header lines together, with those after a chunked body; a browser's cookies and a proxy's notes have room."""

MOST_NESTING: Final = 32
"""Lists and objects within each other. The deepest legal body, a fixed deal, has 4."""

MOST_VALUES: Final = 2_000
"""In the lists and objects of a body together. The legal body with the most, a fixed deal of a double-twelve set, has
420; a body of 65536 bytes could hold 30000, each of which would be judged, and an error be made of it.
"""
