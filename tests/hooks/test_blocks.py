"""A block goes into any text and comes out of it again to the byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.hooks import blocks
from setright.hooks.blocks import MARKDOWN, TOML

HEAD = "---\napplyTo: '**'\n---\n"
LINES = ["one", "", "  two é"]
TEXTS = [
    "",
    "x",
    "x\n",
    "\n",
    "\n\n",
    "\r\n",
    "x\r\ny\r\n",
    "x\r\ny",
    "x\ny\r\n",
    "x\r",
    "\ufeff# A\n",
    HEAD,
    "a\n\n\n",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("marks", [MARKDOWN, TOML])
def test_in_and_out_is_the_same_bytes(text: str, marks: blocks.Marks) -> None:
    added = blocks.put(text, marks, LINES, HEAD)
    assert added.startswith(text)
    assert blocks.lines_in(added, marks) == LINES
    assert blocks.take_out(added, marks, HEAD) == text
    assert blocks.put(added, marks, LINES, HEAD) == added
    assert blocks.take_out(blocks.put(added, marks, ["other"], HEAD), marks, HEAD) == text


@given(
    st.text(st.sampled_from("ab\r\n#-<>! \ufeff"), max_size=20), st.text(st.sampled_from("c\r\n"), max_size=6)
)
def test_it_holds_for_any_text_and_what_is_written_below(text: str, below: str) -> None:
    added = blocks.put(text, MARKDOWN, LINES)
    assert blocks.take_out(added, MARKDOWN) == text
    assert blocks.take_out(added + below, MARKDOWN) == text + below


@pytest.mark.parametrize("head", ["", HEAD])
def test_a_text_that_was_not_there_is_none_again(head: str) -> None:
    assert blocks.take_out(blocks.put(None, MARKDOWN, LINES, head), MARKDOWN, head) is None


def test_what_a_user_adds_to_a_text_of_ours_stays() -> None:
    text = blocks.put(None, MARKDOWN, LINES)
    assert blocks.take_out(f"{text}\nmine\n", MARKDOWN) == "\nmine\n"
    assert blocks.take_out(f"mine\n\n{text}", MARKDOWN) == "mine\n"


@pytest.mark.parametrize(
    "text",
    [
        MARKDOWN.begin,
        MARKDOWN.end,
        f"{MARKDOWN.end}\n{MARKDOWN.begin}\n",
        f"{MARKDOWN.begin}\n{MARKDOWN.begin}\n{MARKDOWN.end}\n",
    ],
)
def test_marks_that_do_not_fit_are_refused(text: str) -> None:
    with pytest.raises(blocks.Broken):
        blocks.put(text, MARKDOWN, LINES)
    with pytest.raises(blocks.Broken):
        blocks.take_out(text, MARKDOWN)


def test_a_mark_inside_of_a_line_is_none() -> None:
    text = f"see `{MARKDOWN.begin}` and {MARKDOWN.end}.\n"
    assert blocks.take_out(text, MARKDOWN) == text
