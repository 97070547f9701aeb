"""Values that fit a JSON Schema, or that nearly do: each part may be another one."""

from typing import Any, Final

from hypothesis import strategies as st

TEXT: Final = st.characters(codec="utf-8")
ODD: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 100),
    st.sampled_from([0.0, -0.0, 1.0, 2.5, 1e2, 1e30, 2**31, 2**63, -(2**63) - 1, 10**30]),
    st.sampled_from(["", "0", "1", "1.0", "true", "null", "6-4", "draw", "human", "\x00", "\u202e6-4", "\U0001f0a1"]),
    st.text(TEXT, max_size=50),
    st.sampled_from([[], [[]], {}, {"": {}}, ["6-4"], [None], {"kind": "human"}, {"type": "play"}]),
)


@st.composite
def near(draw: st.DrawFn, schema: dict[str, Any], components: dict[str, Any], odds: int = 12) -> Any:
    """One part in `odds` is not what `schema` asks for; none where `odds` is 0."""
    if "$ref" in schema:
        schema = components[schema["$ref"].rpartition("/")[2]]
    if odds and draw(st.integers(1, odds)) == 1:
        return draw(ODD)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return draw(near(draw(st.sampled_from(schema[union])), components, odds))
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    return draw(_OF_TYPE[schema["type"]](schema, components, odds))


@st.composite
def _object(draw: st.DrawFn, schema: dict[str, Any], components: dict[str, Any], odds: int) -> Any:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    optional = sorted(properties.keys() - set(required))
    names = [*required, *(draw(st.lists(st.sampled_from(optional), max_size=4, unique=True)) if optional else [])]
    if odds and names and draw(st.integers(1, odds)) == 1:
        names.remove(draw(st.sampled_from(names)))
    value = {name: draw(near(properties[name], components, odds)) for name in names}
    if odds and draw(st.integers(1, odds)) == 1:
        value[draw(st.sampled_from(["", "x", "Kind", "kind", "type", "\x00", "__class__"]))] = draw(ODD)
    return value


@st.composite
def _array(draw: st.DrawFn, schema: dict[str, Any], components: dict[str, Any], odds: int) -> Any:
    low, high = schema.get("minItems", 0), schema["maxItems"]
    value = draw(st.lists(near(schema["items"], components, odds), min_size=low, max_size=min(high, low + 3)))
    if odds and value and draw(st.integers(1, odds)) == 1:
        value = draw(st.sampled_from([value[: low - 1] if low else value, (value * (high + 1))[: high + 1]]))
    return value


@st.composite
def _integer(draw: st.DrawFn, schema: dict[str, Any], _: Any, odds: int) -> Any:
    low, high = schema["minimum"], schema["maximum"]
    number = draw(st.one_of(st.integers(low, high), st.sampled_from([low, high])))
    if odds and draw(st.integers(1, odds // 2)) == 1:
        number = draw(st.sampled_from([low - 1, high + 1, float(number), number + 0.5, str(number), bool(number)]))
    return number


@st.composite
def string(draw: st.DrawFn, schema: dict[str, Any], _: Any = None, odds: int = 12, alphabet: Any = TEXT) -> Any:
    low, high = schema.get("minLength", 0), schema["maxLength"]
    pattern = schema.get("pattern", "^.*$")
    if pattern.endswith("]+$"):
        pattern = f"{pattern[:-2]}{{{low},{high}}}$"  # of a length that need not be waited for
    texts = st.from_regex(pattern, fullmatch=True, alphabet=alphabet)
    text = draw(texts.filter(lambda found: low <= len(found) <= high))
    if odds and draw(st.integers(1, odds // 2)) == 1:
        cut = draw(st.integers(0, len(text)))
        longest, shortest = (text * high)[:high], text[:low]
        changed = [text + "\n", text[:cut] + text[cut + 1 :], text[:cut] + draw(alphabet) + text[cut:], text.upper()]
        text = draw(st.sampled_from([*changed, shortest, longest, shortest[:-1], longest + text[:1]]))
    return text


_OF_TYPE: Final[dict[str, Any]] = {
    "object": _object,
    "array": _array,
    "integer": _integer,
    "string": string,
    "boolean": lambda *_: st.booleans(),
    "null": lambda *_: st.none(),
}
