"""What is kept of runs that several raters judged, filled from the corrections there are (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact

revision = "0009"
down_revision = "0008"

PLACE = ("tenant_id", "project_id", "subject_kind", "subject_key", "subject_version")
VOTES = ("rights", "wrongs", "expert_rights", "expert_wrongs")
NEWEST = ("changed_at", "run_id", "item_key", "aspect")
DISPUTED = "rights > 0 AND wrongs > 0"
ASPECTS = ("decisions", "answer", "items")
MOST_PAIRED = 16
CURRENT = ("tenant_id", "run_id", "place", "made_by_kind", "made_by_id", "participant_key")
CURRENT_BEFORE = ("tenant_id", "run_id", "made_by_kind", "made_by_id", "participant_key", "place")
VIEWS = {
    "": ("rights", "wrongs"),
    "expert_": ("expert_rights", "expert_wrongs"),
    "other_": ("(rights - expert_rights)", "(wrongs - expert_wrongs)"),
}
ITEMS = {
    "sqlite": (
        "json_each(CASE WHEN said LIKE '%\"items\":%' THEN said ELSE '{}' END, '$.items') AS item",
        "json_extract(item.value, '$.key')",
        "json_extract(item.value, '$.verdict')",
    ),
    "postgresql": (
        "LATERAL jsonb_array_elements(CASE WHEN said LIKE '%\"items\":%'"
        " THEN CAST(said AS jsonb) -> 'items' ELSE '[]' END) AS item(value)",
        "item.value ->> 'key'",
        "item.value ->> 'verdict'",
    ),
}


def _units() -> None:
    op.create_table(
        "agreement_units",
        exact("tenant_id"),
        exact("run_id"),
        exact("item_key"),
        exact("aspect"),
        *map(exact, PLACE[1:]),
        *map(big, VOTES),
        big("changed_at"),
        sa.PrimaryKeyConstraint("tenant_id", "run_id", "item_key", "aspect", name="pk_agreement_units"),
        sqlite_with_rowid=False,
    )
    for name, narrower in (
        ("page", ()),
        ("project", ("project_id",)),
        ("subject", ("subject_kind", "subject_key")),
    ):
        op.create_index(
            f"ix_agreement_units_{name}",
            "agreement_units",
            ["tenant_id", *narrower, *NEWEST],
            sqlite_where=sa.text(DISPUTED),
            postgresql_where=sa.text(DISPUTED),
        )


def _figures() -> None:
    op.create_table(
        "agreement_counts",
        *map(exact, (*PLACE, "aspect")),
        *map(big, ("raters", "experts", "units")),
        *(big(f"{view}{amount}") for view in VIEWS for amount in ("agreeing", "rights", "apart")),
        sa.PrimaryKeyConstraint(*PLACE, "aspect", "raters", "experts", name="pk_agreement_counts"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "agreement_pairs",
        *map(exact, (*PLACE, "rater_a", "rater_b")),
        big("experts"),
        *(big(f"{aspect}_{a}{b}") for aspect in ASPECTS for a in "rw" for b in "rw"),
        sa.PrimaryKeyConstraint(*PLACE, "rater_a", "rater_b", "experts", name="pk_agreement_pairs"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_agreement_pairs_raters", "agreement_pairs", ["tenant_id", "rater_a", "rater_b"])


def _judged(engine: str) -> None:
    """Every verdict on a run that several raters judged, in a table for this migration only."""
    items, key, verdict = ITEMS[engine]
    columns = f"{', '.join(PLACE)}, run_id, rater, expert, raters, created_at"
    rater = "CASE WHEN participant_key = '' THEN '' ELSE '/' || participant_key END"
    op.execute(
        "CREATE TEMPORARY TABLE judged AS"  # noqa: S608 - only words of this file
        " WITH several AS (SELECT tenant_id AS t, run_id AS r, COUNT(*) AS raters FROM corrections"
        " WHERE place = '' AND blind IS NULL GROUP BY tenant_id, run_id HAVING COUNT(*) > 1),"
        f" rated AS (SELECT {', '.join(PLACE)}, run_id, made_by_kind || ':' || made_by_id || {rater} AS rater,"
        " COALESCE(expert, 0) AS expert, raters, created_at, decisions, answer, said"
        " FROM corrections JOIN several ON t = tenant_id AND r = run_id WHERE place = '' AND blind IS NULL)"
        f" SELECT {columns}, '' AS item_key, 'decisions' AS aspect, decisions AS verdict FROM rated"
        " WHERE decisions IS NOT NULL"
        f" UNION ALL SELECT {columns}, '', 'answer', answer FROM rated WHERE answer IS NOT NULL"
        f" UNION ALL SELECT {columns}, {key}, 'items', {verdict} FROM rated, {items}"
    )
    op.execute("CREATE INDEX judged_units ON judged (tenant_id, run_id, item_key, aspect)")


def _fill() -> None:
    one = {"rights": "verdict = 'right'", "wrongs": "verdict = 'wrong'"}
    votes = [*one.values(), *(f"{condition} AND expert = 1" for condition in one.values())]
    place = ", ".join(f"MIN({name})" for name in PLACE[1:])
    unit = "tenant_id, run_id, item_key, aspect"
    op.execute(
        f"INSERT INTO agreement_units ({unit}, {', '.join((*PLACE[1:], *VOTES))}, changed_at)"  # noqa: S608 - only words of this file
        f" SELECT {unit}, {place}, {', '.join(map(_so_many, votes))}, MAX(created_at) FROM judged GROUP BY {unit}"
    )
    key = f"{', '.join(PLACE)}, aspect, rights + wrongs, expert_rights + expert_wrongs"
    views = [
        f"{_so_many(f'{rights} * {wrongs} = 0')}, SUM({rights}), SUM({rights} * {wrongs})"
        for rights, wrongs in VIEWS.values()
    ]
    op.execute(
        f"INSERT INTO agreement_counts SELECT {key}, COUNT(*), {', '.join(views)}"  # noqa: S608 - only words of this file
        f" FROM agreement_units WHERE rights + wrongs > 1 GROUP BY {key}"
    )
    key = f"{', '.join(f'a.{name}' for name in PLACE)}, a.rater, b.rater, a.expert + 2 * b.expert"
    words = {"r": "right", "w": "wrong"}
    amounts = [
        _so_many(f"a.aspect = '{aspect}' AND a.verdict = '{words[a]}' AND b.verdict = '{words[b]}'")
        for aspect in ASPECTS
        for a in words
        for b in words
    ]
    op.execute(
        f"INSERT INTO agreement_pairs SELECT {key}, {', '.join(amounts)} FROM judged AS a JOIN judged AS b"  # noqa: S608 - only words of this file
        " ON a.tenant_id = b.tenant_id AND a.run_id = b.run_id AND a.item_key = b.item_key AND a.aspect = b.aspect"
        f" WHERE a.rater < b.rater AND a.raters <= {MOST_PAIRED} GROUP BY {key}"
    )


def _so_many(condition: str) -> str:
    return f"SUM(CASE WHEN {condition} THEN 1 ELSE 0 END)"


def upgrade() -> None:
    """Make the tables, and fill them; the other raters of a run become the next in the index of what stands."""
    op.drop_index("uq_corrections_current", "corrections")
    op.create_index("uq_corrections_current", "corrections", list(CURRENT), unique=True)
    _units()
    _figures()
    _judged(op.get_bind().dialect.name)
    _fill()
    op.execute("DROP TABLE judged")


def downgrade() -> None:
    """Drop the tables, and put the index as it was."""
    for table in ("agreement_pairs", "agreement_counts", "agreement_units"):
        op.drop_table(table)
    op.drop_index("uq_corrections_current", "corrections")
    op.create_index("uq_corrections_current", "corrections", list(CURRENT_BEFORE), unique=True)
