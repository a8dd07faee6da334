"""The words of a line are what `#lem` counts, and each has a form without the marks of its editor."""

import pytest

from setright.exchange.corpora.atf_words import clean, words


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("lu₂-gal", "lu₂-gal"),
        ("lu₂#-gal?!*", "lu₂-gal"),
        ("[lu₂]-⸢gal⸣", "lu₂-gal"),
        ("[(x)]", "x"),
        ("x)]", "x"),
        ("[...]", "..."),
        ("<ba>-an", "ba-an"),
        ("<(ina)>", "ina"),
        ("MIN<(udu)>", "MIN"),
        ("[{m}]{d}60--EN", "{m}{d}60-EN"),
        ("SIG₅{+ti₃}", "SIG₅{ti₃}"),
        ("{{ir-ri}}", "ir-ri"),
        ("ina(DIŠ)", "ina"),
        ("ma₂!(BAR)", "ma₂"),
        ("2!(4)", "2"),
        ("29@v!(19@v)", "29@v"),
        ("4(ban₂)#", "4(ban₂)"),
        ("1/2(diš)", "1/2(diš)"),
        ("sudx(|SU.KUR|)", "sudx"),
        ("|GA₂\u00d7(ME.EN)|#", "|GA₂\u00d7(ME.EN)|"),
        ("$BI", "BI"),
        ("[n]i-ik-<$ku$>", "ni-ik-ku"),
        ("_lugal_", "lugal"),
        ("EN\\dd#-ia", "EN-ia"),
        ("an^1^", "an"),
        ("°a\\b°", "b"),
        ("[", "["),
    ],
)
def test_a_form_without_its_marks(form: str, expected: str) -> None:
    assert clean(form) == expected


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("5(diš) udu  niga", ["5(diš)", "udu", "niga"]),
        ("[x x (x)] x#+[x x]", ["[x", "x", "(x)]", "x#+[x", "x]"]),
        ("a : b :# c / d * e | f & g , h", list("abcdefgh")),
        ("*(DIŠ) a :(P2) b", ["a", "b"]),
        ("%sux lugal %akk šarru", ["lugal", "šarru"]),
        ("a ,!zz b !cs c", ["a", "b", "c"]),
        ("($______$) a ($blank space$) b (#so#)", ["a", "b"]),
        ("[...] o", ["[...]", "o"]),
        ("|DU&DU| a", ["|DU&DU|", "a"]),
        ("- -- [ ] ??", []),
        ("", []),
    ],
)
def test_what_is_a_word(text: str, forms: list[str]) -> None:
    assert [word.form for word in words(text)] == forms


def test_a_gloss_has_words_of_its_own_behind_the_word_that_it_stands_at() -> None:
    found = words("GID₂{{ir-ri ku}}-ma an")
    assert [(word.form, word.clean, word.gloss) for word in found] == [
        ("GID₂-ma", "GID₂-ma", False),
        ("{{ir-ri", "ir-ri", True),
        ("ku}}", "ku", True),
        ("an", "an", False),
    ]


def test_what_is_excised_as_a_whole_is_told_and_within_a_word_only_left_out() -> None:
    found = words("<<ALLA>> PA.<<PA>>.BIL a-<<na an>> {lu₂}<<LU>>.ZU")
    assert [(word.form, word.clean, word.excised) for word in found] == [
        ("<<ALLA>>", "ALLA", True),
        ("PA.<<PA>>.BIL", "PA.BIL", False),
        ("a-<<na", "a-", False),
        ("an>>", "an", True),
        ("{lu₂}<<LU>>.ZU", "{lu₂}ZU", False),
    ]


@pytest.mark.parametrize("text", ["a {{b c", "a <<b c", "a}} b>> c", "{{<<}}>> a"])
def test_marks_that_are_not_closed_hide_no_word(text: str) -> None:
    assert "a" in {word.clean for word in words(text)}
    assert len(words(text)) >= text.count("c")
