"""The lists of the ledger as commands show them: one page with the cursor of the next, or everything."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

import typer

from setright.client import Page
from setright.client.records import Record
from setright.faces.cli.out import Out

R = TypeVar("R", bound=Record)

LIMIT = 25
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much of a list a command is to show."""

    limit: Annotated[int, typer.Option(min=1, max=_LONGEST, metavar="NUMBER", help="How many to show.")] = (
        LIMIT
    )
    cursor: Annotated[str | None, typer.Option(metavar="TEXT", help="Go on where an earlier page ended.")] = (
        None
    )
    everything: Annotated[bool, typer.Option("--all", help="Show every one, page after page.")] = False


@dataclass(frozen=True, slots=True)
class Looks:
    """How a list looks to people: its columns, and the cells of one entry."""

    columns: Sequence[str]
    cells: Callable[[Any], Sequence[object]]
    none: str


@dataclass(frozen=True, slots=True)
class Found(Generic[R]):
    """What was read of a list: its first page, the entries of every page, the cursor of what comes after them."""

    first: Page[R]
    entries: Sequence[R]
    cursor: str | None

    def document(self) -> dict[str, Any]:
        """The whole as one page, below what stood above the list."""
        head = {name: value for name, value in self.first.raw.items() if name not in _ENVELOPE}
        data = [entry.raw for entry in self.entries]
        more = {"nextCursor": self.cursor} if self.cursor else {}
        return {**head, "data": data, **more, "hasMore": self.cursor is not None}

    def tell_more(self, out: Out) -> None:
        """Say how the list goes on."""
        if self.cursor is not None:
            out.note(f"There are more: --all shows every one, --cursor {self.cursor} the next page.")


_ENVELOPE = ("data", "nextCursor", "hasMore")


def read(ask: Callable[..., Page[R]], wanted: Wanted, **filters: Any) -> Found[R]:
    """As much of a list as is wanted; `ask` is the client's `page` of it."""
    limit = _LONGEST if wanted.everything else wanted.limit
    first = page = ask(limit=limit, cursor=wanted.cursor, **filters)
    entries = list(first.data)
    while wanted.everything and page.has_more:
        page = ask(limit=limit, cursor=page.next_cursor, **filters)
        entries += page.data
    return Found(first, entries, page.next_cursor if page.has_more else None)


def show(out: Out, ask: Callable[..., Page[R]], looks: Looks, wanted: Wanted, **filters: Any) -> None:
    """Print a list; `ask` is the client's `page` of it."""
    found = read(ask, wanted, **filters)
    if out.as_json:
        out.document(found.document())
        return
    if found.entries:
        out.table(looks.columns, [looks.cells(entry) for entry in found.entries])
    else:
        out.note(looks.none)
    found.tell_more(out)
