"""The embedded engine: which SQLite library is safe to use, and how a connection to the file is opened."""

import importlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from setright.kernel.errors import StorageUnavailable
from setright.storage.sql import Compiled, EngineName

BUSY_SECONDS = 5
LOG_BYTES = 64 * 1024 * 1024
"""What the write-ahead log may keep on the disk once a long reader, under whom it grew, is gone."""
FIXED = (3, 51, 3)
BACKPORTS = ((3, 50, 7), (3, 44, 6))

Connection = Any
"""A DBAPI connection of whichever driver was chosen."""


class UnsuitableSqlite(RuntimeError):
    """No SQLite library without the WAL-reset fault is installed; the message says what to do."""


def is_safe(version: tuple[int, ...]) -> bool:
    """Whether an SQLite version is outside the WAL-reset corruption range (sqlite.org/wal.html#walresetbug)."""
    if version >= FIXED:
        return True
    return any(version[:2] == fixed[:2] and version >= fixed for fixed in BACKPORTS)


def drivers() -> list[tuple[str, Any, tuple[int, ...]]]:
    """The installed SQLite drivers, preferred one first: name, module, version of the library inside."""
    found: list[tuple[str, Any, tuple[int, ...]]] = []
    for name in ("pysqlite3.dbapi2", "sqlite3"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        found.append((name.partition(".")[0], module, tuple(module.sqlite_version_info)))
    return found


def driver() -> Any:
    """The first driver whose library is safe; raises UnsuitableSqlite when there is none."""
    installed = drivers()
    for _, module, version in installed:
        if is_safe(version):
            return module
    seen = ", ".join(f"{name} has {'.'.join(map(str, version))}" for name, _, version in installed)
    raise UnsuitableSqlite(
        f"SQLite before 3.51.3 can corrupt a write-ahead log, and only such versions are installed ({seen}). "
        "Install a newer one with `pip install pysqlite3`, or use PostgreSQL (--database postgresql://...)."
    )


def connect(path: Path, *, read_only: bool = False) -> Connection:
    """A connection to an existing file, in WAL mode with full durability; transactions are begun by hand."""
    module = driver()
    connection = module.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
    )
    try:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA secure_delete=ON")
        cursor.execute("PRAGMA temp_store=MEMORY")
        cursor.execute("PRAGMA cache_size=-16384")
        cursor.execute(f"PRAGMA journal_size_limit={LOG_BYTES}")
        if read_only:
            cursor.execute("PRAGMA query_only=ON")
    except BaseException:
        connection.close()
        raise
    return connection


class SqliteSession:
    """One connection's cursor, as a transaction uses it."""

    engine: EngineName = "sqlite"
    __slots__ = ("_cursor",)

    def __init__(self, connection: Connection) -> None:
        self._cursor = connection.cursor()

    def fetch(self, statement: Compiled, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """All rows of a statement's result."""
        return self._cursor.execute(statement.text, values).fetchall()

    def execute(self, statement: Compiled, values: dict[str, Any]) -> int:
        """The number of rows that a statement changed."""
        return self._cursor.execute(statement.text, values).rowcount

    def send(self, statement: Compiled, values: dict[str, Any]) -> None:
        """Run a statement whose result nobody needs."""
        self._cursor.execute(statement.text, values)

    def plain(self, text: str) -> None:
        """Run a statement without values, such as BEGIN or SAVEPOINT."""
        self._cursor.execute(text)


Identity = tuple[int, int]
"""Device and number of a file: what stays the same when it is renamed."""


class DatabaseFile:
    """The file under a store: missed when it is gone, and told from a stranger put in its place.

    A stranger beside the write-ahead log of the file before would be ruined by that log, so it is not touched.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log_path = path.with_name(f"{path.name}-wal")
        self._opened: tuple[Identity, Identity | None] | None = None

    def check(self) -> Identity:
        """Which file has the name now; StorageUnavailable when none has, or one that must not be opened."""
        found = _identity(self.path)
        opened = self._opened
        if opened is not None and opened[0] != found:
            if opened[1] is None or _identity(self._log_path) != opened[1]:
                self._opened = None
            elif found is not None:
                raise StorageUnavailable(
                    "another file stands in the place of the database, beside the write-ahead log of the one before",
                    5,
                )
        if found is None:
            raise StorageUnavailable("the database file is gone", 5)
        return found

    def connect(self, *, read_only: bool) -> tuple[Connection, Identity]:
        """A connection to the file, and which file it is."""
        found = self.check()
        connection = connect(self.path, read_only=read_only)
        self._opened = found, _identity(self._log_path)
        return connection, found


def _identity(path: Path) -> Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Handle:
    """A connection that is opened when needed, dropped after trouble, and never used on a file that was replaced."""

    def __init__(self, file: DatabaseFile, *, read_only: bool = False) -> None:
        self._file = file
        self._read_only = read_only
        self._connection: Connection | None = None
        self._session: SqliteSession | None = None
        self._opened: Identity | None = None

    def ready(self) -> SqliteSession:
        """The session, on the file that now has the path's name; StorageUnavailable when there is none."""
        if self._session is not None and self._file.check() == self._opened:
            return self._session
        self.drop()
        self._connection, self._opened = self._file.connect(read_only=self._read_only)
        self._session = SqliteSession(self._connection)
        return self._session

    def confirm(self) -> None:
        """Make sure after a commit that it went into the file that still has the path's name."""
        try:
            found = self._file.check()
        except StorageUnavailable as trouble:
            raise StorageUnavailable(trouble.details["reason"], 5, outcome_known=False) from None
        if found != self._opened:
            raise StorageUnavailable("the database file was replaced", 5, outcome_known=False)

    def in_transaction(self) -> bool:
        """Whether a transaction is open (SQLite ends it by itself after some errors)."""
        return self._connection is not None and bool(self._connection.in_transaction)

    def drop(self) -> None:
        """Undo whatever is open and close the connection, whatever state its file is in."""
        connection, self._connection, self._session = self._connection, None, None
        if connection is None:
            return
        for step in (connection.rollback, connection.close):
            with suppress(driver().Error):
                step()


_REASONS = {
    5: "another process holds the write lock",
    6: "another process holds the write lock",
    7: "memory is exhausted",
    8: "the file is read-only",
    10: "a disk error",
    11: "the file is damaged",
    13: "the disk is full",
    14: "the file cannot be opened",
    15: "another process holds the write lock",
    26: "the file is not a database",
}


def trouble(error: BaseException) -> StorageUnavailable | None:
    """The database's own trouble (locked, full, gone) as a refusal; None for a fault of the program."""
    if isinstance(error, StorageUnavailable):
        return error
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    reason = _REASONS.get(code & 0xFF)
    if reason is None and "no such table" in str(error):
        reason = "the file has no ledger in it"
    return StorageUnavailable(reason, 1 if "lock" in reason else 5) if reason else None
