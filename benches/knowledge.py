"""Questions about texts through the real server, among 1,000 and 100,000 artifacts made from our sample.

`summary` is a kept summary, `search` a search for words of which one is rare, `common` one for a word that every text has.
`regenerate` is a summary after a correction of a reading that it cites. `invalidate_10k` is the time from a correction that
makes 10,000 kept answers of one artifact stale to the first fresh one of them; meanwhile others record runs, and
`writers_p99` is theirs, beside `writers_p99_alone` without any correction.
"""

import http.client
import io
import itertools
import json
import random
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from sqlalchemy import Table, Text, select

from benches import load
from benches import rows as tables
from benches.load import Plan
from benches.report import QUICK, Goal, Report, parser
from benches.servers import Callers, Databases, Server, durability, head, new_ledger, opened, setright
from setright import events, knowledge
from setright.demo import samples
from setright.exchange.corpora import CORPORA, Given, ReadArtifact
from setright.identity.tables import tenant_numbers
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.fields import validate
from setright.kernel.ids import Ids
from setright.knowledge import NewArtifact
from setright.knowledge import tables as of
from setright.knowledge.searching import mark
from setright.storage import Snapshot, Sql, Store, Tx, insert_many, sqlite, upsert
from setright.storage.address import parse

NUMBERS = upsert(tenant_numbers, ("tenant_id", "kind"))
ENGINES = (("sqlite", ""), ("postgresql", "postgres_"))
SIZES = (("1k", 1_000), ("100k", 100_000))
TEMPLATE = "P900002"
STALE = 10_000
READS, CORRECTIONS, BATCH = 60, 15, 2_000
WRITERS, SECONDS = 4, 4
GOALS = {
    f"{name}{key}": goal
    for _, name in ENGINES
    for key, goal in {
        "summary_read_ratio": Goal(most=1.2),
        "search_ratio": Goal(most=1.5),
        "invalidate_10k_s": Goal(most=1),
    }.items()
}
COPIED = (of.artifacts, of.artifact_sources, of.artifact_lines, of.artifact_tokens, of.annotation_runs)
LETTERS = "bdgklmnprt"
Row = dict[str, Any]


def code_of(number: int) -> str:
    """A word for a number that nothing else is called."""
    return "qa" + "".join(LETTERS[int(figure)] + "u" for figure in str(number))


class Template:
    """The rows of one artifact of our sample, and copies of them under other names."""

    def __init__(self, store: Store, tenant_id: str) -> None:
        self._tenant = tenant_id
        self._ids = Ids()
        store.write(self._record).result(60)
        self._rows = {
            table.name: store.read(lambda at, table=table: self._of(at, table)).result(60)
            for table in (*COPIED, of.annotations, of.search_entries)
        }

    def _record(self, tx: Tx) -> None:
        tx.actor = Actor(self._tenant, "user", "usr_bench", "", frozenset(SCOPES), {}, Role.ADMIN)
        for text in samples.corpus().values():
            for found in CORPORA["atf"].read(io.BytesIO(text.encode()), Given()):
                if isinstance(found, ReadArtifact):
                    knowledge.record_artifact(tx, validate(NewArtifact, dict(found.said)))
        events.append(tx)

    def _of(self, at: Snapshot, table: Table) -> list[Row]:
        key = table.c.id if table is of.artifacts else table.c.artifact_id
        columns = [one.cast(Text) if one.name == "words" else one for one in table.c]
        found = at.all(Sql(select(*columns).where(table.c.tenant_id == self._tenant, key == TEMPLATE)))
        return [dict(zip([one.name for one in table.c], row.values(), strict=True)) for row in found]

    def copies(self, count: int) -> Iterator[tuple[list[Row], ...]]:
        """So many copies: the rows of each table in batches, those of the search last."""
        numbers = itertools.count(1_000)
        for first in range(0, count, BATCH):
            made: dict[str, list[Row]] = {name: [] for name in self._rows}
            for number in range(first, min(first + BATCH, count)):
                self._copy(number, made, numbers)
            yield tuple(made.values())

    def _copy(self, number: int, made: Mapping[str, list[Row]], numbers: Iterator[int]) -> None:
        name, code, run = f"C{number:07d}", code_of(number), number + 100
        for table, rows in self._rows.items():
            for row in rows:
                copy = dict(row)
                copy["id" if table == "artifacts" else "artifact_id"] = name
                if table == "annotation_runs":
                    copy["number"] = run
                elif table == "annotations":
                    copy |= {"id": self._ids("ann", row["created_at"]), "run": run}
                    if row["field"] == "title":
                        copy["value"] = f"{row['value']} {code}"
                elif table == "search_entries":
                    copy["number"] = next(numbers)
                    if row["line"] < 0:
                        copy["words"] = self._named(row["words"], code)
                made[table].append(copy)

    def _named(self, held: str, code: str) -> str:
        word = mark(self._tenant, "artifact") + code
        return f"{held} '{word}'" if held.startswith("'") else f"{held} {word}"


