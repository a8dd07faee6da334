"""The options of the hooks, read in no time; nothing here ends a process."""

from collections.abc import Sequence
from typing import Final

FLAG: Final = "flag"
TEXT: Final = "text"


class WrongOption(ValueError):
    """An option that is not known, lacks its value, or has one that is not allowed."""


def read(words: Sequence[str], known: dict[str, str], others: list[str] | None = None) -> dict[str, str]:
    """The options that were given, by name; a flag that was given has the value `yes`, of several the last counts.

    Words that belong to no option come into `others`; without it they are refused.
    """
    given: dict[str, str] = {}
    rest = list(words)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        kind = known.get(name)
        if kind is None and others is not None and not name.startswith("-"):
            others.append(name + equals + value)
            continue
        if kind is None:
            raise WrongOption(f"{name[:80]!r} is not one of its options: {', '.join(known)}")
        if kind == FLAG:
            if equals:
                raise WrongOption(f"{name} takes no value")
            value = "yes"
        elif not equals:
            if not rest:
                raise WrongOption(f"{name} needs a value")
            value = rest.pop(0)
        given[name] = value
    return given
