"""Ten rounds on each engine: three runners on one test run, two of them killed at a random moment."""

import os
from pathlib import Path

import pytest

from setright.client import Setright
from tests.client.real_server import RealServer
from tests.client.runner.killing import a_round, corrected
from tests.support.postgres import Postgres

ROUNDS = 10
SEED = int(os.environ.get("SETRIGHT_CRASH_SEED", "1000"))


@pytest.mark.timeout(900)
@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_ten_rounds(engine: str, tmp_path: Path, postgres: Postgres) -> None:
    serving = RealServer(tmp_path, postgres.new_database() if engine == "postgresql" else None)
    try:
        with Setright(serving.url, serving.token) as client:
            agent_id = corrected(client)
            for seed in range(SEED, SEED + ROUNDS):
                a_round(serving, client, agent_id, seed)
    finally:
        serving.close()
