"""The tables of knowledge: texts and their words, what was said of them in layers, and the answers that were given."""

from sqlalchemy import Column, ForeignKeyConstraint, Index, Table, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import TSVECTOR

from setright.storage import counter, json_text, metadata, moment, number, raw_bytes, text


def _points(table: str, column: str, to: str, key: str = "id") -> ForeignKeyConstraint:
    """A foreign key within the tenant, named so that a table may have several."""
    ours, theirs = ["tenant_id", column], [f"{to}.tenant_id", f"{to}.{key}"]
    return ForeignKeyConstraint(ours, theirs, name=f"fk_{table}_{column}")


artifacts = Table(
    "artifacts",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    number("version"),
    text("created_by_kind"),
    text("created_by_id"),
    moment("created_at"),
    moment("updated_at"),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
)
"""`version` grows by one with each transaction that adds to its annotations or decides on one of them.

What an artifact is called and what it is are annotations of it, so that they too can be corrected.
"""
_A = artifacts.c
Index("ix_artifacts_page", _A.tenant_id, _A.created_at, _A.id)

artifact_sources = Table(
    "artifact_sources",
    metadata,
    text("tenant_id", primary_key=True),
    text("artifact_id", primary_key=True),
    text("source", primary_key=True),
    text("licence", null=True),
    text("attribution", null=True),
    text("content_hash"),
    moment("created_at"),
    moment("updated_at"),
    _points("artifact_sources", "artifact_id", "artifacts"),
)
"""From where a text came; `content_hash` is of what was imported last from there."""
Index("ix_artifact_sources_source", artifact_sources.c.tenant_id, artifact_sources.c.source)

artifact_lines = Table(
    "artifact_lines",
    metadata,
    text("tenant_id", primary_key=True),
    text("artifact_id", primary_key=True),
    number("line", primary_key=True, autoincrement=False),
    text("target", null=True),
    text("surface"),
    text("label", null=True),
    text("kind"),
    text("text"),
    text("source"),
    _points("artifact_lines", "artifact_id", "artifacts"),
    UniqueConstraint("tenant_id", "artifact_id", "target"),
)
"""The lines in their order, from 0; what is no line of text has neither a label nor a target."""

artifact_tokens = Table(
    "artifact_tokens",
    metadata,
    text("tenant_id", primary_key=True),
    text("artifact_id", primary_key=True),
    number("line", primary_key=True, autoincrement=False),
    number("position", primary_key=True, autoincrement=False),
    text("target"),
    text("form"),
    text("clean"),
    text("source"),
    ForeignKeyConstraint(
        ["tenant_id", "artifact_id", "line"],
        ["artifact_lines.tenant_id", "artifact_lines.artifact_id", "artifact_lines.line"],
    ),
    UniqueConstraint("tenant_id", "artifact_id", "target"),
)
"""The words of a line, from position 1: as they are written, and without editorial marks."""

annotation_runs = Table(
    "annotation_runs",
    metadata,
    text("tenant_id", primary_key=True),
    number("number", primary_key=True, autoincrement=False),
    text("source_type"),
    text("source_name"),
    text("method"),
    number("scholar", null=True),
    text("publication", null=True),
    text("evidence", null=True),
    text("artifact_id", null=True),
    number("interaction", null=True),
    text("created_by_kind"),
    text("created_by_id"),
    moment("created_at"),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
    _points("annotation_runs", "scholar", "scholars", "number"),
    _points("annotation_runs", "artifact_id", "artifacts"),
)
"""One act of annotating; `evidence` and `interaction` are of a correction."""
_R = annotation_runs.c
for _name in ("scholar", "source_name", "method", "artifact_id"):
    Index(f"ix_annotation_runs_{_name}", _R.tenant_id, _R[_name], _R.number)

