"""Signing in, out and seeing who is, on the command line."""

import stat
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.cli.shell import Shell
from tests.cli.test_limits import home
from tests.support.issuer import Issuing

__all__ = ["home"]

GOOD = "four words are fine"
NUMBERS = count(1)


@pytest.fixture
def admin(shell: Shell, served: tuple[str, str], tmp_path: Path) -> Shell:
    """A terminal of an admin of a server."""
    url, token = served
    shell.environment |= {"SETRIGHT_URL": url, "SETRIGHT_TOKEN": token}
    return shell


@pytest.fixture
def person(admin: Shell, tmp_path: Path) -> Shell:
    """A terminal of somebody who only knows the server's address, and has an account there."""
    shell = Shell(tmp_path / "person")
    shell.environment["SETRIGHT_URL"] = admin.environment["SETRIGHT_URL"]
    return shell


def invited(admin: Shell) -> tuple[str, str]:
    """A new user's address, and the invitation for it."""
    name = f"bo{next(NUMBERS)}"
    admin("user", "create", name, "--email", f"{name}@example.org").good()
    return f"{name}@example.org", admin("user", "invite", name, "--json").good().json["secret"]


def test_an_invitation_a_session_and_its_end(admin: Shell, person: Shell) -> None:
    email, invitation = invited(admin)
    told = person("sign-in", "--invitation", "--json", stdin=f"{invitation}\n{GOOD}\n").good()
    kept = Path(told.json["keptIn"])
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "secret" not in told.json
    assert kept.read_text().strip() not in told.out + told.err
    (mine,) = person("sessions", "list", "--json").good().json["data"]
    assert mine["id"] == told.json["id"]
    assert "signed out" in person("sign-out").good().out
    assert not kept.exists()
    assert person("sessions", "list").code == 2
    assert person("sign-out").code == 1
    again = person("sign-in", "--email", email, stdin=f"{GOOD}\n").good()
    assert "You are signed in" in again.err


def test_another_password(admin: Shell, person: Shell) -> None:
    email, invitation = invited(admin)
    person("sign-in", "--invitation", stdin=f"{invitation}\n{GOOD}\n").good()
    changed = person("sign-in", "--email", email, "--new-password", stdin=f"{GOOD}\nanother {GOOD}\n")
    changed.good()
    wrong = person("sign-in", "--email", email, "--json", stdin=f"{GOOD}\n")
    assert wrong.code == 1
    assert wrong.json["error"]["code"] == "sign-in-refused"
    assert person("sign-in", "--email", email, stdin=f"another {GOOD}\n").good()


def test_an_admin_ends_a_session(admin: Shell, person: Shell) -> None:
    email, invitation = invited(admin)
    opened = person("sign-in", "--invitation", "--json", stdin=f"{invitation}\n{GOOD}\n").good().json
    (seen,) = admin("sessions", "list", "--user", email.partition("@")[0], "--json").good().json["data"]
    assert seen["id"] == opened["id"]
    assert opened["id"] in admin("sessions", "end", opened["id"]).good().out
    assert person("sessions", "list", "--json").json["error"]["code"] == "auth-revoked"
    assert "ended already" in person("sign-out").good().out


def test_a_token_of_the_environment_comes_first(admin: Shell, person: Shell) -> None:
    _, invitation = invited(admin)
    person("sign-in", "--invitation", stdin=f"{invitation}\n{GOOD}\n").good()
    other = person("sessions", "list", SETRIGHT_TOKEN="srt_wrong")
    assert other.code == 1


def test_a_password_is_set_on_this_machine(home: Shell) -> None:
    home("user", "change", "admin", "--email", "admin@example.org").good()
    assert "is set" in home("user", "set-password", "admin", stdin=f"{GOOD}\n").good().out
    assert home("sessions", "list", "--json").good().json["data"] == []
    short = home("user", "set-password", "admin", "--json", stdin="short\n")
    assert short.code == 1
    assert "/password" in short.out
    assert home("user", "set-password", "admin").code == 2, "nobody is asked twice"


def test_who_has_no_address_is_told_how_to_get_one(home: Shell) -> None:
    told = home("user", "invite", "admin", "--json")
    assert (told.code, told.json["error"]["code"]) == (1, "email-missing")


def test_the_ledger_of_this_machine_needs_no_sign_in(home: Shell) -> None:
    told = home("sign-in", "--json")
    assert (told.code, told.json["error"]["code"]) == (2, "no-server")


def test_an_invitation_goes_alone(person: Shell) -> None:
    assert person("sign-in", "--invitation", "--email", "a@b", stdin="x\n").code == 2


@pytest.fixture
def issuing() -> Iterator[Issuing]:
    issuing = Issuing()
    yield issuing
    issuing.close()


def test_a_server_does_not_start_with_an_issuer_that_calls_itself_otherwise(
    home: Shell, issuing: Issuing
) -> None:
    issuing.called = f"{issuing.name}/"
    given = ("--oidc-issuer", issuing.name, "--oidc-audience", "a")
    told = home("serve", *given, "--json")
    assert (told.code, told.json["error"]["code"]) == (2, "issuer-differs")
    assert issuing.called in told.json["error"]["message"]
    (finding,) = [one for one in home("doctor", *given, "--json").json["findings"] if one["name"] == "issuer"]
    assert finding["ok"] is False


def test_the_doctor_asks_the_issuer(home: Shell, issuing: Issuing) -> None:
    given = ("--oidc-issuer", issuing.name, "--oidc-audience", "a")
    found = home("doctor", *given, "--json").json["findings"]
    assert [one["ok"] for one in found if one["name"] == "issuer"] == [True]
    issuing.close()
    down = home("doctor", *given, "--json").json["findings"]
    assert [one["ok"] for one in down if one["name"] == "issuer"] == [False]
