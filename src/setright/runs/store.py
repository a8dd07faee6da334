"""The statements about runs, their content and their calls, and how content is written down."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, select, union_all, update

from setright.kernel import json
from setright.kernel.paging import Place
from setright.runs.errors import RunTooLarge
from setright.runs.model import Ending, Run, RunContent
from setright.runs.tables import run_calls, run_contents, runs
from setright.storage import Row, Sql, Tx, insert, insert_or_ignore
from setright.storage.lists import any_of, before, narrows
from setright.subjects import SubjectRef

MOST_CALL_BYTES = 4 * 1024 * 1024
MOST_RUN_BYTES = 64 * 1024 * 1024
FEW_PROJECTS = 32

_R, _CONTENT, _CALL = runs.c, run_contents.c, run_calls.c
_UNSHOWN = ("start_hash", "finish_hash")
_SHOWN = [column for column in _R if column.name not in _UNSHOWN]
_THIS = and_(_R.tenant_id == bindparam("tenant_id"), _R.id == bindparam("run_id"))
_ITS_CONTENT = and_(_CONTENT.tenant_id == bindparam("tenant_id"), _CONTENT.run_id == bindparam("run_id"))
_ITS_CALLS = and_(_CALL.tenant_id == bindparam("tenant_id"), _CALL.run_id == bindparam("run_id"))

ADD = insert_or_ignore(runs)
ADD_CONTENT = insert(run_contents)
ADD_CALL = insert(run_calls)
GET = Sql(select(*_SHOWN).where(_THIS))
GET_STARTED = Sql(select(*_SHOWN, _R.start_hash).where(_THIS))
HOLD = Sql(select(*_SHOWN, _R.finish_hash).where(_THIS).with_for_update(key_share=True))
CONTENT = Sql(select(_CONTENT.input, _CONTENT.messages, _CONTENT.output, _CONTENT.answer).where(_ITS_CONTENT))
MESSAGES = Sql(select(_CONTENT.messages).where(_ITS_CONTENT))
CALLS = Sql(
    select(_CALL.position, _CALL.call)
    .where(_ITS_CALLS, _CALL.position >= bindparam("first"))
    .order_by(_CALL.position)
    .limit(bindparam("count"))
)
ALL_CALLS = Sql(select(_CALL.call).where(_ITS_CALLS).order_by(_CALL.position))
CONTINUE = Sql(
    update(runs).where(_THIS).values(call_count=bindparam("calls"), byte_count=bindparam("byte_total"))
)
FINISH = Sql(
    update(runs)
    .where(_THIS)
    .values(
        status=bindparam("new_status"),
        finish_hash=bindparam("new_hash"),
        finished_at=bindparam("now"),
        call_count=bindparam("calls"),
        byte_count=bindparam("byte_total"),
    )
)
FINISH_CONTENT = Sql(
    update(run_contents)
    .where(_ITS_CONTENT)
    .values(output=bindparam("new_output"), answer=bindparam("new_answer"))
)
SET_MESSAGES = Sql(update(run_contents).where(_ITS_CONTENT).values(messages=bindparam("new_messages")))
KEEP_COPY = Sql(update(runs).where(_THIS, _R.copy_kept_at.is_(None)).values(copy_kept_at=bindparam("now")))

_TO_CORRECT = select(
    _R.id,
    _R.project_id,
    _R.subject_kind,
    _R.subject_key,
    _R.subject_id,
    _R.subject_version,
    _R.status,
    _R.copy_kept_at,
    _R.content_expired_at,
    _R.content_erased_at,
).where(_THIS)
TO_CORRECT = Sql(_TO_CORRECT)
TO_CORRECT_HELD = Sql(_TO_CORRECT.with_for_update(key_share=True))
OUTPUT = Sql(select(_CONTENT.output).where(_ITS_CONTENT))
LEAVE_PLACE = Sql(delete(runs).where(_THIS))
_PLACE = {
    column.name: None if column.nullable else 0 if column.type.python_type is int else "" for column in _R
}

_NARROWED: dict[str, ColumnElement[bool]] = {
    "subject_kind": _R.subject_kind == bindparam("subject_kind"),
    "subject_key": _R.subject_key == bindparam("subject_key"),
    "subject_version": _R.subject_version == bindparam("subject_version"),
    "participant_id": _R.participant_id == bindparam("participant_id"),
    "since": _R.created_at >= bindparam("since"),
    "until": _R.created_at < bindparam("until"),
}


@lru_cache(maxsize=16)
def projects_of(count: int) -> Sql:
    """Where each of so many runs stands."""
    chosen = select(_R.id, _R.project_id).where(_R.tenant_id == bindparam("tenant_id"))
    return Sql(chosen.where(any_of(_R.id, "run", count)))


@lru_cache(maxsize=512)
def page(present: frozenset[str], projects: int, statuses: int) -> Sql:
    """A page of runs, newest first, narrowed by what is `present`; no projects or no statuses means any of them.

    Over a few projects each is read by itself, so that an index gives each in the order of the list.
    """
    where = [condition for name, condition in _NARROWED.items() if name in present]
    if statuses:
        where.append(any_of(_R.status, "status", statuses))
    if not projects:
        return Sql(_newest(*where))
    if projects > FEW_PROJECTS:
        return Sql(_newest(*where, any_of(_R.project_id, "project", projects)))
    each = [_R.project_id == bindparam(f"project_{n}") for n in range(projects)]
    return Sql(
        _merged([_newest(*where, narrows(project)) for project in each]),
        postgresql=_merged([_newest(*where, project) for project in each]),
    )


def _merged(lists: Sequence[Any]) -> Any:
    if len(lists) == 1:
        return lists[0]
    whole = union_all(*(select(one.subquery()) for one in lists)).subquery()
    return select(whole).order_by(whole.c.created_at.desc(), whole.c.id.desc()).limit(bindparam("count"))


def _newest(*where: ColumnElement[bool]) -> Any:
    return (
        select(*_SHOWN)
        .where(_R.tenant_id == bindparam("tenant_id"), *where, before(_R.created_at, _R.id))
        .order_by(_R.created_at.desc(), _R.id.desc())
        .limit(bindparam("count"))
    )


def run_in(row: Row) -> Run:
    """A row of runs as a record."""
    subject = SubjectRef(row["subject_kind"], row["subject_key"], row["subject_id"], row["subject_version"])
    return Run(
        id=row["id"],
        tenant_id=row["tenant_id"],
        project_id=row["project_id"],
        subject=subject,
        status=row["status"],
        participant_id=row["participant_id"],
        tags=None if row["tags"] is None else tuple(json.read_stored(row["tags"])),
        call_count=row["call_count"],
        byte_count=row["byte_count"],
        recorded_by_kind=row["recorded_by_kind"],
        recorded_by_id=row["recorded_by_id"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        copy_kept_at=row["copy_kept_at"],
        content_expired_at=row["content_expired_at"],
        content_erased_at=row["content_erased_at"],
    )


def row_of(run: Run) -> Row:
    """A new run as a row, without the hashes."""
    return {
        "id": run.id,
        "tenant_id": run.tenant_id,
        "project_id": run.project_id,
        "subject_kind": run.subject.kind,
        "subject_key": run.subject.key,
        "subject_id": run.subject.id,
        "subject_version": run.subject.version,
        "status": run.status,
        "participant_id": run.participant_id,
        "tags": None if run.tags is None else json.write_text(run.tags),
        "call_count": run.call_count,
        "byte_count": run.byte_count,
        "recorded_by_kind": run.recorded_by_kind,
        "recorded_by_id": run.recorded_by_id,
        "created_at": run.created_at,
        "finished_at": run.finished_at,
        "copy_kept_at": run.copy_kept_at,
        "content_expired_at": run.content_expired_at,
        "content_erased_at": run.content_erased_at,
    }


class Written(NamedTuple):
    """Content as it is stored: JSON as text, each call with its size, and the size of the whole in bytes.

    The answer is None where it is the output anyway.
    """

    messages: str | None
    output: str | None
    answer: str | None
    calls: list[tuple[str, int]]
    size: int


def write_down(said: Ending) -> Written:
    """What a run or its end says, as it is stored; refuses a call that is too large."""
    messages = None if said.messages is None else json.write_text(said.messages)
    output = json.write_text(said.output) if said.has_output else None
    answer = None if said.answer == said.output else said.answer
    calls = [write_call(call) for call in said.call_contents()]
    size = sum(size for _, size in calls) + sum(bytes_of(text) for text in (messages, output, answer) if text)
    return Written(messages, output, answer, calls, size)


def write_call(call: dict[str, Any]) -> tuple[str, int]:
    """A call as it is stored, with its size; refused when it is too large."""
    raw = json.write(call)
    if len(raw) > MOST_CALL_BYTES:
        raise RunTooLarge("One call", MOST_CALL_BYTES)
    return raw.decode(), len(raw)


def bytes_of(text: str) -> int:
    """The size of a text in bytes."""
    return len(text) if text.isascii() else len(text.encode())


def sized(total: int) -> int:
    """The size of a run, refused when it is over the limit."""
    if total > MOST_RUN_BYTES:
        raise RunTooLarge("A run", MOST_RUN_BYTES)
    return total


def add(tx: Tx, run: Run, hashes: dict[str, str], given: str, written: Written) -> bool:
    """Store a new run with its content; False, and nothing stored, when the id that its caller chose is taken.

    A run has hashes only when its caller chose the id: nobody can send one of our ids again.
    """
    row = row_of(run) | {"start_hash": json.write_text(hashes), "finish_hash": None}
    if not hashes:
        tx.add(ADD, **row)
    elif not tx.run(ADD, **row):
        return False
    texts = {"messages": written.messages, "output": written.output, "answer": written.answer}
    tx.add(ADD_CONTENT, tenant_id=run.tenant_id, run_id=run.id, input=given, **texts)
    add_calls(tx, run.id, 0, written.calls)
    return True


def take_place(tx: Tx, run_id: str, project_id: str) -> bool:
    """Let nobody else record a run with an id before the end of this transaction; False where there is one by now.

    On SQLite the one writer sees to that. On PostgreSQL an id that is missing has no row to lock. So a row takes its
    place in the index and goes again at once, without ever being seen: who then records the id waits for our end, and
    we wait here for who was recording it. That costs those who record runs nothing.
    """
    if tx.engine == "sqlite":
        return True
    this = {"tenant_id": tx.actor.tenant_id, "id": run_id}
    if not tx.run(ADD, **(_PLACE | this | {"project_id": project_id})):
        return False
    tx.add(LEAVE_PLACE, tenant_id=tx.actor.tenant_id, run_id=run_id)
    return True


def add_calls(tx: Tx, run_id: str, position: int, calls: Sequence[tuple[str, int]]) -> None:
    """Store calls from a position on."""
    for offset, (call, size) in enumerate(calls):
        tx.add(
            ADD_CALL,
            tenant_id=tx.actor.tenant_id,
            run_id=run_id,
            position=position + offset,
            call=call,
            byte_count=size,
        )


def grow(tx: Tx, run: Run, calls: Sequence[tuple[str, int]]) -> Run:
    """Store calls after those that are there; the run with its new size."""
    size = sized(run.byte_count + sum(size for _, size in calls))
    grown = replace(run, call_count=run.call_count + len(calls), byte_count=size)
    add_calls(tx, run.id, run.call_count, calls)
    tx.add(CONTINUE, tenant_id=run.tenant_id, run_id=run.id, calls=grown.call_count, byte_total=size)
    return grown


def finish(
    tx: Tx, run: Run, status: str, end_hash: str, written: Written, messages: Sequence[Any] | None
) -> Run:
    """Store how a run ended, with the messages that come after those that are there; the run as it is then."""
    this = {"tenant_id": run.tenant_id, "run_id": run.id}
    ended = replace(
        run,
        status=status,
        finished_at=tx.now,
        call_count=run.call_count + len(written.calls),
        byte_count=sized(run.byte_count + written.size),
    )
    add_calls(tx, run.id, run.call_count, written.calls)
    tx.add(
        FINISH,
        **this,
        new_status=status,
        new_hash=end_hash,
        now=tx.now,
        calls=ended.call_count,
        byte_total=ended.byte_count,
    )
    tx.add(FINISH_CONTENT, **this, new_output=written.output, new_answer=written.answer)
    if messages is not None:
        there = tx.one(MESSAGES, **this)
        earlier: list[Any] = json.read_stored(there["messages"]) if there and there["messages"] else []
        tx.add(SET_MESSAGES, **this, new_messages=json.write_text([*earlier, *messages]))
    return ended


def content_in(row: Row) -> RunContent:
    """A row of contents as a record; an answer that was left out is the output, if that is text."""
    output = None if row["output"] is None else json.read_stored(row["output"])
    messages = None if row["messages"] is None else json.read_stored(row["messages"])
    answer = row["answer"]
    if answer is None and isinstance(output, str):
        answer = output
    return RunContent(json.read_stored(row["input"]), messages, output, row["output"] is not None, answer)


def calls_in(rows: Sequence[Row]) -> list[Any]:
    """Rows of calls as the calls themselves."""
    return [json.read_stored(row["call"]) for row in rows]


def place_of(row: Row) -> Place:
    """Where a run stands in a list."""
    return Place(row["created_at"], row["id"])
