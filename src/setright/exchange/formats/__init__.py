"""The formats that can be read: each a module with one streaming reader, named in one table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from setright.exchange.entries import Entry
from setright.exchange.formats import (
    atif,
    claude_code,
    codex,
    langfuse,
    langsmith,
    mapped,
    mlflow,
    openai_chat,
    otlp,
    tau_bench,
)
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.records import Ahead, records

LOOKED_AT = 20
MAPPED = "jsonl"


@dataclass(frozen=True, slots=True)
class Format:
    """A foreign format: its name, what becomes of its fields in a few words, what reads it, and what tells it apart."""

    name: str
    what: str
    read: Callable[[Stream], Iterator[ReadRun | Unread]]
    fits: Callable[[Any], bool]


FORMATS: Mapping[str, Format] = {
    found.name: found
    for found in (
        Format(
            "tau-bench",
            "the trial becomes the version, task and reward become tags, what the task expected is not read",
            tau_bench.read,
            tau_bench.fits,
        ),
        Format("atif", "a trajectory becomes a run, with the calls of its sub-agents", atif.read, atif.fits),
        Format(
            "claude-code",
            "each prompt of a session becomes a run, with the calls of its sub-agents",
            claude_code.read,
            claude_code.fits,
        ),
        Format("codex", "each prompt of a rollout becomes a run", codex.read, codex.fits),
        Format("langfuse", "a trace becomes a run; scores are not read", langfuse.read, langfuse.fits),
        Format("langsmith", "a trace becomes a run; feedback is not read", langsmith.read, langsmith.fits),
        Format("otlp", "a trace of an agent becomes a run", otlp.read, otlp.fits),
        Format(
            "mlflow",
            "a trace becomes a run, what people assessed their corrections",
            mlflow.read,
            mlflow.fits,
        ),
        Format("openai-chat", "a conversation becomes a run", openai_chat.read, openai_chat.fits),
    )
}
"""Every format by its name, those that are told apart most surely first."""

NAMES = (*FORMATS, MAPPED)


def by_mapping(mapping: mapped.Mapping) -> Format:
    """The format that a mapping describes."""
    return Format(
        MAPPED, "as its mapping says", mapped.reader(mapping), lambda value: isinstance(value, dict)
    )


def recognise(stream: Ahead) -> Format | None:
    """The format that a file has, told by its first values; None where it has none that is known.

    What was looked at is still to be read.
    """
    counts = dict.fromkeys(FORMATS, 0)
    for place, found in enumerate(records(stream.look())):
        if place == LOOKED_AT:
            break
        if isinstance(found, Entry):
            for known in FORMATS.values():
                counts[known.name] += known.fits(found.value)
    best = max(FORMATS, key=lambda name: counts[name])
    return FORMATS[best] if counts[best] else None
