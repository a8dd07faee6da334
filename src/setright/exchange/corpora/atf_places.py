"""Where a line of ATF stands: `o.3`, `r.ii.1'`, `envelope.o.2`; and what a label of a translation names."""

import re
from collections.abc import Container

PLAIN_SURFACES = {
    "obverse": "o",
    "reverse": "r",
    "left": "le",
    "right": "re",
    "top": "te",
    "bottom": "be",
    "edge": "e",
    "sealing": "sl",
    "sealings": "sl",
    "seal": "sl",
    "surface": "s",
    "face": "f",
}
_HAVE_NAMES = {"e", "f", "s", "sl"}
OBJECTS = {"tablet", "envelope", "prism", "bulla", "bullae", "fragment", "object", "composite", "composition"}
_IN_LABELS = {
    "o": "o",
    "obv": "o",
    "r": "r",
    "rev": "r",
    "l.e": "le",
    "r.e": "re",
    "t.e": "te",
    "b.e": "be",
    "e": "e",
    "le": "le",
    "re": "re",
    "te": "te",
    "be": "be",
    "seal": "sl",
    "surface": "s",
    "face": "f",
}
_UNUSUAL = re.compile(r"[^\w'+-]+")
_PRIMES = str.maketrans("\u2032\u2019\u02b9", "'''")
_TENS = ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx", "xc")
_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_RANGE = re.compile("\\s+[-\u2013\u2014]\\s+|\\s*[\u2013\u2014]\\s*")
_MOST_LABEL = 40
_MOST_NAME = 12


def label_of(written: str) -> str:
    """A line's label as targets have it."""
    return written.translate(_PRIMES).replace(".", ":")[:_MOST_LABEL]


def _named(written: str) -> str:
    return _UNUSUAL.sub("-", written.translate(_PRIMES).lower()).lstrip("-'+").rstrip("-")[:_MOST_NAME]


def column_of(written: str) -> str:
    """A column as a small Roman number, primed where it is; a name that is no such number stays, behind a c if need be."""
    name = _named(written)
    digits = name.rstrip("'")
    if not (digits.isascii() and digits.isdigit() and 0 < int(digits[:3]) < 100 and len(digits) < 3):
        return name if name[:1].isalpha() or not name else f"c{name}"
    number = int(digits)
    return f"{_TENS[number // 10]}{_ONES[number % 10]}{name[len(digits) :]}"


class Where:
    """The object, surface and column that the lines to come stand on, as the `@` lines before them say.

    A surface is `o` obverse, `r` reverse, `le` `re` `te` `be` the left, right, top and bottom edge, `e` an edge, `s1` `fa`
    surfaces and faces with a name, `sl` a seal; a text without any begins on `o`. A column stands behind it as a small Roman
    number. The second object of a text (an envelope beside its tablet) and every fragment stand before it with their name.
    A point inside of a line's label (`1.a`) becomes a colon; the second line of one label is `3~2`, the third `3~3`.
    """

    def __init__(self) -> None:
        self._objects: list[str] = []
        self._surface = "o"
        self._column = ""

    @property
    def surface(self) -> str:
        """The surface as targets have it, with what stands before and behind it."""
        prefix = self._objects[-1] if self._objects else ""
        return ".".join(filter(None, (prefix, self._surface, self._column)))

    def turn(self, name: str, rest: str) -> bool:
        """Go where an `@` line says; False when it is none that says where."""
        if name == "column":
            self._column = column_of(rest)
            return True
        if name in PLAIN_SURFACES:
            self._surface, self._column = PLAIN_SURFACES[name], ""
            if self._surface in _HAVE_NAMES:
                self._surface += _named(rest)
            return True
        if name not in OBJECTS:
            return False
        self._begin_object(name, rest)
        return True

    def _begin_object(self, name: str, rest: str) -> None:
        self._surface, self._column = "o", ""
        if not self._objects and name != "fragment":
            self._objects.append("")
            return
        named = _named(f"{name}{rest}" if name == "fragment" else f"{name} {rest}".strip())
        again = sum(one == named or one.startswith(f"{named}~") for one in self._objects)
        self._objects.append(f"{named}~{again + 1}" if again else named)


def extent_of(written: str, known: Container[str]) -> tuple[str, str | None]:
    """The first and the last line that a label of a translation names; None when it names one.

    A label is `3`, `o 3'`, `r ii 5`, `b.e. 30`, `o 1 - r 2` or `o 1-3`. One without surface is of the surface of the
    first, and else of the obverse. Many translations leave out the prime of a line behind a break.
    """
    first, *further = _RANGE.split(written.strip(), maxsplit=1)
    begin = _known(_target(first, "o"), known)
    surface, _, label = begin.rpartition(".")
    if further:
        return begin, _known(_target(further[0], surface), known)
    if begin not in known and "-" in label:
        begun, _, ended = label.partition("-")
        return _known(f"{surface}.{begun}", known), _known(f"{surface}.{ended}", known)
    return begin, None


def _known(target: str, known: Container[str]) -> str:
    primed = f"{target}'"
    return primed if target not in known and primed in known else target


def _target(written: str, surface: str) -> str:
    *places, label = written.split() or [""]
    if places:
        first, *columns = places
        code = _IN_LABELS.get(first.lower().rstrip(".") if len(first) > 1 else first)
        if code is None:
            code, columns = ("o", places) if _is_column(first) else (f"f{_named(first)}", columns)
        elif code in _HAVE_NAMES and code != "e" and columns:
            code, columns = f"{code}{_named(columns[0])}", columns[1:]
        surface = ".".join([code, *(column_of(one) for one in columns)])
    return f"{surface}.{label_of(label)}"


def _is_column(written: str) -> bool:
    return bool(re.fullmatch(r"(?:\d{1,2}|[ivxl]+)'*", written.translate(_PRIMES)))
