"""The verdict on each aspect beside that on the whole (pre: before the new code)."""

import json

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import exact

revision = "0017"
down_revision = "0016"
_ASPECTS = ("decisions", "answer", "items")
_KEY = ("tenant_id", "test_run_id", "correction_id", "repetition")
_INDEX = "ix_verdicts_not_right"


def upgrade() -> None:
    """Add the columns, and fill them from what each verdict says of its aspects."""
    for name in _ASPECTS:
        op.add_column("verdicts", exact(name, null=True))
    _fill()
    not_right = sa.text("verdict != 'right'")
    op.create_index(
        _INDEX,
        "verdicts",
        ["tenant_id", "test_run_id", "verdict", "correction_id", "repetition"],
        sqlite_where=not_right,
        postgresql_where=not_right,
    )


def _fill() -> None:
    table = sa.table("verdicts", *map(sa.column, (*_KEY, *_ASPECTS, "aspects")))
    this = [table.c[name] == sa.bindparam(f"of_{name}") for name in _KEY]
    update = sa.update(table).where(*this).values({name: sa.bindparam(f"new_{name}") for name in _ASPECTS})
    found = op.get_bind().execute(sa.select(*(table.c[name] for name in (*_KEY, "aspects")))).all()
    for row in found:
        said = {one["aspect"]: one["verdict"] for one in json.loads(row.aspects)}
        values = {f"new_{name}": said.get(name) for name in _ASPECTS}
        op.get_bind().execute(update, {f"of_{name}": getattr(row, name) for name in _KEY} | values)


def downgrade() -> None:
    """Drop the columns."""
    op.drop_index(_INDEX, "verdicts")
    for name in reversed(_ASPECTS):
        op.drop_column("verdicts", name)
