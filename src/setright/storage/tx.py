"""What an operation or a query holds in its hand: the database within one transaction, the caller and the time."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from setright.kernel.actor import Actor
from setright.kernel.errors import Refusal
from setright.kernel.events import Event
from setright.kernel.ids import NewId
from setright.kernel.limits import NO_LIMITS, NOTHING, Limits, QuotaExceeded, Use
from setright.storage.session import Session
from setright.storage.sql import EngineName, Sql
from setright.storage.sums import Counted, SumKey, Sums
from setright.storage.usage import Meter

T = TypeVar("T")
Row = dict[str, Any]

NOBODY = Actor(tenant_id="", kind="service", id="", token_id="", scopes=frozenset())


class Snapshot:
    """A consistent view of the database; `now` is in microseconds, `actor` is who asks, within `limits`.

    `via` is the route or the tool by which it is asked, `owed` what is to be written before the answer is told.
    """

    __slots__ = ("_session", "actor", "limits", "now", "owed", "via")

    def __init__(self, session: Session, now: int, actor: Actor = NOBODY) -> None:
        self._session = session
        self.now = now
        self.actor = actor
        self.limits: Limits = NO_LIMITS
        self.via = ""
        self.owed: list[Callable[[Tx], None]] = []

    @property
    def engine(self) -> EngineName:
        """Which engine this is."""
        return self._session.engine

    def owes(self, write: "Callable[[Tx], None]") -> None:
        """Have something written before the caller is told what was read; without it nothing is told."""
        self.owed.append(write)

    def all(self, sql: Sql, **values: Any) -> list[Row]:
        """Every row of a select, as dictionaries by column name."""
        statement = sql.compiled(self._session.engine)
        columns = statement.columns
        return [
            dict(zip(columns, row, strict=True))
            for row in self._session.fetch(statement, statement.given(values))
        ]

    def one(self, sql: Sql, **values: Any) -> Row | None:
        """The first row of a select, or None."""
        statement = sql.compiled(self._session.engine)
        rows = self._session.fetch(statement, statement.given(values))
        return dict(zip(statement.columns, rows[0], strict=True)) if rows else None


class Tx(Snapshot):
    """A writing transaction: everything in it lasts together or not at all.

    `used` is what it uses of its tenant's quotas, `undone` the refusals that `attempt` turned into outcomes.
    """

    __slots__ = ("_counted", "_made", "_meter", "_new_id", "events", "undone", "used", "wrote")

    def __init__(self, session: Session, now: int, new_id: NewId, meter: Meter) -> None:
        super().__init__(session, now)
        self._new_id = new_id
        self._meter = meter
        self._made: set[str] = set()
        self.events: list[Event] = []
        self._counted: list[Counted] = []
        self.used = NOTHING
        self.undone: list[Refusal] = []
        self.wrote = False

    def run(self, sql: Sql, **values: Any) -> int:
        """Run an insert, update or delete; the number of rows it changed."""
        self.wrote = True
        statement = sql.compiled(self._session.engine)
        return self._session.execute(statement, statement.given(values))

    def add(self, sql: Sql, **values: Any) -> None:
        """`run` without the count, which spares a wait for the server; for what cannot fail but by a lost race."""
        self.wrote = True
        statement = sql.compiled(self._session.engine)
        self._session.send(statement, statement.given(values))

    def returned(self, sql: Sql, **values: Any) -> Row | None:
        """Run a write that returns rows, and give the first of them."""
        self.wrote = True
        return self.one(sql, **values)

    def owes(self, write: "Callable[[Tx], None]") -> None:
        """Write it now: all of this transaction is told together or not at all."""
        write(self)

    def happens_after(self, moment: int) -> None:
        """Move `now` past a moment of another transaction, begun later, for which this one had to wait."""
        self.now = max(self.now, moment + 1)

    def new_id(self, prefix: str) -> str:
        """A new id of ours, later than every earlier one of this process."""
        made = self._new_id(prefix, self.now)
        self._made.add(made)
        return made

    def is_new(self, thing_id: str) -> bool:
        """Whether an id was made in this transaction, so that nobody can have spoken of the thing before."""
        return thing_id in self._made

    def announce(self, event: Event) -> None:
        """Say what happened; it is written to the event log, and reacted to, before this transaction commits."""
        self.events.append(event)

    def acting_as(self, actor: Actor, work: Callable[[], T]) -> T:
        """`work` as another caller of the tenant: its rights count, and what is announced was done by it."""
        own, announced = self.actor, len(self.events)
        self.actor = actor
        try:
            return work()
        finally:
            self.actor = own
            told = self.events[announced:]
            self.events[announced:] = [replace(event, by=event.by or actor) for event in told]

    def count(self, sums: Sums, key: SumKey, amounts: Sequence[int]) -> None:
        """Add amounts to a row of kept sums; it is written just before the commit, and not seen before that."""
        self._counted.append(Counted(sums, key, amounts))

    def counted(self) -> list[Counted]:
        """Everything that is to be added to sums when this transaction is committed; asked once, at its end."""
        return [*self._counted, *self._meter.counted(self)]

    def over_quota(self, wanted: Use) -> QuotaExceeded | None:
        """Why the tenant may not use so much more today, None when it may; nothing is counted by asking.

        To be asked before anything is written: who is refused then disturbs no other transaction.
        """
        return self._meter.refusal(self, wanted)

    def use(self, more: Use) -> None:
        """Count what this transaction adds against the tenant's quotas; refuses what is more than they allow."""
        refusal = self.over_quota(more)
        if refusal is not None:
            raise refusal
        self.used = self.used.plus(more)

    def attempt(self, work: Callable[[], T]) -> "T | Refusal":
        """`work` in a savepoint: its result, or the refusal that undid it and nothing else of this transaction."""
        announced, counted, used = len(self.events), len(self._counted), self.used
        self._session.plain("SAVEPOINT attempt")
        try:
            outcome = work()
        except Refusal as refusal:
            self._session.plain("ROLLBACK TO attempt")
            self._session.plain("RELEASE attempt")
            del self.events[announced:]
            del self._counted[counted:]
            self.used = used
            self.undone.append(refusal)
            return refusal
        self._session.plain("RELEASE attempt")
        return outcome
