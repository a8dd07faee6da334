"""The text of a token: a prefix, its public id, 256 secret bits and a checksum, told apart by position."""

import hashlib
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from setright.identity.errors import AuthInvalid
from setright.kernel.ids import looks_like_ours

PREFIX = "srt_"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PUBLIC_END = len(PREFIX) + 26
_SECRET_DIGITS = 43
_BODY_END = _PUBLIC_END + _SECRET_DIGITS
_CHECK_DIGITS = 6
LENGTH = _BODY_END + _CHECK_DIGITS
_ANYWHERE = re.compile(b"srt_[0-9A-Za-z]{%d}" % (LENGTH - len(PREFIX)))


@dataclass(frozen=True, slots=True)
class Presented:
    """A well-formed token as a caller sent it: its public id and the SHA-256 of its whole text, never the text."""

    token_id: str
    secret_hash: str


def present(text: str) -> Presented:
    """What a caller presented; refuses (`auth-invalid`) a text that cannot be a token, without a look-up."""
    if not text.startswith(PREFIX):
        raise AuthInvalid(f"does not begin with {PREFIX}")
    if len(text) != LENGTH:
        raise AuthInvalid(f"has {len(text)} characters instead of {LENGTH}")
    body, public = text[:_BODY_END], text[len(PREFIX) : _PUBLIC_END]
    rest = text[len(PREFIX) :]
    if not (rest.isascii() and rest.isalnum() and public == public.upper() and looks_like_ours(public)):
        raise AuthInvalid("has characters that no token has")
    if text[_BODY_END:] != _checksum(body):
        raise AuthInvalid("has a wrong checksum: at least one character was changed")
    return Presented(f"tok_{public}", hash_of(text))


def tokens_in(text: bytes) -> Iterator[tuple[int, str]]:
    """Where whole tokens stand in a text, and the public id of each; what has a wrong checksum is none."""
    for found in _ANYWHERE.finditer(text):
        try:
            yield found.start(), present(found[0].decode()).token_id
        except AuthInvalid:
            continue


def new_secret(token_id: str) -> str:
    """The text of a new secret for a token; whoever holds it is the token's bearer."""
    body = PREFIX + token_id.removeprefix("tok_") + _in_base62(secrets.randbits(256), _SECRET_DIGITS)
    return body + _checksum(body)


def hash_of(text: str) -> str:
    """SHA-256 of a token's text in hexadecimal, the only form in which it is stored.

    A slow hash would protect nothing here: 256 random bits cannot be guessed.
    """
    return hashlib.sha256(text.encode()).hexdigest()


def _checksum(body: str) -> str:
    return _in_base62(crc32(body.encode()), _CHECK_DIGITS)


def _in_base62(number: int, digits: int) -> str:
    text = ""
    for _ in range(digits):
        number, digit = divmod(number, 62)
        text = _DIGITS[digit] + text
    return text
