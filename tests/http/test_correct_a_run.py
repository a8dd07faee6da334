"""Correcting a run, sentence by sentence: what docs/reference/seed-correct-a-run.md names and no other test holds."""

from typing import Any

import pytest

from setright.faces.http.openapi import document
from setright.faces.http.table import ROUTES
from tests.http.support import Api, Caller, a_correction, a_run, error_of

ANY = {"if-match": "*"}
SHAPES = document(ROUTES)["components"]["schemas"]
WORDS = {"right", "wrong"}


def allowed(shape: str, field: str) -> set[str]:
    """The words that a field of an answer may have."""
    return set(SHAPES[shape]["properties"][field]["enum"])


def sent(shape: str, field: str) -> dict[str, Any]:
    """What the document asks of a field of a body, which may be null where it may be left out."""
    told = SHAPES[shape]["properties"][field]
    return next((kind for kind in told.get("anyOf", ()) if kind.get("type") != "null"), told)


@pytest.mark.parametrize(
    ("shape", "field", "bounds"),
    [
        ("NewCorrection", "runId", {"type": "string", "minLength": 1}),
        ("NewCorrection", "decisions", {"enum": ["right", "wrong"]}),
        ("NewCorrection", "shouldCall", {"type": "array", "maxItems": 50}),
        ("Expected", "tool", {"type": "string", "minLength": 1, "maxLength": 200}),
        ("Expected", "args", {"type": "object", "maxProperties": 100}),
        ("NewCorrection", "mustNotCall", {"type": "array", "maxItems": 50}),
        ("NewCorrection", "answer", {"enum": ["right", "wrong"]}),
        ("NewCorrection", "shouldSay", {"type": "string", "maxLength": 4000}),
        ("NewCorrection", "why", {"type": "string", "maxLength": 4000}),
        ("NewCorrection", "items", {"type": "array", "maxItems": 100}),
        ("Item", "key", {"type": "string", "minLength": 1, "maxLength": 200}),
        ("Item", "pointer", {"type": "string", "maxLength": 500}),
        ("Item", "rank", {"type": "integer"}),
        ("Item", "verdict", {"enum": ["right", "wrong"]}),
        ("NewCorrection", "correctorGroupId", {"type": "string", "minLength": 1}),
        ("NewCorrection", "participantId", {"type": "string", "minLength": 1}),
    ],
)
def test_the_document_asks_of_each_field_what_it_must(shape: str, field: str, bounds: dict[str, Any]) -> None:
    assert sent(shape, field).items() >= bounds.items()


@pytest.mark.parametrize(
    ("shape", "field", "words"),
    [
        ("Correction", "decisions", WORDS),
        ("Correction", "answer", WORDS),
        ("JudgedItem", "verdict", WORDS),
        ("Correction", "status", {"open", "being-fixed", "with-owner", "fixed", "wont-fix", "removed"}),
        ("Correction", "sortedTo", {"improve", "developer", "owner"}),
        ("SubjectVersionRef", "kind", {"agent", "flow"}),
        ("Principal", "kind", {"user", "service"}),
        ("Sorter", "kind", {"rule", "fix-job", "user", "service"}),
        ("Link", "kind", {"improve-run", "suggested-change"}),
        ("FixedIn", "how", {"pin", "latest", "recorded-right"}),
        ("ReopenedIn", "how", {"pin", "went-back", "unpin", "latest"}),
    ],
)
def test_the_document_names_every_word_that_an_answer_may_have(
    shape: str, field: str, words: set[str]
) -> None:
    assert allowed(shape, field) == words


@pytest.mark.parametrize(
    ("shape", "required"),
    [
        ("Correction", {"id", "tenantId", "projectId", "runId", "subject", "madeBy", "status"}),
        ("Correction", {"createdAt", "updatedAt"}),
        ("SubjectVersionRef", {"kind", "id", "version"}),
        ("ShouldCall", {"tool", "args"}),
        ("JudgedItem", {"key", "verdict"}),
        ("Principal", {"kind", "id"}),
        ("Sorted", {"by", "at"}),
        ("Link", {"kind", "id"}),
        ("FixedIn", {"how", "at"}),
        ("ReopenedIn", {"version", "how", "at"}),
        ("StatusNote", {"text", "by", "at"}),
        ("ErrorBody", {"code", "message", "requestId"}),
    ],
)
def test_the_document_says_what_is_always_there(shape: str, required: set[str]) -> None:
    assert required <= set(SHAPES[shape]["required"])


