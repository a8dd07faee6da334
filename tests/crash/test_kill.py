"""Three rounds with fixed seeds on each engine; `./dev crash` plays many more."""

from pathlib import Path

from tests.crash.rounds import report, rounds
from tests.support.ledger import sqlite_url
from tests.support.postgres import Postgres


def test_nothing_acknowledged_is_lost_when_the_server_is_killed_on_sqlite(tmp_path: Path) -> None:
    figures = rounds(tmp_path, sqlite_url(tmp_path), range(1, 4), most=0.3)
    report("sqlite, fixed seeds", figures)
    assert figures.rounds == 3
    assert figures.acknowledged > 3


def test_nothing_acknowledged_is_lost_when_the_server_is_killed_on_postgresql(
    tmp_path: Path, postgres: Postgres
) -> None:
    figures = rounds(tmp_path, postgres.new_database(), range(1, 4), most=0.3)
    report("postgresql, fixed seeds", figures)
    assert figures.rounds == 3
    assert figures.acknowledged > 3
