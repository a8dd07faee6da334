"""Recorders that end with their test, in folders of their own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from setright.client import Recorder


@pytest.fixture(autouse=True)
def nothing_in_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SETRIGHT_URL", "SETRIGHT_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SETRIGHT_DATA_FOLDER", str(tmp_path / "data"))


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Callable[..., Recorder]]:
    """Makes a recorder of the agent `refunds`, version v1; each is closed at the end."""
    with ExitStack() as opened:

        def make(url: str | None = None, token: str | None = None, **settings: Any) -> Recorder:
            wanted = {"folder": tmp_path / "spool", "agent": "refunds", "version": "v1", **settings}
            return opened.enter_context(Recorder(url, token, **wanted))

        yield make
