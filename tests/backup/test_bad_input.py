"""Files that are no backups, targets that are taken, disks that are full: each is told, and nothing is half done."""

import hashlib
import json
import re
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from setright.app.backups import BackupRefused, BackupStopped, Made
from setright.storage import sqlite
from setright.storage.address import parse
from setright.storage.backup import MAGIC, copy_in, read_manifest
from setright.storage.open import schema_version
from tests.backup.places import Places, every_row, filled, flip, plain_sqlite


def is_untouched(url: str) -> bool:
    """Whether there is nothing at an address that was new."""
    path = parse(url).path
    if path is not None:
        return not path.exists() and not list(path.parent.glob(f"{path.name}.partial*"))
    with psycopg.connect(url) as connection:
        return connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone() == (0,)


@pytest.fixture
def made(places: Places) -> Made:
    """A backup of a small ledger."""
    url = places.with_schema()
    filled(places, url)
    return places.back_up(url)


def cut(keep: float) -> Callable[[Path], object]:
    """Only so much of a file is left."""
    return lambda path: path.write_bytes(path.read_bytes()[: int(keep * path.stat().st_size)])


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut in half": (cut(0.5), "no-backup"),
    "without its last byte": (lambda path: path.write_bytes(path.read_bytes()[:-1]), "no-backup"),
    "a byte too many": (lambda path: path.write_bytes(path.read_bytes() + b"x"), "no-backup"),
    "a bit flipped in the copy": (lambda path: flip(path, 5000), "backup-damaged"),
    "a bit flipped in the manifest": (lambda path: flip(path, -100), "backup-damaged"),
    "a bit flipped in the length": (lambda path: flip(path, -50), "backup-damaged"),
    "a piece missing": (lambda path: path.write_bytes(path.read_bytes()[4096:]), "backup-damaged"),
    "empty": (lambda path: path.write_bytes(b""), "no-backup"),
    "a letter": (lambda path: path.write_text("Dear friend, this is no backup at all.\n" * 20), "no-backup"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_whole_backup_is_refused_and_nothing_is_written(
    places: Places, made: Made, wrong: str
) -> None:
    spoil, code = WRONG[wrong]
    back = places.new()
    spoil(made.path)
    with pytest.raises(BackupRefused) as refused:
        places.restore(made.path, back)
    assert refused.value.code == code
    assert "Nothing was restored" in str(refused.value)
    assert is_untouched(back)


def test_every_flipped_bit_is_found(sqlite_places: Places) -> None:
    made = sqlite_places.back_up(sqlite_places.with_schema())
    whole = made.path.read_bytes()
    for place in (*range(0, len(whole), len(whole) // 40), *range(len(whole) - 700, len(whole), 23)):
        flip(made.path, place)
        with pytest.raises(BackupRefused):
            list(copy_in(made.path, read_manifest(made.path), lambda *_: None, ""))
        made.path.write_bytes(whole)


def test_a_cut_off_backup_is_told_from_a_strangers_file(places: Places, made: Made) -> None:
    cut(0.5)(made.path)
    with pytest.raises(BackupRefused, match="cut off"):
        places.restore(made.path, places.new())
    with pytest.raises(FileNotFoundError):
        places.restore(places.folder / "nowhere", places.new())


def resealed(path: Path, **changes: object) -> None:
    """The same backup with another manifest, as another version would have written it."""
    whole = path.read_bytes()
    (length,) = struct.unpack(">Q", whole[-56:-48])
    told = json.loads(whole[-56 - length : -56]) | changes
    text = json.dumps(told).encode()
    footer = struct.pack(">Q32s16s", len(text), hashlib.sha256(text).digest(), MAGIC)
    path.write_bytes(whole[: -56 - length] + text + footer)


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"schema": "9999"}, "schema-newer", "newer than this version knows"),
        ({"format": 2, "setright": "7.0.0"}, "backup-newer", "setright 7.0.0"),
        ({"rows": None}, "backup-damaged", "damaged"),
        ({"createdAt": "yesterday"}, "backup-damaged", "damaged"),
    ],
)
def test_a_backup_of_another_version_is_refused(
    places: Places, made: Made, change: dict[str, object], code: str, says: str
) -> None:
    back = places.new()
    resealed(made.path, **change)
    with pytest.raises(BackupRefused, match=says) as refused:
        places.restore(made.path, back)
    assert refused.value.code == code
    assert is_untouched(back)


