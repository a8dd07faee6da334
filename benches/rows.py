"""Very many corrections, put straight into the tables in order of time, spread over projects, agents and statuses."""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import Index, Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.schema import CreateIndex

from benches.servers import opened
from setright.corrections import recount
from setright.corrections.tables import corrections
from setright.kernel import json
from setright.kernel.actor import Actor
from setright.kernel.ids import Ids
from setright.runs.tables import runs
from setright.storage import Tx, sqlite
from setright.storage.address import parse
from setright.subjects import see

BEGIN = 1_767_225_600_000_000
SPAN = 180 * 24 * 3600 * 1_000_000
PER_RUN = 4
VERSIONS = ("v1", "v2", "v3", "v4", "v5")
BATCH = 10_000
DRAWS = 9_973
STATUSES = {"open": 30, "with-owner": 15, "being-fixed": 2, "fixed": 45, "wont-fix": 6, "removed": 2}
Row = dict[str, Any]
Batches = Iterator[Sequence[list[Row]]]


@dataclass(frozen=True)
class Spread:
    """How corrections are spread: the first agent works in every project, each other one in one."""

    projects: int
    agents: int
    statuses: dict[str, int]
    makers: int

    def project(self, number: int) -> str:
        """The id of a project."""
        return f"project-{number}"

    def agent(self, number: int) -> str:
        """The id of an agent."""
        return f"agent-{number}"


FEW = Spread(projects=1, agents=1, statuses={"open": 1}, makers=1)
"""For 100 rows: every filter still finds a whole page."""
MANY = Spread(projects=20, agents=41, statuses=STATUSES, makers=200)


def fill(url: str, tenant_id: str, spread: Spread, count: int) -> None:
    """Put `count` corrections, and a run for every four, into the ledger at `url`."""
    put(url, (runs, corrections), _batches(tenant_id, spread, count))
    with opened(url) as store:
        store.write(lambda tx: _see(tx, tenant_id, spread)).result()
        store.write(recount).result()
    settle(url)


def put(url: str, tables: Sequence[Table], batches: Batches) -> None:
    """Put rows straight into tables, a list for each table in every batch."""
    in_file = parse(url).path is not None
    (_fill_file if in_file else _fill_server)(url, tables, batches)


def settle(url: str) -> None:
    """Let a server look at what is in its tables now."""
    if parse(url).path is None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")


def _see(tx: Tx, tenant_id: str, spread: Spread) -> None:
    """Make the agents known, each in the projects where it works."""
    tx.actor = Actor(tenant_id, "service", "tok_bench", "", frozenset())
    for agent in range(spread.agents):
        projects = range(spread.projects) if agent == 0 else [agent % spread.projects]
        for project, version in product(projects, VERSIONS):
            see(tx, spread.project(project), "agent", spread.agent(agent), version)


def moment_at(share: float) -> int:
    """The time at which a share of the corrections was made."""
    return BEGIN + int(SPAN * share)


