"""Databases of one engine to back up and to restore into, and everything that is in one."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from setright.app import backups, machine, soundness
from setright.app.backups import Made, Manifest
from setright.app.machine import Schema
from setright.app.settings import Settings
from setright.storage import sqlite
from tests.http.support import Api, Caller, a_run, open_api
from tests.support.ledger import Ledger

Steps = list[tuple[str, int, int | None]]


@dataclass
class Places:
    """Where databases and backups of one engine are put; `programs` are PostgreSQL's."""

    engine: str
    folder: Path
    new_database: Callable[[], str]
    programs: Path
    steps: Steps = field(default_factory=Steps)
    during: Callable[[str], object] = lambda _: None
    _opened: list[Api] = field(default_factory=list[Api])
    _numbers: Any = field(default_factory=lambda: count(1))

    def new(self) -> str:
        """The address of a database that is empty, or not there yet."""
        if self.engine == "postgresql":
            return self.new_database()
        return f"sqlite:///{self.folder / f'ledger-{next(self._numbers)}.db'}"

    def with_schema(self) -> str:
        """The address of a ledger without rows."""
        url = self.new()
        machine.upgrade(Settings(database=url))
        return url

    def back_up(self, url: str, name: str = "") -> Made:
        """Make a backup of the ledger at `url`."""
        target = self.folder / (name or f"{next(self._numbers)}.backup")
        return backups.back_up(Settings(database=url), target, self.programs, self._step)

    def restore(self, source: Path, url: str) -> tuple[Manifest, Schema]:
        """Put a backup into the database at `url`."""
        return backups.restore(Settings(database=url), source, self.programs, self._step)

    def open(self, url: str) -> Api:
        """The application on a database, until the end of the test."""
        self._opened.append(open_api(url))
        return self._opened[-1]

    def again(self, caller: Caller, url: str) -> Caller:
        """The same caller, with the same token, at another database."""
        return replace(caller, client=self.open(url).client)

    def close(self) -> None:
        """Close what was opened."""
        for api in self._opened:
            api.close()

    def _step(self, what: str, done: int, total: int | None) -> None:
        self.steps.append((what, done, total))
        self.during(what)


def filled(places: Places, url: str) -> Caller:
    """The admin of a tenant with runs, corrections, kept answers, a member and a token besides."""
    admin = places.open(url).tenant()
    user = admin.user("grace")
    user.get("/v1/me")
    member = {"role": "write", "reviewerRole": "senior"}
    assert admin.send("PUT", f"/v1/projects/default/members/{user.id}", member).status_code < 300
    runs = [admin.run(f"run-{number}", tags=[f"t{number}"]) for number in range(3)]
    for number, run in enumerate(runs):
        admin.keyed(
            f"key-{number}", "/v1/corrections", {"runId": run, "answer": "wrong", "why": f"w{number} \u00e9"}
        )
    admin.correction(runs[0], answer="right", why=None, shouldSay=None)
    user.correction(runs[1], participantId="p-1")
    admin.post("/v1/runs", {**a_run(), "calls": [{"tool": "t", "args": {"n": 1e300}} for _ in range(3)]})
    return admin


PATHS = (
    "/v1/me",
    "/v1/projects",
    "/v1/users",
    "/v1/tokens",
    "/v1/projects/default/members",
    "/v1/runs?limit=1",
    "/v1/runs",
    "/v1/corrections?limit=2",
    "/v1/corrections?includeUnregistered=true",
    "/v1/events?after=0&limit=100",
    "/v1/agents",
)


def answers(caller: Caller) -> dict[str, bytes]:
    """What the API answers to `caller`: lists, everything in them, histories, and a kept answer again."""
    told = {path: caller.get(path).content for path in PATHS}
    for kind in ("runs", "corrections?includeUnregistered=true"):
        for one in caller.get(f"/v1/{kind}").json()["data"]:
            place = f"/v1/{kind.partition('?')[0]}/{one['id']}"
            told[place] = caller.get(place).content
    for one in caller.get("/v1/corrections?includeUnregistered=true").json()["data"]:
        place = f"/v1/corrections/{one['id']}/history"
        told[place] = caller.get(place).content
    again = caller.keyed(
        "key-1", "/v1/corrections", {"runId": "run-1", "answer": "wrong", "why": "w1 \u00e9"}
    )
    assert again.headers["idempotent-replay"] == "true"
    return {**told, "kept": again.content}


def every_row(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables; the number of the transaction that wrote an event belongs to its server."""
    if url.startswith("sqlite"):
        with closing(sqlite.connect(Path(url.removeprefix("sqlite:///")), read_only=True)) as connection:
            names = [row[0] for row in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%'")]  # fmt: skip
            return {
                name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr)
                for name in names
            }
    with psycopg.connect(url) as connection:
        names = [row[0] for row in connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]  # fmt: skip
        connection.execute("CREATE TEMPORARY TABLE seen AS SELECT * FROM events")
        connection.execute("ALTER TABLE seen DROP COLUMN transaction")
        return {
            name: sorted(_rows(connection, "seen" if name == "events" else name), key=repr) for name in names
        }


def _rows(connection: Any, name: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(name))).fetchall()


def flip(source: Path, place: int) -> None:
    """Change one bit of a file."""
    content = bytearray(source.read_bytes())
    content[place] ^= 1
    source.write_bytes(content)


def plain_sqlite(path: Path) -> None:
    """A SQLite file of somebody else."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.execute("INSERT INTO recipes VALUES ('soup')")
        connection.commit()


def sound(url: str) -> bool:
    """Whether `db check` finds nothing wrong; what it finds is shown where the test fails."""
    found = soundness.check(Settings(database=url), lambda *_: None)
    assert not found.faults, found.faults[:5]
    return all(finding.ok is not False for finding in found.findings)


def sound_ledger(url: str) -> Iterator[Ledger]:
    """An open ledger for a fixture; whatever the tests did to it, it must be sound."""
    opened = Ledger(url)
    yield opened
    opened.store.close()
    assert sound(opened.url)
