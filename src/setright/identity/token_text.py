"""The text of a secret that lets in: a prefix, its public id, 256 secret bits and a checksum, told apart by position."""

import hashlib
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from setright.identity.errors import AuthInvalid
from setright.identity.model import Vouched
from setright.kernel.ids import looks_like_ours

PREFIX = "srt_"
SESSION = "srs_"
INVITATION = "sri_"
_IDS = {PREFIX: "tok_", SESSION: "ses_", INVITATION: "inv_"}
_PREFIXES = {names: prefix for prefix, names in _IDS.items()}
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PUBLIC_END = len(PREFIX) + 26
_SECRET_DIGITS = 43
_BODY_END = _PUBLIC_END + _SECRET_DIGITS
_CHECK_DIGITS = 6
LENGTH = _BODY_END + _CHECK_DIGITS
_ANYWHERE = re.compile(b"sr[tsi]_[0-9A-Za-z]{%d}" % (LENGTH - len(PREFIX)))


@dataclass(frozen=True, slots=True)
class Presented:
    """A well-formed secret as a caller sent it: its public id and the SHA-256 of its whole text, never the text.

    `token_id` is a token's, a session's or an invitation's, as its prefix says, or empty: then the text is an issuer's
    access token, and `vouched` what that says.
    """

    token_id: str
    secret_hash: str
    vouched: Vouched | None = None


def present(text: str) -> Presented:
    """What a caller presented; refuses (`auth-invalid`) what can be neither a token nor a session, without a look-up."""
    if not text.startswith((PREFIX, SESSION)):
        raise AuthInvalid(f"does not begin with {PREFIX}, or {SESSION} of a session")
    return read_secret(text)


def present_invitation(text: str) -> Presented | None:
    """The invitation that somebody presented, None for what can be none."""
    try:
        return read_secret(text) if text.startswith(INVITATION) else None
    except AuthInvalid:
        return None


def read_secret(text: str) -> Presented:
    """A secret of ours that begins with one of the prefixes; refuses (`auth-invalid`) one that nobody was given."""
    if len(text) != LENGTH:
        raise AuthInvalid(f"has {len(text)} characters instead of {LENGTH}")
    body, public = text[:_BODY_END], text[len(PREFIX) : _PUBLIC_END]
    rest = text[len(PREFIX) :]
    if not (rest.isascii() and rest.isalnum() and public == public.upper() and looks_like_ours(public)):
        raise AuthInvalid("has characters that no token has")
    if text[_BODY_END:] != _checksum(body):
        raise AuthInvalid("has a wrong checksum: at least one character was changed")
    return Presented(_IDS[text[: len(PREFIX)]] + public, hash_of(text))


def tokens_in(text: bytes) -> Iterator[tuple[int, str]]:
    """Where whole secrets of ours stand in a text, and the public id of each; what has a wrong checksum is none."""
    for found in _ANYWHERE.finditer(text):
        try:
            yield found.start(), read_secret(found[0].decode()).token_id
        except AuthInvalid:
            continue


def new_secret(token_id: str) -> str:
    """The text of a new secret for a token, a session or an invitation; whoever holds it is its bearer."""
    prefix, public = _PREFIXES[token_id[:4]], token_id[4:]
    body = prefix + public + _in_base62(secrets.randbits(256), _SECRET_DIGITS)
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
