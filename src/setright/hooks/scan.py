"""Where everything stands in a JSON text, with comments and trailing commas where a client allows them."""

import json
import re
from typing import Any, Literal, NamedTuple

_SPACE = re.compile(r"[ \t\r\n]+")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
BYTE_ORDER_MARK = "\ufeff"


class NotJson(ValueError):
    """The text is no JSON; the message says where and why."""


class Item(NamedTuple):
    """A member of an object or an element of an array: `start` is where its key begins, `comma` where one follows."""

    key: str | None
    start: int
    node: "Node"
    comma: int | None


class Node(NamedTuple):
    """A value and where it stands: `text[start:end]`."""

    kind: Literal["object", "array", "plain"]
    start: int
    end: int
    value: Any
    items: list[Item]

    def find(self, key: str) -> int | None:
        """The place of a member; of several with one name, the last counts, as for every reader."""
        places = [place for place, item in enumerate(self.items) if item.key == key]
        return places[-1] if places else None


def scan(text: str) -> Node | None:
    """The value that a text holds; None when it holds nothing but space and comments."""
    reader = _Reader(text)
    try:
        return reader.document()
    except RecursionError:
        raise NotJson("it is nested too deep") from None


class _Reader:
    """Reads one text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 1 if text.startswith(BYTE_ORDER_MARK) else 0

    def document(self) -> Node | None:
        self.skip()
        if self.at == len(self.text):
            return None
        node = self.value()
        self.skip()
        if self.at < len(self.text):
            raise self.fault("something stands after the value")
        return node

    def skip(self) -> None:
        while found := _SPACE.match(self.text, self.at) or _COMMENT.match(self.text, self.at):
            self.at = found.end()

    def value(self) -> Node:
        start = self.at
        opener = self.text[start : start + 1]
        if opener in ("{", "["):
            self.at += 1
            items = self.items("}" if opener == "{" else "]")
            if opener == "{":
                return Node("object", start, self.at, {item.key: item.node.value for item in items}, items)
            return Node("array", start, self.at, [item.node.value for item in items], items)
        found = _TEXT.match(self.text, start) or _WORD.match(self.text, start)
        if found is None:
            raise self.fault("a value is missing")
        return self.plain(found)

    def plain(self, found: re.Match[str]) -> Node:
        try:
            value = json.loads(found[0])
        except ValueError:
            raise self.fault("this is no JSON value") from None
        self.at = found.end()
        return Node("plain", found.start(), self.at, value, [])

    def items(self, closer: str) -> list[Item]:
        """What stands up to the closer, which is read too."""
        found: list[Item] = []
        while True:
            self.skip()
            if self.take(closer):
                return found
            if found and found[-1].comma is None:
                raise self.fault(f"a comma or {closer} is missing")
            start, key = self.at, self.key() if closer == "}" else None
            node = self.value()
            self.skip()
            comma = self.at
            found.append(Item(key, start, node, comma if self.take(",") else None))

    def key(self) -> str:
        found = _TEXT.match(self.text, self.at)
        if found is None:
            raise self.fault("a name in double quotes is missing")
        key = self.plain(found).value
        self.skip()
        if not self.take(":"):
            raise self.fault("a colon is missing")
        self.skip()
        return key

    def take(self, char: str) -> bool:
        if self.text[self.at : self.at + 1] != char:
            return False
        self.at += 1
        return True

    def fault(self, reason: str) -> NotJson:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        return NotJson(f"line {line}, column {column}: {reason}")