def test_verdicts_of_right_beside_what_was_right_instead_are_refused_by_name(api: Api) -> None:
    caller = api.tenant()
    body = {
        "runId": caller.run(),
        "decisions": "right",
        "shouldCall": [{"tool": "example", "args": {}}],
        "mustNotCall": ["example"],
        "answer": "right",
        "shouldSay": "example",
        "why": "example",
        "items": [{"key": "example", "pointer": "/matches/0", "rank": 1, "verdict": "right"}],
    }
    faults = error_of(caller.post("/v1/corrections", body), 400, "invalid-body")["details"]["faults"]
    assert {"/shouldCall", "/mustNotCall", "/shouldSay"} <= {fault["pointer"] for fault in faults}
    left = {name: body[name] for name in body if name not in ("shouldCall", "mustNotCall", "shouldSay")}
    assert caller.post("/v1/corrections", left).status_code == 201


@pytest.mark.parametrize(
    ("item", "pointer"),
    [
        ({"verdict": "right"}, "/items/0/key"),
        ({"key": "", "verdict": "right"}, "/items/0/key"),
        ({"key": "a"}, "/items/0/verdict"),
        ({"key": "a", "verdict": "maybe"}, "/items/0/verdict"),
        ({"key": "a", "verdict": "right", "rank": 1.5}, "/items/0/rank"),
        ({"key": "a", "verdict": "right", "rank": "1"}, "/items/0/rank"),
        ({"key": "a", "verdict": "right", "pointer": 1}, "/items/0/pointer"),
    ],
)
def test_what_is_wrong_with_an_item_is_named(lone: Caller, item: dict[str, Any], pointer: str) -> None:
    error = error_of(lone.post("/v1/corrections", {"runId": "r", "items": [item]}), 400, "invalid-body")
    assert [fault["pointer"] for fault in error["details"]["faults"]] == [pointer]


def test_what_was_not_said_and_has_not_happened_is_absent(api: Api) -> None:
    caller = api.tenant()
    made = caller.post(
        "/v1/corrections", {"runId": caller.run(), "items": [{"key": "a", "verdict": "wrong"}]}
    )
    always = {"id", "tenantId", "projectId", "runId", "subject", "items", "madeBy", "status"}
    assert set(made.json()) == always | {"sortedTo", "sorted", "createdAt", "updatedAt"}
    assert made.json()["items"] == [{"key": "a", "verdict": "wrong"}]
    assert made.json()["tenantId"] == caller.tenant_id


def test_a_flow_that_was_corrected_is_named_with_its_version(api: Api) -> None:
    caller = api.tenant()
    flow = {"kind": "flow", "id": "intake", "version": "7"}
    made = caller.correction(caller.run(subject=flow))
    assert (made["subject"], made["projectId"]) == (flow, "default")


@pytest.mark.parametrize(
    ("said", "status", "sorted_to"),
    [
        ({"decisions": "wrong", "mustNotCall": ["pay"]}, "with-owner", "owner"),
        ({"answer": "wrong", "why": "rude"}, "open", "improve"),
        ({"items": [{"key": "a", "verdict": "wrong"}]}, "open", "improve"),
    ],
)
def test_a_rule_sorts_what_was_wrong_at_save(
    api: Api, said: dict[str, Any], status: str, sorted_to: str
) -> None:
    caller = api.tenant()
    made = caller.post("/v1/corrections", {"runId": caller.run(), **said}).json()
    assert (made["status"], made["sortedTo"]) == (status, sorted_to)
    assert made["sorted"] == {"by": {"kind": "rule"}, "at": made["createdAt"]}
    assert "fixedIn" not in made


