"""The file is moved away, deleted or replaced under an open store: 503 until it is back, and nothing is lost."""

import shutil
from pathlib import Path

import pytest

from setright.kernel.errors import StorageUnavailable
from setright.storage import Tx
from setright.storage.embedded import EmbeddedStore
from tests.storage import notes
from tests.storage.conftest import Opener
from tests.storage.test_locked_or_full import reason_of


def move_away(path: Path) -> Path:
    """Rename the file, leaving its write-ahead log where it is, as a careless person does."""
    return path.rename(path.with_name("elsewhere.db"))


def test_a_file_that_is_moved_away_is_missed_and_found_again(path: Path, store: EmbeddedStore) -> None:
    store.write(notes.add("before")).result(10)
    away = move_away(path)
    assert reason_of(store.write(notes.add("meanwhile"))) == "the database file is gone"
    assert reason_of(store.read(notes.names)) == "the database file is gone"
    away.rename(path)
    assert store.read(notes.names).result(10) == ["before"]
    assert store.write(notes.add("after")).result(10) == "after"
    assert store.read(notes.names).result(10) == ["after", "before"]


def test_a_file_that_is_moved_while_a_request_runs_acknowledges_nothing(
    path: Path, store: EmbeddedStore
) -> None:
    def work(tx: Tx) -> str:
        path.unlink()
        return notes.add("lost")(tx)

    assert reason_of(store.write(work)) == "the database file is gone"


def test_a_deleted_file_is_missed_and_its_backup_taken(path: Path, store: EmbeddedStore) -> None:
    store.write(notes.add("before")).result(10)
    backup = path.with_name("backup.db")
    store.write(lambda tx: tx.run(notes.ADD, name="note-saved", value="")).result(10)
    back_up(path, backup)
    for file in path.parent.glob("ledger.db*"):
        file.unlink()
    assert reason_of(store.write(notes.add("meanwhile"))) == "the database file is gone"
    shutil.copy(backup, path)
    assert store.read(notes.names).result(10) == ["before", "saved"]
    assert store.write(notes.add("after")).result(10) == "after"
    assert notes.in_file(path) == ["after", "before", "saved"]


def back_up(path: Path, target: Path) -> None:
    """A consistent copy, as an operator makes it."""
    connection = notes.connect(path)
    connection.execute("VACUUM INTO ?", (str(target),))
    connection.close()


def test_a_stranger_in_the_files_place_gets_nothing_and_harms_nothing(
    path: Path, store: EmbeddedStore, empty_ledger: Path
) -> None:
    store.write(notes.add("before")).result(10)
    away = move_away(path)
    shutil.copy(empty_ledger, path)
    reason = "another file stands in the place of the database, beside the write-ahead log of the one before"
    assert reason_of(store.write(notes.add("meanwhile"))) == reason
    assert reason_of(store.read(notes.names)) == reason
    assert path.read_bytes() == empty_ledger.read_bytes()
    away.replace(path)
    assert store.write(notes.add("after")).result(10) == "after"
    assert store.read(notes.names).result(10) == ["after", "before"]


def test_a_database_put_in_the_files_place_with_nothing_left_of_the_old_one_is_used(
    path: Path, store: EmbeddedStore, empty_ledger: Path
) -> None:
    store.write(notes.add("before")).result(10)
    move_away(path)
    for file in path.parent.glob("ledger.db-*"):
        file.unlink()
    shutil.copy(empty_ledger, path)
    assert store.write(notes.add("after")).result(10) == "after"
    assert store.read(notes.names).result(10) == ["after"]


def test_a_store_is_not_made_where_there_is_no_file(tmp_path: Path, open_embedded: Opener) -> None:
    (tmp_path / "ledger.db").unlink()
    with pytest.raises(FileNotFoundError):
        open_embedded()
    assert list(tmp_path.glob("*.db*")) == []


def test_a_store_closed_while_its_file_is_away_leaves_everything_to_be_found(
    path: Path, open_embedded: Opener
) -> None:
    store = open_embedded()
    store.write(notes.add("before")).result(10)
    away = move_away(path)
    assert isinstance(store.write(notes.add("meanwhile")).exception(10), StorageUnavailable)
    store.close()
    away.rename(path)
    assert notes.in_file(path) == ["before"]
