"""Lessons over MCP: the seed to the letter, and what an assistant is told when it asks for too much."""

from typing import Any

import pytest

from tests.http.support import Caller
from tests.mcp.asking import ERAS, Asking, in_era, text_of, words

SPACE = "lab_01JD8Z3QK4W5X6Y7Z8A9B0C1D2"
RULE = "Read the document again before saving."
SAID: dict[str, Any] = {
    "kind": "drift",
    "what_happened": "The assistant saved over a newer version.",
    "noticed_by": "person",
    "agent": "scribe",
}


def recorded(asking: Asking, **more: Any) -> dict[str, Any]:
    return asking("corrections_record", **{**SAID, **more})["correction"]


def adopted(asking: Asking, rule: str = RULE, **more: Any) -> dict[str, Any]:
    made = recorded(asking, rule=rule, **more)
    return asking("corrections_update", correction_id=made["id"], status="adopted")["correction"]


def test_the_seed_s_calls_are_answered_as_they_are_printed(person: Asking) -> None:
    assert person.caller.post("/v1/projects", {"id": SPACE, "name": "Lab"}).status_code == 201
    made = person(
        "corrections_record",
        expected=RULE,
        kind="drift",
        noticed_by="person",
        space_id=SPACE,
        what_happened="The assistant saved over a newer version.",
    )
    assert made["correction"]["space_id"] == SPACE
    assert made["similar_rules"] == []
    rules = person("corrections_rules", space_id=SPACE)
    assert set(rules) == {"briefing", "rules", "open", "left_out"}
    taught = person.refused(
        "corrections_list", noticed_by="4b1c2d3e-5f60-4718-9a2b-3c4d5e6f7a8b", space_id=SPACE
    )
    assert taught.endswith("is not allowed. Use one of: person, self.")
    unknown = person.refused("corrections_update", correction_id="01JD8Z3QK4W5X6Y7Z8A9B0C1D2", status="open")
    assert "Call corrections_list to find ids." in unknown


def test_what_is_absent_is_absent_and_names_are_the_tools_own(person: Asking) -> None:
    made = recorded(person, evidence="http://one", severity="")
    assert made["account_id"] == person.caller.tenant_id
    assert made["severity"] == "medium"
    assert made["evidence"] == ["http://one"]
    assert made["recorded_by"]["kind"] == "user"
    assert "rule" not in made
    assert "adopted_at" not in made


def test_a_rule_adopted_in_one_session_is_in_the_briefing_of_the_next(assistant: Asking) -> None:
    made = adopted(assistant, session="one")
    told = assistant("corrections_rules", agent="Scribe")
    assert RULE in told["briefing"].replace("\\", "")
    assert [rule["id"] for rule in told["rules"]] == [made["id"]]
    again = assistant("corrections_record", **SAID, rule=RULE.upper(), session="two")
    assert again["recurrence_of"] == made["id"]
    assert again["correction"]["status"] == "duplicate"
    assert assistant("corrections_rules", agent="scribe")["rules"][0]["broken_again"] == 1


def test_the_text_of_a_result_says_all_that_its_structure_says(person: Asking) -> None:
    adopted(person)
    rules = person.result("corrections_rules", agent="scribe")
    assert rules["content"][0]["text"] == rules["structuredContent"]["briefing"]
    listed = person.result("corrections_list")
    assert listed["structuredContent"]["corrections"][0]["id"] in listed["content"][0]["text"]


def test_a_list_that_is_empty_says_so(person: Asking) -> None:
    result = person.result("corrections_list", status="retired")
    assert result["content"][0]["text"] == "No corrections match."
    assert result["structuredContent"] == {"corrections": []}


def test_pages_neither_skip_nor_repeat(person: Asking) -> None:
    made = [recorded(person, what_happened=f"Number {number}.")["id"] for number in range(5)]
    first = person.result("corrections_list", page_size=2)
    token = first["structuredContent"]["next_page_token"]
    assert f"page_token={token}" in first["content"][1]["text"]
    recorded(person, what_happened="Meanwhile.")
    seen = [entry["id"] for entry in first["structuredContent"]["corrections"]]
    while token:
        page = person("corrections_list", page_size="2", page_token=token)
        seen += [entry["id"] for entry in page["corrections"]]
        token = page.get("next_page_token")
    assert seen == made[::-1]


@pytest.mark.parametrize("token", ["nonsense", "AAAA"])
def test_a_page_token_that_is_none_is_refused_with_the_way_on(person: Asking, token: str) -> None:
    assert "next_page_token" in person.refused("corrections_list", page_token=token)


def test_a_page_token_of_another_list_is_refused(person: Asking) -> None:
    for name in ("a", "b"):
        assert person.caller.post("/v1/projects", {"name": name}).status_code == 201
    token = person("decisions_list_spaces", page_size=1)["next_page_token"]
    assert person("decisions_list_spaces", page_size=1, page_token=token)["spaces"]
    assert "page_token" in person.refused("corrections_list", page_token=token)