annotations = Table(
    "annotations",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("artifact_id"),
    text("target"),
    text("field"),
    text("value"),
    json_text("confidence", null=True),
    text("extent", null=True),
    number("run"),
    moment("created_at"),
    _points("annotations", "artifact_id", "artifacts"),
    _points("annotations", "run", "annotation_runs", "number"),
)
"""What was said of an artifact (an empty target), a line or a word: never changed and never taken away."""
_N = annotations.c
Index("ix_annotations_target", _N.tenant_id, _N.artifact_id, _N.target, _N.field)
Index("ix_annotations_run", _N.tenant_id, _N.run)

annotation_contests = Table(
    "annotation_contests",
    metadata,
    text("tenant_id", primary_key=True),
    text("annotation_id", primary_key=True),
    text("contests", primary_key=True),
    text("artifact_id"),
    _points("annotation_contests", "annotation_id", "annotations"),
    _points("annotation_contests", "contests", "annotations"),
)
"""Which annotation says that which other one, of the same artifact, is wrong."""
Index("ix_annotation_contests_artifact", annotation_contests.c.tenant_id, annotation_contests.c.artifact_id)
Index("ix_annotation_contests_contests", annotation_contests.c.tenant_id, annotation_contests.c.contests)

annotation_marks = Table(
    "annotation_marks",
    metadata,
    text("tenant_id", primary_key=True),
    text("annotation_id", primary_key=True),
    number("version", primary_key=True, autoincrement=False),
    text("cause"),
    _points("annotation_marks", "annotation_id", "annotations"),
)
"""That an annotation was contested or decided on, at a version of its artifact: what cites it from before is stale."""

annotation_decisions = Table(
    "annotation_decisions",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("annotation_id"),
    text("artifact_id"),
    text("verdict"),
    text("reason", null=True),
    number("scholar"),
    text("by_kind"),
    text("by_id"),
    moment("created_at"),
    _points("annotation_decisions", "annotation_id", "annotations"),
    _points("annotation_decisions", "scholar", "scholars", "number"),
)
"""What scholars decided on a contested reading; the newest counts, all are kept."""
_D = annotation_decisions.c
Index("ix_annotation_decisions_artifact", _D.tenant_id, _D.artifact_id)
Index("ix_annotation_decisions_annotation", _D.tenant_id, _D.annotation_id, _D.created_at, _D.id)

interactions = Table(
    "interactions",
    metadata,
    text("tenant_id", primary_key=True),
    number("number", primary_key=True, autoincrement=False),
    text("tool"),
    json_text("arguments"),
    json_text("answer"),
    text("artifact_id", null=True),
    text("target", null=True),
    text("corpus_version"),
    text("run_id", null=True),
    text("by_kind"),
    text("by_id"),
    moment("created_at"),
    moment("content_expired_at", null=True),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
)
"""One answered question: what was asked, the whole answer, and of which artifact and target it was if of one."""
_I = interactions.c
Index("ix_interactions_by", _I.tenant_id, _I.by_kind, _I.by_id, _I.number)
Index(
    "ix_interactions_run",
    _I.tenant_id,
    _I.run_id,
    sqlite_where=_I.run_id.is_not(None),
    postgresql_where=_I.run_id.is_not(None),
)
Index("ix_interactions_artifact", _I.tenant_id, _I.artifact_id, _I.number)
Index(
    "ix_interactions_with_content",
    _I.tenant_id,
    _I.created_at,
    _I.number,
    sqlite_where=_I.content_expired_at.is_(None),
    postgresql_where=_I.content_expired_at.is_(None),
)

interaction_citations = Table(
    "interaction_citations",
    metadata,
    text("tenant_id", primary_key=True),
    number("interaction", primary_key=True, autoincrement=False),
    number("n", primary_key=True, autoincrement=False),
    text("annotation_id"),
    _points("interaction_citations", "interaction", "interactions", "number"),
    _points("interaction_citations", "annotation_id", "annotations"),
)
"""The annotations that an answer cited, by the number that stands in its text."""
_IC = interaction_citations.c
Index("ix_interaction_citations_annotation", _IC.tenant_id, _IC.annotation_id, _IC.interaction)

