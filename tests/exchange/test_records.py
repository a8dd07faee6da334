"""The values of a file are found whether it is JSON Lines, an array or one object, and a bad one stops no other."""

import io
import json

import pytest

from setright.exchange import MAPPED, Ahead, ReadRun, Stream, Unread, by_mapping
from setright.exchange import Mapping as RunMapping
from setright.exchange.entries import MOST_BYTES, Entry
from setright.exchange.grouped import Groups
from setright.exchange.records import records
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from tests.exchange.foreign import Fields, lines
from tests.exchange.samples import Trickle

ROWS = [{"a": 1}, {"b": [2, {"c": "\n"}]}, {"d": "é"}]


def values(stream: Stream | bytes) -> list[object]:
    """The values of a file in which everything can be read."""
    found = list(records(io.BytesIO(stream) if isinstance(stream, bytes) else stream))
    assert all(isinstance(one, Entry) for one in found)
    return [one.value for one in found if isinstance(one, Entry)]


def odd(raw: bytes) -> list[Unread]:
    return [one for one in records(io.BytesIO(raw)) if isinstance(one, Unread)]


@pytest.mark.parametrize(
    "raw",
    [
        lines(*ROWS),
        lines(*ROWS).replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + lines(*ROWS),
        lines(*ROWS).replace(b"\n", b"\n\n \n"),
        json.dumps(ROWS).encode(),
        json.dumps(ROWS, indent=2).encode(),
        "\n".join(json.dumps(row, indent=1) for row in ROWS).encode(),
    ],
)
@pytest.mark.parametrize("count", [1, 7, 10_000])
def test_the_values_are_the_same_in_every_container(raw: bytes, count: int) -> None:
    assert values(Trickle(raw, count)) == ROWS


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n ", "the file is empty"),
        ("[]".encode("utf-16"), "the file is UTF-16"),
        ('{"a": 1}'.encode("utf-16-le"), "the file is UTF-16"),
        (b"\x1f\x8b\x08\x00", "the file is packed with gzip"),
    ],
)
def test_a_file_that_is_none_of_these_is_told(raw: bytes, reason: str) -> None:
    (told,) = odd(raw)
    assert told.reason.startswith(reason)


def test_half_a_line_is_told_with_its_place() -> None:
    raw = lines(*ROWS) + b'{"a": [1, 2'
    assert [one.value for one in records(io.BytesIO(raw)) if isinstance(one, Entry)] == ROWS
    (told,) = odd(raw)
    assert (told.place, "is not valid JSON" in told.reason) == ("line 4", True)


def test_a_line_that_is_too_long_is_told_and_never_held(monkeypatch: pytest.MonkeyPatch) -> None:
    from setright.exchange import records as module

    monkeypatch.setattr(module, "MOST_BYTES", 1_000)
    raw = lines({"a": "x" * 5_000}, {"b": 1})
    (told,) = odd(raw)
    assert told.reason == "has 5009 bytes; a line may have at most 1000"
    assert [one.value for one in records(io.BytesIO(raw)) if isinstance(one, Entry)] == [{"b": 1}]
    assert MOST_BYTES == 64 * 1024 * 1024


def test_a_number_that_is_too_large_is_kept_as_text_and_told() -> None:
    (entry,) = records(io.BytesIO(b'{"a": [9007199254740993, 1], "b": -123456789012345678901}'))
    assert isinstance(entry, Entry)
    assert entry.value == {"a": ["9007199254740993", 1], "b": "-123456789012345678901"}
    assert [one.place for one in entry.oddities()] == ["line 1, /a/0", "line 1, /b"]


def test_what_was_looked_at_is_still_read() -> None:
    ahead = Ahead(Trickle(lines(*ROWS), 5))
    assert ahead.peek(4) == b'{"a"'
    assert values(ahead.look()) == values(ahead) == ROWS


def test_groups_come_in_the_order_in_which_they_began() -> None:
    with Groups() as groups:
        for number in range(1_000):
            assert groups.add(str(number % 3), f"line {number}", {"n": number}) is None
        found = list(groups.all())
    assert [key for key, _ in found] == ["0", "1", "2"]
    assert found[1][1][:2] == [("line 1", {"n": 1}), ("line 4", {"n": 4})]


def test_a_group_that_is_too_large_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from setright.exchange import grouped

    monkeypatch.setattr(grouped, "MOST_ROWS", 2)
    with Groups() as groups:
        told = [groups.add("a", "here", number) for number in range(3)]
        assert [one is None for one in told] == [True, True, False]
        assert len(next(groups.all())[1]) == 2


MAPPING = {
    "id": "/task/id",
    "agent": "/who",
    "version": "/model",
    "output": "/result/text",
    "messages": "/turns",
    "calls": {"at": "/steps", "tool": "/do", "args": "/with", "result": "/gave", "error": "/broke"},
    "error": "/crash",
    "participantId": "/user",
    "tags": ["/topic", "/labels"],
}
ROW: Fields = {
    "task": {"id": 7},
    "who": "desk",
    "model": 2,
    "result": {"text": "It is free."},
    "turns": [{"role": "user", "content": "Is bike 7 free?"}],
    "steps": [{"do": "get_bike", "with": '{"bike": 7}', "gave": None}, {"do": "ring", "broke": "no bell"}],
    "user": "kim",
    "topic": "bikes",
    "labels": ["a", 1],
}


def mapped(row: Fields, **more: object) -> tuple[list[ReadRun], list[Unread]]:
    found = list(by_mapping(validate(RunMapping, MAPPING | more)).read(io.BytesIO(lines(row))))
    return [one for one in found if isinstance(one, ReadRun)], [
        one for one in found if isinstance(one, Unread)
    ]


def test_a_mapping_says_where_the_parts_of_a_run_stand() -> None:
    (run,), told = mapped(ROW)
    assert told == []
    assert (run.source_id, run.agent, run.version) == ("7", "desk", "2")
    assert run.said == {
        "calls": [
            {"tool": "get_bike", "args": {"bike": 7}, "result": None},
            {"tool": "ring", "args": {}, "error": "no bell"},
        ],
        "messages": ROW["turns"],
        "input": "Is bike 7 free?",
        "status": "completed",
        "output": "It is free.",
        "tags": ["bikes", "a", "1"],
        "participantId": "kim",
    }


def test_a_call_without_a_tool_and_a_run_without_its_id_are_told() -> None:
    (run,), (told,) = mapped(ROW | {"steps": [{"with": {}}]})
    assert (run.said["calls"], told.place) == ([], "line 1, /steps/0")
    runs, (told,) = mapped(ROW | {"task": {}})
    assert (runs, told.place) == ([], "line 1, /task/id")


def test_a_run_that_broke_off_is_failed() -> None:
    (run,), _ = mapped(ROW | {"crash": "out of memory"})
    assert (run.said["status"], run.said["output"]) == ("failed", {"error": "out of memory"})


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ({"id": "task/id"}, "/id: is no JSON Pointer: it must be empty or begin with /"),
        ({"calls": {"at": "/a"}}, "/calls/tool: is required"),
        ({"ids": "/a"}, "Unknown field /ids"),
    ],
)
def test_a_mapping_that_is_none_is_told(broken: Fields, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        validate(RunMapping, broken)


def test_a_mapping_is_a_format_of_its_own() -> None:
    assert by_mapping(validate(RunMapping, MAPPING)).name == MAPPED
