"""Any JSON value that the ledger accepts, for property tests."""

from typing import Any

from hypothesis import strategies as st

from setright.kernel.json import MAX_INTEGER

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=12)
numbers = st.one_of(
    st.integers(-MAX_INTEGER, MAX_INTEGER), st.floats(allow_nan=False, allow_infinity=False, width=64)
)
values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
