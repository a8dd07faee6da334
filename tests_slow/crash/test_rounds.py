"""Twenty rounds on each engine: a load of corrections with keys, kill -9 at a random moment, and the account."""

import os
from pathlib import Path

import pytest

from tests.crash.rounds import report, rounds
from tests.support.ledger import sqlite_url
from tests.support.postgres import Postgres

ROUNDS = 20
SEED = int(os.environ.get("SETRIGHT_CRASH_SEED", "1000"))
"""The first seed; another one plays other rounds."""


@pytest.mark.timeout(900)
def test_twenty_rounds_on_sqlite(tmp_path: Path) -> None:
    figures = rounds(tmp_path, sqlite_url(tmp_path), range(SEED, SEED + ROUNDS), most=1.0)
    report(f"sqlite, seeds from {SEED}", figures)
    assert figures.rounds == ROUNDS


@pytest.mark.timeout(1800)
def test_twenty_rounds_on_postgresql_some_of_which_stop_the_database(
    tmp_path: Path, server: Postgres
) -> None:
    figures = rounds(tmp_path, server.new_database(), range(SEED, SEED + ROUNDS), server, most=1.0)
    report(f"postgresql, seeds from {SEED}", figures)
    assert figures.rounds == ROUNDS
