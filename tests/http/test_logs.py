"""Logs: a line for each call with what an operator needs, and nothing that anybody sent."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from setright.app.settings import Settings
from setright.faces.http.logs import LIBRARIES, FromLibraries, Lines, open_log, pass_on, quiet_log
from tests.http.conftest import new_sqlite
from tests.http.support import Api, a_correction, open_api


@pytest.fixture
def logging_api(tmp_path: Path) -> Any:
    api = open_api(new_sqlite(tmp_path), slow_call_ms=10_000)
    yield api
    api.close()


def lines(api: Api) -> list[dict[str, Any]]:
    return [json.loads(line) for line in api.logged.splitlines()]


def test_a_line_for_each_call(logging_api: Api) -> None:
    caller = logging_api.tenant()
    caller.get("/v1/runs/secret-run?callsLimit=5", headers={"x-request-id": "mine"})
    logging_api.client.get("/v1/nowhere")
    told, lost = lines(logging_api)
    assert told.pop("ms") >= 0
    assert told.pop("at").endswith("Z")
    assert told == {
        "event": "call",
        "level": "info",
        "request_id": "mine",
        "tenant_id": caller.tenant_id,
        "method": "GET",
        "route": "/v1/runs/{runId}",
        "status": 404,
    }
    assert (lost["status"], "route" in lost, "tenant_id" in lost) == (404, False, False)


def test_nothing_that_was_sent_is_logged(logging_api: Api) -> None:
    caller = logging_api.tenant()
    run_id = caller.run("run-of-a-customer", input="words of a customer")
    caller.keyed("key-of-a-customer", "/v1/corrections", a_correction(run_id, why="more words"))
    caller.get("/v1/corrections?participantId=customer-7")
    caller.post("/v1/corrections", content=b'{"words": ', headers={"content-type": "application/json"})
    logged = logging_api.logged
    assert logged.count("\n") == 4
    for text in (caller.token, "customer", "words", "Bearer"):
        assert text not in logged


def test_slow_calls_are_told_apart(tmp_path: Path) -> None:
    api = open_api(new_sqlite(tmp_path), slow_call_ms=1)
    caller = api.tenant()
    for _ in range(3):
        caller.run()
    slow = [line for line in lines(api) if line["event"] == "slow call"]
    assert all((line["level"], line["route"]) == ("warning", "/v1/runs") for line in slow)
    assert all(line["ms"] >= 1 for line in slow)
    assert {line["event"] for line in lines(api) if line["ms"] < 1} <= {"call"}
    api.close()


def test_the_level_leaves_lines_out(tmp_path: Path) -> None:
    api = open_api(new_sqlite(tmp_path), log_level="warning", slow_call_ms=10_000)
    api.tenant().get("/v1/me")
    assert api.logged == ""
    api.close()


def test_people_get_words(tmp_path: Path) -> None:
    api = open_api(new_sqlite(tmp_path), log_format="text")
    api.tenant().get("/v1/me")
    assert "call" in api.logged
    with pytest.raises(json.JSONDecodeError):
        lines(api)
    api.close()


def test_lines_are_written_together_while_a_loop_runs() -> None:
    class Counting(io.StringIO):
        writes = 0

        def write(self, text: str) -> int:
            self.writes += 1
            return super().write(text)

    stream = Counting()

    async def run() -> None:
        log = open_log(Settings(log_format="json"), Lines(stream), terminal=False)
        for number in range(50):
            log.info("call", number=number)
        assert stream.writes == 0
        await asyncio.sleep(0.2)

    asyncio.run(run())
    assert stream.writes == 1
    assert len(stream.getvalue().splitlines()) == 50


def test_the_quiet_log_tells_crashes_only(capsys: pytest.CaptureFixture[str]) -> None:
    log = quiet_log()
    log.info("call", status=200)
    log.error("crash", error="x")
    assert "crash" in capsys.readouterr().err


def test_what_uvicorn_says_is_passed_on_without_what_an_exception_says() -> None:
    stream = io.StringIO()
    logger = logging.getLogger("uvicorn.of-a-test")
    logger.propagate = False
    logger.addHandler(FromLibraries(open_log(Settings(log_format="json"), Lines(stream), terminal=False)))
    logger.info("started")
    try:
        raise ValueError("words of a customer")
    except ValueError:
        logger.exception("Exception in ASGI application\n")
    (line,) = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert (line["event"], line["level"], line["error"]) == (
        "Exception in ASGI application",
        "error",
        "ValueError",
    )
    assert "customer" not in stream.getvalue()


@pytest.fixture
def libraries() -> Iterator[None]:
    """Give the libraries' loggers back as they were."""
    loggers = [logging.getLogger(name) for name in LIBRARIES]
    before = [(logger, list(logger.handlers), logger.propagate) for logger in loggers]
    yield
    for logger, handlers, propagate in before:
        logger.handlers[:], logger.propagate = handlers, propagate


@pytest.mark.usefixtures("libraries")
def test_whatever_a_library_says_is_a_line_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    pass_on(open_log(Settings(log_format="json"), Lines(stream), terminal=False))
    for name in ("uvicorn.error", "psycopg.pool"):
        logging.getLogger(name).warning("discarding %s", "a connection")
    logging.getLogger("asyncio").error("Exception in callback received(b'words of a customer')")
    told = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(line["logger"], line["event"]) for line in told] == [
        ("uvicorn.error", "discarding a connection"),
        ("psycopg.pool", "discarding a connection"),
        ("asyncio", "trouble in the event loop"),
    ]
    assert "customer" not in stream.getvalue() + capsys.readouterr().err
