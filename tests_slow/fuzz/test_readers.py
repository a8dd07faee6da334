"""Whatever bytes a reader is given, it reads them or says what is wrong with them; nothing else ever comes out.

At random here, and in `test_guided.py` by the lines that are reached; SETRIGHT_FUZZ_SECONDS says for how long each
goes on.
"""

import time

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from setright.kernel.errors import Refusal
from tests_slow.fuzz.fuzzing import SECONDS, SEED, TOLD
from tests_slow.fuzz.targets import TARGETS

pytestmark = pytest.mark.timeout(900)


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
