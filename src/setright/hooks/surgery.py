"""Something of ours put into a JSON text of a user's, and taken out again, with every other byte left as it is."""

# Nothing but the text remembers what was there before: the space before our part does. Behind an opening bracket, a
# single space says that the user's brackets were empty before; two, that ours is the whole value of a file that had
# none; three, that the line break before it is ours as well; anything else, that the brackets are ours too.

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from setright.hooks.scan import Item, Node, NotJson, scan

GROUPED: Final = "hooks"  # where clients keep several hooks in one element, with what they have in common
APPEND: Final = ""  # as the last step of a path: an element at the end of an array
WAS_EMPTY: Final = " "
NO_VALUE: Final = "  "
NO_LINE: Final = "   "
IsOurs = Callable[[Any], bool]
Path = Sequence[str]
_SAME_LINE = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/))+")
_COMMENTED = re.compile(r"//[^\r\n]*\Z")


class NotPossible(ValueError):
    """The text is such that nothing can be put there; the message says what stands in the way."""


class Style(NamedTuple):
    """How a text is laid out."""

    newline: str
    unit: str


def created(value: Any) -> str:
    """The text of a file that did not exist before."""
    return json.dumps(value, indent=2) + "\n"


def style_of(text: str) -> Style:
    """The line ends and the indentation of a text."""
    ends = re.search(r"\r?\n", text)
    indents = re.search(r"\n([ \t]+)\S", text)
    return Style(ends[0] if ends else "\n", indents[1] if indents else "  ")


def put(text: str, path: Path, value: Any) -> str:
    """The text with a value at a path; what is missing on the way is made."""
    node = _root(text)
    if node is None:
        return _first_value(text, path, value)
    for depth, key in enumerate(path[:-1]):
        _must_be(node, "object", path[:depth])
        place = node.find(key)
        if place is None:
            return _insert(text, node, key, wrapped(path[depth + 1 :], value))
        node = node.items[place].node
    _must_be(node, "array" if path[-1] == APPEND else "object", path[:-1])
    return _insert(text, node, path[-1] or None, value)


def at(text: str, path: Path) -> Any:
    """What stands at a path, None where nothing does."""
    node = _root(text)
    for key in path:
        place = node.find(key) if node is not None and node.kind == "object" else None
        node = node.items[place].node if node is not None and place is not None else None
    return None if node is None else node.value


def replace(text: str, path: Path, is_ours: IsOurs, value: Any) -> str:
    """The text with another value in place of ours."""
    trail = _trail(text, path, is_ours)
    if trail is None:
        return text
    node, place = trail[-1]
    item = node.items[place]
    if len(trail) > len(path):
        (value,) = value[GROUPED]
    written = _written(value, _own_line(text, item.start), style_of(text))
    return text[: item.node.start] + written + text[item.node.end :]


def take_out(text: str, path: Path, is_ours: IsOurs, companion: str = "") -> str | None:
    """The text without ours at a path, and without brackets that came with it; None when nothing else was there.

    `companion` is a member of the top that comes and goes with ours, when there is nothing else.
    """
    trail = _trail(text, path, is_ours)
    if trail is None:
        return text
    root, first = trail[0]
    if (
        companion
        and first == 0
        and [item.key for item in root.items[1:]] == [companion]
        and _all_ours(text, trail[1:])
    ):
        text = _without(text, root, 1)
        trail = _trail(text, path, is_ours) or trail
    while trail:
        node, place = trail.pop()
        lead = text[node.start + 1 : node.items[place].start]
        if not _came_with(text, node, lead) or (not trail and _said_around(text, node)):
            return _without(text, node, place)
        if not trail and lead in (NO_VALUE, NO_LINE):
            return _without_root(text, node, lead)
    return None


def wrapped(path: Path, value: Any) -> Any:
    """The value inside of the brackets that a path names."""
    for key in reversed(path):
        value = [value] if key == APPEND else {key: value}
    return value


def _root(text: str) -> Node | None:
    try:
        node = scan(text)
    except NotJson as error:
        raise NotPossible(f"it is not valid JSON: {error}") from None
    if node is not None:
        _must_be(node, "object", [])
    return node


def _must_be(node: Node, kind: str, path: Path) -> None:
    if node.kind != kind:
        name = ".".join(path) or "the whole"
        raise NotPossible(f"{name} is there and is no {kind}")


def _first_value(text: str, path: Path, value: Any) -> str:
    """A value for a file of space and comments."""
    ends_in_comment = _COMMENTED.search(text)
    before, lead = (style_of(text).newline, NO_LINE) if ends_in_comment else ("", NO_VALUE)
    return f"{text}{before}{{{lead}{json.dumps(wrapped(path, value))[1:]}"


