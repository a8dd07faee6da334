"""The briefing of one agent through the real server, among 1,000, 100,000 and 1,000,000 lessons, one rule adopted between two reads.

A fifth of the lessons is adopted; a thousand agents share them by a power law, the asked one holds a twentieth of the
rules, and they stand in three projects. `ratio` is the median among the most lessons to that among the fewest; the budget
is such that the smallest ledger fills it, so that the answers compared are as long. `own` is after a rule of the asked
agent was adopted, `whole` is the briefing of no other budget than the usual one. Beside the largest ledger on SQLite stand
the programs that a coding agent starts (see `session`).
"""

import http.client
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benches import load, session
from benches import rows as tables
from benches.load import Plan
from benches.report import Goal, Report, options
from benches.servers import Callers, Databases, Server, durability, head, new_ledger, setright
from setright.kernel.ids import Ids
from setright.lessons.similar import skeleton_key
from setright.lessons.tables import lesson_counts, lessons
from setright.lessons.wording import key_of

ENGINES = (("sqlite", ""), ("postgresql", "postgres_"))
SIZES = (("1k", 1_000), ("100k", 100_000), ("1m", 1_000_000))
PROJECTS = ("north", "south", "west")
AGENTS = 1_000
ASKED = "asked"
ONE_OF_ASKED, ONE_OF_EVERY, ONE_ADOPTED = 20, 50, 5
READS = 40
BATCH = 20_000
BUDGET = 700
BEGIN, STEP = 1_767_225_600_000_000, 10_000_000
GOALS = {
    **{key: Goal(most=1.2) for key in ("ratio", "own_ratio", "postgres_ratio", "postgres_own_ratio")},
    **session.GOALS,
}
SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "chu", "bri")
NAMES = tuple(column.name for column in lessons.columns)
Row = dict[str, Any]


def a_rule(chance: random.Random) -> str:
    """A rule of some ten words that nobody wrote before."""
    words = ("".join(chance.choices(SYLLABLES, k=chance.randint(2, 3))) for _ in range(chance.randint(8, 12)))
    return " ".join(words).capitalize() + "."


def rows(tenant_id: str, count: int) -> Iterator[Row]:
    """So many lessons, in order of time."""
    chance, new_id = random.Random(5), Ids()
    weights = [1 / (number + 1) for number in range(AGENTS - 1)]
    others = chance.choices([f"agent-{number}" for number in range(AGENTS - 1)], weights, k=100_003)
    for number in range(count):
        now = BEGIN + STEP * number
        agent = "" if number % ONE_OF_EVERY == 1 else others[number % 100_003]
        agent = ASKED if number % ONE_OF_ASKED == 0 else agent
        adopted = (number // ONE_OF_ASKED + number) % ONE_ADOPTED == 0
        severity = chance.choices((0, 1, 2, 3), (20, 60, 15, 5))[0]
        rule = a_rule(chance)
        row: Row = dict.fromkeys(NAMES)
        row |= {
            "tenant_id": tenant_id,
            "id": new_id("les", now),
            "project_id": PROJECTS[number % 3],
            "space_key": PROJECTS[number % 3],
            "agent": agent,
            "agent_key": agent,
            "kind": "instruction",
            "severity": ("low", "medium", "high", "critical")[severity],
            "weight": severity,
            "noticed_by": "person",
            "what_happened": "It did not do so.",
            "rule": rule,
            "rule_key": key_of(rule),
            "skeleton_key": skeleton_key(rule),
            "status": "adopted" if adopted else "open",
            "in_force": 1 if adopted else None,
            "broken_again": chance.choice((0, 0, 0, 1, 2)) if adopted else 0,
            "recorded_by_kind": "user",
            "recorded_by_id": "usr_bench",
            "created_at": now,
            "updated_at": now,
        }
        if adopted:
            row |= {"adopted_by_kind": "user", "adopted_by_id": "usr_bench", "adopted_at": now}
        yield row


def fill(url: str, tenant_id: str, count: int) -> None:
    """Put lessons straight into the tables, with the counts that are kept of them."""
    tables.put(url, (lessons, lesson_counts), _batches(tenant_id, count))
    tables.settle(url)


def _batches(tenant_id: str, count: int) -> tables.Batches:
    counts: Counter[tuple[str, str, str]] = Counter()
    batch: list[Row] = []
    for row in rows(tenant_id, count):
        counts[row["agent_key"], row["space_key"], row["status"]] += 1
        batch.append(row)
        if len(batch) == BATCH:
            yield batch, []
            batch = []
    names = [column.name for column in lesson_counts.columns]
    kept = [
        (tenant_id, *place, counts[*place, "adopted"], counts[*place, "open"], 1)
        for place in sorted({place[:2] for place in counts})
    ]
    yield batch, [dict(zip(names, values, strict=True)) for values in kept]


class Asker:
    """Asks one server for the briefing of one agent, and has a rule adopted before each time."""

    path = f"/v1/briefing?agent={ASKED}&budget={BUDGET}"
    whole = f"/v1/briefing?agent={ASKED}"

    def __init__(self, server: Server, callers: Callers) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self._headers = {"Authorization": f"Bearer {callers.admin}", "Content-Type": "application/json"}
        self._chance = random.Random(9)
        self.length = self._length()

    def _send(self, method: str, path: str, body: Any = None) -> bytes:
        """The answer to a request, which must be good."""
        text = None if body is None else json.dumps(body)
        self._connection.request(method, path, text, self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= http.HTTPStatus.BAD_REQUEST:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]!r}")
        return content

    def _length(self) -> int:
        """How many rules there is room for; there must be more."""
        told = json.loads(self._send("GET", self.path))
        if not told["leftOut"]:
            raise RuntimeError(
                "the briefing has room for every rule, which would compare answers of two sizes"
            )
        return len(told["rules"])

    def _adopt(self, agent: str) -> str:
        """Have a rule of an agent adopted; where its lesson stands."""
        said = {"kind": "drift", "noticedBy": "self", "whatHappened": "It did.", "agent": agent}
        body = {**said, "projectId": PROJECTS[0], "rule": a_rule(self._chance)}
        path = f"/v1/lessons/{json.loads(self._send('POST', '/v1/lessons', body))['id']}"
        self._send("PATCH", path, {"status": "adopted"})
        return path

    def some_agent(self) -> str:
        """An agent, now and then the one that is asked for."""
        return (
            ASKED if self._chance.randrange(ONE_OF_ASKED) == 0 else f"agent-{self._chance.randrange(AGENTS)}"
        )

    def median(self, path: str, agent: Callable[[], str]) -> float:
        """The median milliseconds of many briefings, a rule adopted before each and taken away after it."""
        self._connection.close()  # which the server may have ended while another one was asked
        seen: list[float] = []
        for _ in range(READS):
            lesson = self._adopt(agent())
            began = time.perf_counter()
            told = self._send("GET", path)
            seen.append((time.perf_counter() - began) * 1000)
            if not json.loads(told)["rules"]:
                raise RuntimeError("the briefing is empty")
            self._send("DELETE", lesson)
        return statistics.median(seen)


