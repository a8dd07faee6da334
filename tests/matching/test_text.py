"""Tokens, numbers and JSON as people and models write them."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.matching import MISSING, number_in
from setright.matching.text import folded, json_in, occurs, tokens


def in_text(value: str, text: str) -> bool:
    return occurs(value, tokens(text))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("14", "14"),
        ("14", "It takes 14 days."),
        ("14", "(14)"),
        ("14", "[14]{14}"),
        ("14", "take 14, or 15"),
        ("14", "is it 14?"),
        ("14", '"14"'),
        ("14", "**14**"),
        ("14", "`14`"),
        ("14", "“14”"),
        ("14", "| 14 |"),
        ("14", "|14|"),
        ("14", "<b>14</b>"),
        ("14", "14 days—no more, 15 days"),
        ("14", "#14"),
        ("14", "+14"),
        ("+14", "14"),
        ("14 days", "within 14 days"),
        ("14 days", "within 14\n days"),
        ("14 days", "14 Days."),
        ("14 days.", "14 days from now"),
        ("Straße", "STRASSE"),
        ("ﬁne", "FINE"),
        ("\uff11\uff14", "14"),
        ("don't", "we don\u2019t"),
        ("1,400", "it is 1400 euros"),
        ("1400", "it is 1,400 euros"),
        ("1400", "'1,400'"),
        ("1400", "1\u2019400"),
        ("1400", "1\u202f400 and 1\u00a0400"),
        ("1400.50", "1,400.50"),
        ("1234567", "1,234,567"),
        ("327", "$327"),
        ("327", "327€."),
        ("$327", "$327!"),
        ("-327", "-$327"),
        ("-14", "\u221214"),
        ("14%", "14%."),
        ("C#", "we use C#."),
        ("a-b", "a-b"),
        ("b-1", "order b-1, please"),
        ("x.y", "x.y."),
        ("👍", "all 👍 good"),
    ],
)
def test_a_value_is_found_between_spaces_brackets_and_punctuation(value: str, text: str) -> None:
    assert in_text(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("4", "14"),
        ("14", "14.5"),
        ("14", "140"),
        ("14", "-14"),
        ("14", "-$14"),
        ("14", "14%"),
        ("14", "14‰"),
        ("14", "14°"),
        ("14%", "14"),
        ("$14", "14"),
        ("$14", "€14"),
        ("14", "14-day"),
        ("14", "10-14"),
        ("14", "14:30"),
        ("14", "14/15"),
        ("14", "1,400"),
        ("14", "14,5"),
        ("400", "1,400"),
        ("1400", "1,4000"),
        ("1400", "1,400,5"),
        ("1400", "0,1,400"),
        ("0400", "0,400"),
        ("12345", "12,34,5"),
        ("14 days", "14 or 15 days"),
        ("14 days", "days 14"),
        ("14 days", "14"),
        ("14 days", "banana"),
        ("14 days", "30 days"),
        ("14 days", "rejected 999 days"),
        ("C", "C#"),
        ("a", "b"),
        ("a", ""),
        ("", "a"),
        ("?", "what?"),
        (" ", "a b"),
    ],
)
def test_a_value_is_not_found_in_other_tokens(value: str, text: str) -> None:
    assert not in_text(value, text)


WORDS = st.lists(st.from_regex(r"[a-z]{1,6}|[1-9][0-9]{0,5}", fullmatch=True), min_size=1, max_size=6)


@given(WORDS, st.data())
def test_words_are_found_where_they_stand_and_only_there(words: list[str], draw: st.DataObject) -> None:
    start = draw.draw(st.integers(0, len(words) - 1))
    end = draw.draw(st.integers(start + 1, len(words)))
    text = ", ".join(words)
    assert in_text(" ".join(words[start:end]), text)
    assert not in_text("zzzzzzz", text)
    assert not in_text(" ".join([*words, words[0]]), text)


@given(st.text())
def test_every_text_has_tokens_that_it_contains(text: str) -> None:
    found = tokens(text)
    assert all(token.text.strip() == token.text != "" for token in found)
    if found:
        assert in_text(text, text)


def test_folding_is_nfkc_and_white_space() -> None:
    assert folded("  ﬁne \n\t\uff11\uff14  ") == "fine 14"
    assert folded("Fine") != folded("fine")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,400", "1400"),
        (" 14 ", "14"),
        ("14.50", "14.5"),
        ("-3", "-3"),
        ("\u22123", "-3"),
        ("+3", "3"),
        ("1e3", "1000"),
        ("1,400.5", "1400.5"),
        ("1\u2019400", "1400"),
        ("\uff11\uff14", "14"),
        ("007", "7"),
        ("9007199254740993", "9007199254740993"),
    ],
)
def test_a_number_is_read_as_it_is_written(text: str, number: str) -> None:
    assert number_in(text) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "14 days",
        "fourteen",
        "1,40",
        "1,4000",
        "0,400",
        "1.400,5",
        "14%",
        "$14",
        "1e9999",
        "NaN",
        "\u0661٤",
        "1 4",
        "--1",
        "1.",
    ],
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert number_in(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2.5, null, true]}', {"a": [1, 2.5, None, True]}),
        ("7", 7),
        ('"x"', "x"),
        ("null", None),
        (' ```json\n{"a": 1}\n``` ', {"a": 1}),
        ("```\n[1]\n```", [1]),
    ],
)
def test_json_is_read_also_from_one_block_of_code(text: str, value: Any) -> None:
    assert json_in(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "NaN",
        "[Infinity]",
        "1e999",
        "-1e999",
        '{"a": 1, "a": 1}',
        "it is 7",
        "see\n```json\n{}\n```",
        "[" * 100_000,
        "9" * 5_000,
    ],
)
def test_what_is_no_json_is_missing(text: str) -> None:
    assert json_in(text) is MISSING


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("+1a", ["1a"]),
        ("+1,a", ["1,a"]),
        ("+1", ["1"]),
        ('"+5"', ["5"]),
        ('""+5', ["5"]),
        ('"""+5', ["5"]),
        ("+a", ["+a"]),
        ('"-5"', ["-5"]),
        ('""-5', ["-5"]),
        ('"""-5', ["-5"]),
        ('"-$5', ["-$5"]),
        (" - ", []),
        ("." * 300, []),
        ("a" + "." * 300, ["a"]),
        ("$", ["$"]),
    ],
)
def test_signs_stay_with_numbers_wherever_they_stand(text: str, found: list[str]) -> None:
    assert [token.text for token in tokens(text)] == found


def test_an_object_may_have_many_names() -> None:
    many = {str(number): number for number in range(300)}
    assert json_in(json.dumps(many)) == many
    assert json_in(json.dumps(many)[:-1] + ', "7": 7}') is MISSING