def fill(url: str, tenant_id: str, count: int) -> None:
    """Make a ledger of so many artifacts."""
    with opened(url) as store:
        template = Template(store, tenant_id)
    entries: list[Row] = []

    def batches() -> tables.Batches:
        for *rows, searched in template.copies(count):
            entries.extend(searched)
            yield rows

    tables.put(url, (*COPIED, of.annotations), batches())
    _index(url, entries)
    tables.settle(url)
    last = {"tenant_id": tenant_id, "kind": "annotation-run", "last": count + 100}
    with opened(url) as store:
        store.write(lambda tx: tx.run(NUMBERS, **last)).result(60)


def _index(url: str, entries: list[Row]) -> None:
    """Put the entries of the search in, as the engine searches them."""
    path = parse(url).path
    names = [column.name for column in of.search_entries.c]
    if path is None:
        with psycopg.connect(url) as connection, connection.cursor() as cursor:
            with cursor.copy(f"COPY search_entries ({', '.join(names)}) FROM STDIN".encode()) as into:
                for row in entries:
                    into.write_row(tuple(row.values()))
            cursor.execute("SELECT setval(pg_get_serial_sequence('search_entries', 'number'), %s)", [10**9])
        return
    with closing(sqlite.connect(path)) as connection:
        marks = ", ".join("?" * len(names))
        connection.execute("BEGIN")
        connection.executemany(
            f"INSERT INTO search_entries ({', '.join(names)}) VALUES ({marks})",
            [tuple(row.values()) for row in entries],
        )
        connection.executemany(
            "INSERT INTO search_words (rowid, words) VALUES (?, ?)",
            [(row["number"], row["words"]) for row in entries],
        )
        connection.execute("COMMIT")


