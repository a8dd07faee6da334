"""The people of the tenant on the command line."""

from tests.cli.shell import Shell
from tests.cli.test_limits import home

__all__ = ["home"]


def test_a_user_is_changed_by_name(home: Shell) -> None:
    made = home("user", "create", "bo", "--email", "bo@example.org", "--json").good().json
    changed = home("user", "change", "bo", "--name", "Bo B.", "--role", "write", "--json").good().json
    assert changed["id"] == made["id"]
    assert (changed["name"], changed["email"], changed["role"]) == ("Bo B.", "bo@example.org", "write")
    lifted = home("user", "change", "Bo B.", "--no-email", "--role", "none", "--json").good().json
    assert lifted.keys().isdisjoint({"email", "role"})
    assert "Bo B." in home("user", "change", made["id"], "--email", "b@example.org").good().out


def test_what_is_no_change_is_told(home: Shell) -> None:
    home("user", "create", "bo").good()
    for more in ((), ("--no-email", "--email", "b@example.org"), ("--role", "owner")):
        assert home("user", "change", "bo", *more).code == 2
    assert home("user", "change", "nobody", "--name", "N").code == 1
    last = home("user", "change", "admin", "--role", "read", "--json")
    assert (last.code, "last-admin" in last.out + last.err) == (1, True)
