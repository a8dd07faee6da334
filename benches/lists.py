"""A page of 50 of GET /v1/corrections through the real server, one client, at 100 and at a million rows (--full: ten).

Typical filters, each asked with many values: the newest of an agent with a status, the newest of a project, a page of a
project at a random depth. `*_hard_*` are filters over every project that no index fits in full. `*_summary_*` and
`*_agreement_*` are the counts and the agreement of everything, of a project, of an agent and of a version, at a million.
"""

import random
import statistics
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import httpx2

from benches import load, rows
from benches.load import Plan, percentile
from benches.report import Goal, Report, options
from benches.rows import Spread
from benches.servers import Callers, Databases, Server, durability, head, new_ledger, setright
from setright.kernel.clock import to_wire

PAGE = 50
PLACES = 100
VALUES = 100
ENGINES = (("sqlite", "sqlite"), ("postgresql", "postgres"))
SIZES = (("row100", 100, rows.FEW), ("row1m", 1_000_000, rows.MANY), ("row10m", 10_000_000, rows.MANY))
TYPICAL = ("agent_status", "project", "deep")
HARD = ("agent_rare", "statuses", "maker", "verdicts")
GOALS = {f"{name}_p50_ms_row1m": Goal(most=3) for _, name in ENGINES} | {
    f"{name}_p99_ms_row1m": Goal(most=8) for _, name in ENGINES
}
SUMS = ("summary", "agreement")
GOALS |= {f"{name}_{sums}_p50_ms": Goal(most=50) for _, name in ENGINES for sums in SUMS}
Query = dict[str, Any]


