"""Review queues by the command line, on the ledger of this machine and on a real server."""

import json
import secrets

import pytest

from tests.cli.shell import Shell
from tests.cli.test_story import a_run, add

SAYS = ("--answer", "wrong", "--should-say", "14 days")


@pytest.fixture
def project(ledger_shell: Shell) -> str:
    """A project of the test's own."""
    return new_project(ledger_shell)


def new_project(shell: Shell) -> str:
    own = f"r-{secrets.token_hex(4)}"
    shell("project", "create", f"Project {own}", "--id", own).good()
    return own


def person(shell: Shell, project: str) -> str:
    """The token of another person who may write in the project."""
    name = f"dee-{secrets.token_hex(4)}"
    user = shell("user", "create", name, "--json").good().json["id"]
    shell("project", "member", "put", project, "--user", user, "--role", "write").good()
    return shell("token", "create", "--user", user, "--json").good().json["secret"]


def test_a_queue_is_made_shown_changed_and_closed(ledger_shell: Shell, project: str) -> None:
    name = f"weekly {project}"
    of = ("--agent", "support", "--subject-version", "v1", "--ended", "completed", "--since", "7d")
    terms = ("--sample-rate", 0.5, "--reviewers", 2, "--claim-seconds", 60, "--min-reviewer-role", "senior")
    made = ledger_shell("review", "create", name, "--project", project, *of, *terms, "--json").good().json
    assert made["filter"]["subject"] == {"kind": "agent", "id": "support", "version": "v1"}
    assert (made["filter"]["status"], "since" in made["filter"]) == ("completed", True)
    assert (made["sampleRate"], made["reviewersPerItem"], made["claimSeconds"]) == (0.5, 2, 60)
    shown = ledger_shell("review", "show", name).good().out
    for words in ("0.5 of completed of agent support v1 since 20", "reviewer role      senior", "waiting"):
        assert words in shown
    lifted = ("review", "change", name, "--any-reviewer", "--reviewers", 3, "--name", f"daily {project}")
    changed = ledger_shell(*lifted, "--json").good().json
    assert (changed["reviewersPerItem"], "minReviewerRole" in changed) == (3, False)
    late = ledger_shell("review", "change", made["id"], "--reviewers", 1, "--if-match", '"1"')
    assert (late.code, "changed since" in late.err) == (1, True)
    assert ledger_shell("review", "close", made["id"], "--json").good().json["status"] == "closed"
    within = ("review", "list", "--project", project)
    assert ledger_shell(*within, "--status", "open", "--json").good().json == {"data": [], "hasMore": False}
    assert f"daily {project}" in ledger_shell(*within).good().out
    again = ledger_shell("review", "change", made["id"], "--reviewers", 1)
    assert (again.code, "closed is final" in again.err) == (1, True)


def test_a_run_is_claimed_and_judged(ledger_shell: Shell, project: str) -> None:
    runs = add(ledger_shell, project, *(a_run(f"{project}-{n}") for n in range(3)))
    queue = ledger_shell("review", "create", "Q", "--project", project, "--json").good().json["id"]
    told = ledger_shell("review", "claim", queue).good()
    for words in (runs[0], "get_booking", "Can I give it back?"):
        assert words in told.out
    claim = told.err.partition("setright review answer ")[2].split()[1]
    made = ledger_shell("review", "answer", queue, claim, *SAYS, "--json").good().json
    assert (made["runId"], made["shouldSay"], "blind" in made) == (runs[0], "14 days", False)
    claims = [ledger_shell("review", "claim", queue, "--json").good().json for _ in range(2)]
    assert [one["runId"] for one in claims] == runs[1:]
    assert claims[0]["run"]["answer"] == "30 days"
    skipped = ledger_shell("review", "skip", queue, claims[0]["id"], "--json").good().json
    assert skipped["state"] == "skipped"
    assert "released" in ledger_shell("review", "release", queue, claims[1]["id"]).good().out
    none = ledger_shell("review", "claim", queue)
    assert (none.code, "no run for you to judge" in none.err) == (1, True)
    document = ledger_shell("review", "claim", queue, "--json")
    assert (document.code, document.json["error"]["code"]) == (1, "nothing-to-review")
    again = ledger_shell("review", "claim", queue, "--run", runs[2], "--json").good().json
    assert (again["id"], again["state"]) == (claims[1]["id"], "active")
    items = ledger_shell("review", "items", queue, "--json").good().json["data"]
    assert {item["runId"]: item["state"] for item in items} == {
        runs[0]: "complete",
        runs[1]: "waiting",
        runs[2]: "claimed",
    }
    assert runs[0] in ledger_shell("review", "items", queue, "--state", "complete").good().out


