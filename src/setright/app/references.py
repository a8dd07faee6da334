"""What rows of one room say of rows of another, and whether that is so: over the whole ledger, all tenants."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    ForeignKeyConstraint,
    Table,
    and_,
    exists,
    literal_column,
    or_,
    select,
)

from setright.app.schema import TABLES, metadata
from setright.storage import RowFault, Snapshot, Sql

MOST = 100
_T = metadata.tables
_corrections, _events, _runs = _T["corrections"].c, _T["events"].c, _T["runs"].c
_jobs, _pins, _changes = _T["jobs"].c, _T["pins"].c, _T["version_changes"].c


@dataclass(frozen=True, slots=True)
class Reference:
    """Rows of a table that say what is not so: the statement gives their keys, `says` what is wrong with them."""

    table: Table
    wrong: Sql
    says: str


def _points(
    table: str, columns: Sequence[str], to: str, keys: Sequence[str], only: ColumnElement[bool] | None = None
) -> Reference:
    """That each row of a table, where all its `columns` have values, points to a row of another."""
    pairs = [(_T[table].c[column], _T[to].c[key]) for column, key in zip(columns, keys, strict=True)]
    given = [column.is_not(None) for column, _ in pairs if column.nullable]
    there = exists().where(*(column == key for column, key in pairs))
    where = [*given, ~there, *([] if only is None else [only])]
    return Reference(_T[table], _keys(_T[table], and_(*where)), f"points to a row of {to} that is not there")


def _keys(table: Table, condition: ColumnElement[bool]) -> Sql:
    return Sql(select(*table.primary_key.columns).where(condition).limit(MOST))


def _foreign(key: ForeignKeyConstraint) -> Reference:
    elements = key.elements
    to = elements[0].column.table.name
    columns = [element.parent.name for element in elements]
    return _points(key.table.name, columns, to, [element.column.name for element in elements])


def _of_kind(*kinds: str) -> ColumnElement[bool]:
    return _events.kind.in_([literal_column(f"'{kind}'") for kind in kinds])


_waiting = _T["waiting_corrections"].c
_HELD = and_(_waiting.tenant_id == _events.tenant_id, _waiting.id == _events.subject_id)
_RECORDED = and_(_corrections.tenant_id == _events.tenant_id, _corrections.id == _events.subject_id)
_OF_ITS_RUN = and_(_runs.tenant_id == _corrections.tenant_id, _runs.id == _corrections.run_id)
_moves = _T["evidence_moves"].c
_is_fix = _moves.status == literal_column("'fixed'")
_MOVED = and_(
    _events.tenant_id == _moves.tenant_id,
    _events.subject_id == _moves.correction_id,
    or_(
        and_(_is_fix, _of_kind("correction.fixed")),
        and_(~_is_fix, _of_kind("correction.reopened")),
    ),
)
_SAME = ("project_id", "subject_kind", "subject_key", "subject_version")
_DIFFERS = or_(
    *(_runs[name] != _corrections[name] for name in _SAME),
    _runs.status == literal_column("'running'"),
    _runs.copy_kept_at.is_(None),
)
_TOLD = exists().where(
    _events.tenant_id == _jobs.tenant_id,
    _events.subject_kind == literal_column("'job'"),
    _events.subject_id == _jobs.id,
    _events.kind == literal_column("'job.'") + _jobs.state,
)
_ITS_CHANGE = exists().where(
    _changes.id == _pins.change_id,
    *(_changes[name] == _pins[name] for name in ("tenant_id", "project_id", "kind", "key", "version")),
    _changes.verb != literal_column("'unpin'"),
)
_claims, _items = _T["review_claims"].c, _T["review_items"].c
_OF_ITEM = and_(*(_claims[name] == _items[name] for name in ("tenant_id", "queue_id", "run_id")))
_IS_OPEN = _items.state.in_([literal_column("'waiting'"), literal_column("'claimed'")])
_ANSWER = and_(_corrections.tenant_id == _claims.tenant_id, _corrections.id == _claims.correction_id)
_OPEN_QUEUE = exists().where(
    _T["review_queues"].c.id == _items.queue_id, _T["review_queues"].c.closed_at.is_(None)
)
SUBJECT = ("tenant_id", "subject_kind", "subject_key")
VERSION = ("tenant_id", "kind", "key", "version")
FOREIGN = tuple(_foreign(key) for table in TABLES for key in table.foreign_key_constraints)
"""What foreign keys promise; SQLite looks after its own, PostgreSQL never looks again."""
OTHER = (
    _points("runs", (*SUBJECT, "subject_version"), "subject_versions", VERSION),
    _points("runs", (*SUBJECT, "project_id"), "subject_projects", ("tenant_id", "kind", "key", "project_id")),
    _points("test_runs", (*SUBJECT, "subject_version"), "subject_versions", VERSION),
    _points("pins", ("tenant_id", "kind", "key", "version"), "subject_versions", VERSION),
    _points("version_changes", ("tenant_id", "kind", "key", "version"), "subject_versions", VERSION),
    _points("subjects", ("tenant_id", "latest_change_id"), "version_changes", ("tenant_id", "id")),
    _points("verdicts", ("tenant_id", "correction_id"), "corrections", ("tenant_id", "id")),
    _points("case_results", ("tenant_id", "run_id"), "runs", ("tenant_id", "id")),
    _points("jobs", ("tenant_id",), "tenants", ("id",), _jobs.tenant_id != literal_column("''")),
    _points("corrections", ("tenant_id", "corrector_group_id"), "corrector_groups", ("tenant_id", "id")),
    _points(
        "events",
        ("tenant_id", "subject_id"),
        "corrections",
        ("tenant_id", "id"),
        _of_kind("correction.recorded"),
    ),
    _points(
        "events",
        ("tenant_id", "subject_id"),
        "runs",
        ("tenant_id", "id"),
        _of_kind("run.started", "run.finished"),
    ),
    _points(
        "events",
        ("tenant_id", "subject_id"),
        "test_runs",
        ("tenant_id", "id"),
        _of_kind("test-run.created"),
    ),
    _points("review_claims", ("tenant_id", "correction_id"), "corrections", ("tenant_id", "id")),
    _points("review_items", ("tenant_id", "adjudicated_by"), "corrections", ("tenant_id", "id")),
    Reference(
        _T["review_claims"],
        _keys(
            _T["review_claims"],
            and_(
                _claims.state == literal_column("'answered'"),
                exists().where(_OF_ITEM, _IS_OPEN, _OPEN_QUEUE),
                exists().where(_ANSWER, _corrections.blind.is_(None)),
            ),
        ),
        "answers a run whose review goes on, and others see what it says",
    ),
    Reference(
        _T["corrections"],
        _keys(
            _T["corrections"],
            and_(
                _corrections.blind.is_not(None),
                _corrections.superseded_by.is_(None),
                _corrections.status != literal_column("'removed'"),
                or_(
                    ~exists().where(
                        _items.tenant_id == _corrections.tenant_id,
                        _items.queue_id == _corrections.blind,
                        _items.run_id == _corrections.run_id,
                        _IS_OPEN,
                    ),
                    ~exists().where(_ANSWER, _claims.queue_id == _corrections.blind),
                ),
            ),
        ),
        "is hidden for a review that is over, or in which it answers nothing",
    ),
    Reference(
        _T["jobs"],
        _keys(
            _T["jobs"],
            and_(
                _jobs.tenant_id != literal_column("''"),
                _jobs.state.in_([literal_column("'failed'"), literal_column("'cancelled'")]),
                ~_TOLD,
            ),
        ),
        "failed or was cancelled, and no event says so",
    ),
    Reference(
        _T["pins"],
        _keys(_T["pins"], ~_ITS_CHANGE),
        "is of another change than the one that it names",
    ),
    _points("interactions", ("tenant_id", "artifact_id"), "artifacts", ("tenant_id", "id")),
    _points("newest_verdicts", ("tenant_id", "correction_id"), "corrections", ("tenant_id", "id")),
    _points(
        "events",
        ("tenant_id", "subject_id"),
        "evidence_moves",
        ("tenant_id", "correction_id"),
        _of_kind("correction.fixed", "correction.reopened"),
    ),
    Reference(
        _T["evidence_moves"],
        _keys(_T["evidence_moves"], ~exists().where(_MOVED)),
        "says that a correction moved, and its history does not",
    ),
    Reference(
        _T["events"],
        _keys(
            _T["events"],
            and_(_of_kind("correction.held"), ~exists().where(_HELD), ~exists().where(_RECORDED)),
        ),
        "says that a correction is held, which is neither held nor recorded",
    ),
    Reference(
        _T["corrections"],
        _keys(_T["corrections"], exists().where(_OF_ITS_RUN, _DIFFERS)),
        "is of another project, subject or version than its run, or its run still runs, or its copy is not kept",
    ),
)
"""What no foreign key promises."""


def faults(at: Snapshot) -> Iterator[RowFault]:
    """Every row that points to nothing, or that says of its run what is not so."""
    wanted = OTHER if at.engine == "sqlite" else (*FOREIGN, *OTHER)
    for reference in wanted:
        for row in at.all(reference.wrong):
            yield RowFault(reference.table.name, _id(row), reference.says)


def _id(row: dict[str, Any]) -> str:
    return "/".join(str(value) for value in row.values())
