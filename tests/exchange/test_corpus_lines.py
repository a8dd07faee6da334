"""Lines of a file are found whatever their ends, and one that cannot be read stops no other."""

import io

import pytest

from setright.exchange import Unread
from setright.exchange.corpora.lines import CHUNK, MOST_BYTES, TextLine, lines
from tests.exchange.samples import Trickle


def found(raw: bytes) -> list[TextLine | Unread]:
    return list(lines(io.BytesIO(raw)))


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("count", [1, 2, 3, 1_000])
def test_lines_end_in_each_of_three_ways(end: bytes, count: int) -> None:
    raw = end.join([b"a", b" b", b"", b"c"])
    expected = [TextLine(1, "a b"), TextLine(3, ""), TextLine(4, "c")]
    assert list(lines(Trickle(raw, count))) == expected
    assert list(lines(Trickle(raw + end, count))) == expected


def test_a_mark_of_byte_order_is_no_text_and_letters_are_composed() -> None:
    assert found("\ufeffs\u030carru".encode()) == [TextLine(1, "šarru")]


def test_white_space_after_a_blank_line_continues_nothing() -> None:
    assert found(b"a\n\n  b\n") == [TextLine(1, "a"), TextLine(2, ""), TextLine(3, "b")]


@pytest.mark.parametrize("raw", ["a".encode("utf-16"), "a".encode("utf-16-be").join([b"\xfe\xff", b""])])
def test_utf_16_is_told_once(raw: bytes) -> None:
    assert found(raw) == [Unread("line 1", "the file is UTF-16; save it as UTF-8")]


def test_lines_that_are_no_text_stop_no_other() -> None:
    assert found(b"a\n\xff\xfe\nb\n c\x00\nd") == [
        Unread("line 2", "is not UTF-8"),
        TextLine(1, "a"),
        Unread("line 4", "holds U+0000, which no text may hold"),
        TextLine(3, "b"),
        TextLine(5, "d"),
    ]


@pytest.mark.parametrize("sign", ["\x01", "\x12", "\x1b", "\x7f", "\x85"])
def test_a_control_character_within_a_line_is_told(sign: str) -> None:
    told = Unread("line 2", f"holds U+{ord(sign):04X}, which no text may hold")
    assert found(f"a\nb{sign}c\nd\te\n".encode()) == [told, TextLine(1, "a"), TextLine(3, "d\te")]
    assert found(f"f{' '}\x0c\n".encode()) == [TextLine(1, "f")]


@pytest.mark.parametrize("size", [MOST_BYTES + 1, CHUNK - 1, CHUNK, 3 * CHUNK + 5])
def test_a_line_that_is_too_long_is_told_and_left_out(size: int) -> None:
    told = Unread("line 2", f"has more than {MOST_BYTES} bytes, the most that a line may have")
    assert found(b"a\n" + b"x" * size + b"\r\nb") == [told, TextLine(1, "a"), TextLine(3, "b")]


def test_a_line_that_goes_on_for_too_long_keeps_its_beginning() -> None:
    part = b" " + b"x" * (MOST_BYTES - 10) + b"\n"
    told, (first, *rest) = found(b"a\n" + part * 2)[0], found(b"a\n" + part * 2)[1:]
    assert told == Unread("line 3", f"the line that this continues has more than {MOST_BYTES} characters")
    assert rest == []
    assert isinstance(first, TextLine)
    assert len(first.text) == MOST_BYTES - 8
