"""Finding questions by their run, and answers by what they cite, so that both can be erased (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Make the indexes."""
    asked = sa.text("run_id IS NOT NULL")
    op.create_index(
        "ix_interactions_run",
        "interactions",
        ["tenant_id", "run_id"],
        sqlite_where=asked,
        postgresql_where=asked,
    )
    op.create_index(
        "ix_interaction_citations_annotation",
        "interaction_citations",
        ["tenant_id", "annotation_id", "interaction"],
    )


def downgrade() -> None:
    """Drop the indexes."""
    op.drop_index("ix_interaction_citations_annotation", "interaction_citations")
    op.drop_index("ix_interactions_run", "interactions")
