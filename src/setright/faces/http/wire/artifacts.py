"""How artifacts, their lines and their words look on the wire."""

from typing import Any, Literal

from setright.faces.http.samples import AT, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import Wire, present, time, who
from setright.knowledge import Artifact as ArtifactRecord
from setright.knowledge import ImportedArtifact, Line, Token
from setright.knowledge import Source as SourceRecord


class Source(Shape):
    """From where a text came, and on which terms it may be shown."""

    source: str
    licence: str = absent("On which terms it may be used.")
    attribution: str = absent("The words that must be shown with it.")


class Artifact(Shape):
    """A text, a table or a record: its own facts as they stand now, and its sources, the oldest first."""

    id: str
    version: int
    title: str = absent("What it is called.")
    genre: str = absent("What kind of text it is.")
    period: str = absent("When it was written.")
    language: str = absent("Its language.")
    sources: list[Source]
    created_by: Principal
    created_at: Time
    updated_at: Time


class Added(Shape):
    """How much an import added."""

    lines: int
    tokens: int
    annotations: int


class RecordedArtifact(Shape):
    """An artifact as it is now, and what was added to it."""

    artifact: Artifact
    annotation_run_id: int = absent("The annotation run of what was added; absent where nothing was.")
    added: Added


class ArtifactToken(Shape):
    """A word of a line; its id is surface, line and position, as in o.1.2."""

    id: str
    position: int
    form: str
    clean: str
    source: str


class ArtifactLine(Shape):
    """A line in its place, from 0; what is no line of text has no label, no target and no words."""

    line: int
    target: str = absent("The line's target: surface and label, as in o.1.")
    surface: str
    label: str = absent("What the line is called.")
    kind: Literal["text", "ruling", "state", "comment"]
    text: str
    source: str
    tokens: list[ArtifactToken]


def artifact(made: ArtifactRecord) -> Wire:
    """An artifact as the contract orders it."""
    return present(
        {
            "id": made.id,
            "version": made.version,
            "title": made.title,
            "genre": made.genre,
            "period": made.period,
            "language": made.language,
            "sources": [_source(one) for one in made.sources],
            "createdBy": who(made.created_by_kind, made.created_by_id),
            "createdAt": time(made.created_at),
            "updatedAt": time(made.updated_at),
        }
    )


def _source(made: SourceRecord) -> Wire:
    return present({"source": made.source, "licence": made.licence, "attribution": made.attribution})


def recorded(made: ImportedArtifact) -> Wire:
    """An artifact as it was recorded."""
    added = made.added
    return present(
        {
            "artifact": artifact(made.artifact),
            "annotationRunId": made.run,
            "added": {"lines": added.lines, "tokens": added.tokens, "annotations": added.annotations},
        }
    )


def line(made: Line) -> Wire:
    """A line with its words."""
    return present(
        {
            "line": made.line,
            "target": made.target,
            "surface": made.surface,
            "label": made.label,
            "kind": made.kind,
            "text": made.text,
            "source": made.source,
            "tokens": [_token(one) for one in made.tokens],
        }
    )


def _token(made: Token) -> Wire:
    return {
        "id": made.target,
        "position": made.position,
        "form": made.form,
        "clean": made.clean,
        "source": made.source,
    }


_WORDS: list[Sample] = [
    {"form": "ki", "annotations": [{"field": "lemma", "value": "ki"}, {"field": "sense", "value": "place"}]},
    {
        "form": "lu₂-gal#-ta",
        "clean": "lu₂-gal-ta",
        "annotations": [
            {"field": "reading", "value": "lugal"},
            {"field": "lemma", "value": "lugal"},
            {"field": "sense", "value": "king", "confidence": 0.8},
            {"field": "pos", "value": "N"},
        ],
    },
]
NEW_ARTIFACT: Sample = {
    "id": "P900001",
    "source": "setright/first",
    "title": "Storehouse 1",
    "genre": "administrative",
    "period": "Ur III",
    "language": "Sumerian",
    "licence": "CC0-1.0",
    "lines": [
        {
            "surface": "o",
            "label": "3",
            "text": "ki lu₂-gal#-ta",
            "tokens": _WORDS,
            "annotations": [{"field": "translation", "value": "from the king"}],
        },
        {"surface": "o", "kind": "ruling", "text": "$ single ruling"},
    ],
    "annotations": [{"field": "note", "value": "find: Nippur"}],
    "run": {"sourceType": "import", "sourceName": "setright/first", "method": "atf"},
}
ARTIFACT: Sample = {
    "id": NEW_ARTIFACT["id"],
    "version": 1,
    **{name: NEW_ARTIFACT[name] for name in ("title", "genre", "period", "language")},
    "sources": [{"source": "setright/first", "licence": "CC0-1.0"}],
    "createdBy": WHO,
    "createdAt": AT,
    "updatedAt": AT,
}
RECORDED: Sample = {
    "artifact": ARTIFACT,
    "annotationRunId": 1,
    "added": {"lines": 2, "tokens": 2, "annotations": 12},
}
LINE: Sample = {
    "line": 0,
    "target": "o.3",
    "surface": "o",
    "label": "3",
    "kind": "text",
    "text": "ki lu₂-gal#-ta",
    "source": "setright/first",
    "tokens": [
        {"id": "o.3.1", "position": 1, "form": "ki", "clean": "ki", "source": "setright/first"},
        {
            "id": "o.3.2",
            "position": 2,
            "form": "lu₂-gal#-ta",
            "clean": "lu₂-gal-ta",
            "source": "setright/first",
        },
    ],
}
EXAMPLE_PATH: dict[str, Any] = {"artifactId": ARTIFACT["id"]}