@dataclass(frozen=True)
class Ledger:
    """A filled ledger with its server."""

    server: Server
    callers: Callers
    asker: Asker


def many_readers(report: Report, of: Ledger, watched: list[int]) -> float:
    """Briefings a second for 32 readers at once."""
    port = of.server.port
    request = head("GET", of.asker.path, port) + f"Authorization: Bearer {of.callers.services[0]}\r\n\r\n"
    plan = Plan(port, 32, 5, tails=[request], watched=[of.server.pid, *watched])
    return report.saw("reads_c32", load.run(plan)).per_s


def once(report: Report, ledgers: dict[str, Ledger], watched: list[int]) -> dict[str, float]:
    """Every ledger asked by turns, and the largest by many at once."""
    found: dict[str, float] = {}
    for size, of in ledgers.items():
        asker = of.asker
        found[f"p50_ms_{size}"] = asker.median(asker.path, asker.some_agent)
        found[f"own_p50_ms_{size}"] = asker.median(asker.path, lambda: ASKED)
        found[f"whole_p50_ms_{size}"] = asker.median(asker.whole, asker.some_agent)
    most = [*ledgers][-1]
    found["ratio"] = found[f"p50_ms_{most}"] / found["p50_ms_1k"]
    found["own_ratio"] = found[f"own_p50_ms_{most}"] / found["own_p50_ms_1k"]
    found["reads_c32_per_s"] = many_readers(report, ledgers[most], watched)
    return found


def ledger(
    stack: ExitStack, databases: Databases, engine: str, folder: Path, size: tuple[str, int]
) -> Ledger:
    """A ledger with so many lessons, served."""
    name, count = size
    url = databases.new(engine, name)
    callers = new_ledger(url, 1, PROJECTS)
    began = time.perf_counter()
    fill(url, callers.tenant_id, count)
    took = time.perf_counter() - began
    server = stack.enter_context(setright(url, folder))
    server.wait_until("/healthz")
    asker = Asker(server, callers)
    print(
        f"{engine} ({durability(url)}): {count} lessons made in {took:.0f} s, {asker.length} rules asked for",
        flush=True,
    )
    return Ledger(server, callers, asker)


def main() -> int:
    """Fill three ledgers on each engine and ask them by turns; the first round only warms up."""
    chosen = options(__doc__ or "")
    report = Report("briefing", GOALS)
    for engine, name in ENGINES:
        databases = Databases()
        with ExitStack() as stack:
            stack.callback(databases.close)
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="setright-bench-")))
            sizes = SIZES[:2] if chosen.quick else SIZES
            ledgers = {size[0]: ledger(stack, databases, engine, folder, size) for size in sizes}
            largest = ledgers[sizes[-1][0]]
            for repetition in range(2 if chosen.quick else 6):
                found = once(report, ledgers, databases.processes())
                seen = {f"{name}{key}": value for key, value in found.items()}
                if engine == "sqlite":
                    address = f"http://127.0.0.1:{largest.server.port}"
                    seen |= session.figures(folder, address, largest.callers.services[0], ASKED)
                for key, value in seen.items() if repetition else ():
                    report.add(key, value)
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
