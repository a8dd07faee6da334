"""Very many corrections, put straight into the tables in order of time, spread over projects, agents and statuses."""

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import Table

from setright.corrections.tables import corrections
from setright.kernel import json
from setright.kernel.ids import Ids
from setright.runs.tables import runs
from setright.storage import sqlite
from setright.storage.address import parse

BEGIN = 1_767_225_600_000_000
SPAN = 180 * 24 * 3600 * 1_000_000
PER_RUN = 4
BATCH = 10_000
STATUSES = {"open": 30, "with-owner": 15, "being-fixed": 2, "fixed": 45, "wont-fix": 6, "removed": 2}
Row = dict[str, Any]


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
    batches = _batches(tenant_id, spread, count)
    if parse(url).path is not None:
        _fill_file(url, batches)
    else:
        _fill_server(url, batches)


def moment_at(share: float) -> int:
    """The time at which a share of the corrections was made."""
    return BEGIN + int(SPAN * share)


def _batches(tenant_id: str, spread: Spread, count: int) -> Iterator[tuple[list[Row], list[Row]]]:
    """Runs and their corrections, in order of time."""
    chance, new_id = random.Random(7), Ids()
    made_runs: list[Row] = []
    made: list[Row] = []
    for number in range(count):
        now = BEGIN + SPAN * number // count
        if number % PER_RUN == 0:
            made_runs.append(_run(tenant_id, spread, chance, new_id("run", now), now))
        made.append(_correction(made_runs[-1], spread, chance, new_id("cor", now), now, number % PER_RUN))
        if number % PER_RUN == PER_RUN - 1 and len(made) >= BATCH:
            yield made_runs, made
            made_runs, made = [], []
    yield made_runs, made


def _run(tenant_id: str, spread: Spread, chance: random.Random, run_id: str, now: int) -> Row:
    agent = min(int(chance.expovariate(1 / (spread.agents / 4))), spread.agents - 1)
    project = chance.randrange(spread.projects) if agent == 0 else agent % spread.projects
    row: Row = {column.name: None for column in runs.columns}
    return row | {
        "tenant_id": tenant_id,
        "id": run_id,
        "project_id": spread.project(project),
        "subject_kind": "agent",
        "subject_key": spread.agent(agent),
        "subject_id": spread.agent(agent),
        "subject_version": f"v{chance.randrange(1, 6)}",
        "status": "completed",
        "start_hash": "0" * 64,
        "finish_hash": "0" * 64,
        "call_count": 0,
        "byte_count": 0,
        "recorded_by_kind": "service",
        "recorded_by_id": "tok_bench",
        "created_at": now,
        "finished_at": now,
        "copy_kept_at": now,
    }


def _correction(run: Row, spread: Spread, chance: random.Random, own_id: str, now: int, nth: int) -> Row:
    (status,) = chance.choices(list(spread.statuses), list(spread.statuses.values()))
    superseded = status != "open" and chance.random() < 0.1
    row: Row = {column.name: None for column in corrections.columns}
    row |= {
        name: run[name] for name in ("tenant_id", "project_id", "subject_kind", "subject_key", "subject_id")
    }
    return row | {
        "id": own_id,
        "run_id": run["id"],
        "subject_version": run["subject_version"],
        "decisions": chance.choice(("right", "wrong", None)),
        "answer": chance.choice(("right", "wrong")),
        "said": _SAID,
        "made_by_kind": "user",
        "made_by_id": f"usr_{chance.randrange(spread.makers)}_{nth}",
        "participant_key": "",
        "created_at": now,
        "status": status,
        "updated_at": now,
        "unregistered_at": now if superseded or status == "removed" else None,
        "superseded_by": own_id if superseded else None,
        "place": own_id if superseded or status == "removed" else "",
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


def _fill_file(url: str, batches: Iterator[tuple[list[Row], list[Row]]]) -> None:
    path = parse(url).path
    assert path is not None
    with closing(sqlite.connect(path)) as connection:
        for pragma in ("synchronous=OFF", "foreign_keys=OFF", "cache_size=-400000"):
            connection.execute(f"PRAGMA {pragma}")
        for group in batches:
            connection.execute("BEGIN")
            for table, rows in zip((runs, corrections), group, strict=True):
                connection.executemany(_insert(table), [tuple(row.values()) for row in rows])
            connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _insert(table: Table) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    return f"INSERT INTO {table.name} ({names}) VALUES ({', '.join('?' * len(table.columns))})"


def _fill_server(url: str, batches: Iterator[tuple[list[Row], list[Row]]]) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        _set_for_filling(connection, "SET max_wal_size = '16GB'", "SET full_page_writes = off")
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET synchronous_commit = off")
        for group in batches:
            for table, rows in zip((runs, corrections), group, strict=True):
                names = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
                copy = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), names)
                with connection.cursor() as cursor, cursor.copy(copy) as into:
                    for row in rows:
                        into.write_row(tuple(row.values()))
        connection.execute("VACUUM ANALYZE runs, corrections")
        connection.execute("CHECKPOINT")
        _set_for_filling(connection, "RESET max_wal_size", "RESET full_page_writes")


def _set_for_filling(connection: "psycopg.Connection[Any]", *changes: str) -> None:
    """Settings of the server that matter while very much is written, and are as before when pages are asked for."""
    for change in changes:
        connection.execute(f"ALTER SYSTEM {change}".encode())
    connection.execute("SELECT pg_reload_conf()")
