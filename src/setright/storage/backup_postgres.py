"""Copying a PostgreSQL ledger by pg_dump, and putting a copy into an empty database by pg_restore."""

import hashlib
import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from setright.storage import dump_script
from setright.storage.address import Address
from setright.storage.backup import (
    CHUNK,
    BackupRefused,
    BackupStopped,
    Contents,
    Manifest,
    Progress,
    copy_in,
    told_rows,
)
from setright.storage.programs import Program, Target, find, listen

Connection = psycopg.Connection[Any]
LOCK = 0x5E7B_AC0B
_NO_TIMEOUT = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
_NAMESPACE = (
    "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.oid = to_regclass('alembic_version')"
)
_TABLES = (
    "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = %s AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
    " AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid"
    " AND d.deptype = 'e') ORDER BY c.relname"
)


def copy(
    address: Address, partial: Path, programs: Path | None, progress: Progress
) -> tuple[Contents, int, str]:
    """Write a dump of the ledger at `address` into `partial`: what is in it, its size and its SHA-256.

    The rows are counted and dumped in one snapshot, so that the manifest says of the dump what is true.
    """
    program = find("pg_dump", programs)
    with _session(address.url) as connection:
        _check_age(program, connection.info.server_version // 10_000)
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        row = connection.execute(_NAMESPACE).fetchone()
        if row is None:
            raise BackupRefused("no-ledger", f"There is no ledger in {address.shown}.")
        progress("Counting", 0, None)
        rows = _rows_in(connection, row[0])
        (schema,) = _one(
            connection,
            sql.SQL("SELECT version_num FROM {}").format(sql.Identifier(row[0], "alembic_version")),
        )
        (snapshot,) = _one(connection, sql.SQL("SELECT pg_export_snapshot()"))
        version = connection.info.parameter_status("server_version") or ""
        contents = Contents(
            "postgresql", version.split()[0], f"pg_dump {program.version}", schema, rows, row[0]
        )
        size, digest = _dump(program, Target(address.url), contents, snapshot, partial, progress)
    return contents, size, digest


def _dump(
    program: Program, target: Target, contents: Contents, snapshot: str, partial: Path, progress: Progress
) -> tuple[int, str]:
    """Have the program write to us, and write it down ourselves: so a full disk is ours to tell, and its end is ours."""
    quoted = str(contents.namespace).replace('"', '""')
    options = (
        "--format=custom",
        f'--table="{quoted}".*',
        "--no-owner",
        "--no-privileges",
        f"--snapshot={snapshot}",
    )
    digest, done = hashlib.sha256(), 0
    whole = (*options, *target.arguments)
    with partial.open("wb") as file, listen(program, whole, environment=target.environment) as told:
        while piece := told.read(CHUNK):
            file.write(piece)
            digest.update(piece)
            done += len(piece)
            progress("Dumping", done, None)
    return done, digest.hexdigest()


def _check_age(program: Program, server: int) -> None:
    if program.major < server:
        raise _too_old(program, server, f" and the server is {server}: pg_dump must be as new as the server.")


def _too_old(program: Program, needed: int, why: str) -> BackupStopped:
    return BackupStopped(
        "tool-too-old",
        f"{program.path} is of PostgreSQL {program.version}{why}",
        f"install the client programs of PostgreSQL {needed} or newer (Debian, Ubuntu: postgresql-client-{needed})",
        "or say where they are: --pg-bin DIR",
    )


def restore(
    source: Path, manifest: Manifest, address: Address, programs: Path | None, progress: Progress
) -> None:
    """Put the copy in a backup into the database at `address`, which must be empty.

    Everything is one transaction of ours, in which pg_restore only says what there is to do: however it ends, the
    database then holds the whole ledger or nothing.
    """
    program = find("pg_restore", programs)
    made_by = int(manifest.contents.tool.removeprefix("pg_dump ").partition(".")[0])
    if program.major < made_by:
        raise _too_old(
            program, made_by, f", and the backup was made by pg_dump of {made_by}, which it cannot read."
        )
    for _ in copy_in(source, manifest, progress, "Checking the backup"):
        pass
    with _session(address.url) as connection:
        connection.execute("BEGIN")
        _refuse_filled(connection, manifest, address)
        try:
            _run(connection, program, source, manifest, progress)
            _finish(connection, manifest, progress)
            connection.execute("COMMIT")
        except psycopg.Error as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise BackupStopped(
                "restore-failed",
                f"{address.shown} could not take the backup ({reason}); nothing of it was kept.",
            ) from error


def _run(
    connection: Connection, program: Program, source: Path, manifest: Manifest, progress: Progress
) -> None:
    """Have pg_restore turn the dump into a script, and do what it says."""
    with source.open("rb") as file:

        def show() -> None:
            # The program reads through our descriptor, so its place in the file is ours to see.
            progress("Restoring", min(os.lseek(file.fileno(), 0, os.SEEK_CUR), manifest.size), manifest.size)

        show()
        options = ("--file=-", "--no-owner", "--no-privileges")
        with listen(program, options, stdin=file) as lines:
            dump_script.run(connection, lines, show)


def _refuse_filled(connection: Connection, manifest: Manifest, address: Address) -> None:
    if not _one(connection, sql.SQL("SELECT pg_try_advisory_xact_lock({})").format(LOCK))[0]:
        raise BackupRefused("restore-running", f"Another restore into {address.shown} is running.")
    (namespace,) = _one(connection, sql.SQL("SELECT current_schema()"))
    if namespace != manifest.contents.namespace:
        raise BackupRefused(
            "other-namespace",
            f"The backup's tables are in the schema {manifest.contents.namespace}, and {address.shown} makes tables "
            f"in {namespace or 'none, for none of its search_path is there'}.",
            "make the database use that schema: CREATE SCHEMA and ALTER DATABASE ... SET search_path",
        )
    rows = _rows_in(connection, namespace)
    if rows:
        raise BackupRefused(
            "target-not-empty",
            f"{address.shown} is not empty: it holds {told_rows(rows)}. db restore puts a backup only where nothing is.",
            "make a new database (createdb) and name it: --database postgresql://HOST/NAME",
        )


def _finish(connection: Connection, manifest: Manifest, progress: Progress) -> None:
    """Fit the restored ledger to its new server, and hold it against the manifest.

    Transaction numbers begin anew on another server: an event that kept its own would not be in the feed.
    """
    progress("Finishing", 0, None)
    connection.execute("RESET search_path")
    connection.execute("UPDATE events SET transaction = 0 WHERE transaction <> 0")
    found = _rows_in(connection, str(manifest.contents.namespace))
    if found != dict(manifest.contents.rows):
        raise BackupStopped(
            "restore-differs",
            f"What came out of the backup is not what was backed up: {told_rows(found)} instead of "
            f"{told_rows(manifest.contents.rows)}. Nothing of it was kept.",
            "please report this, with the versions of PostgreSQL's programs",
        )
    for name in found:
        connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(name)))


@contextmanager
def _session(url: str) -> Generator[Connection]:
    """A connection on which nothing is cut short; a transaction that was not committed goes with it."""
    with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
        for name in _NO_TIMEOUT:
            connection.execute(sql.SQL("SET {} = 0").format(sql.Identifier(name)))
        yield connection


def _rows_in(connection: Connection, namespace: str) -> dict[str, int]:
    names: Iterable[tuple[str]] = connection.execute(_TABLES, (namespace,)).fetchall()
    return {
        name: _one(connection, sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(namespace, name)))[0]
        for (name,) in names
    }


def _one(connection: Connection, statement: sql.SQL | sql.Composed) -> tuple[Any, ...]:
    row = connection.execute(statement).fetchone()
    if row is None:
        raise LookupError(str(statement))
    return row
