"""A translation stands at the lines that it translates, in each of its forms, and says how far it goes."""

import pytest

from setright.exchange.corpora.atf_translations import plain
from tests.exchange.atf_samples import odd, one, said, targets

TEXT = "@obverse\n1. a\n2. b\n3'. c\n@reverse\n1. d\n@right\n2'. e\n9. f\n"


def translated(lines: str) -> dict[str, list[tuple[str, ...]]]:
    """What is said of lines and of the whole (under no target) by a translation behind the text."""
    found = one(TEXT + lines)
    whole = {"": said(found)} if "annotations" in found else {}
    return whole | {target: said(line) for target, line in targets(found).items() if "annotations" in line}


def test_a_parallel_translation_names_lines_by_their_numbers() -> None:
    lines = "@translation parallel en project\n@obverse\n1. One^1^\n  goes on\n@note ^1^ Why.\n\n$ ruling\n@reverse\n1. Four\n"
    assert translated(lines) == {
        "o.1": [("translation", "One goes on"), ("note", "Why.")],
        "r.1": [("translation", "Four")],
    }


def test_a_labeled_translation_goes_on_until_the_next_label() -> None:
    lines = "@translation labeled en project\n\n@(1) One\n    and two.\n\n$ (Break)\n@(o 3') Three.\n\n@(r 1) Four.\n"
    assert translated(lines) == {
        "o.1": [("translation", "One and two.", "o.1-o.2")],
        "o.3'": [("translation", "Three.")],
        "r.1": [("translation", "Four.", "r.1-re.9")],
    }


def test_labels_may_stand_in_lines_of_their_own_and_say_where_they_end() -> None:
    lines = "@translation labeled en project\n@label o 1 - o 3'\nOne.\nTwo.\n@span r 1 - r.e. 2'\nFour.\n"
    assert translated(lines) == {
        "o.1": [("translation", "One. Two.", "o.1-o.3'")],
        "r.1": [("translation", "Four.", "r.1-re.2'")],
    }


@pytest.mark.parametrize(
    ("label", "target"),
    [
        ("o 3", "o.3'"),
        ("r.e. 2", "re.2'"),
        ("r 9", "re.9"),
        ("9", "re.9"),
        ("obv 2", "o.2"),
        ("o 1-2", "o.1"),
        ("o 1\u20132", "o.1"),
    ],
)
def test_a_label_finds_its_line_also_without_prime_or_beyond_the_turn_of_the_text(
    label: str, target: str
) -> None:
    assert list(translated(f"@translation labeled en project\n@({label}) Words.\n")) == [target]


def test_a_label_within_a_paragraph_begins_another() -> None:
    assert translated("@translation labeled en project\n@(1) One. @(2) Two @(r 1) four.\n") == {
        "o.1": [("translation", "One.")],
        "o.2": [("translation", "Two", "o.2-o.3'")],
        "r.1": [("translation", "four.", "r.1-re.9")],
    }


def test_a_unitary_translation_is_one_of_the_whole() -> None:
    assert translated("@translation unitary en project\nAll of it.\n\nAnd more.\n") == {
        "": [("translation", "All of it. And more.")]
    }


def test_translations_into_two_languages_stand_beside_one_another() -> None:
    lines = "@translation parallel en project\n1. One\n@translation parallel de project\n1. Eins\n"
    assert translated(lines) == {"o.1": [("translation", "One"), ("translation", "Eins")]}


@pytest.mark.parametrize(
    ("lines", "reason", "whole"),
    [
        (
            "@translation labeled en project\n@(r 7) Lost.\n",
            "there is no line r.7; kept as a translation of the whole text",
            [("translation", "Lost.", "r.7")],
        ),
        ("@translation labeled en project\n@(1)\n@(2) B\n", "is a label without words", []),
        ("@translation labeled en project\n@(1) A\n\n.\n", "holds no words of a translation", []),
        (
            "@translation parallel en project\n@note ^1^ So\n",
            "is a note of nothing: no translation stands before it",
            [],
        ),
        (
            "@translation en project\nAll.\n",
            "is a translation that is neither parallel, labeled nor unitary; read as a unitary one",
            [("translation", "All.")],
        ),
    ],
)
def test_what_stands_nowhere_is_told(lines: str, reason: str, whole: list[tuple[str, ...]]) -> None:
    found, told = odd(TEXT + lines)
    assert [why for _, why in told] == [reason]
    assert said(found) == whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Inspect the crops @i{under} [......].", "Inspect the crops under [......]."),
        ("the @?heart?@ of a slave", "the heart of a slave"),
        ("the @ardat-@lilî demon", "the ardat-lilî demon"),
        ("@b{@i{deep}} a^2^ b  c", "deep a b c"),
        ("3.5 @ 4 ^ 5", "3.5 @ 4 ^ 5"),
    ],
)
def test_a_translation_without_its_markup(text: str, expected: str) -> None:
    assert plain(text) == expected
