"""Asking for what nobody may read over a shoulder: at the terminal without showing it, or line by line from a pipe."""

import sys
from getpass import getpass

from setright.faces.cli.failures import Cannot


def ask(what: str) -> str:
    """One answer, without its line break."""
    if sys.stdin.isatty():
        return getpass(f"{what}: ", stream=sys.stderr)
    line = sys.stdin.readline()
    if not line:
        raise Cannot(
            f"Nobody is at the terminal to be asked for the {what.lower()}.",
            advice=["run it in a terminal, or give one line for each question on standard input"],
            kind="person-needed",
        )
    return line.rstrip("\r\n")


def ask_new_password() -> str:
    """A new password, typed twice where somebody types."""
    password = ask("New password")
    if sys.stdin.isatty() and ask("The same again") != password:
        raise Cannot("The two are not the same. Nothing was changed.", kind="not-confirmed")
    return password
