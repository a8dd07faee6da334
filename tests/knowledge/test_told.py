"""What is told of texts in all their states: corrected, decided on, long, without lines, without a word said of them."""

from setright.knowledge.citing import NOTHING, is_supported
from setright.knowledge.composing import MOST_LINES
from tests.knowledge.reading_room import HOUSE, KING, ReadingRoom, a_line, a_text, a_token


def line_of(told: dict, target: str) -> str:
    """The sentence about a target."""
    return next(line for line in told["summary"].splitlines() if line.startswith(f"{target}:"))


def test_what_a_scholar_decides_is_told_with_the_reason(room: ReadingRoom) -> None:
    room.keep(a_text())
    speaker, (number,) = room.speaker("Ada Reader")
    answer = room.word("o.1.1")
    made = room.corrected(answer.interaction, "it is no king", "owner", speaker, scholarId=number)
    king = room.one("P1", "o.1.1", "king").annotation.id
    assert "\u201cowner\u201d (correction; by Ada Reader) [" in line_of(room.summary().told, "o.1.1")
    room.decided("accept", made.made[0].id, speaker, reason="So in Nippur.", scholarId=number)
    room.decided("reject", king, speaker, scholarId=number)
    told = line_of(room.summary().told, "o.1.1")
    assert (
        "sense \u201cowner\u201d (accepted by Ada Reader because \u201cSo in Nippur.\u201d; by Ada Reader) ["
        in told
    )
    assert "or \u201cking\u201d (rejected by Ada Reader; from ours/bricks) [" in told
    step = next(one for one in room.word("o.1.1").told["data"]["chain"] if one["field"] == "sense")
    assert step["value"] == "owner"


def test_two_scholars_who_correct_one_reading_are_both_told(room: ReadingRoom) -> None:
    room.keep(a_text())
    speaker, numbers = room.speaker("Ada Reader", "Bo Scribe")
    answer = room.word("o.1.1")
    for number, right in zip(numbers, ("owner", "big man"), strict=True):
        room.corrected(answer.interaction, "it is no king", right, speaker, scholarId=number)
    told = line_of(room.summary().told, "o.1.1")
    assert (
        told.index("\u201cbig man\u201d") < told.index("\u201cowner\u201d") < told.index("\u201cking\u201d")
    )
    assert "by Ada Reader" in told
    assert "by Bo Scribe" in told


def test_a_correction_is_found_by_its_words(room: ReadingRoom) -> None:
    room.keep(a_text())
    room.corrected(room.word("o.1.1").interaction, "it is no king", "landlord")
    (hit,) = room.search("LANDLORD", types=("token",)).told["data"]["hits"]
    assert (hit["target"], [one["value"] for one in hit["matched"]]) == ("o.1.1", ["landlord", "king"])


def test_a_title_is_corrected_like_any_reading(room: ReadingRoom) -> None:
    room.keep(a_text())
    answer = room.summary()
    room.corrected(answer.interaction, "It is called Brick P1", "Door socket P1")
    told = room.summary().told
    assert "title \u201cDoor socket P1\u201d (correction; from user-correction) [" in line_of(told, "P1")
    (hit,) = room.search("socket", types=("artifact",)).told["data"]["hits"]
    assert hit["title"] == "Door socket P1"


def test_a_long_text_is_told_in_parts(room: ReadingRoom) -> None:
    count = MOST_LINES + 10
    room.keep(a_text(lines=[a_line(str(number), KING) for number in range(1, count + 1)]))
    first = room.summary().told
    assert (first["data"]["linesShown"], first["data"]["linesInAll"]) == (MOST_LINES, count)
    focus = f"o.{MOST_LINES + 1}--o.{count}"
    assert focus in first["followUps"][0]
    second = room.summary(focus=focus).told
    assert [line["target"] for line in second["data"]["lines"]] == [
        f"o.{number}" for number in range(MOST_LINES + 1, count + 1)
    ]


def test_a_record_without_lines_is_told_found_and_corrected(room: ReadingRoom) -> None:
    notes = [{"field": "note", "value": "The deposit is 40."}]
    room.keep({"id": "case-7", "source": "desk", "title": "A case", "annotations": notes})
    answer = room.summary("case-7")
    assert "note \u201cThe deposit is 40.\u201d" in answer.told["summary"]
    room.corrected(answer.interaction, "The deposit is 40.", "The deposit is 60.")
    assert "\u201cThe deposit is 60.\u201d (correction" in room.summary("case-7").told["summary"]
    assert room.search("deposit").told["data"]["hits"][0]["artifactId"] == "case-7"


def test_a_word_of_which_nothing_is_said_says_so(room: ReadingRoom) -> None:
    room.keep(a_text(lines=[a_line("1", a_token("x"), HOUSE)]))
    told = room.word("o.1.1").told
    assert (told["summary"], told["citations"], told["data"]["chain"]) == (NOTHING, [], [])
    assert told["sources"]


def test_sources_that_agree_are_cited_side_by_side(room: ReadingRoom) -> None:
    room.keep(a_text())
    room.keep(a_text(source="theirs/bricks"))
    told = room.word("o.1.1").told
    assert told["data"]["hypotheses"] == []
    assert "sense \u201cking\u201d [5] [6]" in told["summary"]
    values = {one["n"]: one["value"] for one in told["citations"]}
    assert all(is_supported(line, values) for line in told["summary"].splitlines())
    assert {one["name"] for one in told["sources"]} == {"ours/bricks", "theirs/bricks"}


def test_odd_words_make_no_citation_and_no_markup_of_their_own(room: ReadingRoom) -> None:
    odd = a_token("[1]", sense="king [7]\n# \u202eevil [1]", reading="**bold** <b>", note="\u201d [2] \u201c")
    room.keep(a_text(lines=[a_line("1", odd)]))
    told = room.summary().told
    values = {one["n"]: one["value"] for one in told["citations"]}
    assert all(is_supported(line, values) for line in told["summary"].splitlines())
    assert "king \\[7] # evil \\[1]" in told["summary"]
    assert "\u202e" not in told["summary"]
