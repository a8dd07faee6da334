"""What each engine can tell of the state of its own pages, indexes and constraints."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from setright.storage import sqlite

SHOWN = 20
_UNVALIDATED = (
    "SELECT conname FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace"
    " WHERE n.nspname = current_schema() AND NOT c.convalidated"
    " UNION ALL SELECT k.relname FROM pg_index i JOIN pg_class k ON k.oid = i.indexrelid"
    " JOIN pg_namespace n ON n.oid = k.relnamespace"
    " WHERE n.nspname = current_schema() AND NOT (i.indisvalid AND i.indisready)"
)
_CHECKSUMS = (
    "SELECT current_setting('data_checksums'), coalesce(checksum_failures, 0)"
    " FROM pg_stat_database WHERE datname = current_database()"
)
_AMCHECK = "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'amcheck'"
_INDEXES = (
    "SELECT i.indexrelid::bigint, k.relname FROM pg_index i JOIN pg_class k ON k.oid = i.indexrelid"
    " JOIN pg_namespace n ON n.oid = k.relnamespace JOIN pg_am a ON a.oid = k.relam"
    " WHERE n.nspname = current_schema() AND a.amname = 'btree' AND i.indisvalid ORDER BY k.relname"
)
_HEAPS = (
    "SELECT c.oid::bigint, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = current_schema() AND c.relkind = 'r' ORDER BY c.relname"
)


@dataclass(frozen=True, slots=True)
class Told:
    """What an engine said of one side of itself: `ok` is None where it cannot tell."""

    name: str
    ok: bool | None
    says: str


def check_file(path: Path) -> list[Told]:
    """Every page of a SQLite file, every index against its table, and every foreign key."""
    try:
        with closing(sqlite.connect(path, read_only=True)) as connection:
            told = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({SHOWN})")]
            loose = connection.execute("PRAGMA foreign_key_check").fetchmany(SHOWN)
    except sqlite.driver().DatabaseError as error:
        if "malformed" not in str(error) and "not a database" not in str(error):
            raise
        return [Told("integrity", False, str(error))]
    whole = told == ["ok"]
    rows = ", ".join(f"{table} row {row} -> {parent}" for table, row, parent, _ in loose)
    return [
        Told("integrity", whole, "every page is whole" if whole else "; ".join(told)),
        Told(
            "foreign keys", not loose, f"point to nothing: {rows}" if loose else "every one points to a row"
        ),
    ]


def check_server(url: str) -> list[Told]:
    """What PostgreSQL knows of a database: constraints and indexes, checksums of pages, and what amcheck finds."""
    with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
        names = ", ".join(row[0] for row in connection.execute(_UNVALIDATED))
        says = f"not valid: {names}" if names else "every constraint and every index is valid"
        return [Told("constraints", not names, says), _checksums(connection), _amcheck(connection)]


def _checksums(connection: "psycopg.Connection[Any]") -> Told:
    on, failures = connection.execute(_CHECKSUMS).fetchone() or ("off", 0)
    if failures:
        return Told("page checksums", False, f"{failures} pages were read that are not as they were written")
    if on != "on":
        return Told("page checksums", None, "the server was set up without them (initdb --data-checksums)")
    return Told("page checksums", True, "no page was read that is not as it was written")


def _amcheck(connection: "psycopg.Connection[Any]") -> Told:
    row = connection.execute(_AMCHECK).fetchone()
    if row is None:
        says = "not in this database; CREATE EXTENSION amcheck lets the check look into tables and indexes"
        return Told("amcheck", None, says)
    try:
        wrong = [*_amcheck_faults(connection, row[0])]
    except psycopg.errors.InsufficientPrivilege as error:
        return Told("amcheck", None, f"it may not be used by this user: {str(error).splitlines()[0]}")
    says = "; ".join(wrong[:SHOWN]) if wrong else "every table and every index is whole"
    return Told("amcheck", not wrong, says)


def _amcheck_faults(connection: "psycopg.Connection[Any]", namespace: str) -> Iterator[str]:
    for index, name in connection.execute(_INDEXES).fetchall():
        check = sql.SQL("SELECT {}(%s::bigint::oid::regclass, true)").format(
            sql.Identifier(namespace, "bt_index_check")
        )
        try:
            connection.execute(check, [index])
        except (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted) as error:
            yield f"{name}: {str(error).splitlines()[0]}"
    for heap, name in connection.execute(_HEAPS).fetchall():
        check = sql.SQL("SELECT blkno, msg FROM {}(%s::bigint::oid::regclass) LIMIT 1").format(
            sql.Identifier(namespace, "verify_heapam")
        )
        for page, says in connection.execute(check, [heap]):
            yield f"{name}, page {page}: {says}"
