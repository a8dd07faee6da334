"""Times: integer microseconds UTC inside, RFC 3339 outside, the same on every host."""

import os
import time
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.kernel.clock import LATEST_TIME, Clock, from_wire, to_wire

DAY = 24 * 3600 * 1_000_000
moments = st.integers(0, LATEST_TIME)


@given(moments)
def test_a_moment_is_read_back_exactly(moment: int) -> None:
    text = to_wire(moment)
    assert text.endswith("Z")
    assert len(text) == 27
    assert from_wire(text) == moment


@given(moments, moments)
def test_texts_sort_as_moments_do(one: int, other: int) -> None:
    assert (to_wire(one) < to_wire(other)) == (one < other)


@given(st.integers(DAY, LATEST_TIME - DAY), st.integers(-(23 * 60 + 59), 23 * 60 + 59))
def test_every_offset_names_the_same_moment(moment: int, minutes: int) -> None:
    there = datetime.fromisoformat(to_wire(moment)).astimezone(timezone(timedelta(minutes=minutes)))
    assert from_wire(there.isoformat()) == moment


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2026-01-05T01:00:00+08:00", "2026-01-04T17:00:00.000000Z"),
        ("2026-01-05T01:00:00-00:00", "2026-01-05T01:00:00.000000Z"),
        ("2026-01-05t01:00:00z", "2026-01-05T01:00:00.000000Z"),
        ("2026-01-05T01:00:00.5Z", "2026-01-05T01:00:00.500000Z"),
        ("2026-01-05T01:00:00.123456789Z", "2026-01-05T01:00:00.123456Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"),
        ("2000-02-29T23:59:59Z", "2000-02-29T23:59:59.000000Z"),
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_times_as_people_write_them(text: str, same: str) -> None:
    assert to_wire(from_wire(text)) == same


@pytest.mark.parametrize("text", ["2026-01-05T01:00:00", "2026-01-05T01:00:00.123"])
def test_a_time_without_an_offset_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(ValueError, match="must say its offset: end it with Z or"):
        from_wire(text)


@pytest.mark.parametrize(
    "text",
    ["", "now", "2026-01-05", "2026-01-05 01:00:00Z", "2026-01-05T01:00Z", "2026-01-05T01Z", "20260105T010000Z",
     "2026-W01-1T00:00:00Z", "2026-005T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
     "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-05T24:00:00Z",
     "2026-01-05T01:60:00Z", "2026-01-05T23:59:60Z", "2026-01-05T01:00:00+24:00", "2026-01-05T01:00:00+08",
     "2026-01-05T01:00:00+0800", "2026-01-05T01:00:00+01:60", "2026-01-05T01:00:00+08:00:00", "2026-01-05T01:00:00 Z",
     "2026-01-05T01:00:00.Z", "2026-01-05T01:00:00,5Z", " 2026-01-05T01:00:00Z", "2026-01-05T01:00:00Z\n",
     "2026-01-05T01:00:00Zulu", "10000-01-01T00:00:00Z", "-2026-01-05T01:00:00Z", "1767574800",
     "\u0662\u0660\u0662\u0666-01-05T01:00:00Z", "2026-01-05T01:00:00Z" + "0" * 100],
)  # fmt: skip
def test_what_is_no_rfc_3339_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"^must be an RFC 3339 time such as 2026-01-05T01:00:00Z$"):
        from_wire(text)


@pytest.mark.parametrize(
    "text",
    ["1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00Z",
     "0001-01-01T00:00:00+23:59"],
)  # fmt: skip
def test_a_time_outside_the_years_we_keep_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^is outside the years 1970 to 9999$"):
        from_wire(text)


@given(st.text(max_size=45))
def test_any_text_at_all_is_read_or_refused(text: str) -> None:
    try:
        told = 0 <= from_wire(text) <= LATEST_TIME
    except ValueError as error:
        told = str(error).startswith(("must ", "is "))
    assert told


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/St_Johns", "UTC"])
def test_the_hosts_time_zone_changes_nothing(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "TZ", zone)
    time.tzset()
    try:
        assert from_wire("2026-01-05T01:00:00Z") == 1_767_574_800_000_000
        assert to_wire(1_767_574_800_000_000) == "2026-01-05T01:00:00.000000Z"
    finally:
        monkeypatch.undo()
        time.tzset()


@given(st.lists(st.integers(0, 10**19), min_size=1))
def test_a_clock_never_goes_back(nanoseconds: list[int]) -> None:
    ticks = iter(nanoseconds)
    clock = Clock(lambda: next(ticks))
    shown = [clock.now() for _ in nanoseconds]
    assert shown == sorted(shown)
    assert shown[-1] == max(nanoseconds) // 1000


def test_a_clock_goes_on_from_the_newest_moment_in_the_ledger() -> None:
    clock = Clock(lambda: 5_000)
    clock.not_before(2_000_000)
    assert clock.now() == 2_000_000
    clock.not_before(7)
    assert clock.now() == 2_000_000
