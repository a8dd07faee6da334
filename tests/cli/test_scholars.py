"""`setright scholars`: readings are attributed to scholars, and who speaks as one asks for it."""

from itertools import count

import pytest

from tests.cli.shell import Shell

_NUMBERS = count(1)


@pytest.fixture
def number(ledger_shell: Shell) -> int:
    """A scholar of this test's own."""
    name = f"Ada {next(_NUMBERS)} of {ledger_shell.folder.name}"
    return ledger_shell("scholars", "add", name, "--institution", "Nippur", "--json").good().json["id"]


def test_a_scholar_is_made_shown_listed_and_changed(ledger_shell: Shell, number: int) -> None:
    shown = ledger_shell("scholars", "show", number).good().out
    assert f"number       {number}\n" in shown
    assert "institution  Nippur\n" in shown
    changed = (
        ledger_shell("scholars", "change", number, "--name", "Ada L.", "--institution", "", "--json")
        .good()
        .json
    )
    assert changed["name"] == "Ada L."
    assert "institution" not in changed
    assert "Ada L." in ledger_shell("scholars", "list", "--limit", 100).good().out
    nothing = ledger_shell("scholars", "change", number)
    assert (nothing.code, "--orcid" in nothing.err) == (2, True)


def test_who_asks_to_speak_as_one_is_approved_and_may_give_it_up(ledger_shell: Shell, number: int) -> None:
    asked = ledger_shell("scholars", "claim", number, "--note", "It is me.").good()
    assert "status   asked\n" in asked.out
    assert f"setright scholars approve {number} " in asked.err
    (claim,) = ledger_shell("scholars", "claims", number, "--json").good().json["data"]
    assert claim["note"] == "It is me."
    approved = ledger_shell("scholars", "approve", number, claim["id"], "--reason", "Known.").good().out
    assert "status   approved\n" in approved
    assert "approved" in ledger_shell("scholars", "claims", number).good().out
    assert "status   withdrawn\n" in ledger_shell("scholars", "withdraw", number, claim["id"]).good().out
    again = ledger_shell("scholars", "approve", number, claim["id"])
    assert again.code == 1


def test_an_orcid_is_checked_and_a_scholar_that_is_not_there_is_told(ledger_shell: Shell) -> None:
    wrong = ledger_shell("scholars", "add", "B", "--orcid", "0000-0002-1825-0098")
    assert (wrong.code, "orcid" in wrong.err) == (1, True)
    assert ledger_shell("scholars", "show", 999_999).code == 1
    assert ledger_shell("scholars", "show", "x").code == 2
