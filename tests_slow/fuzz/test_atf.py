"""Whatever is done to texts in ATF, the reader ends, raises nothing, and what it reads can be kept."""

import os
import random
import time
from collections.abc import Callable

import pytest

from setright.demo.samples import corpus
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.knowledge import NewArtifact
from tests.exchange.atf_samples import read
from tests_slow.fuzz.fuzzing import SEED, TOLD

pytestmark = pytest.mark.timeout(900)
SECONDS = float(os.environ.get("SETRIGHT_FUZZ_SECONDS", "60"))
SLOWEST = 5.0
"""No text of this size takes longer to be read, in seconds; most take a thousandth of it."""
MOST = 20_000
PIECES = (
    *("&P900009 = Made up\n", "#project: a\n", "#atf: lang sux\n", "#atf: use unicode\n", "@tablet\n"),
    *("@obverse\n", "@column 1\n", "1. a-na\n", "#lem: ana[to]PRP\n", "#lem: a[b]N|a[c]N; +x[y]N$z\n"),
    *("$ 2 lines broken\n", "@translation parallel en project\n", "@translation labeled en project\n"),
    *("@label o 1 - o 3\n", "@(o 1) He\n", "#tr.en: He\n", "#note: n\n", "@note n\n", "||", ">>", "=="),
    *(
        "[",
        "]",
        "{",
        "}",
        "<<",
        ">>",
        "($",
        "$)",
        "|A.B|",
        "_",
        "%sux ",
        "\u2026",
        "\u202e",
        "\0",
        "\ufeff",
        "[\x12]",
        "[\u200b]",
        "\x1b",
        "\x85",
    ),
    *("\r", "\r\n", "\t", "\u2028", "\ud7ff", "'", "''", ".", "-", ";", "\\", "\xff", "9" * 30),
)
Change = Callable[[random.Random, str], str]


def put_in(chance: random.Random, text: str) -> str:
    """A piece of ATF anywhere."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(PIECES) + text[at:]


def cut_out(chance: random.Random, text: str) -> str:
    """A stretch is gone."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.randrange(1, 40) :]


def again(chance: random.Random, text: str) -> str:
    """A stretch stands many times."""
    at = chance.randrange(len(text) + 1)
    end = at + chance.randrange(1, 60)
    return text[:end] + text[at:end] * chance.choice((1, 2, 50)) + text[end:]


def swap_lines(chance: random.Random, text: str) -> str:
    """Two lines change places."""
    lines = text.splitlines(keepends=True) or [""]
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def one_sign(chance: random.Random, text: str) -> str:
    """One sign is another."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + chr(chance.choice((*range(1, 128), 0x2082, 0x161, 0x301, 0xFFFD))) + text[at + 1 :]


CHANGES: tuple[Change, ...] = (put_in, cut_out, again, swap_lines, one_sign)


def fault_of(text: str) -> str | None:
    """What is wrong with how a text is read, None where it is as it should be."""
    began = time.monotonic()
    try:
        artifacts, unread = read(text.encode("utf-8", "surrogatepass"))
        for artifact in artifacts:
            validate(NewArtifact, artifact)
    except Refusal as refusal:
        return f"what was read cannot be kept: {refusal.details}"
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"
    if any(not one.place for one in unread):
        return "something was told without its place"
    took = time.monotonic() - began
    return f"it took {took:.1f} s" if took > SLOWEST else None


def test_any_change_of_a_text_is_read_or_told() -> None:
    chance, done = random.Random(int(SEED)), 0
    samples = list(corpus().values())
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        text = chance.choice(samples)
        for _ in range(chance.randrange(1, 12)):
            text = chance.choice(CHANGES)(chance, text)[:MOST]
        fault = fault_of(text)
        assert fault is None, f"seed {SEED}, text {done}: {fault}\n{text!r}"
        done += 1
    TOLD.append(f"ATF: seed {SEED}, {done} texts")
    assert done > 0
