"""SQLite prepares a statement of ours once, whatever values it is given."""

from pathlib import Path

import pytest
from sqlalchemy import bindparam, select

from setright.storage import Sql, sqlite
from setright.storage.kept import marks

NAMES = select(marks.c.name).order_by(marks.c.name)


@pytest.mark.parametrize(
    "statement",
    [
        Sql(NAMES.limit(bindparam("count"))),
        Sql(NAMES.where(marks.c.name > "").limit(3)),
        Sql(select(NAMES.limit(bindparam("count")).subquery())),
    ],
)
def test_another_limit_is_no_reason_to_prepare_again(statement: Sql, tmp_path: Path) -> None:
    file = tmp_path / "marks.db"
    file.touch()
    connection = sqlite.connect(file)
    connection.execute("CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT)")
    connection.executemany("INSERT INTO marks VALUES (?, '')", [(str(number),) for number in range(9)])
    asked: list[object] = []
    connection.set_authorizer(lambda *what: asked.append(what) or 0)
    compiled = statement.compiled("sqlite")
    seen = [
        len(connection.execute(compiled.text, {**compiled.values, "count": count}).fetchall())
        for count in (3, 3)
    ]
    assert (seen, bool(asked)) == ([3, 3], True)
    asked.clear()
    found = connection.execute(compiled.text, {**compiled.values, "count": 4}).fetchall()
    assert asked == []
    assert len(found) in (3, 4)
    connection.close()
