"""Cursors say where a list goes on, to the list that made them and to no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.kernel.errors import InvalidCursor
from setright.kernel.paging import Cursors, Place
from tests.kernel.json_values import texts

CURSORS = Cursors(b"a secret of thirty-two bytes ....")
moments = st.integers(-(2**63), 2**63 - 1)
places = st.builds(Place, moments, st.one_of(texts, st.just("cor_01J0000000000000000000000Z")))


@given(places, texts)
def test_a_cursor_leads_back_to_its_place(place: Place, about: str) -> None:
    text = CURSORS.make(about, place)
    assert CURSORS.read(about, text) == place
    assert text.isascii()
    assert text.replace("-", "").replace("_", "").isalnum()


@given(places, st.data())
def test_a_cursor_with_any_character_changed_is_refused(place: Place, data: st.DataObject) -> None:
    text = CURSORS.make("runs", place)
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(exclude_characters=text[at]))
    for changed in (
        text[:at] + letter + text[at + 1 :],
        text[:at] + text[at + 1 :],
        text[:at] + letter + text[at:],
    ):
        if changed != text:
            refuse(changed)


@given(places)
def test_a_cursor_cut_or_lengthened_is_refused(place: Place) -> None:
    text = CURSORS.make("runs", place)
    for changed in (text[:-1], text[:20], text + "A", text + "=", text + "\n", " " + text, text * 2):
        refuse(changed)


@given(places, texts, texts)
def test_a_cursor_of_another_list_is_refused(place: Place, about: str, other: str) -> None:
    if about != other:
        with pytest.raises(InvalidCursor):
            CURSORS.read(other, CURSORS.make(about, place))


def test_a_cursor_made_with_another_secret_is_refused() -> None:
    refuse(Cursors(b"another secret").make("runs", Place(1, "run_1")))


@pytest.mark.parametrize("text", ["", "=", "A", "AAAA", "null", "0", "-", "é", "\ud800", "\0", "A" * 100_000])
def test_any_other_text_is_refused(text: str) -> None:
    refuse(text)


@given(st.text(max_size=60))
def test_any_text_at_all_is_refused(text: str) -> None:
    refuse(text)


def refuse(text: str) -> None:
    """The list of runs does not take this cursor."""
    with pytest.raises(InvalidCursor) as refused:
        CURSORS.read("runs", text)
    assert refused.value.details == {"parameter": "cursor"}
