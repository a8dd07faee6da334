"""Texts, what was said of them in layers, answers that cite it, and scholars (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

from setright.storage.migrations.columns import auto_integer, big, exact, plain

revision = "0021"
down_revision = "0020"
_TABLES = (
    "search_entries",
    "output_citations",
    "outputs",
    "interaction_feedback",
    "interaction_citations",
    "interactions",
    "annotation_decisions",
    "annotation_marks",
    "annotation_contests",
    "annotations",
    "annotation_runs",
    "artifact_tokens",
    "artifact_lines",
    "artifact_sources",
    "artifacts",
    "scholar_claims",
    "scholars",
    "tenant_numbers",
)
_BY = ("created_by_kind", "created_by_id")


def upgrade() -> None:
    """Make the tables; on SQLite the words that are searched stand in a virtual table besides."""
    _scholars()
    _artifacts()
    _annotations()
    _layers()
    _interactions()
    _feedback()
    _outputs()
    _search()


def _scholars() -> None:
    op.create_table(
        "tenant_numbers",
        *map(exact, ("tenant_id", "kind")),
        big("last"),
        _key("tenant_numbers", "kind"),
        _of_tenant("tenant_numbers"),
    )
    op.create_table(
        "scholars",
        exact("tenant_id"),
        big("number"),
        exact("name"),
        *(exact(name, null=True) for name in ("orcid", "institution")),
        *map(exact, _BY),
        *map(big, ("created_at", "updated_at")),
        _key("scholars", "number"),
        _of_tenant("scholars"),
        sa.UniqueConstraint("tenant_id", "orcid", name="uq_scholars_tenant_id_orcid"),
    )
    _claims()


def _claims() -> None:
    op.create_table(
        "scholar_claims",
        *map(exact, ("tenant_id", "id")),
        big("scholar"),
        *map(exact, ("principal_kind", "principal_id", "status")),
        *(exact(name, null=True) for name in ("note", "reason", "decided_by_kind", "decided_by_id")),
        big("decided_at", null=True),
        *map(big, ("created_at", "updated_at")),
        _key("scholar_claims", "id"),
        _points("scholar_claims", "scholar", "scholars", "number"),
    )
    live = sa.text("status IN ('asked', 'approved')")
    op.create_index(
        "ix_scholar_claims_live",
        "scholar_claims",
        ["tenant_id", "scholar", "principal_kind", "principal_id"],
        unique=True,
        sqlite_where=live,
        postgresql_where=live,
    )
    _index("scholar_claims", "page", "scholar", "created_at", "id")
    _index("scholar_claims", "principal", "principal_kind", "principal_id")


def _artifacts() -> None:
    op.create_table(
        "artifacts",
        *map(exact, ("tenant_id", "id")),
        big("version"),
        *map(exact, _BY),
        *map(big, ("created_at", "updated_at")),
        _key("artifacts", "id"),
        _of_tenant("artifacts"),
    )
    _index("artifacts", "page", "created_at", "id")
    op.create_table(
        "artifact_sources",
        *map(exact, ("tenant_id", "artifact_id", "source")),
        *(exact(name, null=True) for name in ("licence", "attribution")),
        exact("content_hash"),
        *map(big, ("created_at", "updated_at")),
        _key("artifact_sources", "artifact_id", "source"),
        _points("artifact_sources", "artifact_id", "artifacts", "id"),
    )
    _index("artifact_sources", "source", "source")
    _lines()


def _lines() -> None:
    op.create_table(
        "artifact_lines",
        *map(exact, ("tenant_id", "artifact_id")),
        big("line"),
        exact("target", null=True),
        exact("surface"),
        exact("label", null=True),
        *map(exact, ("kind", "text", "source")),
        _key("artifact_lines", "artifact_id", "line"),
        _points("artifact_lines", "artifact_id", "artifacts", "id"),
        _unique("artifact_lines", "artifact_id", "target"),
    )
    op.create_table(
        "artifact_tokens",
        *map(exact, ("tenant_id", "artifact_id")),
        *map(big, ("line", "position")),
        *map(exact, ("target", "form", "clean", "source")),
        _key("artifact_tokens", "artifact_id", "line", "position"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "artifact_id", "line"],
            ["artifact_lines.tenant_id", "artifact_lines.artifact_id", "artifact_lines.line"],
            name="fk_artifact_tokens_tenant_id",
        ),
        _unique("artifact_tokens", "artifact_id", "target"),
    )


def _annotations() -> None:
    op.create_table(
        "annotation_runs",
        exact("tenant_id"),
        big("number"),
        *map(exact, ("source_type", "source_name", "method")),
        big("scholar", null=True),
        *(exact(name, null=True) for name in ("publication", "evidence", "artifact_id")),
        big("interaction", null=True),
        *map(exact, _BY),
        big("created_at"),
        _key("annotation_runs", "number"),
        _of_tenant("annotation_runs"),
        _points("annotation_runs", "scholar", "scholars", "number"),
        _points("annotation_runs", "artifact_id", "artifacts", "id"),
    )
    for name in ("scholar", "source_name", "method", "artifact_id"):
        _index("annotation_runs", name, name, "number")
    op.create_table(
        "annotations",
        *map(exact, ("tenant_id", "id", "artifact_id", "target", "field", "value")),
        plain("confidence", null=True),
        exact("extent", null=True),
        *map(big, ("run", "created_at")),
        _key("annotations", "id"),
        _points("annotations", "artifact_id", "artifacts", "id"),
        _points("annotations", "run", "annotation_runs", "number"),
    )
    _index("annotations", "target", "artifact_id", "target", "field")
    _index("annotations", "run", "run")


def _layers() -> None:
    op.create_table(
        "annotation_contests",
        *map(exact, ("tenant_id", "annotation_id", "contests", "artifact_id")),
        _key("annotation_contests", "annotation_id", "contests"),
        *(
            _points("annotation_contests", name, "annotations", "id")
            for name in ("annotation_id", "contests")
        ),
    )
    _index("annotation_contests", "contests", "contests")
    _index("annotation_contests", "artifact", "artifact_id")
    op.create_table(
        "annotation_marks",
        *map(exact, ("tenant_id", "annotation_id")),
        big("version"),
        exact("cause"),
        _key("annotation_marks", "annotation_id", "version"),
        _points("annotation_marks", "annotation_id", "annotations", "id"),
    )
    op.create_table(
        "annotation_decisions",
        *map(exact, ("tenant_id", "id", "annotation_id", "artifact_id", "verdict")),
        exact("reason", null=True),
        big("scholar"),
        *map(exact, ("by_kind", "by_id")),
        big("created_at"),
        _key("annotation_decisions", "id"),
        _points("annotation_decisions", "annotation_id", "annotations", "id"),
        _points("annotation_decisions", "scholar", "scholars", "number"),
    )
    _index("annotation_decisions", "artifact", "artifact_id")
    _index("annotation_decisions", "annotation", "annotation_id", "created_at", "id")


def _interactions() -> None:
    op.create_table(
        "interactions",
        exact("tenant_id"),
        big("number"),
        exact("tool"),
        *map(plain, ("arguments", "answer")),
        *(exact(name, null=True) for name in ("artifact_id", "target")),
        exact("corpus_version"),
        exact("run_id", null=True),
        *map(exact, ("by_kind", "by_id")),
        big("created_at"),
        _key("interactions", "number"),
        _of_tenant("interactions"),
    )
    _index("interactions", "by", "by_kind", "by_id", "number")
    _index("interactions", "artifact", "artifact_id", "number")
    op.create_table(
        "interaction_citations",
        exact("tenant_id"),
        *map(big, ("interaction", "n")),
        exact("annotation_id"),
        _key("interaction_citations", "interaction", "n"),
        _points("interaction_citations", "interaction", "interactions", "number"),
        _points("interaction_citations", "annotation_id", "annotations", "id"),
    )


def _feedback() -> None:
    op.create_table(
        "interaction_feedback",
        exact("tenant_id"),
        *map(big, ("number", "interaction")),
        exact("kind"),
        *(exact(name, null=True) for name in ("claim", "correction", "evidence")),
        *(big(name, null=True) for name in ("scholar", "annotation_run")),
        *(exact(name, null=True) for name in ("rating", "message")),
        *map(exact, ("said_key", "by_kind", "by_id")),
        big("created_at"),
        _key("interaction_feedback", "number"),
        _points("interaction_feedback", "interaction", "interactions", "number"),
        _points("interaction_feedback", "annotation_run", "annotation_runs", "number"),
        _points("interaction_feedback", "scholar", "scholars", "number"),
        _unique("interaction_feedback", "said_key"),
    )
    _index("interaction_feedback", "interaction", "interaction", "number")
    _index("interaction_feedback", "run", "annotation_run")


def _outputs() -> None:
    op.create_table(
        "outputs",
        *map(exact, ("tenant_id", "id", "artifact_id", "focus_key")),
        exact("focus", null=True),
        big("version"),
        plain("answer"),
        exact("how"),
        big("generated_at"),
        exact("superseded_by", null=True),
        big("superseded_at", null=True),
        _key("outputs", "id"),
        _points("outputs", "artifact_id", "artifacts", "id"),
    )
    current = sa.text("superseded_by IS NULL")
    op.create_index(
        "ix_outputs_current",
        "outputs",
        ["tenant_id", "artifact_id", "focus_key"],
        unique=True,
        sqlite_where=current,
        postgresql_where=current,
    )
    _index("outputs", "page", "generated_at", "id")
    op.create_table(
        "output_citations",
        *map(exact, ("tenant_id", "output_id")),
        big("n"),
        exact("annotation_id"),
        _key("output_citations", "output_id", "n"),
        _points("output_citations", "output_id", "outputs", "id"),
        _points("output_citations", "annotation_id", "annotations", "id"),
    )
    _index("output_citations", "annotation", "annotation_id", "output_id")


def _search() -> None:
    words = sa.Column("words", sa.Text().with_variant(TSVECTOR(), "postgresql"), nullable=False)
    op.create_table(
        "search_entries",
        auto_integer("number"),
        *map(exact, ("tenant_id", "artifact_id")),
        big("line"),
        words,
        sa.PrimaryKeyConstraint("number", name="pk_search_entries"),
        _points("search_entries", "artifact_id", "artifacts", "id"),
        _unique("search_entries", "artifact_id", "line"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.create_index("ix_search_entries_words", "search_entries", ["words"], postgresql_using="gin")
        return
    op.execute(
        "CREATE VIRTUAL TABLE search_words USING fts5("
        "words, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0')"
    )


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint("tenant_id", *columns, name=f"pk_{table}")


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint("tenant_id", *columns, name=f"uq_{table}_{'_'.join(('tenant_id', *columns))}")


def _of_tenant(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=f"fk_{table}_tenant_id")


def _points(table: str, column: str, to: str, key: str) -> sa.ForeignKeyConstraint:
    ours, theirs = ["tenant_id", column], [f"{to}.tenant_id", f"{to}.{key}"]
    return sa.ForeignKeyConstraint(ours, theirs, name=f"fk_{table}_{column}")


def _index(table: str, name: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{name}", table, ["tenant_id", *columns])


def downgrade() -> None:
    """Take the tables away."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE search_words")
    for name in _TABLES:
        op.drop_table(name)
