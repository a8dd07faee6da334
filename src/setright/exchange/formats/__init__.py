"""The formats that can be read: each a module with one streaming reader, named in one table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from setright.exchange.formats import tau_bench
from setright.exchange.model import ReadRun, Stream, Unread


@dataclass(frozen=True, slots=True)
class Format:
    """A foreign format: its name, what becomes of its fields in a few words, and what reads it."""

    name: str
    what: str
    read: Callable[[Stream], Iterator[ReadRun | Unread]]


FORMATS: Mapping[str, Format] = {
    found.name: found
    for found in (
        Format(
            "tau-bench",
            "the trial becomes the version, task and reward become tags, what the task expected is not read",
            tau_bench.read,
        ),
    )
}
"""Every format by its name."""
