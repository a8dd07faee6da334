"""The database goes away while the server runs: every request is told so, and the same key works when it is back."""

import io
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from setright.app.settings import Settings
from setright.faces.http.guard import Guard
from setright.faces.http.logs import Lines, open_log
from setright.faces.http.metrics import Metrics
from setright.storage.open import create_or_upgrade
from tests.concurrency.wire import Serving, Told, Wire, a_run
from tests.http.support import Served
from tests.support.ledger import sqlite_url

_NUMBERS = count(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the file is."""
    return tmp_path_factory.mktemp("trouble")


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    """A server on the file."""
    create_or_upgrade(sqlite_url(folder))
    opened = Serving(sqlite_url(folder))
    yield opened
    opened.close()


@pytest.fixture
def wire(serving: Serving) -> Wire:
    """The admin of a new tenant, whom the server has met."""
    wire = serving.tenant(f"trouble-{next(_NUMBERS)}")
    wire.get("/v1/me")
    return wire


@pytest.fixture
def gone(wire: Wire, folder: Path) -> Iterator[Any]:
    """The file is away; the fixture's value brings it back."""
    path = folder / "ledger.db"
    away = path.rename(folder / "elsewhere.db")

    def bring_back() -> None:
        if not path.exists():
            away.rename(path)

    yield bring_back
    bring_back()


def told_of_trouble(told: Told, code: str) -> None:
    """The answer is a 503 that says why and when to come again."""
    assert (told.status, told.code) == (503, code), told.content
    assert int(told.headers["retry-after"]) >= 1
    assert told.json["error"]["details"]["reason"] == "the database file is gone"
    assert told.headers["x-request-id"] == told.json["error"]["requestId"]


def test_a_keyed_write_is_told_that_nothing_ran_and_its_key_works_later(wire: Wire, gone: Any) -> None:
    told_of_trouble(wire.send("POST", "/v1/runs", a_run(), "key"), "idempotency-store-unavailable")
    gone()
    first = wire.send("POST", "/v1/runs", a_run(), "key")
    again = wire.send("POST", "/v1/runs", a_run(), "key")
    assert (first.status, first.content) == (again.status, again.content) == (201, first.content)
    assert "idempotent-replay" not in first.headers
    assert len(wire.all("/v1/runs")) == 1


def test_a_faulty_body_under_a_key_is_judged_only_when_its_kept_answer_can_be_read(
    wire: Wire, gone: Any
) -> None:
    told_of_trouble(wire.send("POST", "/v1/runs", {"x": 1}, "key"), "idempotency-store-unavailable")
    gone()
    assert wire.send("POST", "/v1/runs", {"x": 1}, "key").code == "invalid-body"


def test_writes_without_a_key_and_reads_are_told_as_well(wire: Wire, gone: Any) -> None:
    told_of_trouble(wire.send("POST", "/v1/runs", a_run()), "storage-unavailable")
    for path in ("/v1/me", "/v1/runs", "/v1/corrections/cor_x", "/v1/events"):
        told_of_trouble(wire.send("GET", path), "storage-unavailable")
    assert wire.send("GET", "/healthz").status == 200
    assert wire.send("GET", "/readyz").status == 503
    gone()
    assert wire.send("GET", "/readyz").status == 200
    assert wire.all("/v1/runs") == []


def test_an_unknown_token_is_not_called_invalid_while_nobody_can_look_it_up(
    serving: Serving, gone: Any
) -> None:
    gone()
    fresh = serving.tenant(f"unmet-{next(_NUMBERS)}")
    folder = Path(serving.app.settings.database.removeprefix("sqlite:///")).parent
    away = (folder / "ledger.db").rename(folder / "elsewhere.db")
    told_of_trouble(fresh.send("GET", "/v1/me"), "storage-unavailable")
    away.rename(folder / "ledger.db")
    assert fresh.send("GET", "/v1/me").status == 200


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_crash_is_answered_in_the_envelope_and_logged_whatever_the_logs_form(
    serving: Serving, form: str
) -> None:
    async def crash(_: Any) -> Any:
        raise RuntimeError("the customer's words")

    written = io.StringIO()
    log = open_log(Settings(log_format=form), Lines(written), terminal=False)
    guard: Any = Guard(serving.app, crash, Metrics(serving.app), log)
    served = Served(guard)
    told = Wire(served.port, "t").send("GET", "/v1/me")
    served.stop()
    assert (told.status, told.code) == (500, "internal-error")
    assert "RuntimeError" in written.getvalue()
    assert "words" not in written.getvalue() + told.content.decode()
