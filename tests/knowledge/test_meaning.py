"""What entries mean: read in batches, dropped with their words, and found beside what words find."""

from collections.abc import Sequence
from typing import Any

from setright import knowledge
from setright.knowledge import Found, Near, SearchAsked, Vector
from setright.knowledge.meaning import EMBEDDED_AT_ONCE, meant
from setright.knowledge.searching import WHOLE, fused
from tests.knowledge.reading_room import HOUSE, KING, ReadingRoom, a_line, a_text, a_token

MODEL = "small"
HOUSE_ONLY = a_line("2", HOUSE, translation="A house.")


def lengths(texts: Sequence[str]) -> list[bytes]:
    """A model to which texts mean how long they are; an empty one means nothing."""
    return [len(text).to_bytes(2, "big") if text else b"" for text in texts]


def embed(room: ReadingRoom, model: str = MODEL) -> int:
    """Read everything that is due, as the job does; how many texts that were."""
    done, cursor = 0, None
    while True:
        batch = room.do(lambda tx, cursor=cursor: knowledge.embed_some(tx, model, lengths, cursor))
        done, cursor = done + batch.done, batch.cursor
        if batch.is_last:
            return done


def vectors(room: ReadingRoom, after: int = 0, model: str = MODEL) -> list[Vector]:
    """The vectors of the tenant."""
    return room.ask(lambda at: knowledge.vectors_since(at, model, after))


def places(room: ReadingRoom) -> set[int]:
    """The lines of P1 that were read."""
    return {one.line for one in vectors(room) if one.artifact_id == "P1"}


def text_of(room: ReadingRoom, line: int) -> str:
    """By what an entry of P1 is understood."""
    return room.ask(lambda at: meant(at, room.tenant.id, "P1", line))


def test_each_entry_is_read_once(room: ReadingRoom) -> None:
    embed(room)
    room.keep(a_text())
    assert not room.ask(lambda at: knowledge.all_read(at, MODEL))
    assert embed(room) == 2
    assert places(room) == {WHOLE, 0}
    assert room.ask(lambda at: knowledge.all_read(at, MODEL))
    assert embed(room) == 0


def test_many_are_read_in_batches(room: ReadingRoom) -> None:
    embed(room)
    lines = [a_line(str(n), HOUSE) for n in range(1, EMBEDDED_AT_ONCE + 5)]
    room.keep(a_text(lines=lines))
    assert embed(room) == len(lines) + 1
    assert len(vectors(room)) == len(lines) + 1


def test_a_line_is_understood_by_what_is_said_of_it(room: ReadingRoom) -> None:
    untranslated = a_line("2", a_token("9 Nm", sense="torque of the lid"))
    room.keep(a_text(lines=[a_line("1", KING, translation="The king."), untranslated]))
    assert text_of(room, WHOLE) == "Brick P1 Old"
    assert text_of(room, 0) == "The king. king"
    assert text_of(room, 1) == "9 Nm torque of the lid"


def test_a_correction_has_its_line_read_anew_and_no_other(room: ReadingRoom) -> None:
    room.keep(a_text(lines=[a_line("1", KING), HOUSE_ONLY]))
    embed(room)
    before = vectors(room)
    room.corrected(room.word("o.1.1").interaction, "It is no king.", "owner")
    assert places(room) == {WHOLE, 1}
    assert not room.ask(lambda at: knowledge.all_read(at, MODEL))
    assert embed(room) == 1
    [anew] = vectors(room, after=before[-1].number)
    assert anew.line == 0
    assert "owner" in text_of(room, 0)


def test_another_model_reads_everything_anew(room: ReadingRoom) -> None:
    room.keep(a_text())
    embed(room)
    embed(room, "large")
    assert vectors(room) == []
    assert len(vectors(room, model="large")) == 2
    embed(room)


def test_vectors_of_another_tenant_are_not_there(room: ReadingRoom) -> None:
    room.keep(a_text())
    embed(room)
    other = ReadingRoom(room.ledger, room.ledger.tenant())
    assert vectors(other) == []
    assert other.ask(lambda at: knowledge.all_read(at, MODEL))


def near(*found: tuple[str, int], complete: bool = True) -> Near:
    """What a model found nearest."""
    return Near(tuple(Found(artifact, line, frozenset()) for artifact, line in found), complete)


def search(room: ReadingRoom, q: str, given: Near | None, **more: Any) -> dict[str, Any]:
    """What a search finds that is given what is near."""
    asked = SearchAsked(q, **more)
    return room.do(lambda tx: knowledge.semantic_search(tx, asked, near=given)).told


def test_what_is_found_by_meaning_tells_what_is_said_there(room: ReadingRoom) -> None:
    room.keep(a_text(lines=[a_line("1", KING), HOUSE_ONLY]))
    told = search(room, "monarch", near(("P1", 0), ("P1", WHOLE)))
    assert [(one["type"], one.get("target")) for one in told["data"]["hits"]] == [
        ("line", "o.1"),
        ("artifact", None),
    ]
    assert "\u201cking\u201d [" in told["summary"]
    assert "degraded" not in told


def test_by_words_and_by_meaning_are_one_list(room: ReadingRoom) -> None:
    room.keep(a_text(lines=[a_line("1", KING), HOUSE_ONLY, a_line("3", KING, HOUSE)]))
    told = search(room, "house", near(("P1", 0), ("P1", 2)), types=("line",))
    assert [one["target"] for one in told["data"]["hits"]] == ["o.3", "o.1", "o.2"]


def test_each_mode_does_what_it_says(room: ReadingRoom) -> None:
    room.keep(a_text(lines=[a_line("1", KING), HOUSE_ONLY]))
    given = near(("P1", 0))
    found = {
        mode: [
            one["target"] for one in search(room, "house", given, types=("line",), mode=mode)["data"]["hits"]
        ]
        for mode in ("lexical", "semantic", "hybrid")
    }
    assert found == {"lexical": ["o.2"], "semantic": ["o.1"], "hybrid": ["o.1", "o.2"]}


def test_what_could_not_be_done_is_said(room: ReadingRoom) -> None:
    room.keep(a_text())
    assert "is off" in search(room, "king", None)["degraded"]
    assert "recently" in search(room, "king", near(complete=False))["degraded"]
    assert "degraded" not in search(room, "king", near(complete=False), mode="lexical")


def test_what_is_not_there_any_more_is_not_found(room: ReadingRoom) -> None:
    room.keep(a_text())
    told = search(room, "monarch", near(("P1", 7)), types=("line",))
    assert told["data"]["hits"] == []


def test_what_stands_in_both_rankings_comes_first() -> None:
    one, two, three = (Found(name, 0, frozenset({"x"})) for name in ("a", "b", "c"))
    assert fused([one, two], [two, three]) == [two, one, three]
    assert fused([one, two], []) == [one, two]
