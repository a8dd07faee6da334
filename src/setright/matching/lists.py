"""The lists of an output: where a judged item stood, and where it is now."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from setright.matching.values import MISSING, at, is_number, member, same, tokens_of

Item = Mapping[str, Any]
_NAMES = ("id", "key", "_id")


def id_of(element: Any) -> str | None:
    """The id of an element: its `id`, `key` or `_id`, or itself when it is text or a number; 7 and 7.0 are "7"."""
    if isinstance(element, dict):
        fields = cast("dict[str, Any]", element)
        return next((found for name in _NAMES if (found := _as_id(fields.get(name))) is not None), None)
    return _as_id(element)


def _as_id(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if not is_number(value):
        return None
    return str(int(value)) if value == int(value) else repr(value)


class Judged(NamedTuple):
    """Where a judged item stood: the pointer of its list, and the element itself (`MISSING` if only its id is known)."""

    pointer: str
    element: Any


class Lists:
    """The lists of one output; each is looked through once, however many items are looked for."""

    __slots__ = ("_by_id", "_elements", "_ids", "_output", "_top")

    def __init__(self, output: Any) -> None:
        self._output = output
        self._elements: dict[str, Sequence[Any] | None] = {}
        self._ids: dict[str, dict[str, int]] = {}
        self._by_id: dict[str, tuple[str, int]] | None = None
        self._top: list[str] = []

    def judged(self, item: Item) -> Judged | None:
        """Where an item stands here, in the output that was corrected; None where no list of it is known.

        The list of an item with a pointer is the nearest array on its way, or without one the object that holds the
        place. Without a pointer it is the first list with an element of that id, nearer ones first, or else the only
        list that is nearest to the top.
        """
        pointer = item.get("pointer")
        if pointer is not None:
            return self._pointed_at(tokens_of(pointer))
        if self._by_id is None:
            self._by_id = self._index()
        found = self._by_id.get(item["key"])
        if found is not None:
            elements = self.elements(found[0]) or ()
            return Judged(found[0], elements[found[1]])
        return Judged(self._top[0], MISSING) if len(self._top) == 1 else None

    def _pointed_at(self, tokens: Sequence[str]) -> Judged:
        """An item that is the whole output stands in a list of its own."""
        here, value = "", self._output
        found = Judged(WHOLE, value)
        in_array = False
        for token in tokens:
            inner = member(value, token)
            is_element = isinstance(value, list)
            if is_element or not in_array:
                found = Judged(here, inner)
            in_array = in_array or is_element
            here, value = at(here, token), inner
        return found

    def _index(self) -> dict[str, tuple[str, int]]:
        found: dict[str, tuple[str, int]] = {}
        for pointer, elements in _lists(self._output):
            depth = pointer.count("/")
            if not self._top or depth == self._top[0].count("/"):
                self._top.append(pointer)
            for index, element in enumerate(elements):
                name = id_of(element)
                if name is not None:
                    found.setdefault(name, (pointer, index))
        return found

    def elements(self, pointer: str) -> Sequence[Any] | None:
        """The elements of the list at a pointer, or the values of the object there; None where neither stands."""
        if pointer not in self._elements:
            self._elements[pointer] = _elements(self._output, pointer)
        return self._elements[pointer]

    def place_of(self, item: Item, judged: Judged) -> int | None:
        """The index of an item in its list here: the first element of its id, else the first of identical content."""
        elements = self.elements(judged.pointer) or ()
        if judged.pointer not in self._ids:
            self._ids[judged.pointer] = _first_of_each_id(elements)
        index = self._ids[judged.pointer].get(item["key"])
        if index is None and judged.element is not MISSING:
            alike = (index for index, element in enumerate(elements) if same(judged.element, element))
            return next(alike, None)
        return index


WHOLE = "-"  # no pointer: the list whose only element is the output itself


def _elements(output: Any, pointer: str) -> Sequence[Any] | None:
    if output is MISSING:
        return None
    if pointer == WHOLE:
        return [output]
    value = output
    for token in tokens_of(pointer):
        value = member(value, token)
    if isinstance(value, list):
        return cast("list[Any]", value)
    return list(cast("dict[str, Any]", value).values()) if isinstance(value, dict) else None


def _first_of_each_id(elements: Sequence[Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for index, element in enumerate(elements):
        name = id_of(element)
        if name is not None:
            found.setdefault(name, index)
    return found


def _lists(output: Any) -> Iterator[tuple[str, list[Any]]]:
    """Every list of an output, those nearer to the top first."""
    level: list[tuple[str, Any]] = [("", output)]
    while level:
        following: list[tuple[str, Any]] = []
        for pointer, value in level:
            if isinstance(value, list):
                elements = cast("list[Any]", value)
                yield pointer, elements
                following += [(at(pointer, str(index)), one) for index, one in enumerate(elements)]
            elif isinstance(value, dict):
                fields = cast("dict[str, Any]", value)
                following += [(at(pointer, name), one) for name, one in fields.items()]
        level = following
