"""Texts are found by what they mean, over HTTP, with the model of the extra `embed`."""

import time
from collections.abc import Iterator

import pytest

from setright.storage.open import create_or_upgrade
from tests.http.support import Api, Caller, open_api
from tests.knowledge.reading_room import HOUSE, KING, a_line, a_token
from tests.support.ledger import sqlite_url

SHEEP = a_line("2", a_token("udu", sense="sheep"), translation="Sheep were brought to the storehouse.")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def meaning_api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The application on each engine, with that model, and with a worker."""
    if request.param == "sqlite":
        url = sqlite_url(tmp_path_factory.mktemp("meaning"))
    else:
        url = request.getfixturevalue("postgres").new_database()
    create_or_upgrade(url)
    opened = open_api(url, semantic_search="on")
    opened.app.worker.start()
    yield opened
    opened.close()


@pytest.fixture
def reader(meaning_api: Api) -> Caller:
    """The admin of a new tenant with a text that the model has read."""
    tenant = meaning_api.tenant()
    tenant.text(lines=[a_line("1", KING, HOUSE, translation="The king: his house."), SHEEP])
    wait_until_read(tenant)
    return tenant


def wait_until_read(reader: Caller) -> None:
    """Have the job done now that comes every minute, and wait for it."""
    worker, meanings = reader.app.worker, reader.app.performer.meanings
    assert meanings is not None
    meanings._fresh = 0
    kind = meanings.kinds()["embed-lines"]
    assert kind.before is not None
    kind.before()
    assert worker is not None
    cursor = None
    until = time.monotonic() + 60
    while time.monotonic() < until:
        batch = reader.app.store.write(lambda tx, cursor=cursor: kind.batch(tx, {}, cursor)).result(30)
        cursor = batch.cursor
        if batch.is_last:
            return
    raise AssertionError("it was not read")


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_another_word_for_it_finds_the_line(reader: Caller, mode: str) -> None:
    told = reader.get(f"/v1/search?q=livestock&types=line&mode={mode}").json()
    assert told["data"]["hits"][0]["target"] == "o.2"
    assert "Sheep were brought" in told["summary"]
    assert "degraded" not in told
    assert reader.get("/v1/search?q=livestock&types=line&mode=lexical").json()["data"]["hits"] == []


def test_a_correction_is_found_by_what_it_means(reader: Caller) -> None:
    asked = "/v1/search?q=bread+baker&types=line&mode=semantic"
    number = reader.get("/v1/artifacts/P1/tokens/o.2.1/interpretation").json()["interactionId"]
    said = {"claim": "It means sheep.", "correction": "loaves of the bakery"}
    assert reader.post(f"/v1/interactions/{number}/corrections", said).status_code == 201
    assert "recently" in reader.get(asked).json()["degraded"]
    wait_until_read(reader)
    told = reader.get(asked).json()
    assert told["data"]["hits"][0]["target"] == "o.2"
    assert "loaves of the bakery" in told["summary"]
    assert "degraded" not in told


def test_what_was_erased_means_nothing_any_more(meaning_api: Api, reader: Caller) -> None:
    scribe = reader.user("scribe", role="write")
    number = scribe.get("/v1/artifacts/P1/tokens/o.2.1/interpretation").json()["interactionId"]
    said = {"claim": "It means sheep.", "correction": "quantum physics laboratory"}
    assert scribe.post(f"/v1/interactions/{number}/corrections", said).status_code == 201
    wait_until_read(reader)
    asked = "/v1/search?q=quantum+physics&types=line&mode=semantic"
    assert reader.get(asked).json()["data"]["hits"][0]["target"] == "o.2"
    body = {"userId": scribe.id, "words": "erase", "reason": "asked for it"}
    assert reader.post("/v1/erasures", body).status_code == 202
    until = time.monotonic() + 60
    found = reader.get(asked).json()
    while found["data"]["hits"] and time.monotonic() < until:
        wait_until_read(reader)
        found = reader.get(asked).json()
    assert found["data"]["hits"] == []
    assert "quantum" not in reader.get("/v1/artifacts/P1/summary").json()["summary"]


def test_another_tenant_finds_nothing_of_it(meaning_api: Api, reader: Caller) -> None:
    assert meaning_api.tenant().get("/v1/search?q=livestock").json()["data"]["hits"] == []
