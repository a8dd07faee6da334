"""A worker that is killed in the middle of moving corrections, and what is true when others have taken its work up."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from sqlalchemy import bindparam, func, select, update

from setright import corrections, jobs
from setright.corrections import SummaryFilters
from setright.events.tables import events
from setright.jobs import Job
from setright.jobs.tables import jobs as table
from setright.proof.tables import evidence_moves
from setright.storage import Sql
from tests.proof.proving import Proving

T = TypeVar("T")
COMMAND = Path(sys.executable).with_name("setright")
PATIENCE_SECONDS = 120.0
LEASES_END = Sql(update(table).where(table.c.state == "running").values(next_at=0))
TOLD = Sql(
    select(events.c.subject_id, func.count().label("count"))
    .where(events.c.tenant_id == bindparam("tenant_id"), events.c.kind == bindparam("kind"))
    .group_by(events.c.subject_id)
)
MOVED = Sql(
    select(func.count().label("count"))
    .select_from(evidence_moves)
    .where(
        evidence_moves.c.tenant_id == bindparam("tenant_id"),
        evidence_moves.c.cause_id == bindparam("cause_id"),
    )
)


class Workers:
    """Processes of the real command that do the jobs of a database: servers of a SQLite file, or workers."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder
        self._url = url
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start one more."""
        serves = ("serve", "--port", "0", "--json")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SETRIGHT_")}
        ours = {"SETRIGHT_DATABASE": self._url, "SETRIGHT_DATA_FOLDER": str(self._folder / "data")}
        with (self._folder / "worker.log").open("ab") as log:
            self._running.append(
                subprocess.Popen(
                    [COMMAND, *(serves if self._url.startswith("sqlite") else ("worker",))],
                    stdout=log,
                    stderr=log,
                    cwd=self._folder,
                    env={**kept, **ours, "HOME": str(self._folder)},
                )
            )

    def kill(self) -> None:
        """End the oldest at once, as a crash does (kill -9)."""
        process = self._running.pop(0)
        process.send_signal(signal.SIGKILL)
        process.wait(60)

    def close(self) -> None:
        """Ask all to end."""
        for process in self._running:
            process.terminate()
        for process in self._running:
            assert process.wait(60) == 0, (self._folder / "worker.log").read_text()[-2000:]


def until(found: Callable[[], T]) -> T:
    """What `found` gives as soon as that is something; it is asked again and again."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        there = found()
        if there:
            return there
        assert time.monotonic() < give_up, "waited in vain"
        time.sleep(0.02)


def corrected_and_fixed(proving: Proving, count: int) -> Sequence[str]:
    """So many corrections that v2 fixed and that v3 got wrong, which nobody runs yet; their ids in order."""
    made = sorted(proving.corrected().id for _ in range(count))
    for version, answer in (("v2", "14 days"), ("v3", "30 days")):
        proving.answered(proving.begun(version), answer=answer)
        if version == "v2":
            proving.deploy(version)
        proving.work()
    return made


def settling(proving: Proving) -> Job | None:
    """The job that moves corrections, while it is not done."""
    found = proving.ask(lambda at: jobs.unfinished(at, "settle-change"))
    return found[0] if found else None


def statuses(proving: Proving) -> dict[str, int]:
    """How many corrections are kept as being in each status."""
    told = proving.ask(lambda at: corrections.summarize(at, SummaryFilters(), None, 10))
    return {status: tally["corrections"].corrections for status, tally in told.statuses.items()}


def let_leases_end(proving: Proving) -> None:
    """As if 30 seconds had gone by."""
    proving.ledger.write(lambda tx: tx.run(LEASES_END))


def assert_each_moved_once(proving: Proving, cause_id: str, made: Sequence[str]) -> None:
    """Each correction reopened, by one event and one row of the cause, and the kept counts say so."""
    tenant = {"tenant_id": proving.tenant.id}
    rows = proving.ledger.read(lambda at: at.all(TOLD, kind="correction.reopened", **tenant))
    assert {row["subject_id"]: row["count"] for row in rows} == dict.fromkeys(made, 1)
    (row,) = proving.ledger.read(lambda at: at.all(MOVED, cause_id=cause_id, **tenant))
    assert row["count"] == len(made)
    assert statuses(proving) == {"open": len(made)}
    assert proving.ask(lambda at: corrections.count_faults(at, 10)) == []
