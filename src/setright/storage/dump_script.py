"""Running the script into which pg_restore turns a dump, inside a transaction of ours."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import psycopg

Connection = psycopg.Connection[Any]
BATCH = 256 * 1024
_COPY = re.compile(rb"COPY .+ FROM stdin;\n")
_SETTING = re.compile(rb"SET (\w+) = .*;\n")
_END = b"\\.\n"


def run(connection: Connection, lines: Iterable[bytes], progress: Callable[[], None]) -> None:
    """Do what a script of pg_dump's own making says; its rows go in as they come, so that memory stays flat.

    Left out is what speaks to psql, and what this server cannot be asked for: newer programs set what older servers
    do not know.
    """
    script, held = iter(lines), bytearray()
    for line in script:
        if _COPY.fullmatch(line):
            _execute(connection, held)
            _copy(connection, line, script, progress)
        elif not line.startswith(b"\\") and not _is_unknown(connection, line):
            held += line
    _execute(connection, held)


def _execute(connection: Connection, held: bytearray) -> None:
    text = bytes(held)
    held.clear()
    if text.strip():
        connection.execute(text)


def _copy(connection: Connection, line: bytes, script: Iterator[bytes], progress: Callable[[], None]) -> None:
    with connection.cursor().copy(line) as copy:
        batch = bytearray()
        for row in script:
            if row == _END:
                copy.write(bytes(batch))
                return
            batch += row
            if len(batch) >= BATCH:
                copy.write(bytes(batch))
                batch.clear()
                progress()
        raise EOFError("the script ended among the rows of a table")


def _is_unknown(connection: Connection, line: bytes) -> bool:
    found = _SETTING.fullmatch(line)
    if found is None:
        return False
    known = connection.execute("SELECT 1 FROM pg_catalog.pg_settings WHERE name = %s", [found[1].decode()])
    return known.fetchone() is None