def test_where_nothing_was_wrong_it_is_fixed_in_no_version_and_unsorted(api: Api) -> None:
    caller = api.tenant()
    body = {"runId": caller.run(), "decisions": "right", "answer": "right"}
    made = caller.post("/v1/corrections", body).json()
    assert made["status"] == "fixed"
    assert made["fixedIn"] == {"how": "recorded-right", "at": made["createdAt"]}
    assert not {"sortedTo", "sorted", "reopenedIn"} & set(made)


def test_what_an_end_user_said_is_open_and_unsorted_whatever_it_is(api: Api) -> None:
    caller = api.tenant()
    for said in ({"decisions": "wrong", "mustNotCall": ["pay"]}, {"answer": "right"}):
        made = caller.post("/v1/corrections", {"runId": caller.run(), "participantId": "p-1", **said}).json()
        assert (made["status"], made["participantId"]) == ("open", "p-1")
        assert not {"sortedTo", "sorted", "fixedIn"} & set(made)
        assert made["madeBy"] == {"kind": "user", "id": caller.id}


def test_a_note_says_who_wrote_it_and_when_and_updated_at_follows(api: Api) -> None:
    caller = api.tenant()
    made = caller.correction()
    assert made["updatedAt"] == made["createdAt"]
    bo = caller.user("bo", "admin")
    moved = bo.send("PATCH", f"/v1/corrections/{made['id']}", {"statusNote": "seen"}, headers=ANY).json()
    by = {"kind": "user", "id": bo.id}
    assert moved["statusNote"] == {"text": "seen", "by": by, "at": moved["updatedAt"]}
    assert moved["updatedAt"] > moved["createdAt"] == made["createdAt"]
    assert moved["madeBy"] == made["madeBy"]


def test_a_status_set_by_hand_clears_what_fixed_it_and_a_re_sort_alone_keeps_it(api: Api) -> None:
    caller = api.tenant()
    made = caller.post("/v1/corrections", {"runId": caller.run(), "answer": "right"}).json()
    path = f"/v1/corrections/{made['id']}"
    sorted_anew = caller.send("PATCH", path, {"sortedTo": "developer"}, headers=ANY).json()
    assert (sorted_anew["status"], sorted_anew["fixedIn"]) == ("fixed", made["fixedIn"])
    assert "fixedIn" not in caller.send("PATCH", path, {"status": "open"}, headers=ANY).json()


def test_removed_says_when_and_superseded_says_by_what(api: Api) -> None:
    caller = api.tenant()
    run_id = caller.run()
    first = caller.correction(run_id)
    second = caller.correction(run_id)
    earlier = caller.get(f"/v1/corrections/{first['id']}").json()
    assert (earlier["status"], earlier["supersededBy"]) == (first["status"], second["id"])
    assert earlier["unregisteredAt"] == second["createdAt"]
    gone = caller.post(f"/v1/corrections/{second['id']}/unregister").json()
    assert (gone["status"], gone["unregisteredAt"]) == ("removed", gone["updatedAt"])
    assert "supersededBy" not in gone


def test_a_user_is_named_by_its_own_id_whichever_token_it_came_with(api: Api) -> None:
    caller = api.tenant()
    second = caller.post("/v1/tokens", {"kind": "user", "name": "second"}).json()["secret"]
    made = caller.with_token(second).correction(caller.run())
    assert made["madeBy"] == {"kind": "user", "id": caller.id}


def test_every_correction_of_a_run_shows_the_copy_that_the_first_one_stored(api: Api) -> None:
    caller = api.tenant()
    run_id = caller.run()
    made = [caller.correction(run_id), caller.user("bo", "write").correction(run_id)]
    first, second = (caller.get(f"/v1/corrections/{one['id']}").json()["copy"] for one in made)
    assert first == second == {name: a_run()[name] for name in ("input", "calls", "output", "answer")}


def test_a_key_that_was_refused_may_be_sent_again_with_another_body(api: Api) -> None:
    caller = api.tenant()
    error_of(caller.keyed("k", "/v1/corrections", {"runId": caller.run()}), 400, "invalid-body")
    assert caller.keyed("k", "/v1/corrections", a_correction(caller.run())).status_code == 201
