"""What a word is taken to be, and what else is held of it."""

from hypothesis import given

from setright.knowledge.citing import Fact, is_supported, shown
from setright.knowledge.composing import PassageLine
from setright.knowledge.interpreting import interpret
from tests.knowledge.facts import fact, many_facts


def test_a_word_goes_from_its_form_to_its_sense() -> None:
    facts = [
        fact(1, field="reading", value="lugal"),
        fact(2, field="lemma", value="lugal"),
        fact(3, value="king", standing="contested"),
        fact(4, field="pos", value="N"),
        fact(5, value="owner", standing="correction", scholar="Ada Reader", evidence="p. 62"),
    ]
    around = [fact(6, target="o.1", position=0, field="translation", value="The owner built it.")]
    made = interpret("o.1.1", "lu\u2082-gal", facts, around)
    assert made.summary.splitlines() == [
        "o.1.1: \u201clu\u2082-gal\u201d \u2192 reading \u201clugal\u201d [1] \u2192 lemma \u201clugal\u201d [2] \u2192 "
        "sense \u201cowner\u201d (correction; by Ada Reader; evidence: \u201cp. 62\u201d) [3] \u2192 "
        "part of speech \u201cN\u201d [4].",
        "o.1.1: 2 hypotheses of its sense: \u201cowner\u201d (correction; by Ada Reader; evidence: \u201cp. 62\u201d) [3] "
        "or \u201cking\u201d (from project/one) [5].",
        "o.1: translation of the line \u201cThe owner built it.\u201d [6].",
    ]
    assert made.chain["sense"].fact.value == "owner"
    assert [one.fact.value for one in made.hypotheses["sense"]] == ["owner", "king"]


@given(many_facts())
def test_every_sentence_is_supported_and_no_hypothesis_left_out(
    made: tuple[list[Fact], list[PassageLine]],
) -> None:
    facts, _ = made
    told = [one for one in facts if one.position == 1]
    around = [one for one in facts if one.position == 0]
    found = interpret("o.1.1", "[7] \u201d", told, around)
    values = {citation.n: citation.fact.value for citation in found.citations}
    if told or around:
        assert all(is_supported(sentence, values) for sentence in found.summary.splitlines())
    assert len(values) == len(told) + len(around)
    assert all(shown(one.value) in found.summary for one in [*told, *around])