class Asker:
    """Asks one ledger of a known spread for pages."""

    def __init__(self, server: Server, callers: Callers, spread: Spread, watched: list[int]) -> None:
        self._server = server
        self._token = callers.services[0]
        self._spread = spread
        self._watched = [server.pid, *watched]
        self._chance = random.Random(11)
        self._cursors = [self._cursor_of(place) for place in self._places()]

    def _places(self) -> list[tuple[str, float]]:
        """Projects and how far back in time: half way where there is one page on each side."""
        projects = [self._spread.project(number) for number in range(self._spread.projects)]
        if len(projects) == 1:
            return [(projects[0], 0.5)]
        return [(self._chance.choice(projects), self._chance.uniform(0.05, 0.95)) for _ in range(PLACES)]

    def _cursor_of(self, place: tuple[str, float]) -> tuple[str, str]:
        """A project and the cursor of its newest correction before that time: cursors hold for every filter."""
        project, share = place
        until = to_wire(rows.moment_at(share))
        answer = httpx2.get(
            f"http://127.0.0.1:{self._server.port}/v1/corrections",
            params={"projectId": project, "until": until, "limit": 1},
            headers={"Authorization": f"Bearer {self._token}"},
            timeout=60,
        )
        answer.raise_for_status()
        return project, answer.json()["nextCursor"]

    def query(self, kind: str) -> Query:
        """One query of a kind, with values by chance."""
        spread, chance = self._spread, self._chance
        agent = spread.agent(chance.randrange(max(spread.agents // 2, 1)))
        project = spread.project(chance.randrange(spread.projects))
        often = [
            status for status, weight in spread.statuses.items() if weight >= 15 or len(spread.statuses) == 1
        ]
        deep_project, cursor = chance.choice(self._cursors)
        return {
            "agent_status": {"agentId": agent, "status": chance.choice(often)},
            "project": {"projectId": project},
            "deep": {"projectId": deep_project, "cursor": cursor},
            "agent_rare": {"agentId": agent, "status": "being-fixed"},
            "statuses": {"status": ["open", "with-owner"]},
            "maker": {"madeBy": f"usr_{chance.randrange(spread.makers)}_{chance.randrange(rows.PER_RUN)}"},
            "verdicts": {"decisions": "wrong", "answer": "right", "agentVersion": "v3", "agentId": agent},
        }[kind]

    def sums(self) -> Query:
        """What to sum up: everything, a project, an agent or one version of it."""
        spread, chance = self._spread, self._chance
        agent = {"agentId": spread.agent(chance.randrange(max(spread.agents // 2, 1)))}
        project = {"projectId": spread.project(chance.randrange(spread.projects))}
        return chance.choice(({}, project, agent, {**agent, "agentVersion": "v3"}))

    def ask(self, report: Report, kind: str, seconds: float = 10.0) -> list[float]:
        """The milliseconds of many pages of a kind, one after the other."""
        rest = f"Authorization: Bearer {self._token}\r\n\r\n"
        paths = [self._path(kind) for _ in range(VALUES)]
        requests = [head("GET", path, self._server.port) + rest for path in paths]
        plan = Plan(self._server.port, 1, seconds, tails=requests, most=VALUES, watched=self._watched)
        return report.saw(kind, load.run(plan)).latencies_ms

    def _path(self, kind: str) -> str:
        if kind in SUMS:
            return f"/v1/corrections/{kind}?{urlencode(self.sums())}"
        return f"/v1/corrections?{urlencode({**self.query(kind), 'limit': PAGE}, doseq=True)}"


def measure(report: Report, name: str, askers: dict[str, Asker], repetitions: int) -> None:
    """Ask every ledger by turns; the first round only warms up."""
    for repetition in range(repetitions + 1):
        seen: dict[str, list[float]] = {}
        for size, asker in askers.items():
            typical: list[float] = []
            for kind in TYPICAL:
                latencies = asker.ask(report, kind)
                typical += latencies
                seen[f"{kind}_p50_ms_{size}"] = sorted(latencies)
            seen[f"p50_ms_{size}"] = seen[f"p99_ms_{size}"] = sorted(typical)
            if size != "row100":
                for kind in HARD:
                    seen[f"hard_{kind}_p50_ms_{size}"] = sorted(asker.ask(report, kind))
            if size == "row1m":
                for kind in SUMS:
                    seen[f"{kind}_p50_ms"] = sorted(asker.ask(report, kind))
        if repetition:
            _add(report, name, seen)


def _add(report: Report, name: str, seen: dict[str, list[float]]) -> None:
    for key, latencies in seen.items():
        if latencies:
            report.add(f"{name}_{key}", percentile(latencies, 99 if "p99" in key else 50))
    few, many = (statistics.median(seen[f"p50_ms_{size}"]) for size in ("row100", "row1m"))
    report.add(f"{name}_ratio", many / few)


def ledger(databases: Databases, engine: str, size: str, count: int, spread: Spread) -> tuple[str, Callers]:
    """A ledger with so many corrections."""
    url = databases.new(engine, size)
    callers = new_ledger(url, 1, [spread.project(number) for number in range(spread.projects)])
    began = time.perf_counter()
    rows.fill(url, callers.tenant_id, spread, count)
    print(
        f"{engine} ({durability(url)}): {count} corrections made in {time.perf_counter() - began:.0f} s",
        flush=True,
    )
    return url, callers


def main() -> int:
    """Fill and ask both engines."""
    chosen = options(__doc__ or "", full="with 10,000,000 rows too")
    report = Report("lists", GOALS)
    for engine, name in ENGINES:
        databases = Databases()
        try:
            with ExitStack() as stack:
                folder = Path(stack.enter_context(TemporaryDirectory(prefix="setright-bench-")))
                askers: dict[str, Asker] = {}
                for size, count, spread in SIZES if chosen.full else SIZES[:2]:
                    url, callers = ledger(databases, engine, size, count, spread)
                    server = stack.enter_context(setright(url, folder))
                    server.wait_until("/healthz")
                    askers[size] = Asker(server, callers, spread, databases.processes())
                measure(report, name, askers, 1 if chosen.quick else 5)
        finally:
            databases.close()
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
