"""Artifacts, their lines and words: the records, and what may be sent of them."""

import hashlib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from setright.kernel.errors import MOST_FAULTS, fault_at
from setright.kernel.fields import NAME, Fault, Faults, Id, Input, Name, optional, required
from setright.kernel.ids import looks_like_ours
from setright.kernel.json import MAX_INTEGER
from setright.kernel.visible import visible

VALUE = 20_000
FORM = 1_000
LABEL = 50
MOST_LINES = 10_000
MOST_TOKENS = 1_000
MOST_SAID = 200
CORRECTION_SOURCE = "user-correction"
"""The source name of corrections, which no import may take."""

FieldWord = Literal[
    "reading", "lemma", "sense", "pos", "translation", "note", "title", "genre", "period", "language"
]
OwnFieldWord = Literal["title", "genre", "period", "language"]
LineKind = Literal["text", "ruling", "state", "comment"]
SourceType = Literal["human", "model", "hybrid", "import"]
OWN_FIELDS: tuple[OwnFieldWord, ...] = ("title", "genre", "period", "language")
"""The fields that speak of an artifact as a whole."""
WHOLE = ""
"""The target of an artifact as a whole."""
_PRIMES = str.maketrans("\u2032\u2019\u02b9\u2018", "''''")


@dataclass(frozen=True, slots=True)
class Source:
    """From where a text came, and on which terms it may be shown."""

    source: str
    licence: str | None
    attribution: str | None


@dataclass(frozen=True, slots=True)
class Artifact:
    """A text, a table, a record: its own facts as they stand now, and its sources, the oldest first.

    `version` grows with whatever is added to its annotations or decided on them.
    """

    id: str
    version: int
    title: str | None
    genre: str | None
    period: str | None
    language: str | None
    sources: Sequence[Source]
    created_by_kind: str
    created_by_id: str
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a line: as it is written, and without editorial marks; its target is its id within the artifact."""

    target: str
    line: int
    position: int
    form: str
    clean: str
    source: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line in its place, from 0; what is no line of text (a ruling, a state, a comment) has no label and no target."""

    line: int
    target: str | None
    surface: str
    label: str | None
    kind: str
    text: str
    source: str
    tokens: Sequence[Token] = ()


@dataclass(frozen=True, slots=True)
class Added:
    """How much an import added."""

    lines: int = 0
    tokens: int = 0
    annotations: int = 0


@dataclass(frozen=True, slots=True)
class ImportedArtifact:
    """What an import came to; without `run` nothing was added."""

    artifact: Artifact
    run: int | None
    added: Added
    created: bool


def fold_label(label: str) -> str:
    """A label as it stands in targets: every sign for a prime is one."""
    return label.translate(_PRIMES)


def line_target(surface: str, label: str) -> str:
    """The target of a line."""
    return f"{surface}.{fold_label(label)}"


def token_target(line: str, position: int) -> str:
    """The target of a word, by its line's and its position from 1."""
    return f"{line}.{position}"


def _plain(text: str) -> str:
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise Fault("", "contains a control character")
    if not visible(text).strip():
        raise Fault("", "is blank", "at least one visible character")
    return text


def _own_id(text: str) -> str:
    if text in (".", ".."):
        raise Fault("", "cannot be a segment of a path", "any id but . and ..")
    if looks_like_ours(text):
        raise Fault("", "has the form of an id that Setright makes", "an id of another form")
    return _plain(text)


def _surface(text: str) -> str:
    if not all(part[:1].isalpha() for part in text.split(".")):
        raise Fault("", "is no surface", "parts between dots that begin with a letter, such as o, r.ii or s1")
    return _plain(text)


def _label(text: str) -> str:
    if "." in text:
        raise Fault(
            "", "contains a dot, which stands between the parts of a target", "a label such as 3' or 1a"
        )
    return _plain(text)


def _value(text: str) -> str:
    if not visible(text).strip():
        raise Fault("", "is blank", "at least one visible character")
    return text


def _source_name(text: str) -> str:
    if text == CORRECTION_SOURCE:
        raise Fault("", "is kept for corrections", "the name of a source, a model or a person")
    return _plain(text)


OwnId = Annotated[Id, AfterValidator(_own_id)]
SourceName = Annotated[Name, AfterValidator(_source_name)]
Value = Annotated[str, StringConstraints(min_length=1, max_length=VALUE), AfterValidator(_value)]
Surface = Annotated[str, StringConstraints(min_length=1, max_length=LABEL), AfterValidator(_surface)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=LABEL), AfterValidator(_label)]
Form = Annotated[str, StringConstraints(min_length=1, max_length=FORM)]
Number = Annotated[int, Field(ge=1, le=MAX_INTEGER)]