def _insert(text: str, node: Node, key: str | None, value: Any) -> str:
    style = style_of(text)
    if not node.items:
        place = node.start + 1
        return text[:place] + WAS_EMPTY + _entry(key, value, None, style) + text[place:]
    last = node.items[-1]
    indent = _own_line(text, last.start)
    entry = _entry(key, value, indent, style)
    entry = f" {entry}" if indent is None else f"{style.newline}{indent}{entry}"
    end = last.node.end if last.comma is None else last.comma + 1
    comment = _SAME_LINE.match(text, end) if indent is not None else None
    spot = comment.end() if comment else end
    if last.comma is None:
        return f"{text[:end]},{text[end:spot]}{entry}{text[spot:]}"
    return f"{text[:spot]}{entry},{text[spot:]}"


def _entry(key: str | None, value: Any, indent: str | None, style: Style) -> str:
    written = _written(value, indent, style)
    return written if key is None else f"{json.dumps(key)}: {written}"


def _written(value: Any, indent: str | None, style: Style) -> str:
    """A value as text: in one line, or on lines of its own that begin with `indent`."""
    if indent is None:
        return json.dumps(value)
    return json.dumps(value, indent=style.unit).replace("\n", f"{style.newline}{indent}")


def _own_line(text: str, start: int) -> str | None:
    """The indentation of what stands first in its line, None for anything else."""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return line if "\n" in text[:start] and not line.strip(" \t") else None


def _trail(text: str, path: Path, is_ours: IsOurs) -> list[tuple[Node, int]] | None:
    """The way to ours: each bracket that is gone through, and the place in it."""
    node, trail = _root(text), list[tuple[Node, int]]()
    for key in path:
        if node is None or node.kind != ("array" if key == APPEND else "object"):
            return None
        place = _ours_in(node, is_ours) if key == APPEND else node.find(key)
        if place is None:
            return _grouped(node, trail, is_ours) if key == APPEND else None
        trail.append((node, place))
        node = node.items[place].node
    if node is None or not is_ours(node.value):
        return None
    return trail


def _ours_in(node: Node, is_ours: IsOurs) -> int | None:
    return next((place for place, item in enumerate(node.items) if is_ours(item.node.value)), None)


def _grouped(array: Node, trail: list[tuple[Node, int]], is_ours: IsOurs) -> list[tuple[Node, int]] | None:
    """The way to ours in an element that a user put more into."""
    for place, item in enumerate(array.items):
        inner = item.node.find(GROUPED)
        several = item.node.items[inner].node if inner is not None else None
        ours = _ours_in(several, is_ours) if several is not None and several.kind == "array" else None
        if inner is not None and several is not None and ours is not None:
            return [*trail, (array, place), (item.node, inner), (several, ours)]
    return None


def _all_ours(text: str, trail: Sequence[tuple[Node, int]]) -> bool:
    return all(
        _came_with(text, node, text[node.start + 1 : node.items[place].start]) for node, place in trail
    )


def _came_with(text: str, node: Node, lead: str) -> bool:
    """Whether brackets came with the one thing in them."""
    if len(node.items) > 1 or lead == WAS_EMPTY or lead.strip():
        return False
    item = node.items[0]
    return item.comma is None and not text[item.node.end : node.end - 1].strip()


def _said_around(text: str, root: Node) -> bool:
    """Whether anything stands beside the value of a file that would be ours as a whole."""
    lead = text[root.start + 1 : root.items[0].start]
    around = text[: root.start] + text[root.end :]
    return lead not in (NO_VALUE, NO_LINE) and bool(around.strip(" \t\r\n"))


def _without_root(text: str, root: Node, lead: str) -> str:
    before = text[: root.start]
    if lead == NO_LINE:
        before = before.removesuffix("\n").removesuffix("\r")
    return before + text[root.end :]


def _without(text: str, node: Node, place: int) -> str:
    """The text without one item, and without the comma and the space that came with it."""
    item = node.items[place]
    start = _lead_start(text, item, first=place == 0)
    end = item.node.end
    if item.comma is not None:
        return text[:start] + _between(text, end, item.comma) + text[item.comma + 1 :]
    if place == 0:
        return text[:start] + text[end:]
    comma = node.items[place - 1].comma
    if comma is None:  # the scanner lets no item follow another without one
        return text
    return text[:comma] + text[comma + 1 : start] + text[end:]


def _between(text: str, start: int, end: int) -> str:
    """What a user wrote between our part and its comma."""
    return text[start:end] if text[start:end].strip() else ""


def _lead_start(text: str, item: Item, *, first: bool) -> int:
    """Where the space before an item begins that came with it."""
    indent = _own_line(text, item.start)
    if indent is not None:
        before = text[: item.start - len(indent)]
        return len(before.removesuffix("\n").removesuffix("\r"))
    has_space = text[item.start - 1 : item.start] == " "
    return item.start - 1 if has_space and (not first or text[item.start - 2] in "{[") else item.start
