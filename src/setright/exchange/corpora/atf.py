"""Texts in ATF as CDLI and Oracc write it: one artifact for each `&` line, streaming, with everything that could not be read."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from setright.exchange.corpora.atf_lemmas import entries, lemmas, placed
from setright.exchange.corpora.atf_places import Where, label_of
from setright.exchange.corpora.atf_translations import NUMBERED, Passage, Translation, find, settle
from setright.exchange.corpora.atf_words import Word, words
from setright.exchange.corpora.languages import language_named
from setright.exchange.corpora.lines import TextLine, lines
from setright.exchange.corpora.model import Fields, Given, ReadArtifact
from setright.exchange.model import Stream, Unread
from setright.kernel.visible import visible

MOST_VALUE = 20_000
MOST_LINES = 10_000
MOST_WORDS = 1_000
MOST_FORM = 1_000
MOST_SAID = 200
_BEGINS = re.compile(
    r"&(?!\.{1,2}(?:[\s=]|$))(?P<id>[^\s=\x00-\x1f\x7f-\x9f]{1,200})\s*(?:=\s*(?P<title>.*))?", re.DOTALL
)
_PROJECT = re.compile(r"[^\s\x00-\x1f\x7f-\x9f]{1,200}")
_PROTOCOL = re.compile(r"#(?P<name>[a-z]+)(?P<kind>\.[a-z]+)?:\s*(?P<rest>.*)", re.DOTALL)
_AT = re.compile(r"@(?P<name>[a-z]+[0-9]?)(?P<rest>(?:[\s?!*=].*)?)", re.DOTALL)
_TRANSLATION = re.compile(r"@translation\s+(?P<kind>parallel|labell?ed|unitary)(?:\s.*)?", re.DOTALL)
_NOTE = re.compile(r"@note\s+(?:\^[^\^\s]{1,20}\^)?\s*(?P<rest>.*)", re.DOTALL)
_WITNESS = re.compile(r"(?P<label>[^\W\d][^\s:\x00-\x1f\x7f-\x9f]{0,39}):\s+(?P<rest>.*)", re.DOTALL)
_LOOSE_RULING = re.compile(r"\(_+\)")
_KEY = re.compile(r"(?P<name>[^=\s]{1,80})=(?P<rest>.*)", re.DOTALL)
_KEYS_OF_FIELDS = {"title", "genre", "period", "language"}
_KEYS_OF_THE_EDITOR = {"file", "l"}
_OTHER_AT = {
    *(
        "catchline",
        "colophon",
        "date",
        "signature",
        "signatures",
        "summary",
        "witnesses",
        "m",
        "h1",
        "h2",
        "h3",
    ),
    *(
        "heading",
        "div",
        "end",
        "divider",
        "comment",
        "variants",
        "include",
        "referto",
        "score",
        "locator",
        "shift",
    ),
}
_LINKS = (">>", "<<", "||", "|", "=:", "={")


def read(stream: Stream, given: Given) -> Iterator[ReadArtifact | Unread]:
    """The artifacts of a file, and what of it could not be read; whatever cannot be read stops nothing else.

    The source of an artifact is its `#project:`, and what was given where it has none. Editorial marks stay in lines
    and forms, and a form without them stands beside; `#key:` lines become notes, or the facts that they name. Comments,
    links and headings that belong to no field stay as lines of kind `comment` at their place. `#lem` lines that do not
    meet the words of their line are placed nowhere, and told.
    """
    text: _Text | None = None
    for line in lines(stream):
        if isinstance(line, Unread):
            yield line
        elif line.text.startswith("&"):
            if text is not None:
                yield from text.whole(given)
            begins = _BEGINS.fullmatch(line.text)
            text = _Text(line.place, begins["id"], (begins["title"] or "").strip()) if begins else None
            if begins is None:
                yield Unread(line.place, "is an & line without an id; what follows belongs to no text")
        elif text is not None:
            yield from text.take(line)
        elif line.text and (line.text[0] != "#" or _PROTOCOL.fullmatch(line.text)):
            yield Unread(line.place, "belongs to no text: no & line stands before it")
    if text is not None:
        yield from text.whole(given)


class _Text:
    """One text while it is read."""

    def __init__(self, place: str, name: str, title: str) -> None:
        self._place = place
        self._said: Fields = {"id": name, "title": name if _is_blank(title) else title[:MOST_VALUE]}
        self._project: str | None = None
        self._notes: list[str] = []
        self._lines: list[Fields] = []
        self._named: dict[str, Fields] = {}
        self._called: dict[str, int] = {}
        self._words: list[Word] | None = None
        self._line: Fields | None = None
        self._lemmatised: Fields | None = None
        self._where = Where()
        self._is_score = False
        self._translation: Translation | None = None
        self._translations: list[Translation] = []

    def take(self, line: TextLine) -> Iterator[Unread]:
        """Read a line of the text; what could not be read of it."""
        text = line.text
        if text.startswith("@translation"):
            reason = self._begin_translation(text)
        elif self._translation is not None:
            unread = self._translation.take(line)
            if unread is not None:
                yield unread
            return
        else:
            reason = self._read(text)
        if reason is not None:
            yield Unread(line.place, reason)

    def _read(self, text: str) -> str | None:
        if not text:
            return None
        if text.startswith("#"):
            return self._read_protocol(text)
        if text.startswith("@"):
            return self._read_at(text)
        if text.startswith("$"):
            return self._read_state(text)
        if text.startswith("=="):
            return self._read_parallel(text.removeprefix("==").strip())
        if text.startswith(_LINKS):
            return self._comment(text)
        numbered = NUMBERED.fullmatch(text) or (_WITNESS.fullmatch(text) if self._is_score else None)
        if numbered is None:
            return f"is no line of ATF that is known: {text[:60]!r}"
        return self._begin_line(label_of(numbered["label"]), (numbered["rest"] or "").strip())

    def _begin_line(self, label: str, text: str) -> str | None:
        if not text:
            self._line = self._words = None
            return f"the line {label} has no words"
        surface = self._where.surface
        target = plain = f"{surface}.{label}"
        while target in self._named:
            self._called[plain] = again = self._called.get(plain, 1) + 1
            target = f"{plain}~{again}"
        found = words(text)
        reason = self._too_much(text, found)
        if reason is not None:
            self._line = self._words = None
            return f"the line {label} {reason}"
        self._words = found
        tokens = [{"form": word.form, "clean": word.clean} for word in found if not word.excised]
        named = target.rpartition(".")[2]
        self._line = {"surface": surface, "label": named, "text": text, "kind": "text", "tokens": tokens}
        self._named[target] = self._line
        self._lines.append(self._line)
        return None

    def _too_much(self, text: str, found: list[Word]) -> str | None:
        """Why an artifact cannot hold a line; None when it can."""
        if len(self._lines) >= MOST_LINES:
            return f"is left out: a text may have at most {MOST_LINES} lines"
        if len(text) > MOST_VALUE or len(found) > MOST_WORDS:
            return f"has more than {MOST_VALUE} characters or {MOST_WORDS} words"
        longest = max((len(word.form) for word in found), default=0)
        return f"has a word of {longest} characters, at most {MOST_FORM}" if longest > MOST_FORM else None

    def _read_parallel(self, text: str) -> str | None:
        """The same line in another language, `==`: a line of its own behind the one that it belongs to."""
        if self._line is None:
            return "is the same line in another language, and no line stands before it"
        return self._begin_line(f"{str(self._line['label']).partition('=')[0]}=", text)

    def _read_state(self, text: str) -> str | None:
        said = text.removeprefix("$").strip()
        if not said:
            return "is a $ line that says nothing"
        ruling = said.endswith("ruling") or _LOOSE_RULING.fullmatch(said)
        return self._add_line("ruling" if ruling else "state", text)

    def _comment(self, text: str) -> str | None:
        return self._add_line("comment", text)

    def _add_line(self, kind: str, text: str) -> str | None:
        reason = self._too_much(text, [])
        if reason is not None:
            return reason
        self._lines.append({"surface": self._where.surface, "label": None, "text": text, "kind": kind})
        return None

    def _read_at(self, text: str) -> str | None:
        note = _NOTE.fullmatch(text)
        if note is not None:
            return self._note(note["rest"])
        found = _AT.fullmatch(text)
        if found is not None and self._where.turn(found["name"], found["rest"].lstrip("?!* ")):
            self._line = self._words = None
            return None
        if found is None or found["name"] not in _OTHER_AT:
            return f"is no @ line that is known: {text[:60]!r}"
        self._is_score = self._is_score or found["name"] == "score"
        return self._comment(text)

    def _begin_translation(self, text: str) -> str | None:
        found = _TRANSLATION.fullmatch(text)
        kind = found["kind"] if found else "unitary"
        self._translation = Translation(kind, self._named)
        self._translations.append(self._translation)
        return (
            None
            if found
            else "is a translation that is neither parallel, labeled nor unitary; read as a unitary one"
        )

    def _read_protocol(self, text: str) -> str | None:
        found = _PROTOCOL.fullmatch(text)
        name, rest = (found["name"], found["rest"].strip()) if found else ("", "")
        readers = {"project": self._read_project, "key": self._key, "lem": self._lem, "note": self._note}
        if name in readers and not (found and found["kind"]):
            return readers[name](rest)
        if name == "tr":
            return self._line_translation(found["kind"] if found else None, rest)
        if name == "atf":
            return self._read_atf(rest)
        return self._comment(text)

    def _read_project(self, rest: str) -> str | None:
        if self._project is not None or not _PROJECT.fullmatch(rest):
            return "a text has one project, which is one word of at most 200 characters"
        self._project = rest
        return None

    def _read_atf(self, rest: str) -> None:
        what, _, code = rest.partition(" ")
        if what == "lang" and code.strip() and not self._lines:
            self._said.setdefault("language", language_named(code.strip()))

    def _key(self, rest: str) -> str | None:
        found = _KEY.fullmatch(rest)
        if found is None or _is_blank(found["rest"]):
            return None if found else "is no key=value"
        name, value = found["name"], found["rest"].strip()
        if name.lower() in _KEYS_OF_FIELDS:
            self._said.setdefault(name.lower(), value[:MOST_VALUE])
        elif name.lower() not in _KEYS_OF_THE_EDITOR:
            self._notes.append(f"{name}: {value}")
        return None

    def _note(self, rest: str) -> str | None:
        if _is_blank(rest):
            return "is an empty note"
        if len(rest) > MOST_VALUE:
            return _too_long("note", rest)
        if self._line is None:
            self._notes.append(rest.strip())
        else:
            _annotate(self._line, "note", rest.strip())
        return None

    def _line_translation(self, kind: str | None, rest: str) -> str | None:
        """A translation of the line before it, as CDLI has them; `ts` is a transcription."""
        if self._line is None:
            return "translates a line, and no line stands before it"
        if _is_blank(rest):
            return "is an empty translation"
        if len(rest) > MOST_VALUE:
            return _too_long("translation", rest)
        _annotate(self._line, "reading" if kind == ".ts" else "translation", rest)
        return None

    def _lem(self, rest: str) -> str | None:
        found = entries(rest)
        if self._line is None or self._words is None:
            return f"its {len(found)} entries belong to no line: none stands before them"
        tokens: list[Fields] = self._line["tokens"]
        if self._lemmatised is self._line:
            return f"its {len(found)} entries are a second #lem of one line"
        self._lemmatised = self._line
        at = placed(self._words, len(found))
        if at is None:
            return f"its {len(found)} entries are placed nowhere: line {self._line['label']} has {len(tokens)} words"
        of_words = _tokens_of(self._words, tokens)
        faults = (_put(of_words[place], entry) for place, entry in zip(at, found, strict=True))
        return "; ".join(fault for fault in faults if fault is not None) or None

    def whole(self, given: Given) -> Iterator[ReadArtifact | Unread]:
        """The artifact, now that its text is at its end, and what of its translations stands nowhere."""
        source = self._project or given.source
        if source is None:
            yield Unread(self._place, "names no #project:, and no source was given for such texts")
            return
        annotations: list[Fields] = [{"field": "note", "value": note} for note in dict.fromkeys(self._notes)]
        for translation in self._translations:
            yield from self._translate(translation.passages, annotations)
        run = {"sourceType": "import", "sourceName": source, "method": "atf"}
        said: Fields = {**self._said, "source": source, **given.facts(), "lines": self._lines}
        if annotations:
            said["annotations"] = annotations
        for target in (
            said,
            *self._lines,
            *(token for line in self._lines for token in line.get("tokens", ())),
        ):
            beyond = target.get("annotations", [])[MOST_SAID:]
            if beyond:
                del target["annotations"][MOST_SAID:]
                where = target.get("label") or target.get("form") or target["id"]
                yield Unread(
                    self._place, f"of {where} too much is said: {len(beyond)} beyond {MOST_SAID} are left out"
                )
        yield ReadArtifact(self._place, {**said, "run": run})

    def _translate(self, passages: list[Passage], whole: list[Fields]) -> Iterator[Unread]:
        order = list(self._named)
        at = {target: place for place, target in enumerate(order)}
        find(passages, order)
        for passage, following in zip_longest(passages, passages[1:]):
            text = passage.text
            if _is_blank(text) or len(text) > MOST_VALUE:
                blank = _is_blank(text)
                yield Unread(
                    passage.place, "is a label without words" if blank else _too_long("translation", text)
                )
                continue
            extent = settle(passage, following.begins if following else None, order, at)
            line = self._named.get(passage.begins) if passage.begins is not None else None
            target: Fields = {"annotations": whole} if line is None else line
            if line is None and passage.begins is not None:
                extent = extent or passage.begins
                yield Unread(
                    passage.place,
                    f"there is no line {passage.begins}; kept as a translation of the whole text",
                )
            _annotate(target, "translation", text, extent)
            for note in passage.notes:
                _annotate(target, "note", note)


def _tokens_of(found: list[Word], tokens: list[Fields]) -> list[Fields | None]:
    """The token of each word of a line; one that is excised has none."""
    remaining = iter(tokens)
    return [None if word.excised else next(remaining) for word in found]


def _put(token: Fields | None, entry: str) -> str | None:
    """Say of a word what an entry says; the reason when that cannot be."""
    said = lemmas(entry)
    if said is None:
        return f"{entry[:60]!r} is no lemma: it should be cf[gw]POS, n, u or X"
    values = [one for lemma in said for one in lemma.said()]
    if token is None:
        return f"{entry[:60]!r} stands on a word that is excised" if values else None
    if (longest := max((len(value) for _, value in values), default=0)) > MOST_VALUE:
        return f"an entry has {longest} characters; it may have at most {MOST_VALUE}"
    if any(_is_blank(value) for _, value in values):
        return f"{entry[:60]!r} says something that nobody can see"
    for field, value in values:
        _annotate(token, field, value)
    return None


def _annotate(target: Fields, field: str, value: str, extent: str | None = None) -> None:
    """Say something of a line, a token or the whole, once."""
    said: dict[str, Any] = {"field": field, "value": value}
    if extent is not None:
        said["extent"] = extent
    annotations: list[Fields] = target.setdefault("annotations", [])
    if len(annotations) >= MOST_SAID or said not in annotations:
        annotations.append(said)


def _is_blank(text: str) -> bool:
    """Whether nothing of a text can be seen."""
    return not visible(text).strip()


def _too_long(what: str, text: str) -> str:
    return f"the {what} has {len(text)} characters; it may have at most {MOST_VALUE}"
