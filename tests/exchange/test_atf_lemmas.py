"""An entry of `#lem` is taken apart into what it says, whatever an editor puts around it."""

import pytest

from setright.exchange.corpora.atf_lemmas import Lemma, entries, lemmas, placed
from setright.exchange.corpora.atf_words import words


@pytest.mark.parametrize(
    ("entry", "lemma"),
    [
        ("lugal[king]N", Lemma("lugal", "lugal", "king", "N")),
        ("ardu[slave//servant]N$aradka", Lemma("aradka", "ardu", "servant", "N")),
        ("+nasāhu[tear out//removal]V'N$nasāhi +.", Lemma("nasāhi", "nasāhu", "removal", "V'N")),
        ("nasāhi[expelling]'N", Lemma("nasāhi", "nasāhi", "expelling", "N")),
        ("ana[to+=about]PRP$", Lemma("ana", "ana", "about", "PRP")),
        ("Gula[]DN'CN$", Lemma("Gula", "Gula", "", "DN'CN")),
        ("Belšunu[1]PN$", Lemma("Belšunu", "Belšunu", "", "PN")),
        ("!bēlī[lord]N", Lemma("bēlī", "bēlī", "lord", "N")),
        ("-lā[not]MOD -.", Lemma("lā", "lā", "not", "MOD")),
        ("%sux:udu[sheep]N", Lemma("udu", "udu", "sheep", "N")),
        ("@cams%akk:udu[sheep]N", Lemma("udu", "udu", "sheep", "N")),
        ("lugal[king]N$lugal#~,ra", Lemma("lugal", "lugal", "king", "N")),
        ("teŋ[approach]V/t", Lemma("teŋ", "teŋ", "approach", "V/t")),
        ("+gin[establish]V/gin₆#~", Lemma("gin", "gin", "establish", "V")),
        ("tar[cut]V/i/tar", Lemma("tar", "tar", "cut", "V/i")),
        ("kiŋ[work]N'V/kiŋ₂", Lemma("kiŋ", "kiŋ", "work", "N'V")),
        ("šag[centre]", Lemma("šag", "šag", "centre", "")),
        ("n", Lemma(pos="n")),
        ("PN", Lemma(pos="PN")),
        ("rubû[(a; b)]N \\p", Lemma("rubû", "rubû", "(a; b)", "N")),
        (
            "māru[son]N$mār&banû[good]AJ$banî",
            Lemma("mār banî", "māru & banû", "son & good", "N & AJ"),
        ),
    ],
)
def test_an_entry_says(entry: str, lemma: Lemma) -> None:
    assert lemmas(entry) == [lemma]


def test_alternatives_stand_beside_one_another() -> None:
    assert lemmas("lugal[king]N|lugal[owner]N") == [
        Lemma("lugal", "lugal", "king", "N"),
        Lemma("lugal", "lugal", "owner", "N"),
    ]


@pytest.mark.parametrize("entry", ["u", "x", "X", "M", "", "u +."])
def test_some_entries_say_nothing(entry: str) -> None:
    assert lemmas(entry) == []


@pytest.mark.parametrize("entry", ["lugal", "lugal[king", "[king]N", "lugal]king[N", "a[b]N|c", "a[b]N&c"])
def test_what_has_not_the_form_is_no_entry(entry: str) -> None:
    assert lemmas(entry) is None


def test_semicolons_divide_entries_but_not_within_a_sense() -> None:
    assert entries(" a[b; c]N; u ;n; ") == ["a[b; c]N", "u", "n"]
    assert entries("a[b; c") == ["a[b", "c"]
    assert entries("") == []


@pytest.mark.parametrize(
    ("text", "count", "at"),
    [
        ("a{{b}} <<c>> d", 3, [0, 1, 3]),
        ("a{{b}} <<c>> d", 4, [0, 1, 2, 3]),
        ("a{{b}} <<c>> d", 2, [0, 3]),
        ("a{{b}} <<c>> d", 1, None),
        ("a{{b}} <<c>> d", 5, None),
    ],
)
def test_how_many_entries_there_are_tells_which_words_they_count(
    text: str, count: int, at: list[int] | None
) -> None:
    assert placed(words(text), count) == at
