"""On SQLite what is wanted of a run, or by its id, is looked up, and not searched for in the whole tenant."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from setright.corrections import reviewing, testing
from setright.storage import Sql
from setright.storage.open import create_or_upgrade
from setright.storage.sqlite import connect

WANTED = {
    "blind": reviewing.BLIND,
    "standing": reviewing.STANDING,
    "held": reviewing.HELD,
    **{
        f"{count} by {column}": testing.these(column, count)
        for column in ("run", "id")
        for count in (1, 3, 50)
    },
    **{f"whole {count}": testing.whole(count) for count in (1, 3, 50)},
    **{f"that are {count}": testing.that_are(("open",), count) for count in (1, 3, 50)},
}


@pytest.mark.parametrize("statement", WANTED.values(), ids=WANTED)
def test_corrections_of_a_run_or_by_id_are_looked_up(tmp_path: Path, statement: Sql) -> None:
    create_or_upgrade(str(tmp_path / "l.db"))
    text = statement.compiled("sqlite").text
    names = dict.fromkeys(re.findall(r":(\w+)", text))
    with closing(connect(tmp_path / "l.db")) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", names)]
    steps = [step for step in plan if "corrections" in step]
    assert steps
    assert all("run_id=?" in step or "(id=?)" in step for step in steps), plan
