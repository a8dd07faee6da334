"""An erasure and a passing of retention are killed under load, and nothing is half done afterwards."""

from pathlib import Path

from tests.backup.places import sound
from tests.crash.leaving import FEW, leaving_rounds
from tests.crash.rounds import report
from tests.support.ledger import sqlite_url
from tests.support.postgres import Postgres

SEEDS = range(1, 2)


def test_what_leaves_on_sqlite_has_left_after_a_kill(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    _, figures = leaving_rounds(tmp_path, url, SEEDS, FEW, most=0.2)
    report("sqlite, leaving", figures)
    assert sound(url)


def test_what_leaves_on_postgresql_has_left_after_a_kill(tmp_path: Path, postgres: Postgres) -> None:
    url = postgres.new_database()
    _, figures = leaving_rounds(tmp_path, url, SEEDS, FEW, most=0.2)
    report("postgresql, leaving", figures)
    assert sound(url)
