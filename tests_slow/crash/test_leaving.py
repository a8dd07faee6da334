"""Rounds on each engine: an erasure and a passing of retention under load, kill -9 at a random moment, and both finished."""

import os
from pathlib import Path

import pytest

from tests.backup.places import sound
from tests.crash.leaving import MANY, leaving_rounds
from tests.crash.rounds import report
from tests.support.ledger import sqlite_url
from tests.support.postgres import Postgres

ROUNDS = 8
SEED = int(os.environ.get("SETRIGHT_CRASH_SEED", "1000"))


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_what_leaves_has_left_however_often_it_is_killed(
    engine: str, tmp_path: Path, postgres: Postgres
) -> None:
    url = sqlite_url(tmp_path) if engine == "sqlite" else postgres.new_database()
    leaving, figures = leaving_rounds(tmp_path, url, range(SEED, SEED + ROUNDS), MANY, most=0.6)
    report(f"{engine}, leaving, {leaving.interrupted} jobs interrupted", figures)
    assert leaving.interrupted
    assert sound(url)
