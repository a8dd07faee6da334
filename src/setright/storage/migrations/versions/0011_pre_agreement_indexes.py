"""Where raters part is read newest first for one aspect, also for one version and for experts (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

BEFORE = ("changed_at", "run_id", "item_key", "aspect")
NEWEST = ("aspect", "changed_at", "run_id", "item_key")
DISPUTED = "rights > 0 AND wrongs > 0"
BY_EXPERTS = "expert_rights > 0 AND expert_wrongs > 0"
SUBJECT = ("subject_kind", "subject_key")
NARROWER = {"page": (), "project": ("project_id",), "subject": SUBJECT}


def _index(name: str, columns: tuple[str, ...], where: str) -> None:
    op.create_index(
        f"ix_agreement_units_{name}",
        "agreement_units",
        ["tenant_id", *columns],
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )


def _drop(*names: str) -> None:
    for name in names:
        op.drop_index(f"ix_agreement_units_{name}", "agreement_units")


def upgrade() -> None:
    """Put the aspect first in the three indexes, and make the two that were missing."""
    _drop(*NARROWER)
    for name, narrower in NARROWER.items():
        _index(name, (*narrower, *NEWEST), DISPUTED)
    _index("version", (*SUBJECT, "subject_version", *NEWEST), DISPUTED)
    _index("experts", NEWEST, BY_EXPERTS)


def downgrade() -> None:
    """Put the three indexes as they were."""
    _drop(*NARROWER, "version", "experts")
    for name, narrower in NARROWER.items():
        _index(name, (*narrower, *BEFORE), DISPUTED)
