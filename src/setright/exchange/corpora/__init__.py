"""The forms in which a corpus can be read: each a module with one streaming reader, named in one table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from setright.exchange.corpora import atf, json_artifacts
from setright.exchange.corpora.model import CorpusReport, Counted, Given, ReadArtifact, counted
from setright.exchange.model import Stream, Unread

__all__ = ["CORPORA", "CorpusForm", "CorpusReport", "Counted", "Given", "ReadArtifact", "counted"]


@dataclass(frozen=True, slots=True)
class CorpusForm:
    """A form of corpora: its name, what it is in a few words, and what reads it."""

    name: str
    what: str
    read: Callable[[Stream, Given], Iterator[ReadArtifact | Unread]]


CORPORA: Mapping[str, CorpusForm] = {
    found.name: found
    for found in (
        CorpusForm("atf", "transliterated cuneiform as CDLI and Oracc write it", atf.read),
        CorpusForm("json", "artifacts of any domain as POST /v1/artifacts takes them", json_artifacts.read),
    )
}
"""Every form by its name."""
