"""The real commands in this process, as anybody of any tenant, on a ledger that stays open from one to the next."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from setright.faces.cli import asking, in_process
from tests.cli.shell import Shell, Told
from tests.http.support import Caller

IDLE = SimpleNamespace(do_what_is_due=lambda seconds: None, turn=lambda: False)
"""A worker who does nothing, so that a command only asks."""


class _KeptOpen:
    """The app, which a command that ends does not close."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.worker = IDLE

    def __getattr__(self, name: str) -> Any:
        return getattr(self._app, name)

    def close(self) -> None:
        """Stay open."""


@contextmanager
def sitting(caller: Caller, folder: Path) -> Iterator[Any]:
    """A terminal at which this caller sits, in a folder, and says yes to whatever is asked."""
    opened = SimpleNamespace(app=_KeptOpen(caller.app), file=folder / "token", made=None, news=list)
    shell = Shell(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(str(folder))
        patch.setattr(in_process, "open_ledger", lambda settings: opened)
        patch.setattr(in_process, "own_token", lambda _: caller.token)
        patch.setattr(asking, "is_at_terminal", lambda: True)

        def run(words: list[str], line: str) -> Told:
            return shell(*words, *shlex.split(line), "--json", stdin="yes\n" * 5)

        yield run
