"""The account that is taken after a crash notices what is missing, changed or there twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from setright.storage.open import create_or_upgrade
from setright.storage.sqlite import connect
from tests.concurrency.wire import Serving, Wire
from tests.crash.load import Book, Load, hold_to_account
from tests.support.ledger import sqlite_url


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    """A caller of a server on `tmp_path`."""
    create_or_upgrade(sqlite_url(tmp_path))
    serving = Serving(sqlite_url(tmp_path))
    yield serving.tenant("account")
    serving.close()


@pytest.fixture
def book(wire: Wire) -> Book:
    """What a short load sent, all of it acknowledged or sent again since."""
    opened = Book.open(wire)
    load = Load(wire, opened, 1)
    assert load.stop().acknowledged
    good = hold_to_account(wire, opened)
    assert (good.lost, good.doubled, good.changed) == (0, 0, 0)
    return opened


def spoil(folder: Path, statement: str) -> None:
    """Change the file behind the server's back."""
    connection = connect(folder / "ledger.db")
    assert connection.execute(statement).rowcount == 1
    connection.close()


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DELETE FROM kept_answers WHERE id = (SELECT max(id) FROM kept_answers)", "lost"),
        (
            "UPDATE kept_answers SET body = CAST(body || ' ' AS BLOB) WHERE id = (SELECT max(id) FROM kept_answers)",
            "changed",
        ),
        (
            'UPDATE corrections SET said = \'{"why":"1-0-1","shouldSay":"x"}\' WHERE said LIKE \'%"1-0-1"%\'',
            "changed",
        ),
        (
            "INSERT INTO events (tenant_id, at, by_kind, by_id, kind, subject_kind, subject_id, changed)"
            " SELECT tenant_id, at, by_kind, by_id, kind, subject_kind, subject_id, changed FROM events"
            " WHERE kind = 'correction.recorded' LIMIT 1",
            "doubled",
        ),
    ],
)
def test_it_notices(wire: Wire, book: Book, tmp_path: Path, statement: str, fault: str) -> None:
    spoil(tmp_path, statement)
    assert getattr(hold_to_account(wire, book), fault) > 0


def test_it_notices_a_correction_that_is_gone(wire: Wire, book: Book, tmp_path: Path) -> None:
    spoil(tmp_path, "DELETE FROM corrections WHERE id = (SELECT max(id) FROM corrections)")
    with pytest.raises(AssertionError):
        hold_to_account(wire, book)
