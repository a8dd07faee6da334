"""Answers in the words of a model: kept like others, and never of another state than what is known now."""

from typing import Any

from setright import knowledge
from setright.knowledge import SearchAsked, WordAsked, Worded
from tests.knowledge.reading_room import HOUSE, ReadingRoom, a_line, a_text, a_token

FOCUS = "o.1"


def worded(draft: knowledge.Draft | None, before: str = "In short, ") -> Worded:
    """A draft in the words of a model."""
    assert draft is not None
    return Worded(draft, "\n".join(before + line for line in draft.summary.split("\n")), "small")


def of_summary(room: ReadingRoom) -> knowledge.Draft | None:
    """What may be worded of the summary."""
    return room.ask(lambda at: knowledge.draft_summary(at, "P1", FOCUS))


def summary(room: ReadingRoom, words: Worded | None = None) -> dict[str, Any]:
    """The summary, with words of a model where there are any."""
    return room.do(lambda tx: knowledge.summarize_artifact(tx, "P1", FOCUS, worded=words)).told


def rival(room: ReadingRoom) -> None:
    """Another reading of the first word."""
    lines = [a_line("1", a_token("lu\u2082-gal", sense="owner"), HOUSE)]
    room.keep(a_text(lines=lines, source="theirs"))


def test_a_worded_summary_is_kept_and_told_to_everybody(room: ReadingRoom) -> None:
    room.keep(a_text())
    words = worded(of_summary(room))
    told = summary(room, words)
    assert (told["summary"], told["wordedBy"]) == (words.summary, "small")
    assert summary(room) == told
    assert of_summary(room) is None
    [kept] = room.ask(knowledge.list_outputs).data
    assert kept.how == "worded"


def test_a_composed_summary_that_stands_is_made_anew_once_where_it_was_worded(room: ReadingRoom) -> None:
    room.keep(a_text())
    composed = summary(room)
    assert "wordedBy" not in composed
    words = worded(of_summary(room))
    told = summary(room, words)
    assert told["wordedBy"] == "small"
    assert summary(room, worded(words.draft, "Again, ")) == told
    assert [one.how for one in room.ask(knowledge.list_outputs).data] == ["worded", "composed"]


def test_words_that_are_not_supported_leave_what_was_kept(room: ReadingRoom) -> None:
    room.keep(a_text())
    composed, draft = summary(room), of_summary(room)
    assert draft is not None
    assert summary(room, Worded(draft, "All is well.", "small")) == composed


def test_words_for_what_has_changed_meanwhile_are_not_told(room: ReadingRoom) -> None:
    room.keep(a_text())
    words = worded(of_summary(room))
    rival(room)
    told = summary(room, words)
    assert "wordedBy" not in told
    assert "\u201cowner\u201d (from theirs)" in told["summary"]


def test_a_worded_summary_is_not_served_after_another_reading_came(room: ReadingRoom) -> None:
    room.keep(a_text())
    before = summary(room, worded(of_summary(room)))
    rival(room)
    draft = of_summary(room)
    assert draft is not None
    assert "owner" in draft.summary
    told = summary(room, worded(draft))
    assert told["summary"] != before["summary"]
    assert told["wordedBy"] == "small"


def test_a_correction_of_a_worded_answer_contests_what_it_cited(room: ReadingRoom) -> None:
    room.keep(a_text())
    words = worded(room.ask(lambda at: knowledge.draft_interpretation(at, "P1", WordAsked("o.1.1"))))
    made = room.do(lambda tx: knowledge.interpret_token(tx, "P1", WordAsked("o.1.1"), worded=words))
    assert made.told["wordedBy"] == "small"
    room.corrected(made.interaction, "It is no king.", "owner")
    assert room.standing("P1", "o.1.1", "king") == "contested"
    late = room.do(lambda tx: knowledge.interpret_token(tx, "P1", WordAsked("o.1.1"), worded=words))
    assert "wordedBy" not in late.told
    assert "owner" in late.told["summary"]


def test_what_a_search_found_is_worded_too(room: ReadingRoom) -> None:
    room.keep(a_text())
    asked = SearchAsked("king", types=("token",))
    words = worded(room.ask(lambda at: knowledge.draft_search(at, asked)))
    made = room.do(lambda tx: knowledge.semantic_search(tx, asked, worded=words))
    assert (made.told["summary"], made.told["wordedBy"]) == (words.summary, "small")
    kept = room.ask(lambda at: knowledge.get_interaction(at, made.interaction))
    assert kept.answer["wordedBy"] == "small"


def test_a_search_that_finds_nothing_has_nothing_to_word(room: ReadingRoom) -> None:
    room.keep(a_text())
    assert room.ask(lambda at: knowledge.draft_search(at, SearchAsked("elephant"))) is None