interaction_feedback = Table(
    "interaction_feedback",
    metadata,
    text("tenant_id", primary_key=True),
    number("number", primary_key=True, autoincrement=False),
    number("interaction"),
    text("kind"),
    text("claim", null=True),
    text("correction", null=True),
    text("evidence", null=True),
    number("scholar", null=True),
    number("annotation_run", null=True),
    text("rating", null=True),
    text("message", null=True),
    text("said_key"),
    text("by_kind"),
    text("by_id"),
    moment("created_at"),
    _points("interaction_feedback", "interaction", "interactions", "number"),
    _points("interaction_feedback", "annotation_run", "annotation_runs", "number"),
    _points("interaction_feedback", "scholar", "scholars", "number"),
    UniqueConstraint("tenant_id", "said_key"),
)
"""Corrections and ratings of an answer; `said_key` is a hash of who said what, so that the same again is the same."""
_F = interaction_feedback.c
Index("ix_interaction_feedback_interaction", _F.tenant_id, _F.interaction, _F.number)
Index("ix_interaction_feedback_run", _F.tenant_id, _F.annotation_run)

outputs = Table(
    "outputs",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("artifact_id"),
    text("focus_key"),
    text("focus", null=True),
    number("version"),
    json_text("answer"),
    text("how"),
    moment("generated_at"),
    text("superseded_by", null=True),
    moment("superseded_at", null=True),
    moment("content_expired_at", null=True),
    _points("outputs", "artifact_id", "artifacts"),
)
"""Answers that are kept: `version` is that of the artifact when it was composed, `how` is composed or worded."""
_O = outputs.c
_CURRENT = _O.superseded_by.is_(None)
Index(
    "ix_outputs_current",
    _O.tenant_id,
    _O.artifact_id,
    _O.focus_key,
    unique=True,
    sqlite_where=_CURRENT,
    postgresql_where=_CURRENT,
)
Index("ix_outputs_page", _O.tenant_id, _O.generated_at, _O.id)
Index(
    "ix_outputs_with_content",
    _O.tenant_id,
    _O.generated_at,
    _O.id,
    sqlite_where=_O.content_expired_at.is_(None),
    postgresql_where=_O.content_expired_at.is_(None),
)

output_citations = Table(
    "output_citations",
    metadata,
    text("tenant_id", primary_key=True),
    text("output_id", primary_key=True),
    number("n", primary_key=True, autoincrement=False),
    text("annotation_id"),
    _points("output_citations", "output_id", "outputs"),
    _points("output_citations", "annotation_id", "annotations"),
)
"""The annotations that a kept answer cites."""
Index(
    "ix_output_citations_annotation",
    output_citations.c.tenant_id,
    output_citations.c.annotation_id,
    output_citations.c.output_id,
)

search_entries = Table(
    "search_entries",
    metadata,
    counter("number"),
    text("tenant_id"),
    text("artifact_id"),
    number("line"),
    Column("words", Text().with_variant(TSVECTOR(), "postgresql"), nullable=False),
    _points("search_entries", "artifact_id", "artifacts"),
    UniqueConstraint("tenant_id", "artifact_id", "line"),
)
"""What can be found of an artifact as a whole (line -1) and of each of its lines: folded words between spaces.

On SQLite the words stand besides in the virtual table `search_words`, under the entry's number as its rowid.
"""
Index("ix_search_entries_words", search_entries.c.words, postgresql_using="gin").ddl_if(dialect="postgresql")

search_vectors = Table(
    "search_vectors",
    metadata,
    counter("number"),
    text("tenant_id"),
    text("artifact_id"),
    number("line"),
    text("model"),
    raw_bytes("vector"),
    _points("search_vectors", "artifact_id", "artifacts"),
    UniqueConstraint("tenant_id", "artifact_id", "line"),
    sqlite_autoincrement=True,
)
"""What an entry means to a model, as the bytes of its numbers; gone as soon as the entry's words change.

A vector that is made anew has a higher number, so that who remembers vectors reads only those that came since.
"""
Index("ix_search_vectors_since", search_vectors.c.tenant_id, search_vectors.c.model, search_vectors.c.number)
