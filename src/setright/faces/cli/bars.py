"""A bar on stderr for work in several steps, where stderr is a terminal."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


@contextmanager
def steps() -> Generator[Callable[[str, int, int | None], None]]:
    """What shows a step, how much of it is done, and of how much; the bar goes when the work ends."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        shown = ""

        def show(what: str, done: int, total: int | None) -> None:
            nonlocal shown
            if what != shown:
                shown = what
                bar.reset(task, description=what, total=total)
            bar.update(task, completed=done, total=total)

        yield show
