"""Asking the person at the terminal, for what only a person decides."""

import sys

from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.out import plain


def is_at_terminal() -> bool:
    """Whether somebody sits at this terminal who can be asked."""
    return sys.stdin.isatty()


def ask_person(desk: Desk, question: str) -> None:
    """Have the person at the terminal say yes; refuses where nobody can be asked.

    On a server it is the token that says whether a person is there. On the ledger of this machine whoever runs the
    command counts as its person, so that a program could be one: it is asked.
    """
    if desk.url is not None:
        return
    if not is_at_terminal():
        raise Cannot(
            "Only a person does this, and nobody is at the terminal to be asked.",
            advice=[
                "run it yourself, in a terminal of your own",
                "or with SETRIGHT_URL and SETRIGHT_TOKEN, the token being a user's (setright token create --user)",
            ],
            kind="person-needed",
        )
    print(f"{plain(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Cannot("Nothing was changed.", kind="not-confirmed")
