"""A bar on stderr for work that takes a while, where stderr is a terminal."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)


@contextmanager
def steps() -> Generator[Callable[[str, int, int | None], None]]:
    """What shows a step, how much of it is done, and of how much; the bar goes when the work ends."""
    with _bar(TaskProgressColumn()) as bar:
        task = bar.add_task("", total=None)
        shown = ""

        def show(what: str, done: int, total: int | None) -> None:
            nonlocal shown
            if what != shown:
                shown = what
                bar.reset(task, description=what, total=total)
            bar.update(task, completed=done, total=total)

        yield show


@contextmanager
def counting(
    what: str, total: int | None, *, in_bytes: bool = False, hidden: bool = False
) -> Generator[Callable[[int], None]]:
    """What counts so many more as done, of one thing; the bar goes when the work ends."""
    with _bar(DownloadColumn() if in_bytes else TaskProgressColumn(), hidden=hidden) as bar:
        yield partial(bar.advance, bar.add_task(what, total=total))


@contextmanager
def _bar(amount: ProgressColumn, *, hidden: bool = False) -> Generator[Progress]:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), amount, TimeRemainingColumn())
    disable = hidden or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=disable) as bar:
        yield bar
