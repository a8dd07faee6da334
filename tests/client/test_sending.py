"""What goes over the wire for each call."""

import inspect
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from setright.client import AsyncSetright, Setright
from tests.client.conftest import Asker
from tests.client.samples import CORRECTION, MOMENT, RUN, SUBJECT
from tests.client.told_server import ToldServer


def test_the_token_and_the_json_type_go_with_every_write(server: ToldServer, ask: Asker) -> None:
    server.says(201, RUN)
    ask(lambda client: client.runs.create(subject=SUBJECT))
    headers = server.asked[0].headers
    assert headers["authorization"] == "Bearer secret"
    assert headers["content-type"] == "application/json"
    assert headers["accept"] == "application/json"
    assert headers["user-agent"].startswith("setright-python/")


def test_our_names_become_the_names_of_the_wire_and_the_callers_own_stay(
    server: ToldServer, ask: Asker
) -> None:
    server.says(201, CORRECTION)
    ask(
        lambda client: client.corrections.create(
            run_id="run_1",
            decisions="wrong",
            should_call=[
                {
                    "tool": "refund",
                    "args": {"order_id": 7, "any_of": 1},
                    "match": {"order_id": {"any_of": [7, 8]}, "/any_of": {"optional": True}},
                }
            ],
            must_not_call=["close_ticket"],
            answer="wrong",
            should_say="In 14 days.",
            answer_match={"how": "contains", "in": "messages", "values": ["14"]},
            items=[{"key": "a_b", "verdict": "right"}],
            calls_match="exactly",
            participant_id="p_1",
        )
    )
    assert (server.asked[0].method, server.asked[0].path) == ("POST", "/v1/corrections")
    assert server.asked[0].json == {
        "runId": "run_1",
        "decisions": "wrong",
        "shouldCall": [
            {
                "tool": "refund",
                "args": {"order_id": 7, "any_of": 1},
                "match": {"order_id": {"anyOf": [7, 8]}, "/any_of": {"optional": True}},
            }
        ],
        "mustNotCall": ["close_ticket"],
        "answer": "wrong",
        "shouldSay": "In 14 days.",
        "answerMatch": {"how": "contains", "in": "messages", "values": ["14"]},
        "items": [{"key": "a_b", "verdict": "right"}],
        "callsMatch": "exactly",
        "participantId": "p_1",
    }


def test_a_groups_scope_and_restriction_are_written_as_on_the_wire_and_none_lifts(
    server: ToldServer, ask: Asker
) -> None:
    group = {"id": "grp_1", "name": "g", "scope": {"kind": "tenant"}, "weight": 2, "status": "active"}
    server.says(201, group)
    server.says(200, group)
    scope = {"kind": "agent", "project_id": "p", "agent_id": "a_b"}
    by = {"min_reviewer_role": "senior", "principal_ids": ["usr_1"]}
    made = ask(lambda client: client.corrector_groups.create(name="g", scope=scope, assertable_by=by))
    ask(lambda client: client.corrector_groups.change("grp_1", if_match='"7"', assertable_by=None))
    assert made.weight == 2
    assert server.asked[0].json == {
        "name": "g",
        "scope": {"kind": "agent", "projectId": "p", "agentId": "a_b"},
        "assertableBy": {"minReviewerRole": "senior", "principalIds": ["usr_1"]},
    }
    assert server.asked[1].json == {"assertableBy": None}
    assert server.asked[1].headers["if-match"] == '"7"'


def test_a_whole_run_may_stand_in_a_correction(server: ToldServer, ask: Asker) -> None:
    server.says(201, CORRECTION)
    started = datetime(2026, 11, 30, 12, 0, tzinfo=timezone(timedelta(hours=2)))
    run = {"subject": SUBJECT, "calls": [{"tool": "t", "started_at": started}], "input": {"user_id": 1}}
    ask(lambda client: client.corrections.create(run=run, answer="right"))
    assert server.asked[0].json == {
        "run": {
            "subject": SUBJECT,
            "calls": [{"tool": "t", "startedAt": "2026-11-30T10:00:00Z"}],
            "input": {"user_id": 1},
        },
        "answer": "right",
    }


def test_an_output_of_none_is_an_output_and_a_field_that_is_left_out_is_not_sent(
    server: ToldServer, ask: Asker
) -> None:
    server.says(200, RUN)
    server.says(200, RUN)
    ask(lambda client: client.runs.finish("run_1", status="completed", output=None))
    ask(lambda client: client.runs.finish("run_1", status="failed"))
    assert server.asked[0].json == {"status": "completed", "output": None}
    assert server.asked[1].json == {"status": "failed"}


def test_what_came_as_an_answer_can_be_sent_again(server: ToldServer, ask: Asker) -> None:
    server.says(200, RUN)
    server.says(201, RUN)
    run = ask(lambda client: client.runs.get("run_1"))
    ask(lambda client: client.runs.create(subject=run.subject, calls=run.calls))
    assert server.asked[1].json == {"subject": SUBJECT, "calls": RUN["calls"]}


