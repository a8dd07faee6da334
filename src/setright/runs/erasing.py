"""Taking the content of runs out for good: what stays of a run is a shell that says when it was erased."""

from collections.abc import Sequence
from functools import lru_cache

from sqlalchemy import BigInteger, bindparam, delete, literal_column, null, select, tuple_, update

from setright.kernel.events import Event
from setright.runs.tables import run_calls, run_contents, runs
from setright.storage import Snapshot, Sql, Tx
from setright.storage.lists import among, any_of

_R = runs.c
_OLDEST = (_R.created_at, _R.id)
_OF = Sql(
    select(*_OLDEST)
    .where(
        _R.tenant_id == bindparam("tenant_id"),
        _R.participant_id == bindparam("participant_id"),
        _R.created_at <= bindparam("until"),
        tuple_(*_OLDEST) > tuple_(bindparam("after", type_=BigInteger()), bindparam("after_id")),
    )
    .order_by(*_OLDEST)
    .limit(bindparam("count"))
)
_PARTICIPANTS = Sql(
    select(_R.participant_id)
    .distinct()
    .where(_R.tenant_id == bindparam("tenant_id"), _R.participant_id.is_not(None))
)
_IDS = Sql(
    select(_R.id)
    .where(_R.tenant_id == bindparam("tenant_id"), _R.id > bindparam("after"))
    .order_by(_R.id)
    .limit(bindparam("count"))
)


@lru_cache(maxsize=16)
def _held(count: int) -> Sql:
    these = (_R.tenant_id == bindparam("tenant_id"), any_of(_R.id, "run", count))
    shown = (_R.id, _R.project_id, _R.content_erased_at)
    return Sql(select(*shown).where(*these).order_by(_R.id).with_for_update(key_share=True))


@lru_cache(maxsize=16)
def _emptied(count: int) -> Sql:
    return Sql(
        update(runs)
        .where(_R.tenant_id == bindparam("of_tenant"), any_of(_R.id, "run", count))
        .values(
            participant_id=null(),
            tags=null(),
            start_hash=literal_column("'{}'"),
            finish_hash=null(),
            content_erased_at=bindparam("now"),
        )
    )


@lru_cache(maxsize=16)
def _dropped(count: int) -> tuple[Sql, ...]:
    return tuple(
        Sql(
            delete(table).where(
                table.c.tenant_id == bindparam("of_tenant"), any_of(table.c.run_id, "run", count)
            )
        )
        for table in (run_calls, run_contents)
    )


def runs_of_participant(
    at: Snapshot, participant_id: str, until: int, after: tuple[int, str], count: int
) -> Sequence[tuple[int, str]]:
    """The next runs of an end user, oldest first, begun until a moment: when each was, and its id.

    A run that was erased is nobody's.
    """
    values = {"participant_id": participant_id, "until": until, "count": count}
    values |= {"after": after[0], "after_id": after[1]}
    rows = at.all(_OF, tenant_id=at.actor.tenant_id, **values)
    return [(row["created_at"], row["id"]) for row in rows]


def participants(at: Snapshot) -> Sequence[str]:
    """Every end user of whom the tenant has a run that was not erased."""
    return [row["participant_id"] for row in at.all(_PARTICIPANTS, tenant_id=at.actor.tenant_id)]


def run_ids(at: Snapshot, after: str, count: int) -> Sequence[str]:
    """The next ids of the tenant's runs after one, in their order."""
    return [row["id"] for row in at.all(_IDS, tenant_id=at.actor.tenant_id, after=after, count=count)]


def erase_runs(tx: Tx, run_ids: Sequence[str]) -> int:
    """Take out everything that was said in runs, whoever they are of; how many there were, erased before or not.

    What stays is which version ran, when, and how it ended. An id stays taken.
    """
    if not run_ids:
        return 0
    count, names = among("run", run_ids)
    found = tx.all(_held(count), tenant_id=tx.actor.tenant_id, **names)
    fresh = [row for row in found if row["content_erased_at"] is None]
    if fresh:
        count, names = among("run", [row["id"] for row in fresh])
        for statement in _dropped(count):
            tx.run(statement, of_tenant=tx.actor.tenant_id, **names)
        tx.run(_emptied(count), of_tenant=tx.actor.tenant_id, now=tx.now, **names)
    for row in fresh:
        tx.announce(Event("run.erased", "run", row["id"], row["project_id"], ("contentErasedAt",)))
    return len(found)
