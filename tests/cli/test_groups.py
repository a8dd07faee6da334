"""Corrector groups by the command line, on the ledger of this machine and on a real server."""

import secrets

import pytest

from tests.cli.shell import Shell
from tests.cli.test_story import a_run, add


@pytest.fixture
def name() -> str:
    """A name that no other test gives."""
    return f"lawyers-{secrets.token_hex(4)}"


@pytest.fixture
def project(ledger_shell: Shell) -> str:
    """A project of the test's own."""
    own = f"g-{secrets.token_hex(4)}"
    ledger_shell("project", "create", f"Project {own}", "--id", own).good()
    return own


def test_a_group_is_made_shown_changed_and_retired(ledger_shell: Shell, project: str, name: str) -> None:
    scope = ("--project", project, "--agent", "support")
    by = ("--min-reviewer-role", "senior", "--principal-kind", "user")
    made = ledger_shell("group", "create", name, *scope, "--weight", 2.5, *by, "--json").good().json
    assert made["scope"] == {"kind": "agent", "projectId": project, "agentId": "support"}
    assert made["assertableBy"] == {"minReviewerRole": "senior", "principalKinds": ["user"]}
    shown = ledger_shell("group", "show", name).good().out
    assert f"agent support in project {project}" in shown
    assert "reviewers from senior; users" in shown
    assert ledger_shell("group", "show", made["id"], "--json").good().json == made
    changed = ledger_shell("group", "change", name, "--anybody", "--weight", 3, "--json").good().json
    assert (changed["weight"], "assertableBy" in changed) == (3, False)
    late = ledger_shell("group", "change", name, "--weight", 4, "--if-match", '"1"')
    assert (late.code, "changed since" in late.err) == (1, True)
    assert ledger_shell("group", "retire", name, "--json").good().json["status"] == "retired"
    listed = ledger_shell("group", "list", "--project", project, "--json").good().json
    assert listed == {"data": [], "hasMore": False}
    every = ledger_shell("group", "list", "--project", project, "--retired").good().out
    assert (name in every, "retired" in every) == (True, True)


def test_a_correction_is_recorded_and_listed_under_a_group_by_its_name(
    ledger_shell: Shell, project: str, name: str
) -> None:
    (run,) = add(ledger_shell, project, a_run(f"{project}-1"))
    group = ledger_shell("group", "create", name, "--project", project, "--principal-kind", "user", "--json")
    group_id = group.good().json["id"]
    said = ("--answer", "wrong", "--should-say", "14 days", "--corrector-group", name)
    made = ledger_shell("corrections", "add", run, *said, "--json").good().json
    assert (made["correctorGroupId"], made["expert"]) == (group_id, True)
    shown = ledger_shell("corrections", "show", made["id"]).good().out
    assert "expert" in shown
    assert group_id in shown
    within = ("corrections", "list", "--project", project, "--json")
    for narrowed in (("--corrector-group", name), ("--expert",)):
        assert [one["id"] for one in ledger_shell(*within, *narrowed).good().json["data"]] == [made["id"]]
    assert ledger_shell(*within, "--no-expert").good().json["data"] == []
    ledger_shell("group", "retire", name).good()
    again = ledger_shell("corrections", "add", run, *said)
    assert (again.code, "was retired" in again.err) == (1, True)


def test_principals_are_named_and_who_is_none_of_them_is_told(
    ledger_shell: Shell, project: str, name: str
) -> None:
    (run,) = add(ledger_shell, project, a_run(f"{project}-1"))
    token = ("token", "create", "--service", f"bot-{name}", "--project", project, "--json")
    bot = ledger_shell(*token).good().json["id"]
    made = ledger_shell("group", "create", name, "--service", f"bot-{name}", "--json").good().json
    assert made["assertableBy"] == {"principalIds": [bot]}
    refused = ledger_shell("corrections", "add", run, "--answer", "right", "--corrector-group", name)
    assert (refused.code, "principalIds: " in refused.err) == (1, True)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("create", "g", "--agent", "a"), 2, "--project"),
        (("create", "g", "--weight", "nan"), 2, "/weight is nan"),
        (("create", "g", "--weight=-1"), 1, "/weight: is too small"),
        (("create", "g", "--service", "nobody"), 1, "There is no token"),
        (("change", "g"), 2, "Say what changes"),
        (("change", "g", "--anybody", "--principal-kind", "user"), 2, "--anybody"),
        (("show", "nobody-at-all"), 1, "There is no corrector group"),
    ],
)
def test_what_cannot_be_done_is_told(shell: Shell, words: tuple[str, ...], code: int, told: str) -> None:
    answer = shell("group", *words)
    assert (answer.code, told in answer.err) == (code, True), answer.err


def test_a_name_in_two_scopes_needs_the_id(shell: Shell) -> None:
    ids = [
        shell("group", "create", "twins", *scope, "--json").good().json["id"]
        for scope in ((), ("--project", "default"))
    ]
    told = shell("group", "show", "twins")
    assert (told.code, all(one in told.err for one in ids)) == (1, True)
    assert shell("group", "show", ids[0].removeprefix("grp_"), "--json").good().json["id"] == ids[0]
