"""A ledger from before the kept counts has them once it is upgraded, on both engines."""

from pathlib import Path

import pytest

from setright.storage import migrate
from setright.storage.address import parse
from tests.corrections.tallying import RIGHT_ANSWER, WRONG_ANSWER, WRONG_CALLS, Tallied, items, plain
from tests.support.ledger import Ledger, sqlite_url
from tests.support.postgres import Postgres

BEFORE = "0004"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a ledger of the test's own."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()


def test_an_upgrade_counts_what_was_there(url: str) -> None:
    ledger = Ledger(url)
    tallied = Tallied(ledger, ledger.tenant())
    experts = tallied.make(assertableBy={"principalKinds": ["user"]}, weight=3)
    run, other = tallied.run(), tallied.run(version="v2")
    tallied.says(0, run, WRONG_CALLS)
    tallied.says(0, run, WRONG_ANSWER)
    tallied.says(1, run, items("right", "wrong"), correctorGroupId=experts.id)
    tallied.says(2, run, items("wrong", "wrong") | RIGHT_ANSWER)
    tallied.says(2, other, items("right"))
    tallied.says(3, other, {**RIGHT_ANSWER, "items": []})
    tallied.moves(tallied.says(4, other, WRONG_CALLS), sortedTo="developer")
    tallied.removes(tallied.says(5, other, WRONG_CALLS))
    for number in range(17):
        tallied.says(0, other, RIGHT_ANSWER, participantId=f"p{number}")
    before, agreed = tallied.summary(), tallied.agreement()
    ledger.store.close()

    migrate.downgrade(parse(url), BEFORE)
    upgraded = Ledger(url)
    again = Tallied(upgraded, tallied.tenant)
    assert again.faults() == []
    assert again.summary() == before
    assert plain(before.total)["corrections"] == 23
    assert again.agreement() == agreed
    assert [one.units for one in agreed.aspects] == [0, 2, 2]
    assert [(one.aspect, one.item_key) for one in agreed.data] == [("items", "0"), ("answer", None)]
    upgraded.store.close()
