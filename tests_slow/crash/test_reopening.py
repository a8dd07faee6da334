"""Workers are killed again and again while 10,000 corrections reopen: each moves once."""

import random
from pathlib import Path

import pytest

from tests.proof.killing import (
    Workers,
    assert_each_moved_once,
    corrected_and_fixed,
    let_leases_end,
    settling,
    until,
)
from tests.proof.proving import Proving
from tests.support.ledger import Ledger, sqlite_url
from tests.support.postgres import Postgres

MANY = 10_000
AT_MOST = 2_000
"""How many corrections are moved between two kills, at most."""


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_ten_thousand_reopen_and_each_moves_once(tmp_path: Path, postgres: Postgres, engine: str) -> None:
    url = sqlite_url(tmp_path) if engine == "sqlite" else postgres.new_database()
    ledger = Ledger(url)
    proving = Proving(ledger, ledger.tenant())
    made = corrected_and_fixed(proving, MANY)
    workers, chance, kills = Workers(tmp_path, url), random.Random(7), 0
    change = proving.deploy("v3")
    while (job := settling(proving)) is not None:
        further = min(job.done_count + chance.randrange(AT_MOST), MANY)
        workers.start()
        until(lambda further=further: _is_at(proving, further))
        workers.kill()
        let_leases_end(proving)
        kills += 1
    workers.close()
    assert kills > 3
    assert_each_moved_once(proving, change.id, made)
    ledger.store.close()


def _is_at(proving: Proving, count: int) -> bool:
    job = settling(proving)
    return job is None or job.done_count >= count
