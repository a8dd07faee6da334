"""A tenant in which content grows old, and what retention cuts of it."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table, update

from setright import retention
from setright.app.schema import metadata
from setright.kernel.actor import Actor
from setright.kernel.fields import validate
from setright.retention import Cut, NewProjectRetention, NewTenantRetention, Passing, Retention
from setright.retention.jobs import DAY
from setright.storage import Sql
from tests.erasure.said import Said

KEYS = {
    "runs": "id",
    "interactions": "number",
    "outputs": "id",
    "lesson_sessions": "session",
    "run_reads": "id",
}
TIMES = {
    "runs": ("created_at", "finished_at"),
    "interactions": ("created_at",),
    "outputs": ("generated_at",),
    "lesson_sessions": ("at",),
    "run_reads": ("at",),
}


@dataclass(frozen=True, slots=True)
class Keeping(Said):
    """A tenant in which the sentence is said, and which says how long it is kept."""

    def keep(self, project_id: str = "default", by: Actor | None = None, **days: int | None) -> Retention:
        """How long content of a project is kept from now on."""
        new = validate(NewProjectRetention, days)
        return self.proving.do(lambda tx: retention.set_project_retention(tx, project_id, new), by)

    def keep_all(self, by: Actor | None = None, **days: int | None) -> Retention:
        """How long content of the tenant is kept from now on."""
        new = validate(NewTenantRetention, days)
        return self.proving.do(lambda tx: retention.set_tenant_retention(tx, new), by)

    def grows_old(self, days: int, *keys: Any, table: str = "runs") -> None:
        """Let content be so many days older; without keys all of it."""
        changed: Table = metadata.tables[table]
        values = {name: changed.c[name] - days * DAY for name in TIMES[table]}
        where = [changed.c.tenant_id == self.proving.tenant.id]
        if keys:
            where.append(changed.c[KEYS[table]].in_(keys))
        self.proving.do(lambda tx: tx.run(Sql(update(changed).where(*where).values(values))))

    def a_day_goes_by(self) -> None:
        """Let what recurs be due a day earlier."""
        recurs = metadata.tables["recurring_jobs"]
        mine = update(recurs).where(recurs.c.tenant_id == self.proving.tenant.id)
        sooner = Sql(mine.values(next_at=recurs.c.next_at - DAY))
        self.proving.do(lambda tx: tx.run(sooner))

    def passed(self) -> Passing:
        """A passing, carried out."""
        made: Passing = self.proving.do(retention.begin_passing)
        self.proving.work()
        return self.passing(made.id)

    def cut(self) -> Cut:
        """The one cut of a passing, carried out."""
        cuts = self.passed().cuts or ()
        assert len(cuts) == 1
        return cuts[0]

    def passing(self, passing_id: str) -> Passing:
        """A passing as it stands."""
        return self.proving.ask(lambda at: retention.get_passing(at, passing_id))

    def due(self) -> dict[str, int]:
        """What a passing would cut now."""
        return dict(self.proving.ask(retention.read_due).counts)