class NewSaying(Input):
    """Something said of an artifact, a line or a word."""

    field: FieldWord = required("What is said: a reading, a lemma, a sense and so on.")
    value: Value = required("What it is, in the words of who said it.")
    confidence: Annotated[float, Field(ge=0, le=1)] | None = optional("How sure they are, from 0 to 1.")
    extent: Name | None = optional("The lines that it speaks of when these are several, such as o.1-o.3.")


Sayings = Annotated[list[NewSaying], Field(max_length=MOST_SAID)]


class NewArtifactToken(Input):
    """A word of a line; its position is its place in the list, from 1."""

    form: Form = required("As it is written, with editorial marks.")
    clean: Form | None = optional("Without editorial marks; left out, as it is written.")
    annotations: Sayings | None = optional("What is said of the word.")


class NewArtifactLine(Input):
    """A line in its place; only a line of text has a label, and words."""

    surface: Surface = Field(default="o", description="The surface and column that it stands on.")
    label: Label | None = optional("What the line is called; needed for a line of text, and only there.")
    text: Annotated[str, StringConstraints(max_length=VALUE)] = required("The line as it is written.")
    kind: LineKind = Field(default="text", description="A line of text, or what stands between such lines.")
    tokens: Annotated[list[NewArtifactToken], Field(max_length=MOST_TOKENS)] | None = optional("Its words.")
    annotations: Sayings | None = optional("What is said of the line.")

    @property
    def target(self) -> str | None:
        """The target of a line of text."""
        return None if self.label is None else line_target(self.surface, self.label)

    @model_validator(mode="after")
    def _fits_its_kind(self) -> "NewArtifactLine":
        if self.kind == "text":
            if self.label is None:
                raise Fault("/label", "is required for a line of text", "a label such as 1 or 3'")
            return self
        for name in ("label", "tokens", "annotations"):
            if getattr(self, name):
                raise Fault(f"/{name}", f"does not go with the kind {self.kind}", "leave it out")
        return self


class NewArtifactRun(Input):
    """Who or what annotated; left out, the import itself."""

    source_type: SourceType = Field(default="import", description="Who annotated.")
    source_name: SourceName | None = optional("Its name; left out, the source of the text.")
    method: Name = Field(default="json", description="How the annotations were made.")
    scholar_id: Number | None = optional("The scholar whose work it is; the caller must speak as that one.")
    publication: Annotated[str, StringConstraints(min_length=1, max_length=VALUE)] | None = optional(
        "Where it was published."
    )


class NewArtifact(Input):
    """A text, a table or a record, with what a source says of it."""

    id: OwnId = required("The artifact's own id, such as a P-number.")
    source: SourceName = required("From where it comes, such as a corpus or a file.")
    title: Value = required("What it is called.")
    genre: Value | None = optional("What kind of text it is.")
    period: Value | None = optional("When it was written.")
    language: Value | None = optional("Its language.")
    licence: Name | None = optional("On which terms it may be used.")
    attribution: Annotated[str, StringConstraints(min_length=1, max_length=VALUE)] | None = optional(
        "The words that must be shown with it."
    )
    lines: Annotated[list[NewArtifactLine], Field(max_length=MOST_LINES)] | None = optional(
        "Its lines in their order."
    )
    annotations: Sayings | None = optional("What is said of the artifact as a whole.")
    run: NewArtifactRun = Field(default_factory=NewArtifactRun, description="Who annotated.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An object that is null is one that was left out."""
        if "run" in body and body["run"] is None:
            yield fault_at("/run", "is null", "an object, or leave it out")

    @model_validator(mode="after")
    def _targets_stand_once(self) -> "NewArtifact":
        faults = list(_doubled(self.lines or ()))
        if faults:
            raise Faults(faults[:MOST_FAULTS])
        return self

    @property
    def source_name(self) -> str:
        """The name of who annotated."""
        return self.run.source_name or self.source

    def content_hash(self) -> str:
        """A hash of everything that was sent."""
        return hashlib.sha256(self.model_dump_json(by_alias=True, exclude_none=True).encode()).hexdigest()


def _doubled(lines: Sequence[NewArtifactLine]) -> Iterator[dict[str, str]]:
    """Lines that are called as another one is, or as a word of another one."""
    seen: set[str] = set()
    words = {
        token_target(line.target, place)
        for line in lines
        if line.target is not None
        for place in range(1, len(line.tokens or ()) + 1)
    }
    for place, line in enumerate(lines):
        target = line.target
        if target is None:
            continue
        if target in seen:
            yield fault_at(f"/lines/{place}/label", f"stands twice: {target[:NAME]}", "a label for each line")
        if target in words:
            yield fault_at(f"/lines/{place}/label", f"names a word of another line: {target[:NAME]}")
        seen.add(target)
