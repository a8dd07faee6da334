"""Runs over MCP: reading one in pages, and correcting it."""

from tests.http.support import Caller, a_run
from tests.mcp.asking import Asking


def test_a_run_is_read_in_pages_of_fifty_calls(person: Asking) -> None:
    calls = [{"tool": "look", "args": {"workDir": number}} for number in range(120)]
    run_id = person.caller.run(calls=calls)
    seen, token = [], ""
    while True:
        page = person("run_get", run_id=run_id, page_token=token)
        seen += [call["args"]["workDir"] for call in page["run"]["calls"]]
        assert "calls_next" not in page["run"]
        token = page.get("next_page_token", "")
        if not token:
            break
    assert seen == list(range(120))
    assert page["run"]["call_count"] == 120


def test_long_texts_are_cut_and_say_so(person: Asking) -> None:
    run_id = person.caller.run(output={"text": "x" * 5_000})
    output = person("run_get", run_id=run_id)["run"]["output"]["text"]
    assert output.endswith("[cut: 3000 more characters]")


def test_a_page_token_of_another_run_is_refused(person: Asking) -> None:
    calls = [{"tool": "look", "args": {}} for _ in range(60)]
    first, second = person.caller.run(calls=calls), person.caller.run(calls=calls)
    token = person("run_get", run_id=first)["next_page_token"]
    assert "page_token" in person.refused("run_get", run_id=second, page_token=token)


def test_a_run_is_corrected_in_the_caller_s_name(assistant: Asking) -> None:
    run_id = assistant.caller.run()
    made = assistant(
        "run_correct",
        run_id=run_id,
        decisions="WRONG",
        should_call='[{"tool":"look_up","args":{"orderId":7}}]',
        must_not_call="reject_refund",
        why="It did not look.",
        participant_id="null",
    )["correction"]
    assert made["made_by"] == {"kind": "service", "id": assistant.caller.id}
    assert made["should_call"] == [{"tool": "look_up", "args": {"orderId": 7}}]
    assert made["must_not_call"] == ["reject_refund"]
    assert "participant_id" not in made
    assert made["status"] == "with-owner"


def test_a_correction_that_cannot_be_is_refused_by_the_names_of_the_arguments(assistant: Asking) -> None:
    run_id = assistant.caller.run()
    told = assistant.refused("run_correct", run_id=run_id, decisions="right", should_call=[{"toll": "x"}])
    assert "should_call" in told
    assert "shouldCall" not in told
    assert "Call " not in assistant.refused("run_correct", run_id=run_id, answer="wrong")
    assert "no run" in assistant.refused("run_correct", run_id="nowhere", answer="right")


def test_the_same_key_corrects_once(assistant: Asking) -> None:
    run_id = assistant.caller.run()
    sent = {"run_id": run_id, "answer": "right", "idempotency_key": "k"}
    first = assistant("run_correct", **sent)
    assert assistant("run_correct", **sent) == first


def test_a_run_of_another_account_is_not_there(person: Asking, lone: Caller) -> None:
    run_id = lone.run("theirs", output=a_run()["output"])
    assert "no run" in person.refused("run_get", run_id=run_id)
    assert "no run" in person.refused("run_correct", run_id=run_id, answer="right")


def test_a_run_that_a_person_reads_is_logged_with_the_tool(person: Asking, assistant: Asking) -> None:
    run_id = person.caller.run()
    person.caller.send("PUT", "/v1/projects/default/read-log", {"kept": True})
    for caller in (person, assistant):
        caller("run_get", run_id=run_id)
    logged = person.caller.get(f"/v1/projects/default/run-reads?runId={run_id}").json()["data"]
    assert [(one["via"], one["by"]["id"]) for one in logged] == [("run_get", person.caller.id)]
