"""Words are found whoever wrote them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.knowledge.folding import LONGEST_WORD, fold, spelled, words

SAME = [
    ("lugal", "lu2-gal"),
    ("lugal", "lu\u2082-gal"),
    ("lugal", "LUGAL"),
    ("lugal", "Lu\u2082.gal#?"),
    ("lugal", "[lu\u2082]-g[al]"),
    ("\u0161arru", "szarru"),
    ("\u0161arru", "SARRU"),
    ("\u1e63\u0113ru", "s,eru"),
    ("\u1e6d\u0113mu", "t,emu"),
    ("\u1e2b\u0113pi", "hepi"),
    ("sa\u014ba", "saja"),
    ("sag\u0303a", "saga"),
    ("\u02beilu", "'ilu"),
    ("\u02bfilu", "ilu"),
    ("{m}{d}60--EN-\u0161u\u2082-nu", "60 en-szu2-nu"),
    ("qat\u2082-[su DAB]{+bat}", "qatsu dab"),
]
DIFFERENT = [("lugal", "lugala"), ("9.30", "930"), ("1-KAM", "2-KAM"), ("a b", "ab")]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_spellings_are_one_key(one: str, other: str) -> None:
    assert fold(one) == fold(other) != ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_differs_stays_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text() | st.text("sSzZ,tj2\u2082{}[]-. '\u0161\u014b"))
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_a_key_is_letters_and_figures_with_single_spaces(text: str) -> None:
    key = fold(text)
    assert all(word.isalnum() for word in key.split(" ")) or key == ""


@given(st.text())
def test_every_whole_word_is_among_the_words(text: str) -> None:
    found = words(text)
    assert {word[:LONGEST_WORD] for word in fold(text).split()} <= set(found)
    assert len(set(found)) == len(found)


def test_a_word_with_hyphens_is_found_by_its_parts() -> None:
    assert words("Anu-bel\u0161unu lu\u2082-gal") == (
        "anubelsunu",
        "lugal",
        "anu",
        "belsunu",
        "lu",
        "gal",
        "lu2",
    )


def test_how_it_was_spelled_is_known_besides() -> None:
    assert (
        spelled("P2 lu\u2082-gal [\u0161u]-nu")
        == spelled("p2 LU2.GAL szu-nu")
        == ("p2", "lu2", "gal", "sunu")
    )
    assert spelled("gal2") != spelled("gal")
