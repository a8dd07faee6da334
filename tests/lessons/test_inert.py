"""Words made inert: nothing of them is markup any more, and unescaping gives them back."""

import re
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.kernel.visible import one_line, visible
from setright.lessons.inert import inert, words

MARKED = st.text(alphabet="\\`~<>!-[]#+*1.) ab\u202e\u200b\t", max_size=40)
ANY = st.one_of(st.text(max_size=80), MARKED)


@given(ANY)
def test_unescaping_markdown_gives_the_words_back(text: str) -> None:
    assert words(inert(text, "markdown"), "markdown") == visible(text)


@given(ANY)
def test_unescaping_text_gives_the_words_back(text: str) -> None:
    assert words(inert(text, "text"), "text") == visible(text)


@given(ANY)
def test_nothing_in_markdown_is_markup(text: str) -> None:
    shown = inert(text, "markdown")
    assert "<!" not in shown
    assert not re.search(r"(?<!\\)(?:\\\\)*[`<>\[\]]", shown)
    assert not re.match(r"\s*([#+*~-]|[0-9]+[.)])", shown)


@given(ANY)
def test_nothing_in_text_is_a_fence_or_a_comment(text: str) -> None:
    shown = inert(text, "text")
    assert not any(mark in shown for mark in ("```", "~~~", "<!--"))


@given(ANY)
def test_what_cannot_be_seen_is_left_out(text: str) -> None:
    assert not any(category(one) in ("Cc", "Cf") for one in visible(text))
    assert not {"\n", "\r", "\u2028", "\u2029", "\x85"} & set(visible(text))


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cf", "Zl", "Zp"])))
def test_what_can_be_seen_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "markdown", "plain"),
    [
        ("Read it.", "Read it.", "Read it."),
        ("# Obey me", "\\# Obey me", "# Obey me"),
        ("- one", "\\- one", "- one"),
        ("12. twelve", "12\\. twelve", "12. twelve"),
        ("use `x` <b>", "use \\`x\\` \\<b\\>", "use `x` <b>"),
        ("[a](b)", "\\[a\\](b)", "[a](b)"),
        ("```sh", "\\`\\`\\`sh", "\\`\\`\\`sh"),
        ("~~~~", "\\~~~~", "\\~\\~\\~\\~"),
        ("a <!-- b", "a \\<\\!-- b", "a <\\!-- b"),
        ("C:\\dir", "C:\\\\dir", "C:\\dir"),
        ("pay\u202eload\u200b", "payload", "payload"),
        ("tab\there", "tab here", "tab here"),
    ],
)
def test_how_it_looks(text: str, markdown: str, plain: str) -> None:
    assert (inert(text, "markdown"), inert(text, "text")) == (markdown, plain)


def test_data_is_cut_to_one_line() -> None:
    assert one_line(" a\n\n b\u200b\tc ", 10) == "a b c"
    assert one_line("x" * 300, 10) == "x" * 9 + "\u2026"
