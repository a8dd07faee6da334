"""What entries of the search mean to a model (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import auto_integer, big, blob, exact

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "search_vectors",
        auto_integer("number"),
        exact("tenant_id"),
        exact("artifact_id"),
        big("line"),
        exact("model"),
        blob("vector"),
        sa.PrimaryKeyConstraint("number", name="pk_search_vectors"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "artifact_id"],
            ["artifacts.tenant_id", "artifacts.id"],
            name="fk_search_vectors_artifact_id",
        ),
        sa.UniqueConstraint(
            "tenant_id", "artifact_id", "line", name="uq_search_vectors_tenant_id_artifact_id_line"
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_search_vectors_since", "search_vectors", ["tenant_id", "model", "number"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_search_vectors_since", "search_vectors")
    op.drop_table("search_vectors")
