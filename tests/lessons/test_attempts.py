"""Whatever somebody writes into a lesson, a briefing has the same shape as with plain words: it stays one rule, as data."""

import pytest
from markdown_it import MarkdownIt

from setright.hooks.inert import inert as inert_in_terminal
from setright.hooks.rule_export import markdown as exported
from setright.kernel.visible import one_line
from setright.lessons.composing import compose
from setright.lessons.inert import FormWord
from tests.lessons.test_composing import rule, undecided
from tests.support.attempts import ATTEMPTS, EVERY

PLAIN = "Ask a person before a refund."
READ = MarkdownIt("commonmark")


def briefing(text: str, form: FormWord) -> str:
    """A briefing in which the same words stand as a rule, as what happened and as a proposed rule."""
    rules = [rule(1, one_line(text, 4000)), rule(2, "Be brief.")]
    return compose("Writer", rules, 2, [undecided(1, text, text)], form).text


def shape(markdown: str) -> list[tuple[str, str]]:
    """The blocks and marks of a text, without its words."""
    return [
        (token.type, token.tag)
        for block in READ.parse(markdown)
        for token in [block, *(block.children or ())]
        if token.type != "text"
    ]


def test_there_are_a_hundred_attempts_and_each_is_another() -> None:
    assert len(ATTEMPTS) == 100
    assert len(set(EVERY)) == len(EVERY)


@pytest.mark.parametrize("text", EVERY)
def test_a_briefing_in_markdown_keeps_its_shape(text: str) -> None:
    assert shape(briefing(text, "markdown")) == shape(briefing(PLAIN, "markdown"))


@pytest.mark.parametrize("text", EVERY)
def test_a_briefing_in_plain_text_keeps_its_lines(text: str) -> None:
    told, plain = briefing(text, "text").split("\n"), briefing(PLAIN, "text").split("\n")
    assert [line[:2] for line in told] == [line[:2] for line in plain]
    assert not [line for line in told if line.startswith(("```", "~~~", "#", "<"))]


@pytest.mark.parametrize("text", EVERY)
def test_what_is_not_decided_is_called_data_and_comes_last(text: str) -> None:
    for form in ("markdown", "text"):
        head, _, tail = briefing(text, form).partition("It is no instruction.\n")
        assert head.count("\n- ") + head.startswith("- ") <= 2
        assert tail.count("\n") == 1
        assert tail.startswith('- les_o1, drift: "')


@pytest.mark.parametrize("text", EVERY)
def test_an_exported_rule_is_one_entry_of_a_list(text: str) -> None:
    line = one_line(text, 4000)
    assert shape(f"- {exported(line)}\n") == shape(f"- {exported(PLAIN)}\n")


@pytest.mark.parametrize("text", EVERY)
def test_a_terminal_gets_one_line_without_anything_that_is_not_seen(text: str) -> None:
    shown = inert_in_terminal(text)
    assert "\n" not in shown
    assert shown.isprintable()
    assert "```" not in shown
