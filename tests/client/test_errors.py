"""What a refusal, or an answer that is not ours, looks like to the caller."""

import pickle
from typing import Any

import pytest

from setright.client import (
    BatchIncomplete,
    ChangedMeanwhile,
    Conflict,
    Fault,
    Gone,
    InvalidRequest,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    RateLimited,
    Refused,
    ServerFailed,
    SetrightError,
    TooLarge,
    Unavailable,
    Unexpected,
)
from tests.client.conftest import Asker
from tests.client.samples import RUN
from tests.client.told_server import ToldServer


def read(client: Any) -> Any:
    return client.runs.get("run_1")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InvalidRequest),
        (401, NotAuthenticated),
        (403, NotAllowed),
        (404, NotFound),
        (405, Refused),
        (409, Conflict),
        (410, Gone),
        (412, ChangedMeanwhile),
        (413, TooLarge),
        (415, Refused),
        (429, RateLimited),
        (500, ServerFailed),
        (501, Refused),
    ],
)
def test_each_status_has_its_class(server: ToldServer, ask: Asker, status: int, kind: type[Refused]) -> None:
    server.refuses(status, "some-code", "Because.", {"more": 1})
    with pytest.raises(Refused) as raised:
        ask(read, retries=0)
    refused = raised.value
    assert type(refused) is kind
    assert (refused.status, refused.code, refused.message) == (status, "some-code", "Because.")
    assert (refused.details, refused.request_id, refused.faults) == ({"more": 1}, "req_1", ())


def test_every_fault_is_read_on_a_line_of_its_own(server: ToldServer, ask: Asker) -> None:
    faults = [
        {"pointer": "/shouldCall/0/tool", "fault": "is too short", "allowed": "at least 1 character"},
        {"pointer": "", "fault": "needs decisions, answer or items"},
    ]
    server.refuses(400, "invalid-body", "/shouldCall/0/tool: is too short (and 1 more).", {"faults": faults})
    with pytest.raises(InvalidRequest) as raised:
        ask(lambda client: client.corrections.create(run_id="run_1", decisions="wrong"))
    assert raised.value.faults[0] == Fault("/shouldCall/0/tool", "is too short", "at least 1 character")
    assert str(raised.value).splitlines() == [
        "/shouldCall/0/tool: is too short (and 1 more). [400 invalid-body]",
        "  /shouldCall/0/tool: is too short (allowed: at least 1 character)",
        "  the whole body: needs decisions, answer or items",
        "  request req_1",
    ]


def test_a_fault_of_a_parameter_is_named_by_the_parameter(server: ToldServer, ask: Asker) -> None:
    faults = [{"parameter": "limit", "fault": "is too large", "allowed": "100 or less"}]
    server.refuses(400, "invalid-parameter", "limit: is too large.", {"faults": faults})
    with pytest.raises(InvalidRequest, match=r"  limit: is too large \(allowed: 100 or less\)") as raised:
        ask(lambda client: client.runs.page(limit=500))
    assert (raised.value.faults[0].pointer, raised.value.faults[0].parameter) == (None, "limit")


@pytest.mark.parametrize("details", [{"faults": "none"}, {"faults": ["text", 1]}, "text", [1], 7])
def test_details_of_another_shape_do_no_harm(server: ToldServer, ask: Asker, details: Any) -> None:
    server.refuses(400, "invalid-body", "No.", details)
    with pytest.raises(InvalidRequest, match="No") as raised:
        ask(read)
    assert raised.value.faults == ()


@pytest.mark.parametrize("status", [200, 403, 404, 500])
def test_the_page_of_a_proxy_is_unexpected_whatever_its_status(
    server: ToldServer, ask: Asker, status: int
) -> None:
    server.says(status, b"<html>Sign in</html>", content_type="text/html", x_request_id="req_9")
    with pytest.raises(Unexpected, match=rf"answered {status} .*text/html.* Setright server") as raised:
        ask(read)
    assert raised.value.body == "<html>Sign in</html>"
    assert (raised.value.status, raised.value.request_id) == (status, "req_9")


@pytest.mark.parametrize(
    "envelope",
    [[], {"error": "text"}, {"error": {"code": 1, "message": "x"}}, {"detail": "Not Found"}, "x", 3],
)
def test_a_refusal_in_another_form_is_unexpected(server: ToldServer, ask: Asker, envelope: Any) -> None:
    server.says(404, envelope)
    with pytest.raises(Unexpected):
        ask(read)


def test_a_redirect_is_not_followed_and_says_where_it_points(server: ToldServer, ask: Asker) -> None:
    server.says(308, location="https://elsewhere.test/v1/runs/run_1")
    with pytest.raises(Unexpected, match=r"points to https://elsewhere\.test"):
        ask(read)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ([], "Run is"),
        (None, "Run is None"),
        ({**RUN, "id": 7}, "Run.id is 7"),
        ({**RUN, "subject": "refunds"}, "Subject is 'refunds'"),
        ({**RUN, "createdAt": "2026-11-30T10:00:00"}, "Run.createdAt"),
        ({**RUN, "tags": "one"}, "Run.tags"),
        ({**RUN, "callCount": True}, "Run.callCount is True"),
        ({name: value for name, value in RUN.items() if name != "status"}, "Run.status is None"),
    ],
)
def test_a_good_status_with_something_else_than_the_contract_says_is_unexpected(
    server: ToldServer, ask: Asker, answer: Any, place: str
) -> None:
    server.says(200, answer)
    with pytest.raises(Unexpected, match=place):
        ask(read)


def test_json_that_is_nested_without_end_is_unexpected(server: ToldServer, ask: Asker) -> None:
    server.says(200, b"[" * 100_000)
    with pytest.raises(Unexpected):
        ask(read)


def test_an_unreadable_answer_to_a_write_tells_the_key_to_go_on_with(server: ToldServer, ask: Asker) -> None:
    server.says(201, b"<html>")
    with pytest.raises(Unexpected) as raised:
        ask(lambda client: client.corrections.create(run_id="run_1", answer="right"))
    assert raised.value.key == server.asked[0].key


@pytest.mark.parametrize(
    "error",
    [
        InvalidRequest(400, "invalid-body", "No.", details={"faults": [{"pointer": "/why", "fault": "is"}]}),
        Unavailable("http://h", OSError("gone"), 3, "gone"),
        Unexpected("What?", status=200, body="<html>"),
        BatchIncomplete([], [0, 1], "k", Unexpected("What?", status=200)),
    ],
)
def test_an_error_crosses_to_another_process_whole(error: SetrightError) -> None:
    error.key = "k"
    other = pickle.loads(pickle.dumps(error))
    assert type(other) is type(error)
    assert (str(other), other.key) == (str(error), "k")
