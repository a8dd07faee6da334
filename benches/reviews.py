"""A claim (POST /v1/review-queues/{id}/claims) through the real server among a million runs, one client.

Half of the runs are reviewed: `claim` is the next one, `answer` what is said of it. `new` is a claim of a queue in which
nobody has claimed anything, `second` of one in which half a million runs wait for their second reviewer, `rare` of one
about an agent with one run in 200, `sampled` of one with a sample of one in 100. `passed` is a claim while everything
that was handed out is gone through once more, as after the sample was made larger. `nothing` is one step of a search in
a queue about an agent without runs: it answers 202 and goes on when it is asked again, and 204 at its end.
"""

import http.client
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benches import rows
from benches.load import percentile
from benches.machine import Cpu
from benches.report import Goal, Report, options
from benches.rows import Row
from benches.servers import Callers, Databases, durability, new_ledger, opened, setright
from setright import reviews
from setright.corrections.tables import corrections
from setright.kernel import json
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.ids import Ids
from setright.kernel.paging import Place
from setright.reviews import NewReviewQueue, ReviewQueue, store
from setright.reviews.tables import review_claims, review_items
from setright.runs.tables import runs
from setright.storage import Tx

ENGINES = (("sqlite", "sqlite"), ("postgresql", "postgres"))
RUNS = 1_000_000
DONE = 500_000
TIMES = 90
REPETITIONS = 5
PROJECT = "default"
RARE = {"subject": {"kind": "agent", "id": "agent-7"}}
QUEUES: dict[str, dict[str, Any]] = {
    "claim": {},
    "new": {},
    "second": {"reviewersPerItem": 2},
    "rare": {"filter": RARE},
    "sampled": {"sampleRate": 0.01},
    "passed": {},
    "nothing": {"filter": {"subject": {"kind": "agent", "id": "nobody"}}},
}
GOALS = {f"{name}_{kind}_p50_ms": Goal(most=50) for _, name in ENGINES for kind in QUEUES}
HALF_DONE = ("claim", "passed")
TABLES = (runs, corrections, review_items, review_claims)


