"""The text of a token: made once, parsed by position."""

from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.identity.errors import AuthInvalid
from setright.identity.token_text import LENGTH, hash_of, new_secret, present
from setright.kernel.ids import Ids

TOKEN_ID = Ids()("tok", 1_700_000_000_000_000)
SECRETS = st.builds(new_secret, st.integers(0, 2**47 * 1000).map(lambda now: Ids()("tok", now)))
ANY_CHARACTER = st.one_of(st.sampled_from(ascii_letters + digits + "_-. \0\n"), st.characters())


@given(SECRETS)
def test_what_was_made_is_read_back(secret):
    presented = present(secret)
    assert len(secret) == LENGTH == 79
    assert presented.token_id == f"tok_{secret[4:30]}"
    assert presented.secret_hash == hash_of(secret)


@given(SECRETS, st.integers(0, LENGTH - 1), ANY_CHARACTER)
def test_any_changed_character_is_refused(secret, place, character):
    changed = secret[:place] + character + secret[place + 1 :]
    if changed != secret:
        with pytest.raises(AuthInvalid):
            present(changed)


@given(SECRETS, st.integers(0, LENGTH), st.text(min_size=1, max_size=3))
def test_any_longer_text_is_refused(secret, place, more):
    with pytest.raises(AuthInvalid):
        present(secret[:place] + more + secret[place:])


@given(SECRETS, st.integers(0, LENGTH - 1))
def test_any_shorter_text_is_refused(secret, length):
    with pytest.raises(AuthInvalid):
        present(secret[:length])


@given(SECRETS, st.integers(0, LENGTH - 2))
def test_two_neighbours_changed_over_are_refused(secret, place):
    changed = secret[:place] + secret[place + 1] + secret[place] + secret[place + 2 :]
    if changed != secret:
        with pytest.raises(AuthInvalid):
            present(changed)


@given(st.text(max_size=200))
def test_no_text_makes_the_parser_fail(text):
    with pytest.raises(AuthInvalid):
        present(text)


@given(st.text(min_size=LENGTH - 4, max_size=LENGTH - 4))
def test_a_right_prefix_and_length_alone_do_not_help(rest):
    with pytest.raises(AuthInvalid):
        present(f"srt_{rest}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begin with srt_"),
        ("Bearer srt_", "begin with srt_"),
        ("srt_short", "9 characters instead of 79"),
        ("srt_" + "!" * 75, "characters that no token has"),
        (new_secret(TOKEN_ID)[:-1] + "!", "characters that no token has"),
        (new_secret(TOKEN_ID)[:-6] + "000000", "wrong checksum"),
    ],
    ids=["nothing", "scheme", "short", "signs", "one sign", "checksum"],
)
def test_the_refusal_says_what_is_wrong_and_what_to_do(text, words):
    with pytest.raises(AuthInvalid) as caught:
        present(text)
    assert words in caught.value.message
    assert "make a new one" in caught.value.message
    assert text == "" or text not in caught.value.message


def test_two_secrets_of_one_token_share_only_its_id():
    first, second = new_secret(TOKEN_ID), new_secret(TOKEN_ID)
    assert first[:30] == second[:30]
    assert first[30:73] != second[30:73]


def test_presented_is_a_key_that_holds_no_secret():
    secret = new_secret(TOKEN_ID)
    assert {present(secret): 1}[present(secret)] == 1
    assert secret not in repr(present(secret))
