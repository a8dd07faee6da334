"""Which cited annotations a claim names: by value, by what it quotes of a value, by form."""

from hypothesis import given
from hypothesis import strategies as st

from setright.knowledge.naming import Cited, named, tokens

SEED_CLAIM = "The agent read lu\u2082-gal as lugal[king]N"
SEED_CORRECTION = (
    "This sign sequence in this context should be read as lugal[owner]N \u2014 the administrative genre and parallel "
    "texts from Nippur support the 'owner' sense"
)
LU_GAL = [
    Cited("reading", "lugal", "lu\u2082-gal"),
    Cited("lemma", "lugal", "lu\u2082-gal"),
    Cited("sense", "king", "lu\u2082-gal"),
    Cited("pos", "N", "lu\u2082-gal"),
]
WORDS = st.text(st.sampled_from("abcdn\u0161\u2082"), min_size=2, max_size=6)


def test_the_seeds_example_names_only_the_sense() -> None:
    assert named(SEED_CLAIM, SEED_CORRECTION, LU_GAL) == ["sense"]


def test_a_value_that_the_correction_keeps_is_named_where_nothing_else_is() -> None:
    assert named("It is no king.", "king of Ur", LU_GAL) == ["sense"]


def test_two_values_are_both_named() -> None:
    assert named("lugal is no king", "bel, owner", LU_GAL) == ["reading", "lemma", "sense"]


def test_a_form_names_all_that_is_said_of_its_word() -> None:
    assert named("lu2-gal is misread", "read it otherwise", LU_GAL) == ["reading", "lemma", "sense", "pos"]


def test_a_value_that_is_the_form_counts_as_a_form() -> None:
    cited = [Cited("reading", "sze", "sze"), Cited("sense", "barley", "sze")]
    assert named("sze is no barley", "emmer", cited) == ["sense"]
    assert named("sze is misread", "read it otherwise", cited) == ["reading", "sense"]


def test_a_claim_that_quotes_a_part_of_a_value_names_it() -> None:
    cited = [Cited("translation", "The king measured the barley."), Cited("note", "Written in haste.")]
    assert named("measured the barley", "weighed the barley", cited) == ["translation"]


def test_a_value_must_stand_as_whole_words() -> None:
    assert named("kingship came down", "it went up", [Cited("sense", "king")]) == []


def test_punctuation_and_brackets_end_a_word_and_hyphens_do_not() -> None:
    assert tokens("\u201clugal[king]N\u201d, {d}60-EN: lu\u2082-gal!") == (
        "lugal",
        "king",
        "N",
        "d",
        "60-en",
        "lu2-gal",
    )


def test_a_word_of_one_letter_is_told_from_its_capital() -> None:
    cited = [Cited("pos", "N"), Cited("value", "a")]
    assert named("the n is wrong", "V", cited) == []
    assert named("A house", "no house", cited) == []


@given(st.lists(WORDS, min_size=1, max_size=5, unique=True), st.integers(0, 4))
def test_a_value_that_stands_in_the_claim_alone_is_named(values: list[str], chosen: int) -> None:
    one = values[chosen % len(values)]
    cited = [Cited(str(place), value) for place, value in enumerate(values)]
    found = named(f"It says {one}.", "It is otherwise, zzz.", cited)
    assert found == [cited_one.id for cited_one in cited if tokens(cited_one.value) == tokens(one)]


@given(st.text(max_size=30), st.text(max_size=30), st.lists(st.text(min_size=1, max_size=10), max_size=4))
def test_what_is_named_was_cited_and_stands_there_or_quotes_it(
    claim: str, correction: str, values: list[str]
) -> None:
    cited = [Cited(str(place), value) for place, value in enumerate(values)]
    said = " ".join(tokens(claim))
    for found in named(claim, correction, cited):
        value = " ".join(tokens(cited[int(found)].value))
        assert value in said or said in value


@given(st.text(max_size=40))
def test_words_are_read_the_same_again(text: str) -> None:
    assert tokens(" ".join(tokens(text))) == tokens(text)
