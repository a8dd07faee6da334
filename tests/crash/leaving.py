"""Erasures and passings of retention that are killed in the middle, and what is true once others have finished them."""

import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select, update

from setright.app.schema import TABLES
from setright.jobs.tables import jobs
from setright.retention.jobs import DAY
from setright.runs.tables import run_calls, run_contents, runs
from setright.storage import Row, Snapshot, Sql
from tests.concurrency.wire import Wire
from tests.crash.load import Book, Figures, Load, hold_to_account, wait_at_random
from tests.crash.program import Program
from tests.proof.killing import Workers
from tests.support.ledger import Ledger

MANY = {"erased": 100, "cut": 220, "copied": 60, "stays": 20}
FEW = {"erased": 50, "cut": 110, "copied": 15, "stays": 5}
"""How many runs of each fate a round has: erased, cut, cut with a correction's copy, and young."""
DAYS = 5
AT_ONCE = 50
PATIENCE_SECONDS = 70.0
SAID = re.compile(r"(erased|cut|copied|stays)-(\d+)-\d+-said")
COPIES = {"run_contents.input", "run_contents.output", "run_calls.call", "corrections.said"}
LEAVE = ("erase", "cut-by-retention")
UNFINISHED = Sql(
    select(func.count().label("count")).where(jobs.c.name.in_(LEAVE), jobs.c.next_at.is_not(None))
)
LEASES_END = Sql(update(jobs).where(jobs.c.state == "running").values(next_at=0))


@dataclass
class Leaving:
    """A server whose content leaves while it is killed; `interrupted` counts the jobs that a kill left unfinished."""

    program: Program
    ledger: Ledger
    counts: Mapping[str, int]
    workers: Workers | None = None
    seeds: list[int] = field(default_factory=list[int])
    interrupted: int = 0

    def a_round(self, book: Book, seed: int, most: float) -> Figures:
        """Runs of every fate, an erasure and a passing under load, a kill, and both carried to their end."""
        chance = random.Random(seed)
        wire = self.program.wire()
        self._prepare(wire, seed)
        load = Load(wire, book, seed)
        paths = self._asked(wire, seed)
        wait_at_random(chance, most)
        self.kill()
        self.interrupted += self.ledger.read(lambda at: at.all(UNFINISHED)[0]["count"])
        self.ledger.write(lambda tx: tx.run(LEASES_END))
        self.start()
        figures = load.stop()
        figures.add(hold_to_account(self.program.wire(), book))
        wire = self.program.wire()
        assert self._asked(wire, seed) == paths
        erasure, passing = (_done(wire, path) for path in paths)
        assert erasure["counts"]["runs"] == erasure["counts"]["corrections"] * 2 == self.counts["erased"]
        assert passing["counts"] == {"runs": self.counts["cut"] + self.counts["copied"]}
        return figures

    def start(self) -> None:
        """Start the server, and where that does no jobs, a worker beside it."""
        self.program.start()
        if self.workers is not None:
            self.workers.start()

    def kill(self) -> None:
        """End both at once, as a crash does."""
        if self.workers is not None:
            self.workers.kill()
        self.program.kill()

    def _prepare(self, wire: Wire, seed: int) -> None:
        self.seeds.append(seed)
        wire.send("PATCH", "/v1/projects/default/retention", {"runs": DAYS})
        for fate, count in self.counts.items():
            made = [_run(fate, seed, number) for number in range(count)]
            for first in range(0, count, AT_ONCE):
                wire.post("/v1/runs/batch", {"runs": made[first : first + AT_ONCE]})
            corrected = {"copied": made, "erased": made[::2]}.get(fate, [])
            for one in corrected:
                said = {"runId": one["id"], "answer": "wrong", "why": one["output"]}
                wire.post("/v1/corrections", said)
        old = [_id(fate, seed, number) for fate in ("cut", "copied") for number in range(self.counts[fate])]
        aged = {name: runs.c[name] - 2 * DAYS * DAY for name in ("created_at", "finished_at")}
        for first in range(0, len(old), AT_ONCE):
            some = Sql(update(runs).where(runs.c.id.in_(old[first : first + AT_ONCE])).values(aged))
            self.ledger.write(lambda tx, some=some: tx.run(some))

    def _asked(self, wire: Wire, seed: int) -> tuple[str, str]:
        """The paths of the erasure and of the passing of a round, which are asked for once however often they are sent."""
        wish = {"participantId": _who("erased", seed), "reason": "asked for"}
        erasure = wire.until_settled("POST", "/v1/erasures", wish, f"erase-{seed}").json["id"]
        passing = wire.until_settled("POST", "/v1/retention-passings", None, f"cut-{seed}").json["id"]
        return f"/v1/erasures/{erasure}", f"/v1/retention-passings/{passing}"

    def assert_nothing_is_half_done(self) -> None:
        """No word of what left stands anywhere, each shell has its mark, and copies and young runs are whole."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for place, text in self.ledger.read(lambda at: list(_texts(at))):
            for fate, _ in SAID.findall(text):
                found[fate].add(place)
            assert "who-erased" not in text, place
        assert set(found) == {"copied", "stays"}
        assert found["copied"] <= COPIES, found["copied"] - COPIES
        marks = Counter(self.ledger.read(_marks))
        there = {"erased": "erased", "cut": "expired", "copied": "expired", "stays": ""}
        wanted = Counter(
            {(fate, there[fate]): count * len(self.seeds) for fate, count in self.counts.items()}
        )
        assert marks == wanted
        whole = (self.counts["copied"] + self.counts["stays"]) * len(self.seeds)
        for table in (run_contents, run_calls):
            ours = Sql(select(func.count().label("count")).where(table.c.run_id.like("fate-%")))
            assert self.ledger.read(lambda at, ours=ours: at.all(ours))[0]["count"] == whole, table.name


def _id(fate: str, seed: int, number: int) -> str:
    return f"fate-{fate}-{seed}-{number}"


def _who(fate: str, seed: int) -> str:
    return f"who-{fate}-{seed}"


def _run(fate: str, seed: int, number: int) -> dict[str, Any]:
    said = f"{fate}-{seed}-{number}-said"
    return {
        "id": _id(fate, seed, number),
        "projectId": "default",
        "subject": {"kind": "agent", "id": "leaves", "version": "1"},
        "input": {"question": said},
        "calls": [{"tool": "look_up", "args": {"who": said}, "result": said}],
        "output": said,
        "participantId": _who(fate, seed),
        **({"tags": [said]} if fate in ("erased", "cut") else {}),
    }


def _done(wire: Wire, path: str) -> dict[str, Any]:
    """An erasure or a passing at its end."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        found = wire.get(path)
        if found["state"] == "done":
            return found
        assert time.monotonic() < give_up, found
        time.sleep(0.05)


