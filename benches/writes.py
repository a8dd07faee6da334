"""Durable corrections a second through the real server, beside the ceiling of the same server and database.

1 KiB bodies on 1,000 runs, each request with a bearer token and a fresh Idempotency-Key; 100 service tokens, so that
100,000 corrections come before one supersedes another. `*_superseding_*` is the same with one token: each supersedes.
"""

import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benches import load
from benches.load import Outcome, Plan
from benches.machine import resident_mb
from benches.report import Goal, Report, options
from benches.servers import Databases, Server, bare, durability, head, new_ledger, setright
from setright import Setright

RUNS = 1_000
TOKENS = 100
BODY_BYTES = 1_024
SECONDS = 2.0
REST_SECONDS = 1.5
ENGINES = (("sqlite", "sqlite"), ("postgresql", "postgres"))
CLIENTS = (1, 8, 32)
GOALS = {
    "sqlite_c1_per_s": Goal(least=800),
    "sqlite_c8_per_s": Goal(least=1_800),
    "sqlite_c32_per_s": Goal(least=2_500),
    "sqlite_c32_p99_ms": Goal(most=30),
    "sqlite_ratio": Goal(least=0.5),
    "postgres_c1_per_s": Goal(least=500),
    "postgres_c8_per_s": Goal(least=1_500),
    "postgres_c32_per_s": Goal(least=1_800),
    "postgres_c32_p99_ms": Goal(most=35),
    "postgres_ratio": Goal(least=0.5),
    "start_s": Goal(most=1.5),
    "idle_rss_mb": Goal(most=130),
}


def run_of(number: int) -> dict[str, Any]:
    """A finished run of an agent, about 2 KiB."""
    order = f"W{number:07d}"
    return {
        "projectId": "default",
        "subject": {"kind": "agent", "id": f"desk-{number % 20}", "version": f"v{number % 3 + 1}"},
        "input": {"question": f"Please exchange the desk lamp of my order {order} for the brass one. " * 4},
        "calls": [
            {
                "tool": "find_order",
                "args": {"order": order},
                "result": {"order": order, "items": ["lamp", "rug"] * 20},
            },
            {"tool": "return_item", "args": {"order": order, "item": "lamp"}, "result": {"returned": True}},
        ],
        "output": {"matches": [{"item": f"lamp-{place}", "score": place / 10} for place in range(10)]},
        "answer": "I have returned the lamp, and the money is on its way to your card. " * 6,
        "status": "completed",
    }


def body_of(run_id: str, number: int) -> str:
    """A correction of a run, exactly 1 KiB long: a third each about the calls, the answer, and everything right."""
    said: dict[str, Any] = {"runId": run_id}
    if number % 3 == 0:
        wanted = {
            "order": f"W{number:07d}",
            "item": "lamp",
            "new_item": "lamp-brass",
            "pay_with": "card_8812",
        }
        call = {"tool": "exchange_item", "args": wanted, "match": {"pay_with": {"ignore": True}}}
        said |= {
            "decisions": "wrong",
            "shouldCall": [call],
            "mustNotCall": ["return_item"],
            "answer": "right",
        }
    elif number % 3 == 1:
        items = [
            {"key": f"lamp-{place}", "pointer": f"/matches/{place}", "verdict": "right"} for place in range(3)
        ]
        said |= {"answer": "wrong", "shouldSay": "The lamp is exchanged for the brass one.", "items": items}
    else:
        said |= {"decisions": "right", "answer": "right"}
    said["why"] = ""
    empty = len(json.dumps(said))
    said["why"] = ("The customer asked for an exchange and not for a refund. " * 20)[: BODY_BYTES - empty]
    return json.dumps(said)


def record_runs(server: Server, token: str) -> list[str]:
    """Record the runs that will be corrected; their ids."""
    with Setright(f"http://127.0.0.1:{server.port}", token, timeout=60) as client:
        results = client.runs.create_many([run_of(number) for number in range(RUNS)])
    refused = [result.error for result in results if result.run is None]
    if refused:
        raise RuntimeError(f"{len(refused)} runs were refused, the first with: {refused[0]}")
    return [result.run.id for result in results if result.run is not None]


