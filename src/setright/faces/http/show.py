"""How results become answers: one thing or another, a page of a list, perhaps under a head, a feed, or nothing."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel

from setright.events import EventPage
from setright.kernel import json
from setright.kernel.answer import Answer
from setright.kernel.paging import Page, Place

Shape = Callable[[Any], Mapping[str, Any]]
Mark = Callable[[Place], str]
_REMEMBERED = 128


@dataclass(frozen=True, slots=True)
class One:
    """One thing: `location` gives the path at which it stands, `stamp` its updatedAt, `about` the ids it speaks of.

    A `secret` answer is never kept. `statuses` are those that a `status` which is a function may give.
    """

    shape: Shape
    status: int | Callable[[Any], int] = 200
    location: Callable[[Any], str] | None = None
    stamp: Callable[[Any], int] | None = None
    about: Callable[[Any], tuple[str, ...]] | None = None
    secret: bool = False
    statuses: tuple[int, ...] = (200, 201)

    def answer(self, result: Any, _mark: Mark | None = None) -> Answer:
        """The whole answer."""
        status = self.status if isinstance(self.status, int) else self.status(result)
        headers: list[tuple[str, str]] = []
        if self.location is not None and status in (201, 202):
            headers.append(("Location", self.location(result)))
        if self.stamp is not None:
            headers.append(("ETag", f'"{self.stamp(result)}"'))
        about = self.about(result) if self.about is not None else ()
        return Answer(status, json.write(self.shape(result)), tuple(headers), about, self.secret)

    def state(self, record: Any) -> dict[str, Any]:
        """How a thing stands, for who wanted to change another state of it."""
        made = {"current": self.shape(record)}
        return made if self.stamp is None else {"etag": f'"{self.stamp(record)}"', **made}


@dataclass(frozen=True, slots=True)
class Either:
    """One thing or, where the result is of the class `kind`, another one, of which `answers` is the model."""

    one: One
    kind: type
    other: One
    answers: type[BaseModel]
    example: Any

    def answer(self, result: Any, mark: Mark | None = None) -> Answer:
        """The whole answer of whichever it is."""
        return (self.other if isinstance(result, self.kind) else self.one).answer(result, mark)


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of a list, newest first."""

    shape: Shape

    def answer(self, page: Page[Any], mark: Mark | None = None) -> Answer:
        """The envelope of a list."""
        return Answer(200, json.write(_envelope(self.shape, page, mark)))


@dataclass(frozen=True, slots=True)
class Headed:
    """A page of a list below what is true of the whole list, which `head` shapes."""

    head: Shape
    shape: Shape

    def answer(self, page: Page[Any], mark: Mark | None = None) -> Answer:
        """The head, and the envelope of a list."""
        return Answer(200, json.write({**self.head(page), **_envelope(self.shape, page, mark)}))


@dataclass(frozen=True, slots=True)
class Fed:
    """A page of a feed, oldest first, which goes on after the `seq` of its last event."""

    shape: Shape

    def answer(self, page: EventPage, _mark: Mark | None = None) -> Answer:
        """The envelope of a feed."""
        shape = self.shape
        return Answer(
            200, json.write({"data": [shape(event) for event in page.data], "hasMore": page.has_more})
        )


@dataclass(frozen=True, slots=True)
class Tagged:
    """One thing that is put together as it is read: its tag is made of its bytes.

    Results with the same `same_as` look the same, so that the last answers are remembered by it.
    """

    shape: Shape
    same_as: Callable[[Any], Hashable]
    _kept: dict[Hashable, Answer] = field(default_factory=dict[Hashable, Answer], compare=False)

    def answer(self, result: Any, _mark: Mark | None = None) -> Answer:
        """The whole answer."""
        known_as = self.same_as(result)
        kept = None if known_as is None else self._kept.get(known_as)
        if kept is None:
            body = json.write(self.shape(result))
            kept = Answer(200, body, (("ETag", f'"{sha256(body).hexdigest()[:32]}"'),))
            if known_as is not None:
                while len(self._kept) >= _REMEMBERED:
                    del self._kept[next(iter(self._kept))]
                self._kept[known_as] = kept
        return kept


@dataclass(frozen=True, slots=True)
class Done:
    """No content: what was asked is done, and there is nothing to say about it."""

    def answer(self, _result: Any, _mark: Mark | None = None) -> Answer:
        """An empty answer."""
        return Answer(204)


@dataclass(frozen=True, slots=True)
class Handed:
    """One thing that is handed out (201), if there is one (else 204).

    `so_far` shapes a search that has not come to its end (202), and is None for a thing.
    """

    shape: Shape
    so_far: Callable[[Any], Mapping[str, Any] | None]
    about: Callable[[Any], tuple[str, ...]]

    def answer(self, result: Any, _mark: Mark | None = None) -> Answer:
        """The thing, how far the search came, or nothing."""
        if result is None:
            return Answer(204)
        searched = self.so_far(result)
        if searched is not None:
            return Answer(202, json.write(searched))
        return Answer(201, json.write(self.shape(result)), (), self.about(result))


Show = One | Either | Listed | Headed | Fed | Tagged | Done | Handed


def _envelope(shape: Shape, page: Page[Any], mark: Mark | None) -> dict[str, Any]:
    whole: dict[str, Any] = {"data": [shape(entry) for entry in page.data]}
    if page.next is not None and mark is not None:
        whole["nextCursor"] = mark(page.next)
    whole["hasMore"] = page.next is not None
    return whole


def path_to(*segments: str) -> str:
    """A path of ours with every id encoded as one segment."""
    return "/v1/" + "/".join(quote(segment, safe="") for segment in segments)
