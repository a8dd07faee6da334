"""Pages of a list: newest first, with an opaque signed cursor over (createdAt, id)."""

import base64
import hashlib
import hmac
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from setright.kernel.errors import InvalidCursor

T = TypeVar("T")
Row = TypeVar("Row")

DEFAULT_LIMIT = 25
MAX_LIMIT = 100
_TAG_BYTES = 16


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a list ordered by (moment, id)."""

    moment: int
    id: str


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some entries of a list and the place after which the next page begins, None at the end."""

    data: Sequence[T]
    next: Place | None = None


class Cursors:
    """Makes and reads cursors; one made for another list or tenant, or with another secret, is refused."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def make(self, about: str, place: Place) -> str:
        """The cursor that goes on after `place`; `about` names the list and its tenant."""
        body = struct.pack(">q", place.moment) + place.id.encode()
        return base64.urlsafe_b64encode(self._tag(about, body) + body).decode().rstrip("=")

    def read(self, about: str, text: str) -> Place:
        """The place in a cursor; refuses (`invalid-cursor`) anything that `make` did not give for `about`."""
        try:
            whole = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
            tag, body = whole[:_TAG_BYTES], whole[_TAG_BYTES:]
            if not hmac.compare_digest(tag, self._tag(about, body)):
                raise ValueError
            if base64.urlsafe_b64encode(whole).decode().rstrip("=") != text:
                raise ValueError
            return Place(struct.unpack(">q", body[:8])[0], body[8:].decode())
        except (ValueError, struct.error):
            raise InvalidCursor(
                "cursor: was not made by this list; use the nextCursor of the page before, or leave it out.",
                {"parameter": "cursor"},
            ) from None

    def _tag(self, about: str, body: bytes) -> bytes:
        return hmac.new(self._secret, about.encode() + b"\0" + body, hashlib.sha256).digest()[:_TAG_BYTES]


def page_of(
    rows: Sequence[Row], limit: int, place_of: Callable[[Row], Place], show: Callable[[Row], T]
) -> Page[T]:
    """A page of at most `limit` entries from `rows`, which were read with one row more than the limit."""
    shown = rows[:limit]
    return Page([show(row) for row in shown], place_of(shown[-1]) if len(rows) > limit else None)