def test_what_two_say_is_blind_and_an_admin_decides(shell: Shell, served: tuple[str, str]) -> None:
    shell.environment |= {"SETRIGHT_URL": served[0], "SETRIGHT_TOKEN": served[1]}
    project = new_project(shell)
    (run,) = add(shell, project, a_run(f"{project}-1"))
    create = ("review", "create", "Q", "--project", project, "--reviewers", 2, "--json")
    queue = shell(*create).good().json["id"]
    people = [{"SETRIGHT_TOKEN": person(shell, project)} for _ in range(2)]
    claims = [shell("review", "claim", queue, "--json", **who).good().json["id"] for who in people]
    blind = shell("review", "answer", queue, claims[0], "--answer", "right", **people[0]).good().out
    assert f"until the review in {queue} is complete" in blind
    listed = ("corrections", "list", "--project", project, "--json")
    assert shell(*listed, **people[1]).good().json["data"] == []
    verdict = json.dumps({"answer": "wrong", "why": "It says 14 days in the terms."})
    answer = ("review", "answer", queue, claims[1], "--file", "-")
    shell(*answer, stdin=verdict, **people[1]).good()
    assert len(shell(*listed, **people[1]).good().json["data"]) == 2
    assert "answer" in shell("review", "items", queue, "--state", "disagreed", **people[0]).good().out
    refused = shell("review", "adjudicate", queue, run, *SAYS, **people[0])
    assert (refused.code, "admin" in refused.err) == (1, True)
    by = shell("review", "adjudicate", queue, run, *SAYS, "--json").good().json
    assert len(by["adjudicates"]) == 2
    shown = shell("corrections", "show", by["adjudicates"][0], **people[0]).good().out
    assert by["id"] in shown
    twice = shell("review", "adjudicate", queue, run, *SAYS)
    assert (twice.code, "--state disagreed" in twice.err) == (1, True)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("create", "q"), 2, "--project"),
        (("create", "q", "--project", "nowhere"), 1, "There is no project 'nowhere'"),
        (("create", "q", "--project", "default", "--agent", "a", "--flow", "f"), 2, "--agent or --flow"),
        (("create", "q", "--project", "default", "--subject-version", "1"), 2, "a version of what?"),
        (("create", "q", "--project", "default", "--since", "yesterday"), 2, "names no moment"),
        (("create", "q", "--project", "default", "--sample-rate", "nan"), 2, "/sampleRate is nan"),
        (("create", "q", "--project", "default", "--sample-rate", "1.5"), 1, "/sampleRate: "),
        (("create", "q", "--project", "default", "--reviewers", "6"), 1, "/reviewersPerItem: "),
        (("change", "q"), 2, "setright review change 'q' --reviewers 2"),
        (("change", "q", "--any-reviewer", "--min-reviewer-role", "senior"), 2, "--any-reviewer"),
        (("show", "nobody-at-all"), 1, "setright review create 'nobody-at-all'"),
        (("claim", "rvq_00000000000000000000000000"), 1, "setright review list"),
        (("answer", "q", "c"), 2, "setright review answer QUEUE CLAIM --answer right"),
        (("answer", "q", "c", "--answer", "right", "--file", "x"), 2, "give it alone"),
        (("adjudicate", "q", "run"), 2, "setright review adjudicate QUEUE RUN"),
    ],
)
def test_what_cannot_be_done_is_told(shell: Shell, words: tuple[str, ...], code: int, told: str) -> None:
    answer = shell("review", *words)
    assert (answer.code, told in answer.err) == (code, True), answer.err


def test_who_asks_for_what_is_not_there_is_told_what_to_do(shell: Shell) -> None:
    (run,) = add(shell, new_project(shell), a_run("run-1"))
    queue = shell("review", "create", "Q", "--project", "default", "--json").good().json["id"]
    for words, told in (
        (("answer", queue, "rvc_00000000000000000000000000", "--answer", "right"), "setright review claim"),
        (("claim", queue, "--run", run), "setright review items"),
        (("adjudicate", queue, run, "--answer", "right"), "setright review items"),
    ):
        answer = shell("review", *words)
        assert (answer.code, told in answer.err) == (1, True), answer.err
