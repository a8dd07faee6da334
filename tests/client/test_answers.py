"""What an answer looks like in Python."""

from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from typing import Any

import pytest

from setright.client import Correction, Run, Token
from tests.client.conftest import Asker
from tests.client.samples import CORRECTION, MOMENT, RUN
from tests.client.told_server import ToldServer


def test_a_correction_is_typed_to_its_leaves(server: ToldServer, ask: Asker) -> None:
    more = {
        "items": [
            {"key": "case-9", "verdict": "wrong", "pointer": "/matches/2", "rank": 2, "value": {"a_b": 1}}
        ],
        "fixedIn": {"version": "v2", "how": "pin", "by": {"kind": "user", "id": "usr_1"}, "at": MOMENT},
        "copy": {"input": {"a_b": 1}, "calls": RUN["calls"], "output": None},
    }
    server.says(200, {**CORRECTION, **more})
    correction: Any = ask(lambda client: client.corrections.get("cor_1"))
    assert correction == Correction.read(dict(correction.raw))
    assert (correction.subject.id, correction.made_by.kind) == ("refunds", "user")
    assert correction.created_at == datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
    assert correction.should_call[0].args == {}
    assert correction.sorted.by.kind == "rule"
    assert correction.items[0].value == {"a_b": 1}
    assert (correction.fixed_in.version, correction.fixed_in.by.id) == ("v2", "usr_1")
    assert correction.copy.calls[0].started_at == correction.created_at
    assert correction.should_say is correction.superseded_by is correction.reopened_in is None


def test_fields_of_a_newer_server_do_no_harm_and_are_in_raw(server: ToldServer, ask: Asker) -> None:
    new = {
        **CORRECTION,
        "mood": "new",
        "status": "parked",
        "madeBy": {"kind": "robot", "id": "r", "model": "m"},
    }
    server.says(200, new)
    correction = ask(lambda client: client.corrections.get("cor_1"))
    assert (correction.status, correction.made_by.kind) == ("parked", "robot")
    assert correction.raw["mood"] == "new"
    assert correction.made_by.raw["model"] == "m"


def test_what_is_absent_is_none_and_a_null_output_can_be_told_apart() -> None:
    with_null = Run.read(RUN)
    without = Run.read({name: value for name, value in RUN.items() if name != "output"})
    assert with_null.output is without.output is with_null.answer is None
    assert (with_null.has_output, without.has_output) == (True, False)
    assert with_null.finished


def test_values_of_the_caller_come_back_as_they_were(server: ToldServer, ask: Asker) -> None:
    own = {
        "one": 1,
        "one_point": 1.0,
        "big": 2**53 - 1,
        "text": "007",
        "none": None,
        "nested": [{"a_b": [True]}],
    }
    server.says(200, {**RUN, "input": own, "output": own})
    run = ask(lambda client: client.runs.get("run_1"))
    assert run.input == run.output == own
    assert [type(value) for value in run.output.values()] == [type(value) for value in own.values()]


def test_what_came_beside_the_answer_is_its_receipt(server: ToldServer, ask: Asker) -> None:
    server.says(201, CORRECTION, etag='"7"', x_request_id="req_7", idempotent_replay="true")
    server.says(200, RUN)
    receipt = ask(lambda client: client.corrections.create(run_id="run_1", answer="right")).receipt
    assert (receipt.status, receipt.etag, receipt.request_id, receipt.replayed) == (201, '"7"', "req_7", True)
    assert ask(lambda client: client.runs.get("run_1")).receipt.replayed is False


def test_an_answer_cannot_be_changed_and_equals_another_with_the_same_fields() -> None:
    run = Run.read(RUN)
    assert run == Run.read({**RUN, "new": 1})
    with pytest.raises(FrozenInstanceError):
        run.status = "failed"  # pyright: ignore[reportAttributeAccessIssue]


def test_a_removal_that_answers_nothing_gives_none(server: ToldServer, ask: Asker) -> None:
    server.says(204)
    assert ask(lambda client: client.projects.members.remove("default", "usr_1")) is None


def test_a_secret_is_not_in_what_a_token_prints() -> None:
    token = Token.read({"id": "tok_1", "kind": "service", "name": "ci", "secret": "srt_secret"})
    assert token.secret == "srt_secret"
    assert "srt_secret" not in repr(token)
