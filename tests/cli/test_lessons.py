"""Lessons by the command line: said, decided on, and told."""

import secrets

import pytest

from setright.faces.cli import asking
from tests.cli.shell import Shell, Told


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sits at the terminal, who answers what stdin says."""
    monkeypatch.setattr(asking, "is_at_terminal", lambda: True)


def recorded(shell: Shell, rule: str, *more: str) -> str:
    """A lesson of an agent of its own; its id."""
    told = shell(
        "lessons", "record", "--kind", "drift", "--what-happened", "It did.", "--rule", rule, *more, "--json"
    )
    return told.good().json["id"]


def by_person(shell: Shell, *words: str) -> Told:
    """A command of a person who says yes."""
    return shell(*words, stdin="y\n")


@pytest.mark.usefixtures("at_terminal")
def test_a_rule_from_the_first_word_to_its_end(ledger_shell: Shell) -> None:
    agent = f"agent-{secrets.token_hex(4)}"
    lesson = recorded(ledger_shell, "Read it again.", "--agent", agent, "--severity", "high")
    listed = ledger_shell("lessons", "list", "--agent", agent, "--json").good().json
    assert [one["id"] for one in listed["data"]] == [lesson]
    assert "Read it again." in ledger_shell("lessons", "list", "--agent", agent).good().out
    reworded = ledger_shell("lessons", "adopt", lesson, "--rule", "Read it twice.", "--json").good().json
    assert (reworded["status"], reworded["rule"]) == ("adopted", "Read it twice.")
    again = ledger_shell(
        "lessons",
        "record",
        "--kind",
        "drift",
        "--what-happened",
        "Again.",
        "--rule",
        "read it TWICE",
        "--agent",
        agent,
    ).good()
    assert f"broken again: {lesson}" in again.err
    assert by_person(ledger_shell, "lessons", "verify", lesson, "--json").good().json["status"] == "verified"
    rules = ledger_shell("rules", "--agent", agent, "--json").good().json
    assert [rule["rule"] for rule in rules["rules"]] == ["Read it twice."]
    assert "Read it twice." in ledger_shell("rules", "list", "--agent", agent).good().out
    text = ledger_shell("rules", "--agent", agent, "--text").good().out
    assert "- Read it twice. [high severity; broken again once; verified by a person]" in text
    by_person(ledger_shell, "lessons", "reword", lesson, "Read it thrice.").good()
    by_person(ledger_shell, "lessons", "retire", lesson).good()
    assert ledger_shell("rules", "--agent", agent, "--json").good().json["rules"] == []
    shown = ledger_shell("lessons", "show", lesson, "--history", "--json").good().json
    kinds = [event["kind"].partition(".")[2] for event in shown["history"]]
    assert kinds == ["recorded", "adopted", "recurred", "verified", "reworded", "retired"]
    assert "lesson.retired" in ledger_shell("lessons", "show", lesson).good().out
    by_person(ledger_shell, "lessons", "delete", lesson).good()
    assert ledger_shell("lessons", "show", lesson).code == 1


@pytest.mark.usefixtures("at_terminal")
def test_what_repeats_another_lesson(ledger_shell: Shell) -> None:
    agent = ("--agent", f"agent-{secrets.token_hex(4)}")
    first, second = recorded(ledger_shell, "One.", *agent), recorded(ledger_shell, "Another.", *agent)
    made = ledger_shell("lessons", "duplicate", second, first, "--json").good().json
    assert (made["status"], made["duplicateOf"]) == ("duplicate", first)
    assert ledger_shell("lessons", "reopen", second, "--json").good().json["status"] == "open"
    dismissed = by_person(ledger_shell, "lessons", "dismiss", second, "--json").good().json
    assert (dismissed["status"], dismissed["personDecides"]) == ("dismissed", True)


@pytest.mark.usefixtures("at_terminal")
def test_of_two_rules_that_are_alike_a_person_says_what_is_meant(ledger_shell: Shell) -> None:
    agent = ("--agent", f"agent-{secrets.token_hex(4)}")
    first, second = (
        recorded(ledger_shell, "Always ask.", *agent),
        recorded(ledger_shell, "Never ask.", *agent),
    )
    ledger_shell("lessons", "adopt", first).good()
    refused = ledger_shell("lessons", "adopt", second)
    assert refused.code != 0
    assert "differs only in a negation" in refused.err
    both = by_person(ledger_shell, "lessons", "adopt", second, "--over", f"{first}=replaces", "--json").good()
    assert both.json["supersedes"] == [first]


@pytest.mark.parametrize("verb", ["verify", "dismiss", "retire", "delete"])
def test_what_only_a_person_does_is_refused_where_nobody_can_be_asked(shell: Shell, verb: str) -> None:
    lesson = recorded(shell, "Read it again.")
    shell("lessons", "adopt", lesson).good()
    told = shell("lessons", verb, lesson)
    assert told.code == 2
    assert "nobody is at the terminal" in told.err
    assert "SETRIGHT_TOKEN" in told.err
    assert shell("lessons", "show", lesson, "--json").good().json["status"] == "adopted"


@pytest.mark.usefixtures("at_terminal")
def test_who_says_no_changes_nothing(shell: Shell) -> None:
    lesson = recorded(shell, "Read it again.")
    assert shell("lessons", "dismiss", lesson, stdin="n\n").code == 2
    assert shell("lessons", "show", lesson, "--json").good().json["status"] == "open"
