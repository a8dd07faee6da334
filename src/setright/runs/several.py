"""Several runs at once, as test runs read and hold them; whose rights are not checked."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, select

from setright.runs.model import RunContent
from setright.runs.store import calls_in, content_in
from setright.runs.tables import run_calls, run_contents, runs
from setright.storage import Row, Snapshot, Sql, Tx
from setright.storage.lists import among, any_of

_R, _CONTENT, _CALL = runs.c, run_contents.c, run_calls.c


@dataclass(frozen=True, slots=True)
class RunState:
    """What a run is, how many bytes its content has, and whether that is there still."""

    id: str
    project_id: str
    subject_kind: str
    subject_key: str
    subject_version: str
    status: str
    byte_count: int
    copy_kept_at: int | None
    content_expired_at: int | None
    content_erased_at: int | None

    @property
    def is_erased(self) -> bool:
        """Whether an erasure emptied it."""
        return self.content_erased_at is not None

    @property
    def is_expired(self) -> bool:
        """Whether retention emptied it."""
        return self.content_expired_at is not None and self.copy_kept_at is None


def run_states(at: Snapshot, run_ids: Sequence[str]) -> Mapping[str, RunState]:
    """Those of these runs that the tenant has, by id."""
    rows = _these(at, _states, run_ids)
    return {row["id"]: RunState(**row) for row in rows}


def held_states(tx: Tx, run_ids: Sequence[str]) -> Mapping[str, RunState]:
    """`run_states`, and nobody else empties or corrects these runs until the end of this transaction."""
    rows = _these(tx, _held_states, run_ids)
    return {row["id"]: RunState(**row) for row in rows}


def contents_of(at: Snapshot, run_ids: Sequence[str]) -> Mapping[str, RunContent]:
    """The content of these runs, calls left out, by id; what is gone is not there."""
    rows = _these(at, _contents, run_ids)
    return {row["run_id"]: content_in(row) for row in rows if row["input"] is not None}


def calls_of(at: Snapshot, run_ids: Sequence[str]) -> Mapping[str, list[Any]]:
    """All calls of these runs in order, by id; without calls a run is not there."""
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for row in _these(at, _calls, run_ids):
        found[row["run_id"]].append(row)
    return {run_id: calls_in(rows) for run_id, rows in found.items()}


def hold_several(tx: Tx, run_ids: Sequence[str]) -> None:
    """Let nobody else change or correct these runs until the end of this transaction."""
    _these(tx, _held, run_ids)


def _these(at: Snapshot, statement: Any, run_ids: Sequence[str]) -> Sequence[Row]:
    if not run_ids:
        return ()
    count, names = among("run", run_ids)
    return at.all(statement(count), tenant_id=at.actor.tenant_id, **names)


@lru_cache(maxsize=16)
def _states(count: int) -> Sql:
    return Sql(_chosen(count))


@lru_cache(maxsize=16)
def _held_states(count: int) -> Sql:
    return Sql(_chosen(count).order_by(_R.id).with_for_update(key_share=True))


def _chosen(count: int) -> Any:
    shown = (
        _R.id,
        _R.project_id,
        _R.subject_kind,
        _R.subject_key,
        _R.subject_version,
        _R.status,
        _R.byte_count,
        _R.copy_kept_at,
        _R.content_expired_at,
        _R.content_erased_at,
    )
    return select(*shown).where(_R.tenant_id == bindparam("tenant_id"), any_of(_R.id, "run", count))


@lru_cache(maxsize=16)
def _held(count: int) -> Sql:
    these = (_R.tenant_id == bindparam("tenant_id"), any_of(_R.id, "run", count))
    return Sql(select(_R.id).where(*these).order_by(_R.id).with_for_update(key_share=True))


@lru_cache(maxsize=16)
def _contents(count: int) -> Sql:
    shown = (_CONTENT.run_id, _CONTENT.input, _CONTENT.messages, _CONTENT.output, _CONTENT.answer)
    these = (_CONTENT.tenant_id == bindparam("tenant_id"), any_of(_CONTENT.run_id, "run", count))
    return Sql(select(*shown).where(*these))


@lru_cache(maxsize=16)
def _calls(count: int) -> Sql:
    these = (_CALL.tenant_id == bindparam("tenant_id"), any_of(_CALL.run_id, "run", count))
    return Sql(select(_CALL.run_id, _CALL.call).where(*these).order_by(_CALL.run_id, _CALL.position))
