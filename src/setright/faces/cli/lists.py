"""The lists of the ledger as commands show them: one page with the cursor of the next, or everything."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

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


def show(out: Out, ask: Callable[..., Page[R]], looks: Looks, wanted: Wanted, **filters: Any) -> None:
    """Print a list; `ask` is the client's `page` of it."""
    entries: list[R] = []
    cursor, more = wanted.cursor, True
    while more:
        page = ask(limit=_LONGEST if wanted.everything else wanted.limit, cursor=cursor, **filters)
        entries += page.data
        cursor = page.next_cursor if page.has_more else None
        more = wanted.everything and cursor is not None
    if out.as_json:
        out.document(
            {
                "data": [entry.raw for entry in entries],
                **({"nextCursor": cursor} if cursor else {}),
                "hasMore": cursor is not None,
            }
        )
        return
    if entries:
        out.table(looks.columns, [looks.cells(entry) for entry in entries])
    else:
        out.note(looks.none)
    if cursor is not None:
        out.note(f"There are more: --all shows every one, --cursor {cursor} the next page.")
