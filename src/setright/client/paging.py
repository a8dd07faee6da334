"""Lists in pages: how a page is read, and which request asks for the next one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from setright.client.errors import Unexpected
from setright.client.records import Receipt, Record, Unreadable
from setright.client.request import Request
from setright.client.values import query

T = TypeVar("T")
R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some entries of a list; `next_cursor` is what asks for the next page, None at the end."""

    data: tuple[T, ...]
    next_cursor: str | None
    has_more: bool
    raw: Mapping[str, Any]


def page_of(record: type[R]) -> Callable[[object, Receipt], Page[R]]:
    """What reads the envelope `{data, nextCursor?, hasMore}` of a list of `record`."""

    def parse(value: object, _receipt: Receipt) -> Page[R]:
        envelope = cast("dict[str, object]", value) if isinstance(value, dict) else {}
        data, cursor = envelope.get("data"), envelope.get("nextCursor")
        if not isinstance(data, list) or not isinstance(cursor, str | None):
            raise Unreadable(f"a list is {value!r:.80} and not {{data, nextCursor?, hasMore}}")
        entries = tuple(record.read(entry) for entry in cast("list[object]", data))
        return Page(entries, cursor, envelope.get("hasMore") is True, envelope)

    return parse


def feed_of(record: type[R], number: Callable[[R], int]) -> Callable[[object, Receipt], Page[R]]:
    """What reads the envelope of a feed, which goes on after the number of its last entry."""
    parse_page = page_of(record)

    def parse(value: object, receipt: Receipt) -> Page[R]:
        page = parse_page(value, receipt)
        return replace(page, next_cursor=str(number(page.data[-1]))) if page.has_more and page.data else page

    return parse


def next_page(request: Request[Page[T]], page: Page[T]) -> Request[Page[T]] | None:
    """The request for the page after `page`, None at the end of the list."""
    if not page.has_more:
        return None
    others = tuple(pair for pair in request.query if pair[0] != request.goes_on_by)
    following = replace(request, query=others + query(**{request.goes_on_by: page.next_cursor}))
    if page.next_cursor is None or following.query == request.query:
        raise Unexpected("The server says that the list goes on, but not from where.", status=200)
    return following
