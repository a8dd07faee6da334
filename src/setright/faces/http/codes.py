"""Every code with which anything may be refused, found among the refusals that exist."""

from collections.abc import Iterator
from functools import cache

from setright.kernel.errors import Kind, Refusal


def every_refusal() -> Iterator[type[Refusal]]:
    """Every class of refusals that was imported."""
    waiting = [Refusal]
    while waiting:
        found = waiting.pop().__subclasses__()
        yield from found
        waiting += found


@cache
def kinds_by_code() -> dict[str, Kind]:
    """The kind of each code, by code."""
    return {refused.code: refused.kind for refused in sorted(every_refusal(), key=lambda one: one.code)}
