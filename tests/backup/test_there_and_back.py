"""What comes out of a backup is what was in the ledger: every row, and every byte that the API answers."""

import stat
from pathlib import Path

from setright import __version__
from setright.app import machine
from setright.app.settings import Settings
from setright.storage import migrate
from setright.storage.address import parse
from setright.storage.backup import read_manifest
from setright.storage.version import HEAD
from tests.backup.places import Places, answers, every_row, filled, sound


def test_every_row_and_every_answer_come_back(places: Places) -> None:
    url, back = places.with_schema(), places.new()
    before = filled(places, url)
    expected = answers(before)
    made = places.back_up(url)
    manifest, schema = places.restore(made.path, back)
    assert every_row(back) == every_row(url)
    after = places.again(before, back)
    assert answers(after) == expected
    assert schema.fits
    assert manifest == made.manifest
    kept_by_the_engine = ("sqlite_", "search_words")
    counts = {
        name: len(rows) for name, rows in every_row(url).items() if not name.startswith(kept_by_the_engine)
    }
    assert dict(manifest.contents.rows) == counts
    for here in (before, after):
        here.correction("run-2", why="after it")
    assert sound(back)


def test_a_restored_ledger_can_be_backed_up_and_restored_again(places: Places) -> None:
    url = places.with_schema()
    filled(places, url)
    rows = every_row(url)
    for _ in range(2):
        back = places.new()
        places.restore(places.back_up(url).path, back)
        assert every_row(back) == rows
        url = back


def test_an_empty_ledger_comes_back_empty(places: Places) -> None:
    url, back = places.with_schema(), places.new()
    made = places.back_up(url)
    places.restore(made.path, back)
    assert every_row(back) == every_row(url)
    assert made.manifest.contents.rows["runs"] == 0


def test_new_numbers_go_on_where_the_backup_ended(places: Places) -> None:
    url, back = places.with_schema(), places.new()
    caller = filled(places, url)
    last = caller.get("/v1/events?after=0&limit=100").json()["data"][-1]["seq"]
    places.restore(places.back_up(url).path, back)
    after = places.again(caller, back)
    after.run("later")
    told = after.get(f"/v1/events?after={last}").json()["data"]
    assert [event["subject"]["id"] for event in told] == ["later"]
    assert told[0]["seq"] > last


def test_the_manifest_says_what_is_in_it_and_the_file_is_for_its_owner_only(places: Places) -> None:
    url = places.with_schema()
    filled(places, url)
    made = places.back_up(url)
    told = read_manifest(made.path).document()
    assert told == made.manifest.document()
    assert (told["engine"], told["schema"], told["setright"]) == (places.engine, HEAD, __version__)
    assert told["tool"].startswith(
        "pg_dump 1" if places.engine == "postgresql" else "SQLite online backup 3."
    )
    assert (told["rows"]["corrections"], told["rows"]["members"]) == (5, 1)
    assert told["createdAt"].endswith("Z")
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert made.path.stat().st_size > told["bytes"]
    assert sorted(places.folder.glob("*partial*")) == []


def test_what_is_done_is_shown(places: Places) -> None:
    url, back = places.with_schema(), places.new()
    places.restore(places.back_up(url).path, back)
    steps = {what for what, _, _ in places.steps}
    if places.engine == "sqlite":
        assert steps == {"Copying", "Checking the copy", "Summing up", "Writing to the disk", "Restoring"}
    else:
        assert steps == {
            "Counting",
            "Dumping",
            "Writing to the disk",
            "Checking the backup",
            "Restoring",
            "Finishing",
        }
    assert all(total is None or 0 <= done <= total for _, done, total in places.steps)


def test_a_restored_sqlite_file_is_for_its_owner_only(sqlite_places: Places) -> None:
    url, back = sqlite_places.with_schema(), sqlite_places.new()
    sqlite_places.restore(sqlite_places.back_up(url).path, back)
    path = Path(back.removeprefix("sqlite:///"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_older_schema_is_restored_and_upgraded_afterwards(places: Places) -> None:
    url, back = places.new(), places.new()
    path = parse(url).path
    if path is not None:
        path.touch()
    migrate.upgrade(parse(url), "0001")
    made = places.back_up(url)
    assert made.manifest.contents.schema == "0001"
    _, schema = places.restore(made.path, back)
    assert (schema.found, schema.fits, schema.can_be_upgraded) == ("0001", False, True)
    machine.upgrade(Settings(database=back))
    assert machine.schema(Settings(database=back)).fits
    filled(places, back)
