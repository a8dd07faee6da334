"""Two hundred recorded runs and a server that comes and goes; `./dev crash` has ten thousand."""

from pathlib import Path

from tests.crash.recording import recorded_in_bad_weather
from tests.support.ledger import sqlite_url


def test_every_run_arrives_once_however_often_the_server_is_killed(tmp_path: Path) -> None:
    kills = recorded_in_bad_weather(
        tmp_path, sqlite_url(tmp_path), 200, seed=1, most=0.3, pace=0.02, least_kills=3
    )
    assert kills >= 3