class Engine:
    """One engine under load: the product and the ceiling, each on a database of its own."""

    def __init__(self, report: Report, databases: Databases, engine: str, name: str) -> None:
        self._report = report
        self._databases = databases
        self._name = name
        self._number = 0
        self.url = databases.new(engine, "product")
        self._bare_url = databases.new(engine, "ceiling")
        self._callers = new_ledger(self.url, TOKENS)

    def measure(self, folder: Path, repetitions: int) -> None:
        """Load product and ceiling by turns."""
        with setright(self.url, folder) as product, bare(self._bare_url) as ceiling:
            product.wait_until("/healthz")
            ceiling.wait_until("/")
            print(f"{self._name}: {durability(self.url)}", flush=True)
            tails = [
                "\r\n\r\n" + body_of(run, n)
                for n, run in enumerate(record_runs(product, self._callers.admin))
            ]
            for server in (product, ceiling):
                self._load("warming up", server, 8, tails, seconds=0.5)
            for _ in range(repetitions):
                self._repetition(product, ceiling, tails)

    def _repetition(self, product: Server, ceiling: Server, tails: list[str]) -> None:
        name, add = self._name, self._report.add
        *fewer, clients = CLIENTS
        for few in fewer:
            add(f"{name}_c{few}_per_s", self._load(f"{name} c={few}", product, few, tails).per_s)
        outcome = self._load(f"{name} c={clients}", product, clients, tails)
        add(f"{name}_c{clients}_per_s", outcome.per_s)
        most = self._load(f"{name} ceiling", ceiling, clients, tails)
        again = self._load(f"{name} superseding", product, clients, tails, tokens=1)
        add(f"{name}_c32_p99_ms", outcome.p99_ms)
        add(f"{name}_ceiling_c32_per_s", most.per_s)
        add(f"{name}_ceiling_c32_p99_ms", most.p99_ms)
        add(f"{name}_ratio", outcome.per_s / max(most.per_s, 1e-9))
        add(f"{name}_superseding_c32_per_s", again.per_s)

    def _load(
        self,
        what: str,
        server: Server,
        clients: int,
        tails: list[str],
        *,
        seconds: float = SECONDS,
        tokens: int = 0,
    ) -> Outcome:
        heads = [self._head(server, token) for token in self._callers.services[: tokens or TOKENS]]
        watched = [server.pid, *self._databases.processes()]
        plan = Plan(
            server.port,
            clients,
            seconds,
            heads,
            tails,
            keyed=True,
            status=201,
            first=self._number,
            watched=watched,
        )
        outcome = self._report.saw(what, load.run(plan))
        if not tokens:
            self._number = outcome.next_number
        print(
            f"  {what:<24} {outcome.per_s:>7.0f}/s  p50 {outcome.p50_ms:>6.2f}  p99 {outcome.p99_ms:>6.2f} ms  "
            f"foreign {outcome.foreign_cores:.2f} cores{'  ERRORS' if outcome.errors else ''}",
            flush=True,
        )
        return outcome

    def _head(self, server: Server, token: str) -> str:
        fixed = head(
            "POST",
            "/v1/corrections",
            server.port,
            Authorization=f"Bearer {token}",
            Content_Type="application/json",
            Content_Length=BODY_BYTES,
        )
        return fixed + "Idempotency-Key: "


def starts(report: Report, url: str, folder: Path, repetitions: int) -> None:
    """How long the server takes to answer on an existing file, and how big it is at rest afterwards."""
    for _ in range(repetitions):
        with setright(url, folder) as server:
            report.add("start_s", server.wait_until("/healthz"))
            time.sleep(REST_SECONDS)
            report.add("idle_rss_mb", resident_mb(server.pid))


def main() -> int:
    """Measure both engines, then the start."""
    chosen = options(__doc__ or "")
    repetitions = 1 if chosen.quick else 5
    report = Report("writes", GOALS)
    databases = Databases()
    try:
        with TemporaryDirectory(prefix="setright-bench-") as folder:
            files: list[str] = []
            for engine, name in ENGINES:
                under_load = Engine(report, databases, engine, name)
                under_load.measure(Path(folder), repetitions)
                files.append(under_load.url)
            starts(report, files[0], Path(folder), repetitions)
    finally:
        databases.close()
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