class Asker:
    """Asks one server questions about texts, and corrects its answers."""

    def __init__(self, server: Server, callers: Callers) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self.headers = {"Authorization": f"Bearer {callers.admin}", "Content-Type": "application/json"}
        self._numbers = itertools.count(1)

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a request, which must be good."""
        text = None if body is None else json.dumps(body)
        self._connection.request(
            method, path, text, {**self.headers, "Accept": "application/json, text/event-stream"}
        )
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= http.HTTPStatus.BAD_REQUEST:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]!r}")
        return json.loads(content)

    def summary(self, artifact: str, focus: str = "") -> Any:
        """A summary."""
        return self.send("GET", f"/v1/artifacts/{artifact}/summary" + (f"?focus={focus}" if focus else ""))

    def correct(self, answer: Any, claim: str) -> None:
        """Correct an answer in one of the readings that it cites."""
        said = {"claim": claim, "correction": f"corrected {next(self._numbers)}"}
        arguments = {"interaction_id": answer["interactionId"], **said}
        call = {"name": "submit_correction", "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        made = self.send("POST", "/mcp", message)["result"]["structuredContent"]
        if "regenerate" not in made["message"]:
            raise RuntimeError(f"nothing was contested: {made}")

    def timed(self, method: str, path: str) -> float:
        """Milliseconds of one good answer."""
        began = time.perf_counter()
        self.send(method, path)
        return (time.perf_counter() - began) * 1000


@dataclass(frozen=True)
class Ledger:
    """A filled ledger with its server."""

    url: str
    size: int
    server: Server
    callers: Callers
    asker: Asker
    chance: random.Random

    def some(self) -> str:
        """The id of some artifact."""
        return f"C{self.chance.randrange(self.size):07d}"


def reads(of_size: Ledger) -> dict[str, float]:
    """Kept summaries, searches and summaries composed anew, in milliseconds at the median."""
    asker, found = of_size.asker, dict[str, float]()
    known = [of_size.some() for _ in range(READS)]
    for name in known:
        asker.summary(name)
    found["summary_p50_ms"] = statistics.median(
        asker.timed("GET", f"/v1/artifacts/{name}/summary") for name in known
    )
    codes = [code_of(of_size.chance.randrange(of_size.size)) for _ in range(READS)]
    found["search_p50_ms"] = statistics.median(
        asker.timed("GET", f"/v1/search?mode=lexical&q={code}+storehouse") for code in codes
    )
    found["common_p50_ms"] = statistics.median(
        asker.timed("GET", "/v1/search?mode=lexical&q=gud") for _ in range(READS // 3)
    )
    again: list[float] = []
    for name in known[:CORRECTIONS]:
        asker.correct(asker.summary(name), "it does not mean ox")
        again.append(asker.timed("GET", f"/v1/artifacts/{name}/summary"))
    found["regenerate_ms"] = statistics.median(again)
    return found


def invalidate(report: Report, of_size: Ledger, watched: list[int]) -> dict[str, float]:
    """One correction that makes very many kept answers stale, while others write."""
    asker, name = of_size.asker, of_size.some()
    asker.summary(name)
    answer = asker.summary(name, "o.1")
    with opened(of_size.url) as store:
        store.write(lambda tx: _keep_many(tx, of_size.callers.tenant_id, name)).result(600)
    tail = _a_run(of_size)
    plan = Plan(
        of_size.server.port,
        WRITERS,
        SECONDS,
        tails=[tail],
        status=201,
        watched=[of_size.server.pid, *watched],
    )
    alone = report.saw("writers alone", load.run(plan))
    took: list[float] = []

    def correct() -> None:
        time.sleep(SECONDS / 2)
        began = time.perf_counter()
        asker.correct(answer, "it is not called Storehouse")
        fresh = asker.summary(name, f"kept{STALE // 2}")
        took.append(time.perf_counter() - began)
        if "corrected" not in fresh["summary"]:
            raise RuntimeError("an answer from before the correction was given")

    thread = threading.Thread(target=correct)
    thread.start()
    beside = report.saw("writers beside", load.run(plan))
    thread.join()
    return {
        "invalidate_10k_s": took[0],
        "writers_p99_alone_ms": alone.p99_ms,
        "writers_p99_ms": beside.p99_ms,
    }


def _keep_many(tx: Tx, tenant_id: str, artifact_id: str) -> None:
    """Have the kept answer about one line of an artifact stand under very many foci."""
    this = (of.outputs.c.tenant_id == tenant_id, of.outputs.c.artifact_id == artifact_id)
    kept = tx.one(Sql(select(of.outputs).where(*this, of.outputs.c.focus_key == "o.1")))
    assert kept is not None
    cited = of.output_citations.c
    citing = (cited.tenant_id == tenant_id, cited.output_id == kept["id"])
    citations = tx.all(Sql(select(of.output_citations).where(*citing)))
    ids = [tx.new_id("out") for _ in range(STALE)]
    outputs = [{**kept, "id": one, "focus_key": f"kept{n}"} for n, one in enumerate(ids)]
    tx.run(insert_many(of.outputs), rows=json.dumps(outputs))
    copies = [{**row, "output_id": one} for one in ids for row in citations]
    tx.run(insert_many(of.output_citations), rows=json.dumps(copies))


def _a_run(of_size: Ledger) -> str:
    """A request that records a small run."""
    run = {
        "projectId": "default",
        "subject": {"kind": "agent", "id": "other", "version": "v1"},
        "input": {},
        "calls": [],
        "output": 1,
    }
    body, port = json.dumps(run), of_size.server.port
    start = head("POST", "/v1/runs", port, Content_Type="application/json", Content_Length=len(body))
    return start + f"Authorization: Bearer {of_size.callers.services[0]}\r\n\r\n{body}"


def ledger(
    stack: ExitStack, databases: Databases, engine: str, folder: Path, size: tuple[str, int]
) -> Ledger:
    """A ledger with so many artifacts, served."""
    name, number = size
    url = databases.new(engine, name)
    callers = new_ledger(url, 1)
    began = time.perf_counter()
    fill(url, callers.tenant_id, number)
    took = time.perf_counter() - began
    server = stack.enter_context(setright(url, folder))
    server.wait_until("/healthz")
    print(f"{engine} ({durability(url)}): {number} artifacts made in {took:.0f} s", flush=True)
    return Ledger(url, number, server, callers, Asker(server, callers), random.Random(3))


def main() -> int:
    """Fill two ledgers on each engine and ask them by turns; the first round only warms up."""
    reads_options = parser(__doc__ or "", quick=QUICK)
    reads_options.add_argument("--engine", choices=[one for one, _ in ENGINES], help="only this engine")
    chosen = reads_options.parse_args()
    report = Report("knowledge", GOALS)
    for engine, before in ENGINES:
        if chosen.engine not in (None, engine):
            continue
        databases = Databases()
        with ExitStack() as stack:
            stack.callback(databases.close)
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="setright-bench-")))
            ledgers = {size[0]: ledger(stack, databases, engine, folder, size) for size in SIZES}
            for repetition in range(2 if chosen.quick else 6):
                seen = {size: reads(one) for size, one in ledgers.items()}
                found = {f"{key}_{size}": value for size, all_ in seen.items() for key, value in all_.items()}
                found["summary_read_ratio"] = seen["100k"]["summary_p50_ms"] / seen["1k"]["summary_p50_ms"]
                for key in ("search", "common"):
                    found[f"{key}_ratio"] = seen["100k"][f"{key}_p50_ms"] / seen["1k"][f"{key}_p50_ms"]
                found["regenerate_ms"] = found.pop("regenerate_ms_100k")
                found["regenerate_ratio"] = found["regenerate_ms"] / found["regenerate_ms_1k"]
                found |= invalidate(report, ledgers["100k"], databases.processes())
                for key, value in found.items() if repetition else ():
                    report.add(f"{before}{key}", value)
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