def test_the_other_engine_is_refused(
    places: Places, made: Made, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    other = "sqlite" if places.engine == "postgresql" else "postgresql"
    back = request.getfixturevalue(f"{other}_places").new()
    with pytest.raises(BackupRefused, match="is a backup of a") as refused:
        places.restore(made.path, back)
    assert refused.value.code == "other-engine"
    assert is_untouched(back)


def test_a_database_with_rows_is_not_touched_and_told(places: Places, made: Made) -> None:
    url = places.with_schema()
    filled(places, url)
    before = every_row(url)
    with pytest.raises(BackupRefused, match=r"5 corrections, 4 runs, \d+ events, 1 project") as refused:
        places.restore(made.path, url)
    assert refused.value.code == "target-not-empty"
    assert every_row(url) == before


def test_a_ledger_without_rows_is_not_touched_either(places: Places, made: Made) -> None:
    url = places.with_schema()
    before = every_row(url)
    with pytest.raises(BackupRefused, match="is not empty"):
        places.restore(made.path, url)
    assert every_row(url) == before


def test_a_strangers_database_is_not_touched_and_told(places: Places, made: Made) -> None:
    url = places.new()
    path = parse(url).path
    if path is None:
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE recipes (name text)")
    else:
        plain_sqlite(path)
    before = None if path is None else path.read_bytes()
    with pytest.raises(BackupRefused, match="recipes"):
        places.restore(made.path, url)
    assert path is None or path.read_bytes() == before


def test_a_file_that_is_no_database_is_not_touched(sqlite_places: Places) -> None:
    made = sqlite_places.back_up(sqlite_places.with_schema())
    url = sqlite_places.new()
    path = Path(url.removeprefix("sqlite:///"))
    path.write_text("a letter")
    with pytest.raises(BackupRefused, match="8 bytes that are no SQLite database"):
        sqlite_places.restore(made.path, url)
    assert path.read_text() == "a letter"
    path.write_bytes(b"")
    path.with_name(path.name + "-wal").write_bytes(b"of an earlier file")
    with pytest.raises(BackupRefused, match="SQLite would mix the two"):
        sqlite_places.restore(made.path, url)
    path.with_name(path.name + "-wal").unlink()
    sqlite_places.restore(made.path, url)
    assert schema_version(parse(url))


@pytest.mark.parametrize("kind", ["file", "empty file", "link to nothing"])
def test_a_target_that_exists_is_not_written_over(places: Places, kind: str) -> None:
    url, target = places.with_schema(), places.folder / "taken"
    if kind == "link to nothing":
        target.symlink_to(places.folder / "nothing")
    else:
        target.write_text("mine" if kind == "file" else "")
    with pytest.raises(BackupRefused, match="is there already") as refused:
        places.back_up(url, "taken")
    assert refused.value.code == "target-exists"
    assert target.is_symlink() or target.read_text() == ("mine" if kind == "file" else "")


def test_a_target_that_comes_meanwhile_is_not_written_over(places: Places) -> None:
    url, target = places.with_schema(), places.folder / "taken"
    places.during = lambda what: target.write_text("mine") if what == "Writing to the disk" else None
    with pytest.raises(BackupRefused, match="is there already"):
        places.back_up(url, "taken")
    assert target.read_text() == "mine"
    assert sorted(places.folder.glob("taken*")) == [target]


def test_a_ledger_that_is_made_meanwhile_is_not_written_over(sqlite_places: Places) -> None:
    made, url = sqlite_places.back_up(sqlite_places.with_schema()), sqlite_places.new()
    path = Path(url.removeprefix("sqlite:///"))
    sqlite_places.during = lambda what: path.write_text("mine") if what == "Restoring" else None
    with pytest.raises(BackupRefused, match="is not empty"):
        sqlite_places.restore(made.path, url)
    assert path.read_text() == "mine"


def test_a_folder_is_given_a_file_named_by_the_time(places: Places) -> None:
    made = places.back_up(places.with_schema(), ".")
    assert re.fullmatch(r"setright-\d{8}T\d{6}Z\.backup", made.path.name)
    with pytest.raises(BackupStopped, match="There is no folder"):
        places.back_up(places.with_schema(), "nowhere/file")


def test_where_no_ledger_is_there_is_nothing_to_back_up(places: Places) -> None:
    with pytest.raises(BackupRefused, match="There is no ledger") as refused:
        places.back_up(places.new())
    assert refused.value.code == "no-ledger"
    assert list(places.folder.glob("*backup*")) == []


def test_a_damaged_ledger_makes_no_backup(sqlite_places: Places) -> None:
    url = sqlite_places.with_schema()
    path = Path(url.removeprefix("sqlite:///"))
    with closing(sqlite.connect(path)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'ix_events_feed'"
        ).fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    with pytest.raises(BackupStopped, match="is damaged") as stopped:
        sqlite_places.back_up(url, "none")
    assert stopped.value.code == "database-damaged"
    assert list(sqlite_places.folder.glob("none*")) == []


def test_a_newer_ledger_is_told_before_it_is_backed_up(places: Places) -> None:
    """What this version cannot read it can still copy: the backup is for the version that wrote it."""
    url = places.with_schema()
    path = parse(url).path
    statement = "UPDATE alembic_version SET version_num = '9999'"
    if path is not None:
        with closing(sqlite.connect(path)) as connection:
            connection.execute(statement)
    else:
        with psycopg.connect(url) as connection:
            connection.execute(statement)
    made = places.back_up(url)
    assert made.manifest.contents.schema == "9999"
    with pytest.raises(BackupRefused, match="newer"):
        places.restore(made.path, places.new())