def test_calls_are_added_at_a_position(server: ToldServer, ask: Asker) -> None:
    server.says(200, RUN)
    ask(lambda client: client.runs.append_calls("run_1", 2, [{"tool": "t", "ended_at": MOMENT}]))
    assert (server.asked[0].method, server.asked[0].path) == ("POST", "/v1/runs/run_1/calls")
    assert server.asked[0].json == {"position": 2, "calls": [{"tool": "t", "endedAt": MOMENT}]}


@pytest.mark.parametrize(
    ("own", "sent"),
    [
        ("a/b", "a%2Fb"),
        ("a%2Fb", "a%252Fb"),
        ("ä ?#", "%C3%A4%20%3F%23"),
        ("...", "..."),
        ("a+b;c", "a%2Bb%3Bc"),
        ("a/../b", "a%2F..%2Fb"),
    ],
)
def test_an_identifier_is_one_segment_of_the_path_whatever_it_holds(
    server: ToldServer, ask: Asker, own: str, sent: str
) -> None:
    server.says(200, RUN)
    ask(lambda client: client.runs.get(own))
    assert server.asked[0].path == f"/v1/runs/{sent}"


@pytest.mark.parametrize("own", ["", ".", "..", "\ud800"])
def test_an_identifier_that_no_path_can_hold_is_refused_by_name(
    server: ToldServer, ask: Asker, own: str
) -> None:
    with pytest.raises(ValueError, match="run_id is"):
        ask(lambda client: client.runs.get(own))
    with pytest.raises(ValueError, match="principal_id is"):
        ask(lambda client: client.projects.members.remove("default", own))
    assert server.asked == []


def test_filters_are_encoded_and_several_values_repeat_the_parameter(server: ToldServer, ask: Asker) -> None:
    server.says(200, {"data": [], "hasMore": False})
    since = datetime(2026, 11, 30, 10, tzinfo=UTC)
    ask(
        lambda client: client.corrections.page(
            agent_id="a&b=c",
            status=["open", "fixed"],
            expert=True,
            since=since,
            include_unregistered=False,
            run_id=None,
            limit=5,
        )
    )
    assert server.asked[0].path == (
        "/v1/corrections?agentId=a%26b%3Dc&status=open&status=fixed&expert=true"
        "&since=2026-11-30T10%3A00%3A00Z&includeUnregistered=false&limit=5"
    )


