"""On SQLite what a lesson is held against is looked up by its rule, and not searched for in a tenant or an agent's rules."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from setright.lessons import reading, similar, store
from setright.storage import Sql
from setright.storage.open import create_or_upgrade
from setright.storage.sqlite import connect

SPACES = (None, 1, 2, 8)
LOOKED_UP = {
    **{f"same {some}": (store.says_the_same(some), "rule_key=?") for some in SPACES},
    **{f"sharing {count}": (similar.sharing(count), "word=?") for count in (1, 12)},
    **{f"these {count}": (similar.these(count), "id=?") for count in (1, 8, 64)},
    **{
        f"skeleton {agent} {space} {some}": (similar.with_skeleton(agent, space, some), "skeleton_key=?")
        for agent in (True, False)
        for space in (True, False)
        for some in SPACES
    },
    **{f"guarding {some}": (reading.guarding_rules(some), "ix_lessons_guard") for some in SPACES},
    **{f"rules {some}": (reading.rules_behind(some), "ix_lessons_in_force") for some in SPACES},
    **{f"ending {some}": (reading.ending_rules(some), "ix_lessons_ending") for some in SPACES},
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("plans") / "l.db"
    create_or_upgrade(str(made))
    return made


@pytest.mark.parametrize(("statement", "by"), LOOKED_UP.values(), ids=LOOKED_UP)
def test_rules_are_looked_up(file: Path, statement: Sql, by: str) -> None:
    text = statement.compiled("sqlite").text
    names = dict.fromkeys(re.findall(r":(\w+)", text))
    with closing(connect(file)) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", names)]
    steps = [step for step in plan if "lessons" in step or "rule_words" in step]
    assert steps
    assert all(by in step for step in steps), plan
