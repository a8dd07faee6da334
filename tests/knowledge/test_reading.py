"""The three questions: each answer cites what it says, and is kept as an interaction that can be corrected."""

import pytest

from setright import knowledge
from setright.kernel.actor import Role
from setright.kernel.errors import Refusal
from setright.knowledge import WordAsked
from setright.knowledge.citing import is_supported
from tests.knowledge.reading_room import HOUSE, KING, ReadingRoom, a_line, a_text, a_token

OWNER = a_token("lu\u2082-gal", sense="owner")


def supported(told: dict) -> bool:
    """Whether every sentence of an answer is supported by what it cites."""
    values = {one["n"]: one["value"] for one in told["citations"]}
    return all(is_supported(line, values) for line in told["summary"].splitlines())


def test_a_summary_cites_all_that_is_known(room: ReadingRoom) -> None:
    room.keep(a_text(attribution="Ours, given away."))
    told = room.summary().told
    assert supported(told)
    assert told["summary"].splitlines()[0] == (
        "P1: title \u201cBrick P1\u201d [1]; period \u201cOld\u201d [2]."
    )
    assert {one["value"] for one in told["citations"]} >= {"lugal", "king", "house", "The king: his house."}
    assert told["sources"] == [{"name": "ours/bricks", "licence": "CC0-1.0", "artifactIds": ["P1"]}]
    assert told["requiredAttributions"] == ["Ours, given away."]
    assert told["data"]["lines"] == [{"target": "o.1", "text": "lu\u2082-gal e\u2082"}]


def test_a_summary_stays_the_same_until_something_is_added(room: ReadingRoom) -> None:
    room.keep(a_text())
    room.keep(a_text("P2"))
    first, second, other = room.summary(), room.summary(), room.summary("P2")
    assert second.told == first.told
    assert second.interaction == first.interaction + 1
    room.keep(a_text(lines=[a_line("1", OWNER, HOUSE)], source="theirs/bricks"))
    third = room.summary()
    assert third.told["generatedAt"] > first.told["generatedAt"]
    assert "sense \u201cking\u201d (from ours/bricks)" in third.told["summary"]
    assert "\u201cowner\u201d (from theirs/bricks)" in third.told["summary"]
    assert room.summary().told == third.told
    assert room.summary("P2").told == other.told


def test_each_focus_is_an_answer_of_its_own(room: ReadingRoom) -> None:
    room.keep(a_text(lines=[a_line("1", KING), a_line("2", HOUSE)]))
    whole, part = room.summary(), room.summary(focus="o.2")
    assert [line["target"] for line in part.told["data"]["lines"]] == ["o.2"]
    assert room.summary(focus=" O.2 ").told == part.told
    assert room.summary().told == whole.told
    nothing = room.summary(focus="nowhere").told
    assert nothing["data"]["linesShown"] == 0
    assert "No line has this focus" in nothing["followUps"][0]


def test_a_word_is_asked_for_by_target_or_by_line_and_position(room: ReadingRoom) -> None:
    room.keep(a_text())
    by_target = room.word("o.1.1").told
    assert supported(by_target)
    assert [step["value"] for step in by_target["data"]["chain"]] == ["lugal", "lugal", "king", "N"]
    for line in ("o.1", "1"):
        asked = WordAsked(line=line, position=1)
        again = room.do(lambda tx, asked=asked: knowledge.interpret_token(tx, "P1", asked))
        assert again.told["data"] == by_target["data"]


def test_what_is_held_besides_are_hypotheses(room: ReadingRoom) -> None:
    room.keep(a_text())
    room.keep(a_text(lines=[a_line("1", OWNER, HOUSE)], source="theirs/bricks"))
    told = room.word("o.1.1").told
    assert supported(told)
    (sense,) = told["data"]["hypotheses"]
    assert (sense["field"], [one["value"] for one in sense["readings"]]) == ("sense", ["king", "owner"])
    assert [one["source"] for one in sense["readings"]] == ["ours/bricks", "theirs/bricks"]


@pytest.mark.parametrize("q", ["lugal", "LU2-GAL", "lu\u2082.gal", "King", "k\u00edng"])
def test_a_word_is_found_however_it_is_written(room: ReadingRoom, q: str) -> None:
    room.keep(a_text())
    room.keep(a_text("P2", [a_line("1", HOUSE)]))
    told = room.search(q).told
    assert supported(told)
    assert [(hit["type"], hit["target"]) for hit in told["data"]["hits"]] == [
        ("line", "o.1"),
        ("token", "o.1.1"),
    ]
    assert {hit["artifactId"] for hit in told["data"]["hits"]} == {"P1"}


def test_a_search_finds_artifacts_by_what_they_are(room: ReadingRoom) -> None:
    room.keep(a_text())
    room.keep(a_text("P2"))
    told = room.search("brick p2", types=("artifact",)).told
    assert [hit["artifactId"] for hit in told["data"]["hits"]] == ["P2", "P1"]
    assert supported(told)


def test_a_search_without_hits_says_where_it_looked(room: ReadingRoom) -> None:
    assert room.search("king").told["sources"] == [
        {"name": "this ledger, into which no text was imported yet"}
    ]
    room.keep(a_text())
    told = room.search("queen").told
    assert (told["data"]["hits"], told["citations"]) == ([], [])
    assert told["sources"] == [{"name": "ours/bricks"}]


def test_a_search_says_when_only_words_are_compared(room: ReadingRoom) -> None:
    room.keep(a_text())
    assert "degraded" not in room.search("king", mode="lexical").told
    assert "degraded" in room.search("king", mode="semantic").told
    assert "degraded" in room.search("king").told


def test_one_tenant_finds_nothing_of_another(room: ReadingRoom) -> None:
    room.keep(a_text())
    other = ReadingRoom(room.ledger, room.ledger.tenant())
    assert other.search("king").told["data"]["hits"] == []
    for ask in (other.summary, lambda: other.word("o.1.1")):
        with pytest.raises(Refusal) as refused:
            ask()
        assert refused.value.code == "artifact-not-found"


@pytest.mark.parametrize("token", ["o.1.3", "o.1.0", "o.9.1", "x", "o.1.01", "", "o.1"])
def test_a_word_that_is_not_there_is_refused(room: ReadingRoom, token: str) -> None:
    room.keep(a_text())
    with pytest.raises(Refusal) as refused:
        room.word(token)
    assert refused.value.code == "token-not-found"


def test_an_answer_is_kept_whole_with_who_asked(room: ReadingRoom) -> None:
    room.keep(a_text())
    assistant = room.assistant
    made = room.do(lambda tx: knowledge.interpret_token(tx, "P1", WordAsked("o.1.1")), assistant)
    kept = room.ledger.read(lambda at: knowledge.get_interaction(at, made.interaction), room.tenant.admin)
    assert kept.answer == made.told
    assert (kept.tool, kept.by.id, kept.arguments) == (
        "interpret_token",
        assistant.id,
        {"artifactId": "P1", "tokenId": "o.1.1"},
    )
    assert [one.n for one in kept.citations] == [one["n"] for one in made.told["citations"]]


def test_a_run_that_asks_must_be_there_and_readable(room: ReadingRoom) -> None:
    room.keep(a_text())
    with pytest.raises(Refusal) as refused:
        room.summary(run_id="no-run")
    assert refused.value.code == "run-not-found"
    assert Role.READ < Role.WRITE
