"""Ids of ours sort by time and are never given twice; a caller's own id is compared as written."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ulid import ULID

from setright.kernel.ids import PREFIXES, Ids, bare, looks_like_ours, with_prefix

prefixes = st.sampled_from(sorted(PREFIXES))
moments = st.integers(0, 253_402_300_799_999_999)


@given(st.lists(moments, min_size=2, max_size=50))
def test_ids_keep_the_order_in_which_they_were_made(made_at: list[int]) -> None:
    new_id = Ids()
    made = [new_id("cor", moment) for moment in made_at]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


@given(st.lists(moments, min_size=1, max_size=20))
def test_an_id_holds_the_millisecond_in_which_it_was_made_or_the_last_one_before_the_clock_went_back(
    made_at: list[int],
) -> None:
    new_id, latest = Ids(), 0
    for moment in made_at:
        latest = max(latest, moment // 1000)
        assert ULID.from_str(bare(new_id("cor", moment))).milliseconds == latest


def test_two_makers_of_ids_do_not_meet() -> None:
    assert len({Ids()("cor", 1_767_574_800_000_000) for _ in range(1000)}) == 1000


def test_ids_made_by_many_threads_are_never_the_same() -> None:
    new_id, made = Ids(), list[str]()

    def make() -> None:
        made.extend([new_id("run", 1_767_574_800_000_000) for _ in range(2000)])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 16_000


@given(prefixes, moments)
def test_an_id_of_ours_is_known_in_every_spelling(prefix: str, moment: int) -> None:
    made = Ids()(prefix, moment)
    for spelling in (made, bare(made), bare(made).lower(), f"{prefix}_{bare(made).lower()}"):
        assert looks_like_ours(spelling)
        assert with_prefix(prefix, spelling) == made
    assert bare(bare(made)) == bare(made)


@given(prefixes, st.text(max_size=40))
def test_any_other_id_stays_as_it_was_written(prefix: str, text: str) -> None:
    if not looks_like_ours(text):
        assert with_prefix(prefix, text) == text
        assert bare(text) == text


@pytest.mark.parametrize(
    "text",
    ["007", "1e5", "", "cor_", "run_1", "a/b", "cor_01J", "01J0000000000000000000000I", "81J00000000000000000000000",
     "01j0000000000000000000000\u017f", "run_01J000000000000000000000\u212a0", "xyz_01J00000000000000000000000",
     "RUN_01J00000000000000000000000", "01J00000000000000000000000\n", "01J000000000000000000000000"],
)  # fmt: skip
def test_these_are_no_ids_of_ours(text: str) -> None:
    assert not looks_like_ours(text)
    assert with_prefix("run", text) == text


def test_an_id_of_another_kind_is_not_made_to_fit() -> None:
    other = "cor_01J00000000000000000000000"
    assert looks_like_ours(other)
    assert with_prefix("run", other) == other
