"""Whatever stands in a text or its correction, a summary has the same sentences as with plain words, each of them cited."""

import re

import pytest

from setright.knowledge.composing import PassageLine, compose
from tests.knowledge.facts import fact
from tests.support.attempts import EVERY

PLAIN = "owner of the house"
CITATION = re.compile(r"(?<!\\)\[(\d+)\]")


def summary(text: str) -> str:
    """A summary in which the words are a correction, with its evidence and its scholar, beside another reading."""
    facts = [
        fact(1, standing="contested"),
        fact(2, value=text, standing="correction", scholar=text, evidence=text, source="user-correction"),
        fact(3, target="o.1", position=0, field="translation", value=text),
    ]
    return compose("P1", facts, [PassageLine("o.1", text)]).summary


@pytest.mark.parametrize("text", EVERY)
def test_a_summary_has_the_same_sentences_and_citations(text: str) -> None:
    told, plain = summary(text), summary(PLAIN)
    assert [line[:4] for line in told.splitlines()] == [line[:4] for line in plain.splitlines()]
    assert CITATION.findall(told) == CITATION.findall(plain)
    assert told.replace("\n", "").isprintable()
