"""Ten thousand runs on each engine, recorded while the server is down, killed and started again at random."""

import os
from pathlib import Path

import pytest

from tests.crash.recording import recorded_in_bad_weather
from tests.support.ledger import sqlite_url
from tests.support.postgres import Postgres

RUNS = 10_000
SEED = int(os.environ.get("SETRIGHT_CRASH_SEED", "1000"))


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_ten_thousand_runs(engine: str, tmp_path: Path, postgres: Postgres) -> None:
    database = sqlite_url(tmp_path) if engine == "sqlite" else postgres.new_database()
    kills = recorded_in_bad_weather(tmp_path, database, RUNS, seed=SEED, most=2.0, pace=0.02, least_kills=10)
    assert kills >= 10
