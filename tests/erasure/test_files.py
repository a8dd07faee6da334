"""Nothing of what was erased is left in the files of a ledger, its log, or a backup that is made after it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from setright.app.assemble import RunningApp
from setright.app.backups import back_up, restore
from setright.app.machine import open_app
from setright.app.scrubbing import scrub
from setright.app.settings import Settings
from tests.backup.places import sound
from tests.erasure.said import ANN, SENTENCE, Said
from tests.proof.proving import Proving
from tests.support.ledger import Ledger, sqlite_url
from tests.support.postgres import Postgres


@dataclass(frozen=True, slots=True)
class ByServer(Proving):
    """A tenant whose jobs the worker of a running app does."""

    app: RunningApp

    def work(self) -> None:
        """Do every job that is due."""
        while self.app.worker.turn():
            pass


def often_said(ledger: Ledger) -> Said:
    """The sentence in many rows of many sizes, between rows of others, so that pages split and move."""
    said = Said(Proving(ledger, ledger.tenant()))
    quiet = {"messages": None, "calls": [], "output": {"list": [1]}, "answer": "x", "tags": None}
    first = said.corrected(said.run())
    for number in range(12):
        run_id = said.run(input=[SENTENCE, "x" * (137 * number % 5000)])
        correction = said.corrected(run_id)
        said.tested(correction)
        said.run("participant-bob", input="y" * (97 * number % 3000), **quiet)
    said.taught(fromCorrectionId=first.id)
    return said


def hits(folder: Path) -> dict[str, int]:
    """How often the sentence stands in each file below a folder."""
    found = {
        path.name: path.read_bytes().count(SENTENCE.encode()) for path in folder.rglob("*") if path.is_file()
    }
    return {name: count for name, count in found.items() if count}


def test_the_file_and_its_log_hold_nothing_while_the_server_goes_on(tmp_path: Path) -> None:
    ledger = Ledger(sqlite_url(tmp_path))
    said = often_said(ledger)
    assert hits(tmp_path).keys() == {"ledger.db", "ledger.db-wal"}
    said.erased(participantId=ANN)
    assert hits(tmp_path) == {}
    back_up(Settings(database=ledger.url), tmp_path / "after.backup", None, lambda *_: None)
    assert hits(tmp_path) == {}
    ledger.store.close()


@pytest.fixture(scope="module")
def own_server() -> Iterator[Postgres]:
    """A server in whose files only we write."""
    server = Postgres(durable=False)
    yield server
    server.stop()


def test_a_scrubbed_server_holds_nothing_in_its_tables(own_server: Postgres) -> None:
    ledger = Ledger(own_server.new_database())
    said = often_said(ledger)
    said.erased(participantId=ANN)
    ledger.store.close()
    scrub(Settings(database=ledger.url))
    with psycopg.connect(ledger.url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
    assert hits(own_server.folder / "base") == {}


def test_a_backup_from_before_brings_nothing_back(tmp_path: Path) -> None:
    settings = Settings(database=sqlite_url(tmp_path))
    ledger = Ledger(settings.database)
    said = often_said(ledger)
    marthe = said.user()
    said.corrected(said.run("participant-cy", input=1), by=marthe)
    said.held("later", participantId=ANN)
    back_up(settings, tmp_path / "before.backup", None, lambda *_: None)
    app = open_app(settings)
    said = Said(ByServer(ledger, said.proving.tenant, app))
    for participant in (ANN, "participant-bob", "participant-cy"):
        said.erased(participantId=participant)
    said.erased(userId=marthe.id, words="erase")
    app.close()
    ledger.store.close()
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    restore(settings, tmp_path / "before.backup", None, lambda *_: None)
    (tmp_path / "before.backup").unlink()
    assert hits(tmp_path).keys() == {"ledger.db"}
    open_app(settings).close()
    assert hits(tmp_path) == {}
    assert marthe.id.encode() not in (tmp_path / "ledger.db").read_bytes()
    open_app(settings).close()
    assert sound(settings.database)