class Reviewer:
    """One who claims and answers, on one connection."""

    def __init__(self, port: int, secret: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._head = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    def post(self, path: str, body: Any = None) -> tuple[float, int, Any]:
        """The milliseconds, the status and the answer of a POST."""
        sent = json.write_text({} if body is None else body).encode()
        began = time.perf_counter()
        self._connection.request("POST", path, sent, self._head)
        answer = self._connection.getresponse()
        content = answer.read()
        taken = (time.perf_counter() - began) * 1000
        return taken, answer.status, json.read_stored(content.decode()) if content else None


def queues(tx: Tx, tenant_id: str) -> dict[str, ReviewQueue]:
    """A queue of each kind; in those that are half done the runs were handed out to the middle."""
    tx.actor = Actor(tenant_id, "user", "usr_bench", "", frozenset(SCOPES), {}, Role.ADMIN)
    made: dict[str, ReviewQueue] = {}
    for kind, terms in QUEUES.items():
        wanted = NewReviewQueue.model_validate({"projectId": PROJECT, "name": kind, **terms})
        made[kind] = reviews.create_queue(tx, wanted)
    return made


def go_ahead(tx: Tx, queue: ReviewQueue, *, settled: bool, turn: int = 0) -> None:
    """Let a queue have handed out the first half of the runs."""
    tx.actor = replace(tx.actor, tenant_id=queue.tenant_id)
    held = store.hold(tx, queue.id)
    if held is None:
        raise LookupError(queue.id)
    half = Place(moment(DONE), "")
    held.set(ahead=half, turn=turn, settled=half if settled else held.queue.settled)
    held.save(tx)


def moment(number: int) -> int:
    """When a run finished."""
    return rows.BEGIN + rows.SPAN * number // RUNS


def batches(tenant_id: str, made: dict[str, ReviewQueue]) -> Iterator[tuple[list[Row], ...]]:
    """Runs in the order in which they finished; the first half is complete in one queue, and half said in another."""
    new_id = Ids()
    for start in range(0, RUNS, rows.BATCH):
        batch: tuple[list[Row], ...] = ([], [], [], [])
        for number in range(start, start + rows.BATCH):
            now = moment(number)
            run = a_run(tenant_id, number, new_id("run", now), now)
            batch[0].append(run)
            if number < DONE:
                said = a_correction(run, new_id("cor", now), now)
                batch[1].append(said)
                for kind in HALF_DONE:
                    batch[2].append(an_item(made[kind], run, now, None))
                    batch[3].append(a_claim(made[kind], run, new_id("rvc", now), said["id"]))
                batch[2].append(an_item(made["second"], run, now, number + 1))
                batch[3].append(a_claim(made["second"], run, new_id("rvc", now), None))
        yield batch


def a_run(tenant_id: str, number: int, run_id: str, now: int) -> Row:
    """A finished run of one of 200 agents."""
    agent = {"subject_key": f"agent-{number % 200}", "subject_id": f"agent-{number % 200}"}
    times = {"created_at": now, "finished_at": now, "copy_kept_at": now if number < DONE else None}
    own = {"tenant_id": tenant_id, "id": run_id, "project_id": PROJECT, "subject_version": "v1"}
    return {**rows.NO_RUN, **own, **agent, **times}


def a_correction(run: Row, own_id: str, now: int) -> Row:
    """What its reviewer said of a run."""
    shared = {name: run[name] for name in ("tenant_id", "project_id", "subject_key", "subject_id")}
    own = {"id": own_id, "run_id": run["id"], "subject_version": "v1", "made_by_id": "usr_reviewer"}
    stands = {"status": "open", "answer": "wrong", "place": "", "created_at": now, "updated_at": now}
    return {**rows.NO_CORRECTION, **shared, **own, **stands}


def an_item(queue: ReviewQueue, run: Row, now: int, turn: int | None) -> Row:
    """An item that is complete, or one with a turn, which has room."""
    whole = dict.fromkeys((column.name for column in review_items.columns), None)
    where = {"tenant_id": queue.tenant_id, "queue_id": queue.id, "run_id": run["id"], "began_at": now}
    stands = {"state": "waiting", "turn": turn} if turn else {"state": "complete", "ended_at": now}
    return {**whole, **where, **stands, "reviewers": queue.reviewers_per_item}


def a_claim(queue: ReviewQueue, run: Row, own_id: str, correction_id: str | None) -> Row:
    """The claim of the first reviewer of an item."""
    return {
        "id": own_id,
        "tenant_id": queue.tenant_id,
        "queue_id": queue.id,
        "run_id": run["id"],
        "reviewer_kind": "user",
        "reviewer_id": "usr_reviewer",
        "state": "answered" if correction_id else "skipped",
        "claimed_at": run["finished_at"],
        "lease_until": None,
        "ended_at": run["finished_at"],
        "correction_id": correction_id,
    }


def ledger(databases: Databases, engine: str) -> tuple[str, Callers, dict[str, ReviewQueue]]:
    """A ledger with a million runs and the queues."""
    url = databases.new(engine, "reviews")
    callers = new_ledger(url, (REPETITIONS + 1) * len(QUEUES))
    began = time.perf_counter()
    with opened(url) as at:
        made = at.write(lambda tx: queues(tx, callers.tenant_id)).result()
    rows.put(url, TABLES, batches(callers.tenant_id, made))
    with opened(url) as at:
        at.write(lambda tx: go_ahead(tx, made["claim"], settled=True)).result()
        at.write(lambda tx: go_ahead(tx, made["passed"], settled=False)).result()
        at.write(lambda tx: go_ahead(tx, made["second"], settled=True, turn=DONE)).result()
    rows.settle(url)
    seconds = time.perf_counter() - began
    print(f"{engine} ({durability(url)}): {RUNS} runs, half reviewed, in {seconds:.0f} s", flush=True)
    return url, callers, made


def measure(report: Report, name: str, port: int, secrets: Iterator[str], queue: ReviewQueue) -> None:
    """One reviewer claims and answers; the queue's name is the kind that is measured."""
    kind, reviewer = queue.name, Reviewer(port, next(secrets))
    path = f"/v1/review-queues/{queue.id}/claims"
    claims: list[float] = []
    answers: list[float] = []
    for _ in range(TIMES):
        taken, status, found = reviewer.post(path)
        claims.append(taken)
        if status != 201:
            if kind != "nothing" or status not in (202, 204):
                report.errors.append(f"{kind}: {status} {found}")
            continue
        taken, status, found = reviewer.post(f"{path}/{found['id']}/correction", {"answer": "right"})
        answers.append(taken)
        if status != 201:
            report.errors.append(f"{kind}: {status} {found}")
    report.add(f"{name}_{kind}_p50_ms", percentile(sorted(claims), 50))
    report.add(f"{name}_{kind}_p99_ms", percentile(sorted(claims), 99))
    if answers:
        report.add(f"{name}_answer_p50_ms", percentile(sorted(answers), 50))


def main() -> int:
    """Fill and ask both engines."""
    chosen = options(__doc__ or "")
    report = Report("reviews", GOALS)
    for engine, name in ENGINES:
        databases = Databases()
        try:
            with ExitStack() as stack:
                folder = Path(stack.enter_context(TemporaryDirectory(prefix="setright-bench-")))
                url, callers, made = ledger(databases, engine)
                server = stack.enter_context(setright(url, folder))
                server.wait_until("/healthz")
                secrets = iter(callers.services)
                for repetition in range((1 if chosen.quick else REPETITIONS) + 1):
                    said = report if repetition else Report("warming up", {})
                    cpu = Cpu([server.pid, *databases.processes()])
                    for queue in made.values():
                        measure(said, name, server.port, secrets, queue)
                    foreign, stolen = cpu.foreign()
                    said.foreign.append(foreign)
                    said.stolen.append(stolen)
                    report.errors += said.errors if said is not report else []
        finally:
            databases.close()
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
