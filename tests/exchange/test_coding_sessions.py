"""Sessions of coding agents are cut into a run for each prompt, with every call in its place."""

import pytest

from setright.exchange import turns
from tests.exchange.foreign import CODING, ROLLOUT, SESSION, coded, gives, lines, read, rolled, spoken, uses


def test_each_prompt_of_a_transcript_becomes_a_run() -> None:
    (first, second), odd = read("claude-code", lines(*CODING))
    assert odd == []
    assert (first.source_id, first.agent, first.version) == (f"{SESSION}/1", "claude-code", "2.1.0")
    assert (first.said["input"], first.said["output"]) == ("Rename the desk.", "I could not rename it.")
    assert first.said["tags"] == [f"session-{SESSION}"]
    assert (second.source_id, second.said["calls"], second.said["output"]) == (
        f"{SESSION}/9",
        [],
        "It is renamed.",
    )


def test_the_calls_of_a_sub_agent_stand_in_the_run_and_name_it() -> None:
    (first, _), _odd = read("claude-code", lines(*CODING))
    task, grep, bash = first.said["calls"]
    assert (task["tool"], task["result"], "agent" in task) == ("Task", "it is in desk.py", False)
    assert (grep["tool"], grep["result"], grep["agent"]) == ("Grep", "desk.py", "finder")
    assert (bash["error"], bash["startedAt"], bash["endedAt"]) == (
        "not allowed",
        "2026-05-01T10:00:06.000Z",
        "2026-05-01T10:00:07.000Z",
    )
    assert [one.get("agent") for one in first.said["messages"]].count("finder") == 2


def test_prompts_that_come_before_any_answer_are_one_run() -> None:
    asked = [coded("user", "1", "One thing."), coded("user", "2", "And another."), CODING[8]]
    (run,), _ = read("claude-code", lines(*asked))
    assert run.said["input"] == ["One thing.", "And another."]


def test_a_line_that_is_no_message_is_told_and_one_of_another_kind_passed_over() -> None:
    (run,), odd = read("claude-code", lines(CODING[1], {"sessionId": SESSION, "type": "progress"}, "oops", 7))
    assert run.said["calls"] == []
    assert [one.place for one in odd] == ["line 3", "line 4"]
    missing = {**CODING[1], "message": {"role": "user"}}
    runs, (told,) = read("claude-code", lines(missing))
    assert (runs, told.place, told.reason[:9]) == ([], "line 1", "/message:")


def test_a_turn_that_is_too_large_goes_on_in_a_further_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_CALLS", 2)
    rows = [CODING[1]]
    for number in range(2, 12, 2):
        rows.append(coded("assistant", str(number), uses("Bash", {"n": number}, f"t{number}")))
        rows.append(coded("user", str(number + 1), gives(f"t{number}", "ok")))
    runs, odd = read("claude-code", lines(*rows))
    assert odd == []
    assert [run.source_id for run in runs] == [f"{SESSION}/1", f"{SESSION}/1#2"]
    assert [call["args"]["n"] for run in runs for call in run.said["calls"]] == [2, 4, 6, 8, 10]
    assert all(call["result"] == "ok" for run in runs for call in run.said["calls"])


def test_each_prompt_of_a_rollout_becomes_a_run() -> None:
    (first, second), odd = read("codex", lines(*ROLLOUT))
    assert [one.reason for one in odd] == [
        "the arguments of the call of 'apply_patch': is not valid JSON: "
        "Expecting value at line 1, column 1; the call has them as one text named arguments"
    ]
    assert (first.source_id, first.version) == (f"{SESSION}/1", "0.45.0")
    assert (first.said["input"], first.said["output"]) == ("Rename the desk.", "It is renamed.")
    assert [(call["tool"], call["result"]) for call in first.said["calls"]] == [
        ("shell", "desk.py"),
        ("apply_patch", "done"),
    ]
    assert first.said["messages"][0]["content"][0]["text"].startswith("<environment_context>")
    assert (second.said["input"], second.said["output"]) == ("Thank you.", "You are welcome.")


def test_a_rollout_of_before_has_its_items_bare() -> None:
    head = {"id": SESSION, "timestamp": "2025-06-01T10:00:00Z", "instructions": None}
    bare = [row["payload"] for row in ROLLOUT[2:] if row["type"] == "response_item"]
    runs, _ = read("codex", lines(head, *bare))
    assert [len(run.said["calls"]) for run in runs] == [2, 0]


def test_a_shell_call_of_the_model_itself_is_a_call() -> None:
    action = {"type": "exec", "command": ["ls"]}
    call = rolled({"type": "local_shell_call", "call_id": "c1", "action": action})
    (run,), odd = read("codex", lines(ROLLOUT[0], spoken("user", "List."), call))
    assert (run.said["calls"], odd) == (
        [{"tool": "local_shell", "args": action, "startedAt": call["timestamp"]}],
        [],
    )


def test_items_of_no_session_are_told() -> None:
    runs, odd = read("codex", lines(ROLLOUT[2]))
    assert runs == []
    assert "which session it is" in odd[0].reason
