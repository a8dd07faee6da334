"""How words are found whoever wrote them: folded to one key, whatever the case, marks, sign indices and hyphens; pure."""

import re
from functools import lru_cache
from unicodedata import category, normalize

LONGEST_WORD = 60
"""No word of an index is longer; what is longer is found by its beginning."""
SHORT = 200
"""Words of texts that are no longer are remembered: forms, lemmas and senses come again and again."""

_LOW_FIGURES = {0x2080 + figure: str(figure) for figure in range(10)} | {0x2093: "x"}
_NO_LOW_FIGURES = dict.fromkeys(_LOW_FIGURES)
_DETERMINATIVE = re.compile(r"\{[^{}\s]*\}")
_DROPPED = re.compile(
    "['`\u2018\u2019\u02bc\u02be\u02bf\u2032\\[\\](){}<>\u2e22-\u2e25\u27e8\u27e9?!#*|@$~\u00b0\"]+"
)
_JOINS = re.compile(r"(?<=[^\W\d_])[-\u2010-\u2013.\u00b7\u00d7&+_]+(?=[^\W\d_])")
_INDEX = re.compile(r"(?<=[^\W\d_])[0-9]{1,2}(?![0-9])")
_SZ = re.compile("sz+")
_EMPHATIC = re.compile(r"([st]),+(?=[^\W\d_])")
_NASAL = re.compile("[j\u014b]")
_ELSE = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """The words of a text as the index knows them, with one space between; `lugal`, `lu2-gal` and `LUGAL` are one.

    Case, accents, editorial marks, determinatives and sign indices go; hyphens and dots between letters join, between
    figures they part. `sz` is s, `s,` and `t,` are s and t, `j` is g. Folding again changes nothing.
    """
    before = None
    while before != text:
        before, text = text, _once(text)
    return text


def spelled(text: str) -> tuple[str, ...]:
    """The words of a text with their sign indices, each once: what tells `gal2` from `gal`, and `v2` from `v3`."""
    bare = _marks_out(text.translate(_LOW_FIGURES))
    return tuple(dict.fromkeys(word[:LONGEST_WORD] for word in _apart(bare).split()))


def words(text: str) -> tuple[str, ...]:
    """Every word under which a text is found, each once: folded, then the parts of those with hyphens, then spelled."""
    return _remembered(text) if len(text) <= SHORT else _words(text)


def _words(text: str) -> tuple[str, ...]:
    parts = fold(_JOINS.sub(" ", _INDEX.sub("", _marks_out(text.translate(_NO_LOW_FIGURES)))))
    found = (word[:LONGEST_WORD] for word in [*fold(text).split(), *parts.split()])
    return tuple(dict.fromkeys([*found, *spelled(text)]))


_remembered = lru_cache(maxsize=8192)(_words)


def _once(text: str) -> str:
    return _apart(_INDEX.sub("", _marks_out(text.translate(_NO_LOW_FIGURES))))


def _apart(bare: str) -> str:
    """The words of a text without marks: joined where letters meet, with one letter for each sound, and apart."""
    return _ELSE.sub(" ", _NASAL.sub("g", _SZ.sub("s", _JOINS.sub("", bare)))).strip()


def _marks_out(text: str) -> str:
    """A text in small letters without accents, determinatives and editorial marks."""
    spread = normalize("NFKD", text.casefold())
    bare = "".join(one for one in spread if category(one)[0] != "M")
    before = None
    while before != bare:
        before, bare = bare, _DETERMINATIVE.sub("", bare)
    return _EMPHATIC.sub(r"\1", _DROPPED.sub("", bare))