def test_a_time_without_a_zone_is_refused_before_anything_is_sent(server: ToldServer, ask: Asker) -> None:
    naive = datetime(2026, 11, 30, 10, tzinfo=UTC).replace(tzinfo=None)
    with pytest.raises(ValueError, match="no time zone"):
        ask(lambda client: client.corrections.page(since=naive))
    with pytest.raises(ValueError, match="no time zone"):
        ask(lambda client: client.runs.create(subject=SUBJECT, calls=[{"tool": "t", "started_at": naive}]))
    assert server.asked == []


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a/b": [1, float("nan")]}, r"/input/a~1b/1 is nan, which JSON cannot carry"),
        ({"when": datetime.now(UTC)}, r"/input/when is a datetime, which JSON cannot carry"),
        ({1, 2}, r"/input is a set, which JSON cannot carry"),
    ],
)
def test_what_json_cannot_carry_is_refused_with_its_place(
    server: ToldServer, ask: Asker, value: Any, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        ask(lambda client: client.runs.create(subject=SUBJECT, input=value))
    assert server.asked == []


def test_a_lone_surrogate_is_sent_as_its_escape_so_that_the_server_can_name_the_field(
    server: ToldServer, ask: Asker
) -> None:
    server.refuses(400, "invalid-body")
    with pytest.raises(Exception, match="No"):
        ask(lambda client: client.runs.create(subject=SUBJECT, input="a\ud800"))
    assert b'"input":"a\\ud800"' in server.asked[0].body


def test_text_goes_as_utf_8_and_comes_back_unchanged(server: ToldServer, ask: Asker) -> None:
    text = "日本語 \\u0000 \u2028 😀 e\u0301"
    server.says(201, {**RUN, "output": text})
    run = ask(lambda client: client.runs.create(subject=SUBJECT, output=text))
    assert text.replace("\\", "\\\\").encode() in server.asked[0].body
    assert run.output == text


EVERY_CALL: list[tuple[str, str, Any]] = [
    ("GET", "/v1/me", lambda c: c.me()),
    ("GET", "/openapi.json", lambda c: c.openapi()),
    ("GET", "/v1/runs/r?callsAfter=2&callsLimit=9", lambda c: c.runs.get("r", calls_after=2, calls_limit=9)),
    ("GET", "/v1/corrections/c", lambda c: c.corrections.get("c")),
    ("GET", "/v1/corrections/c/history?after=4", lambda c: c.corrections.history_page("c", after=4)),
    (
        "POST",
        "/v1/corrector-groups",
        lambda c: c.corrector_groups.create(name="g", scope={"kind": "tenant"}),
    ),
    (
        "GET",
        "/v1/corrector-groups?scope=agent&includeRetired=true",
        lambda c: c.corrector_groups.page(scope="agent", include_retired=True),
    ),
    ("GET", "/v1/corrector-groups/g", lambda c: c.corrector_groups.get("g")),
    ("PATCH", "/v1/corrector-groups/g", lambda c: c.corrector_groups.change("g", weight=0)),
    ("POST", "/v1/corrector-groups/g/retire", lambda c: c.corrector_groups.retire("g")),
    ("GET", "/v1/events?after=4&projectId=p", lambda c: c.events.page(after=4, project_id="p")),
    ("POST", "/v1/projects", lambda c: c.projects.create(name="Refunds")),
    ("GET", "/v1/projects", lambda c: c.projects.page()),
    ("GET", "/v1/projects/p", lambda c: c.projects.get("p")),
    ("GET", "/v1/projects/p/members", lambda c: c.projects.members.page("p")),
    ("PUT", "/v1/projects/p/members/usr_1", lambda c: c.projects.members.put("p", "usr_1", role="read")),
    ("DELETE", "/v1/projects/p/members/usr_1", lambda c: c.projects.members.remove("p", "usr_1")),
    (
        "DELETE",
        "/v1/projects/p/members/x?kind=user",
        lambda c: c.projects.members.remove("p", "x", kind="user"),
    ),
    ("PATCH", "/v1/projects/p", lambda c: c.projects.rename("p", "Refunds")),
    ("POST", "/v1/users", lambda c: c.users.create(name="ann")),
    ("GET", "/v1/users/usr_1", lambda c: c.users.get("usr_1")),
    ("GET", "/v1/users?name=ann", lambda c: c.users.page(name="ann")),
    ("GET", "/v1/users", lambda c: c.users.page()),
    ("PATCH", "/v1/users/usr_1", lambda c: c.users.change("usr_1", name="Ann", email=None)),
    ("POST", "/v1/users/usr_1/disable", lambda c: c.users.disable("usr_1")),
    ("POST", "/v1/tokens", lambda c: c.tokens.create(kind="service", name="ci", role="write")),
    ("GET", "/v1/tokens/tok_1", lambda c: c.tokens.get("tok_1")),
    ("GET", "/v1/tokens", lambda c: c.tokens.page()),
    ("DELETE", "/v1/tokens/tok_1", lambda c: c.tokens.revoke("tok_1")),
    ("POST", "/v1/tokens/tok_1/rotate", lambda c: c.tokens.rotate("tok_1", keep_old_minutes=5)),
    ("GET", "/v1/agents", lambda c: c.agents.page()),
    ("GET", "/v1/agents/a", lambda c: c.agents.get("a")),
    ("PATCH", "/v1/agents/a", lambda c: c.agents.patch("a", name=None)),
    ("GET", "/v1/flows", lambda c: c.flows.page()),
    ("GET", "/v1/flows/f", lambda c: c.flows.get("f")),
    ("PATCH", "/v1/flows/f", lambda c: c.flows.patch("f", name="F")),
]


@pytest.mark.parametrize(("method", "path", "call"), EVERY_CALL)
def test_each_call_goes_to_its_route_and_every_write_has_a_key(
    server: ToldServer, ask: Asker, method: str, path: str, call: Any
) -> None:
    server.refuses(418, "only-the-request-matters")
    with pytest.raises(Exception, match="only-the-request-matters"):
        ask(call)
    (asked,) = server.asked
    assert (asked.method, asked.path) == (method, path)
    assert (asked.key is not None) == (method != "GET")


def test_both_clients_have_the_same_verbs_with_the_same_arguments() -> None:
    plain, other = Setright("http://127.0.0.1:1", "secret"), AsyncSetright("http://127.0.0.1:1", "secret")
    assert verbs(plain) == verbs(other)
    assert "runs.create_many" in verbs(plain)


def verbs(thing: Any, path: str = "") -> dict[str, str]:
    """Every public method below `thing` and what it takes."""
    found: dict[str, str] = {}
    for name in dir(thing):
        if name.startswith("_") or name in ("sender", "recorder"):
            continue
        value = getattr(thing, name)
        if callable(value):
            found[path + name] = str(inspect.signature(value)).partition(" -> ")[0]
        else:
            found |= verbs(value, f"{path}{name}.")
    return found


def test_a_method_tells_its_fields_one_by_one() -> None:
    create = Setright("http://127.0.0.1:1", "secret").corrections.create
    assert {"run_id", "should_say", "key"} <= set(inspect.signature(create).parameters)
    assert "supersedes" in (create.__doc__ or "")
