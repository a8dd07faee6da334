"""The briefing of one agent through the real server, among 1,000, 100,000 and 1,000,000 lessons, one rule adopted between two reads.

A fifth of the lessons is adopted; a thousand agents share them by a power law, the asked one holds a twentieth of the
rules, and they stand in three projects. `ratio` is the median among the most lessons to that among the fewest.
"""

import http.client
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benches import load
from benches.load import Plan
from benches.report import Goal, Report, options
from benches.servers import Callers, Databases, Server, durability, head, new_ledger, setright
from setright.kernel.ids import Ids
from setright.lessons.tables import lesson_counts, lessons
from setright.storage import sqlite
from setright.storage.address import parse

SIZES = (("1k", 1_000), ("100k", 100_000), ("1m", 1_000_000))
PROJECTS = ("north", "south", "west")
AGENTS = 1_000
ASKED = "asked"
OF_ASKED, OF_EVERY, ADOPTED = 0.05, 0.02, 0.2
READS = 60
BATCH = 20_000
BEGIN, STEP = 1_767_225_600_000_000, 10_000_000
GOALS = {"ratio": Goal(most=1.2)}
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
        draw = chance.random()
        agent = ASKED if draw < OF_ASKED else "" if draw < OF_ASKED + OF_EVERY else others[number % 100_003]
        adopted = chance.random() < ADOPTED
        severity = chance.choices((0, 1, 2, 3), (20, 60, 15, 5))[0]
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
            "rule": a_rule(chance),
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
    """Put lessons straight into the tables of a file, with the counts that are kept of them."""
    path = parse(url).path
    assert path is not None
    insert = f"INSERT INTO lessons ({', '.join(NAMES)}) VALUES ({', '.join(f':{name}' for name in NAMES)})"
    counts: Counter[tuple[str, str, str]] = Counter()
    with closing(sqlite.connect(path)) as connection:
        batch: list[Row] = []
        for row in rows(tenant_id, count):
            counts[row["agent_key"], row["space_key"], row["status"]] += 1
            batch.append(row)
            if len(batch) == BATCH:
                _write(connection, insert, batch)
                batch = []
        _write(connection, insert, batch)
        places = {place[:2] for place in counts}
        kept = [
            (tenant_id, *place, counts[*place, "adopted"], counts[*place, "open"]) for place in sorted(places)
        ]
        connection.execute("BEGIN")
        connection.executemany(f"INSERT INTO {lesson_counts.name} VALUES (?, ?, ?, ?, ?, 1)", kept)
        connection.execute("COMMIT")


def _write(connection: Any, insert: str, batch: list[Row]) -> None:
    connection.execute("BEGIN")
    connection.executemany(insert, batch)
    connection.execute("COMMIT")


class Asker:
    """Asks one server for the briefing of one agent, and has a rule adopted before each time."""

    def __init__(self, server: Server, callers: Callers) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self._headers = {"Authorization": f"Bearer {callers.admin}", "Content-Type": "application/json"}
        self._chance = random.Random(9)
        self.path = f"/v1/briefing?agent={ASKED}&projectId={PROJECTS[0]}"

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a request, which must be good."""
        return json.loads(self._whole(method, path, body))

    def _whole(self, method: str, path: str, body: Any = None) -> bytes:
        text = None if body is None else json.dumps(body)
        self._connection.request(method, path, text, self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= http.HTTPStatus.BAD_REQUEST:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]!r}")
        return content

    def adopt(self) -> None:
        """Have a rule of some agent adopted."""
        agent = ASKED if self._chance.random() < OF_ASKED else f"agent-{self._chance.randrange(AGENTS)}"
        said = {"kind": "drift", "noticedBy": "self", "whatHappened": "It did.", "agent": agent}
        body = {**said, "projectId": PROJECTS[0], "rule": a_rule(self._chance)}
        made = self.send("POST", "/v1/lessons", body)
        self.send("PATCH", f"/v1/lessons/{made['id']}", {"status": "adopted"})

    def read(self) -> float:
        """The milliseconds of one briefing."""
        began = time.perf_counter()
        told = self._whole("GET", self.path)
        took = (time.perf_counter() - began) * 1000
        if not json.loads(told)["rules"]:
            raise RuntimeError("the briefing is empty")
        return took

    def median(self) -> float:
        """The median of many briefings, a rule adopted before each."""
        seen: list[float] = []
        for _ in range(READS):
            self.adopt()
            seen.append(self.read())
        return statistics.median(seen)


def many_readers(report: Report, server: Server, callers: Callers, path: str) -> float:
    """Briefings a second for 32 readers at once."""
    request = head("GET", path, server.port) + f"Authorization: Bearer {callers.services[0]}\r\n\r\n"
    plan = Plan(server.port, 32, 5, tails=[request], watched=[server.pid])
    return report.saw("reads_c32", load.run(plan)).per_s


def main() -> int:
    """Fill three ledgers and ask them by turns; the first round only warms up."""
    chosen = options(__doc__ or "")
    report = Report("briefing", GOALS)
    databases = Databases()
    with ExitStack() as stack:
        stack.callback(databases.close)
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="setright-bench-")))
        asked: dict[str, tuple[Server, Callers, Asker]] = {}
        for size, count in SIZES[:2] if chosen.quick else SIZES:
            url = databases.new("sqlite", size)
            callers = new_ledger(url, 1, PROJECTS)
            began = time.perf_counter()
            fill(url, callers.tenant_id, count)
            took = time.perf_counter() - began
            print(f"sqlite ({durability(url)}): {count} lessons made in {took:.0f} s", flush=True)
            server = stack.enter_context(setright(url, folder))
            server.wait_until("/healthz")
            asked[size] = server, callers, Asker(server, callers)
        for repetition in range(2 if chosen.quick else 6):
            medians = {size: asker.median() for size, (_, _, asker) in asked.items()}
            server, callers, asker = asked[[*asked][-1]]
            a_second = many_readers(report, server, callers, asker.path)
            if repetition:
                for size, median in medians.items():
                    report.add(f"p50_ms_{size}", median)
                report.add("ratio", medians[[*medians][-1]] / medians["1k"])
                report.add("reads_c32_per_s", a_second)
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