@pytest.mark.parametrize("size", [-1, "-5"])
def test_a_negative_page_size_is_refused(person: Asking, size: object) -> None:
    assert person.refused("corrections_list", page_size=size).startswith("page_size: must be 0 to 200")


@pytest.mark.parametrize("status", ["verified", "dismissed", "retired"])
def test_an_assistant_is_told_who_can_do_what_it_cannot(assistant: Asking, status: str) -> None:
    made = adopted(assistant)
    told = assistant.refused("corrections_update", correction_id=made["id"], status=status)
    assert told.startswith("Only a person can")
    assert assistant("corrections_list", status="adopted")["corrections"][0]["id"] == made["id"]


def test_adopting_without_a_rule_says_what_is_needed(assistant: Asking) -> None:
    made = recorded(assistant)
    told = assistant.refused("corrections_update", correction_id=made["id"], status="adopted")
    assert "has no rule yet" in told
    done = assistant("corrections_update", correction_id=made["id"], status="adopted", rule=RULE)
    assert done["correction"]["rule"] == RULE


@pytest.mark.parametrize("rule", ["two\nlines", "a\u2028b", "x" * 501])
def test_a_rule_that_is_not_one_line_is_refused_by_name(assistant: Asking, rule: str) -> None:
    assert assistant.refused("corrections_record", **SAID, rule=rule).startswith("rule: ")
    assert assistant("corrections_list")["corrections"] == []


def test_another_account_is_not_there(person: Asking, lone: Caller) -> None:
    for tool in ("corrections_list", "corrections_rules", "decisions_list_spaces"):
        assert person.refused(tool, account_id=lone.tenant_id).startswith("account_id: no account")
    assert person("corrections_list", account_id=person.caller.tenant_id)["corrections"] == []


def test_another_account_s_correction_is_as_one_that_is_not_there(person: Asking, api: Any) -> None:
    other = recorded(Asking(api.tenant()))
    missing = person.refused("corrections_update", correction_id="les_01JD8Z3QK4W5X6Y7Z8A9B0C1D2", rule="x")
    told = person.refused("corrections_update", correction_id=other["id"], rule="x")
    assert told.replace(other["id"], "") == missing.replace("les_01JD8Z3QK4W5X6Y7Z8A9B0C1D2", "")


def test_the_same_key_is_done_once_and_another_call_with_it_is_refused(person: Asking) -> None:
    first = person("corrections_record", **SAID, idempotency_key="k1", session="a")
    assert person("corrections_record", **SAID, idempotency_key="k1", session="a") == first
    told = person.refused("corrections_record", **SAID, idempotency_key="k1", session="b")
    assert "Use another idempotency_key for another call." in told
    assert person.refused("corrections_record", **SAID, idempotency_key="é").startswith(
        "idempotency_key: must be"
    )


def test_the_same_again_in_one_session_is_recorded_once(person: Asking) -> None:
    first = recorded(person, session="s", rule="Look first.")
    assert recorded(person, session="s", rule="Look first.")["id"] == first["id"]
    assert len(person("corrections_list")["corrections"]) == 1


@pytest.mark.parametrize("era", ERAS)
def test_the_official_client_in_both_eras(person: Asking, era: str) -> None:
    async def whole(client: Any) -> tuple[str, str, str, str]:
        sent = {
            **SAID,
            "kind": "DRIFT",
            "evidence": '["a"]',
            "rule": '["do","not"]',
            "severity": None,
            "_meta2": 1,
        }
        made = await client.call_tool("corrections_record", sent)
        assert not made.is_error, words(made)
        correction = made.structured_content["correction"]
        await client.call_tool("corrections_update", {"correction_id": correction["id"], "status": "adopted"})
        rules = await client.read_resource("corrections://rules/scribe")
        prompt = await client.get_prompt("briefing", {"agent": "scribe"})
        wrong = await client.call_tool("corrections_record", {**SAID, "kind": "x", "waht": 1})
        return correction["rule"], text_of(rules), prompt.messages[0].content.text, words(wrong)

    rule, resource, prompt, wrong = in_era(person, era, whole)
    assert rule == '["do","not"]'
    assert resource == prompt
    assert "do" in resource
    assert "Use one of: drift, assumption, overclaim" in wrong
    assert "Unknown argument 'waht'" in wrong


@pytest.mark.parametrize(
    "uri", ["corrections://rules/", "corrections://other", f"corrections://rules/{'x' * 300}"]
)
def test_a_resource_that_is_not_there_is_refused_with_its_address(person: Asking, uri: str) -> None:
    error = person.message("resources/read", {"uri": uri}).json()["error"]
    assert error["code"] == -32602
    assert error["data"]["uri"] == uri[:200]


def test_an_unknown_prompt_is_refused_with_those_that_there_are(person: Asking) -> None:
    error = person.message("prompts/get", {"name": "other"}).json()["error"]
    assert (error["code"], "briefing, record_correction" in error["message"]) == (-32602, True)