def _batches(tenant_id: str, spread: Spread, count: int) -> Batches:
    """Runs and their corrections, in order of time."""
    chance, new_id = random.Random(7), Ids()
    draws = [_draw(spread, chance) for _ in range(DRAWS)]
    made_runs: list[Row] = []
    made: list[Row] = []
    for number in range(count):
        now = BEGIN + SPAN * number // count
        if number % PER_RUN == 0:
            made_runs.append(_run(tenant_id, draws[number // PER_RUN % DRAWS], new_id("run", now), now))
        made.append(
            _correction(made_runs[-1], draws[number % DRAWS], new_id("cor", now), now, number % PER_RUN)
        )
        if number % PER_RUN == PER_RUN - 1 and len(made) >= BATCH:
            yield made_runs, made
            made_runs, made = [], []
    yield made_runs, made


@dataclass(frozen=True)
class _Draw:
    """What chance says of one run and of one correction."""

    project: str
    agent: str
    version: str
    status: str
    decisions: str | None
    answer: str
    maker: int
    superseded: bool


def _draw(spread: Spread, chance: random.Random) -> _Draw:
    agent = min(int(chance.expovariate(1 / (spread.agents / 4))), spread.agents - 1)
    project = chance.randrange(spread.projects) if agent == 0 else agent % spread.projects
    (status,) = chance.choices(list(spread.statuses), list(spread.statuses.values()))
    return _Draw(
        spread.project(project),
        spread.agent(agent),
        VERSIONS[chance.randrange(len(VERSIONS))],
        status,
        chance.choice(("right", "wrong", None)),
        chance.choice(("right", "wrong")),
        chance.randrange(spread.makers),
        status == "removed" or (status != "open" and chance.random() < 0.1),
    )


def _run(tenant_id: str, draw: _Draw, run_id: str, now: int) -> Row:
    return {
        **NO_RUN,
        "tenant_id": tenant_id,
        "id": run_id,
        "project_id": draw.project,
        "subject_key": draw.agent,
        "subject_id": draw.agent,
        "subject_version": draw.version,
        "created_at": now,
        "finished_at": now,
        "copy_kept_at": now,
    }


def _correction(run: Row, draw: _Draw, own_id: str, now: int, nth: int) -> Row:
    gone = draw.superseded
    return {
        **NO_CORRECTION,
        "id": own_id,
        "tenant_id": run["tenant_id"],
        "project_id": run["project_id"],
        "run_id": run["id"],
        "subject_key": run["subject_key"],
        "subject_id": run["subject_id"],
        "subject_version": run["subject_version"],
        "decisions": draw.decisions,
        "answer": draw.answer,
        "made_by_id": f"usr_{draw.maker}_{nth}",
        "created_at": now,
        "status": draw.status,
        "updated_at": now,
        "unregistered_at": now if gone else None,
        "superseded_by": own_id if gone and draw.status != "removed" else None,
        "place": own_id if gone else "",
    }


_SAID = json.write_text(
    {
        "shouldCall": [
            {"tool": "exchange_item", "args": {"order": "W1234567", "item": "lamp", "new_item": "lamp-brass"}}
        ],
        "mustNotCall": ["return_item"],
        "why": "The customer asked for an exchange and not for a refund. " * 12,
    }
)


NO_RUN: Row = {column.name: None for column in runs.columns} | {
    "subject_kind": "agent",
    "status": "completed",
    "start_hash": "0" * 64,
    "finish_hash": "0" * 64,
    "call_count": 0,
    "byte_count": 0,
    "recorded_by_kind": "service",
    "recorded_by_id": "tok_bench",
}
NO_CORRECTION: Row = {column.name: None for column in corrections.columns} | {
    "subject_kind": "agent",
    "said": _SAID,
    "made_by_kind": "user",
    "participant_key": "",
}


def _fill_file(url: str, tables: Sequence[Table], batches: Batches) -> None:
    path = parse(url).path
    assert path is not None
    with closing(sqlite.connect(path)) as connection:
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF", "cache_size=-400000"):
            connection.execute(f"PRAGMA {pragma}")
        for index in _indexes(tables):
            connection.execute(f"DROP INDEX {index.name}")
        for group in batches:
            connection.execute("BEGIN")
            for table, rows in zip(tables, group, strict=True):
                connection.executemany(_insert(table), [tuple(row.values()) for row in rows])
            connection.execute("COMMIT")
        for index in _indexes(tables):
            connection.execute(str(CreateIndex(index).compile(dialect=sqlite_dialect.dialect())))
        connection.execute("PRAGMA journal_mode=WAL")


def _indexes(tables: Sequence[Table]) -> list[Index]:
    """The indexes besides the keys; they are made when all rows are there, which takes half the time."""
    return sorted((index for table in tables for index in table.indexes), key=lambda index: index.name or "")


def _insert(table: Table) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    return f"INSERT INTO {table.name} ({names}) VALUES ({', '.join('?' * len(table.columns))})"


def _fill_server(url: str, tables: Sequence[Table], batches: Batches) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        _set_for_filling(connection, "SET max_wal_size = '16GB'", "SET full_page_writes = off")
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET synchronous_commit = off")
        for index in _indexes(tables):
            connection.execute(f"DROP INDEX {index.name}".encode())
        for group in batches:
            for table, rows in zip(tables, group, strict=True):
                names = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
                copy = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), names)
                with connection.cursor() as cursor, cursor.copy(copy) as into:
                    for row in rows:
                        into.write_row(tuple(row.values()))
        for index in _indexes(tables):
            connection.execute(str(CreateIndex(index).compile(dialect=postgresql.dialect())).encode())
        connection.execute("CHECKPOINT")
        _set_for_filling(connection, "RESET max_wal_size", "RESET full_page_writes")


def _set_for_filling(connection: "psycopg.Connection[Any]", *changes: str) -> None:
    """Settings of the server that matter while very much is written, and are as before when pages are asked for."""
    for change in changes:
        connection.execute(f"ALTER SYSTEM {change}".encode())
    connection.execute("SELECT pg_reload_conf()")