def _texts(at: Snapshot) -> Iterator[tuple[str, str]]:
    """Every text and every other value of the ledger, with its table and column."""
    for table in TABLES:
        for row in at.all(Sql(select(table))):
            yield from ((f"{table.name}.{name}", _text(value)) for name, value in row.items())


def _text(value: Any) -> str:
    return bytes(value).decode(errors="replace") if isinstance(value, bytes | memoryview) else str(value)


def _marks(at: Snapshot) -> Sequence[tuple[str, str]]:
    """The fate and the mark of every run that has a fate."""
    shown = (runs.c.id, runs.c.content_erased_at, runs.c.content_expired_at)
    rows = at.all(Sql(select(*shown).where(runs.c.id.like("fate-%"))))
    return [(row["id"].split("-")[1], _mark(row)) for row in rows]


def _mark(row: Row) -> str:
    if row["content_erased_at"] is not None:
        return "erased"
    return "" if row["content_expired_at"] is None else "expired"


def leaving_rounds(
    folder: Path, database: str, seeds: range, counts: Mapping[str, int], most: float
) -> tuple[Leaving, Figures]:
    """One round for each seed on one ledger, and the account of it all."""
    program, ledger, whole = Program(folder, database), Ledger(database), Figures()
    workers = None if database.startswith("sqlite") else Workers(folder, database)
    leaving = Leaving(program, ledger, counts, workers)
    leaving.start()
    try:
        book = Book.open(program.wire())
        for seed in seeds:
            whole.add(leaving.a_round(book, seed, most))
        leaving.assert_nothing_is_half_done()
    finally:
        leaving.kill()
        ledger.store.close()
    return leaving, whole
