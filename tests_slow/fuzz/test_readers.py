"""Whatever bytes a reader is given, it reads them or says what is wrong with them; nothing else ever comes out.

A table of targets; SETRIGHT_FUZZ_SECONDS says for how long each goes on.
"""

import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from setright.exchange.corpora import Given
from setright.identity.token_text import new_secret, present, present_invitation, tokens_in
from setright.kernel.errors import Refusal
from setright.kernel.paging import Cursors, Place
from setright.kernel.pointers import pointer_fault, resolve
from tests.exchange.atf_samples import read
from tests_slow.fuzz.fuzzing import SECONDS, SEED, TOLD

pytestmark = pytest.mark.timeout(900)
DOCUMENT = {"a": [1, {"b/c": None, "~": 2, "": 3}], "0": "x", "\u00e9": []}
CURSORS = Cursors(b"k" * 32)
ULID = "01KE5MCQ8000000000000000ZZ"


def _pointer(raw: bytes) -> None:
    text = raw.decode("utf-8", "replace")
    if pointer_fault(text) is None:
        resolve(DOCUMENT, text)


def _cursor(raw: bytes) -> None:
    CURSORS.read("list", raw.decode("utf-8", "replace"))


def _token(raw: bytes) -> None:
    list(tokens_in(raw))
    present_invitation(raw.decode("utf-8", "replace"))
    present(raw.decode("utf-8", "replace"))


def _atf(raw: bytes) -> None:
    read(raw, Given("ours", "CC0-1.0", None))


TARGETS: dict[str, tuple[Callable[[bytes], Any], list[bytes]]] = {
    "pointer": (_pointer, [b"", b"/a/1/b~1c", b"/a/-", b"/~0/~1", b"/0", "/\u00e9/0".encode()]),
    "cursor": (
        _cursor,
        [CURSORS.make("list", Place(1, "x")).encode(), CURSORS.make("other", Place(2, "")).encode()],
    ),
    "token": (
        _token,
        [new_secret(f"tok_{ULID}").encode(), new_secret(f"ses_{ULID}").encode(), b"srt_", b"sri_"],
    ),
    "atf": (
        _atf,
        [
            b"&P1 = Brick\n#atf: lang akk\n@obverse\n1. lu2-gal e2\n#lem: lugal[king]N; e[house]N\n#tr.en: The king\n"
        ],
    ),
}
"""Each reader with what it reads well; another format of imports is one line more."""


def changed(seeds: list[bytes]) -> st.SearchStrategy[bytes]:
    """Bytes, and what a reader reads well with pieces of it cut, doubled, moved and replaced."""

    def cut(whole: bytes, start: int, end: int, between: bytes) -> bytes:
        at, until = start % (len(whole) + 1), end % (len(whole) + 1)
        return whole[:at] + between + whole[until:]

    place = st.integers(0, 2_000)
    once = st.builds(
        cut, st.sampled_from(seeds), place, place, st.binary(max_size=12) | st.sampled_from(seeds)
    )
    return st.binary(max_size=400) | once | st.builds(cut, once, place, place, st.binary(max_size=12))


@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes_are_read_or_refused(name: str) -> None:
    target, seeds = TARGETS[name]
    started, count = time.monotonic(), 0

    class Enough(Exception):
        pass

    @seed(int(SEED))
    @settings(
        max_examples=10**7,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(changed(seeds))
    def reading(raw: bytes) -> None:
        nonlocal count
        if time.monotonic() - started > float(SECONDS):
            raise Enough
        count += 1
        try:
            target(raw)
        except Refusal:
            return

    with pytest.raises(Enough):
        reading()
    TOLD.append(f"reader {name}: seed {SEED}, {count} inputs in {time.monotonic() - started:.0f} s")
    assert count > 0
