"""PostgreSQL stopped, started again, full or held up: 503 with the reason, and all is well again by itself."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, update

from setright.kernel.clock import Clock
from setright.kernel.errors import StorageUnavailable
from setright.kernel.ids import Ids
from setright.storage import Sql, Store, Tx
from setright.storage.kept import marks
from setright.storage.open import create_or_upgrade, open_store
from tests.storage import notes
from tests.storage.test_locked_or_full import reason_of
from tests.support.postgres import Postgres

UPDATE = Sql(update(marks).where(marks.c.name == bindparam("which")).values(value="ours"))
LOST = {"the connection to the database was lost", "the database server does not answer"}


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A server of this module's own, which its tests stop."""
    started = Postgres(durable=False)
    yield started
    started.stop()


@pytest.fixture
def url(server: Postgres) -> str:
    """A new database with the schema."""
    address = server.new_database()
    create_or_upgrade(address)
    return address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An open store on `url`."""
    opened = open_store(url, Clock(), Ids())
    yield opened
    opened.close()


def seconds_until_written(store: Store, name: str, most: float = 30) -> float:
    """How long it takes until a write, tried again after each 503, is accepted."""
    started = time.monotonic()
    while time.monotonic() - started < most:
        outcome = store.write(notes.add(name)).exception(30)
        if outcome is None:
            return time.monotonic() - started
        assert isinstance(outcome, StorageUnavailable), outcome
        time.sleep(0.1)
    raise AssertionError(f"not written after {most} seconds")


def use_every_connection(store: Store) -> None:
    """Make the pool hold several connections, all of which will be lost."""
    gathered = threading.Barrier(4)
    readers = [store.read(lambda at: (gathered.wait(10), notes.names(at))) for _ in range(4)]
    for reader in readers:
        reader.result(20)


def test_a_stopped_server_is_told_and_found_again_as_soon_as_it_runs(server: Postgres, store: Store) -> None:
    store.write(notes.add("before")).result(20)
    use_every_connection(store)
    server.interrupt()
    try:
        down = time.monotonic()
        while time.monotonic() - down < 8:
            assert reason_of(store.write(notes.add("meanwhile"))) in LOST
            assert reason_of(store.read(notes.names)) in LOST
    finally:
        server.resume()
    assert seconds_until_written(store, "after") < 5
    assert store.read(notes.names).result(20) == ["after", "before"]


def test_after_a_restart_hardly_anybody_notices(server: Postgres, store: Store) -> None:
    use_every_connection(store)
    server.interrupt()
    server.resume()
    refused = 0
    for number in range(10):
        refused += store.write(notes.add(f"{number}")).exception(20) is not None
        refused += store.read(notes.names).exception(20) is not None
    assert refused <= 2


def test_a_server_that_stops_in_the_middle_of_work_undoes_it(server: Postgres, store: Store) -> None:
    def work(tx: Tx) -> None:
        notes.add("half")(tx)
        notes.names(tx)
        server.interrupt()
        notes.names(tx)

    try:
        trouble = store.write(work).exception(30)
    finally:
        server.resume()
    assert isinstance(trouble, StorageUnavailable)
    assert "Nothing was changed" in trouble.message
    seconds_until_written(store, "whole")
    assert store.read(notes.names).result(20) == ["whole"]


def test_a_connection_lost_while_committing_leaves_open_what_became_of_it(url: str, store: Store) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(
            "CREATE FUNCTION go_away() RETURNS trigger LANGUAGE plpgsql AS "
            "$$BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END$$"
        )
        other.execute(
            "CREATE CONSTRAINT TRIGGER away AFTER INSERT ON marks DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION go_away()"
        )
        trouble = store.write(notes.add("a")).exception(20)
        assert isinstance(trouble, StorageUnavailable)
        assert "not known" in trouble.message
        assert "Idempotency-Key" in trouble.message
        other.execute("DROP TRIGGER away ON marks")
    assert seconds_until_written(store, "a") < 5


def test_a_full_disk_is_told_to_whom_it_concerns_and_the_others_are_kept(url: str, store: Store) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
            "$$BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' "
            "USING ERRCODE = 'disk_full'; END$$"
        )
        other.execute(
            "CREATE TRIGGER full_disk BEFORE INSERT ON marks FOR EACH ROW "
            "WHEN (length(NEW.value) > 1000) EXECUTE FUNCTION full_disk()"
        )
    gate = threading.Event()
    held = [store.write(lambda tx: gate.wait(20)) for _ in range(2)]
    small = [store.write(notes.add(f"small {number}")) for number in range(6)]
    large = store.write(notes.add("large", "x" * 100_000))
    more = store.write(notes.add("small 6"))
    gate.set()
    for one in held:
        one.result(20)
    assert reason_of(large) == "the disk is full"
    assert [future.result(20) for future in (*small, more)] == [f"small {number}" for number in range(7)]
    assert store.read(notes.names).result(20) == [f"small {number}" for number in range(7)]


def test_one_that_waits_in_vain_for_a_lock_costs_the_others_little(url: str, store: Store) -> None:
    """A row that somebody else holds stops who needs it, and for no longer than twice five seconds who waits with it."""
    store.write(notes.add("held")).result(20)
    with psycopg.connect(url) as other:
        other.execute("UPDATE marks SET value = 'theirs' WHERE name = 'note-held'")
        gate = threading.Event()
        held = [store.write(lambda tx: gate.wait(20)) for _ in range(2)]
        waiting = store.write(lambda tx: tx.run(UPDATE, which="note-held"))
        others = [store.write(notes.add(f"other {number}")) for number in range(6)]
        gate.set()
        started = time.monotonic()
        for one in held:
            one.result(20)
        assert reason_of(waiting) == "another process holds a lock"
        outcomes = [future.exception(30) for future in others]
        assert time.monotonic() - started < 13
        assert all(outcome is None or isinstance(outcome, StorageUnavailable) for outcome in outcomes)
        other.rollback()
    kept = set(store.read(notes.names).result(20))
    assert [f"other {number}" in kept for number in range(6)] == [outcome is None for outcome in outcomes]


def test_a_lock_held_by_somebody_else_is_told_after_five_seconds(url: str, store: Store) -> None:
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE marks IN ACCESS EXCLUSIVE MODE")
        started = time.monotonic()
        assert reason_of(store.write(notes.add("a"))) == "another process holds a lock"
        assert 4 < time.monotonic() - started < 8
        other.rollback()
    assert store.write(notes.add("a")).result(20) == "a"


def test_a_server_that_takes_no_writes_is_told_and_still_read(url: str, store: Store) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        name = other.info.dbname
        other.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'.encode())
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                      "WHERE datname = current_database() AND pid <> pg_backend_pid()")  # fmt: skip
        reasons = {reason_of(store.write(notes.add("a"))) for _ in range(3)}
        assert "the server accepts no writes" in reasons
        assert store.read(notes.names).result(20) == []


def test_a_database_without_a_ledger_is_told(url: str, store: Store) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("ALTER TABLE marks RENAME TO others")
        assert reason_of(store.write(notes.add("a"))) == "the database has no ledger in it"
        assert reason_of(store.read(notes.names)) == "the database has no ledger in it"
        other.execute("ALTER TABLE others RENAME TO marks")
    assert store.write(notes.add("a")).result(20) == "a"


def test_a_server_that_was_never_there_is_told_at_the_opening(tmp_path: Any) -> None:
    with pytest.raises(psycopg.OperationalError):
        open_store(f"postgresql:///postgres?host={tmp_path}", Clock(), Ids())


def test_closing_finishes_what_was_accepted_and_refuses_what_comes_later(url: str) -> None:
    store = open_store(url, Clock(), Ids())
    accepted = [store.write(notes.add(f"{number:03}")) for number in range(200)]
    store.close()
    assert sorted(future.result(1) for future in accepted) == [f"{number:03}" for number in range(200)]
    assert isinstance(store.write(notes.add("late")).exception(5), StorageUnavailable)
    assert isinstance(store.read(notes.names).exception(5), StorageUnavailable)
