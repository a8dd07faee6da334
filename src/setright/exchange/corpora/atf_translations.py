"""A translation that stands behind its text in ATF, in one of its forms: parallel, labeled or unitary."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from setright.exchange.corpora.atf_places import Where, extent_of, label_of
from setright.exchange.corpora.lines import TextLine
from setright.exchange.model import Unread

NUMBERED = re.compile(
    r"(?P<label>[^\s.@#$&\x00-\x1f\x7f-\x9f]{1,40}(?:\.[^\s.\x00-\x1f\x7f-\x9f]{1,40}){0,3})\.(?:\s+(?P<rest>.*))?",
    re.DOTALL,
)
_LABEL = re.compile(r"@(?:label\+?|span)\s+(?P<label>[^@{}]{1,80})")
_INLINE = re.compile(r"@\(([^()]{1,80})\)")
_NOTE = re.compile(r"@note\s+(?:\^(?P<mark>[^\^\s]{1,20})\^)?\s*(?P<rest>.*)", re.DOTALL)
_MARK = re.compile(r"\^([^\^\s]{1,20})\^")
_STYLED = re.compile(r"@[a-z]{1,8}\{([^{}]*)\}")
_UNSURE = re.compile(r"@\?([^@?]*)\?@")
_FOREIGN = re.compile(r"@(?=\w)")
_HEADING = re.compile(r"@h[1-6](?:\s|$)")
_MOST_NESTED = 4


@dataclass(slots=True)
class Passage:
    """What is translated in one piece: where it begins and ends as far as it says so, and its words."""

    place: str
    begins: str | None
    ends: str | None = None
    to_next: bool = False
    words: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    marks: set[str] = field(default_factory=set[str])

    @property
    def text(self) -> str:
        """The words without markup."""
        return plain(" ".join(self.words))


def plain(text: str) -> str:
    """A translation without markup."""
    text = _UNSURE.sub(r"\1", _MARK.sub("", text))
    for _ in range(_MOST_NESTED):
        text, found = _STYLED.subn(r"\1", text)
        if not found:
            break
    return " ".join(_FOREIGN.sub("", text).split())


class Translation:
    """One `@translation` block, line by line.

    Its markup is taken out (`@i{…}`, `@?…?@`, `@word`, note marks), square brackets stay. What breaks or rules the text
    (`$` lines) is said in the text itself, and not kept a second time. The facts are from the translation documentation of
    Oracc.
    """

    def __init__(self, kind: str, known: Mapping[str, object]) -> None:
        self._kind = kind
        self._known = known
        self._where = Where()
        self._open: Passage | None = None
        self.passages: list[Passage] = []

    def take(self, line: TextLine) -> Unread | None:
        """Read a line; what could not be read of it."""
        text = line.text.strip()
        if not text or text.startswith("$") or (text.startswith("#") and not text.startswith("#note:")):
            return None
        if text.startswith("#note:"):
            return self._note(line.place, text.removeprefix("#note:").strip(), None)
        if (note := _NOTE.fullmatch(text)) is not None:
            return self._note(line.place, note["rest"], note["mark"])
        if (label := _LABEL.fullmatch(text)) is not None:
            self._begin(line.place, label["label"])
            return None
        if _HEADING.match(text):
            return None
        turned = re.fullmatch(r"@([a-z]+)(?:\s+(.*))?", text)
        if turned is not None and self._where.turn(turned[1].rstrip("?!*"), turned[2] or ""):
            return None
        numbered = NUMBERED.fullmatch(text) if self._kind == "parallel" else None
        if numbered is not None:
            begins = f"{self._where.surface}.{label_of(numbered['label'])}"
            self._add(Passage(line.place, begins))
            text = numbered["rest"] or ""
        return self._words(line.place, text)

    def _words(self, place: str, text: str) -> Unread | None:
        """Text, with the labels that stand in it."""
        before, *labelled = _INLINE.split(text)
        unread = self._say(place, before) if before.strip() else None
        for label, words in zip(labelled[::2], labelled[1::2], strict=True):
            self._begin(place, label)
            unread = self._say(place, words) or unread
        return unread

    def _begin(self, place: str, label: str) -> None:
        begins, ends = extent_of(label, self._known)
        self._add(Passage(place, begins, ends, to_next=ends is None))

    def _add(self, passage: Passage) -> Passage:
        self._open = passage
        self.passages.append(passage)
        return passage

    def _say(self, place: str, text: str) -> Unread | None:
        if not any(sign.isalnum() for sign in text) and "..." not in text and "…" not in text:
            return Unread(place, "holds no words of a translation") if text.strip() else None
        passage = self._open or self._add(Passage(place, None))
        passage.words.append(text.strip())
        passage.marks.update(_MARK.findall(text))
        return None

    def _note(self, place: str, text: str, mark: str | None) -> Unread | None:
        marked = [passage for passage in self.passages if mark in passage.marks]
        passage = marked[-1] if marked else self._open
        if not text or passage is None:
            return Unread(
                place, "is a note of nothing: no translation stands before it" if text else "is an empty note"
            )
        passage.notes.append(plain(text))
        return None


def find(passages: Sequence[Passage], order: Sequence[str]) -> None:
    """Let passages that name a line on the wrong surface begin and end at the one line that has their label.

    Translations often count on where the text has turned to an edge. Where several lines have the label, none is taken.
    """
    of_label: dict[str, list[str]] = {}
    for target in order:
        of_label.setdefault(target.rpartition(".")[2], []).append(target)
    known = set(order)

    def found(target: str | None) -> str | None:
        if target is None or target in known:
            return target
        label = target.rpartition(".")[2]
        fitting = of_label.get(label) or of_label.get(f"{label}'") or []
        return fitting[0] if len(fitting) == 1 else target

    for passage in passages:
        passage.begins, passage.ends = found(passage.begins), found(passage.ends)


def settle(
    passage: Passage, following: str | None, order: Sequence[str], at: Mapping[str, int]
) -> str | None:
    """The extent of a passage as targets have it, None when it is of one line.

    A labelled one without an end goes on up to the line before the next begins, and the last to the end of the text.
    """
    begins = passage.begins
    if begins is None:
        return None
    ends = passage.ends
    if ends is None and passage.to_next and begins in at:
        until = at.get(following, 0) if following is not None else len(order)
        ends = order[until - 1] if until - 1 > at[begins] else None
    return f"{begins}-{ends}" if ends is not None and ends != begins else None
