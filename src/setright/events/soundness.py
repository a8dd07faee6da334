"""What must be true of the event log: everything in it comes in the feed, sooner or later."""

from collections.abc import Iterator

from sqlalchemy import BigInteger, Text, bindparam, cast, func, literal_column, select

from setright.events.tables import events
from setright.storage import RowFault, Seen, Snapshot, Sql

MOST = 100
_E = events.c
_NEXT_TRANSACTION = cast(cast(func.pg_snapshot_xmax(func.pg_current_snapshot()), Text), BigInteger)
_ITS = select(_E.seq, _E.kind).where(_E.tenant_id == bindparam("tenant_id"))
_FIRST = (_E.transaction, _E.seq)
COUNT = Sql(select(func.count().label("count")).where(_E.tenant_id == bindparam("tenant_id")))
HIDDEN = Sql(
    _ITS.where(_E.transaction > literal_column("0")).order_by(*_FIRST).limit(MOST),
    postgresql=_ITS.where(_E.transaction >= _NEXT_TRANSACTION).order_by(*_FIRST).limit(MOST),
)


def faults(at: Snapshot, seen: Seen) -> Iterator[RowFault]:
    """Events of the tenant that the feed never shows: their transaction is one that this server has not had yet.

    That is so where a dump of another server was put in without `db restore`.
    """
    row = at.one(COUNT, tenant_id=at.actor.tenant_id)
    seen(row["count"] if row else 0)
    for hidden in at.all(HIDDEN, tenant_id=at.actor.tenant_id):
        says = f"{hidden['kind']}: the feed does not show it, because its transaction number is of another server"
        yield RowFault("events", str(hidden["seq"]), says)
