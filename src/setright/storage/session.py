"""An engine's side of a transaction: what runs statements on one connection."""

from typing import Any, Protocol

from setright.storage.sql import Compiled, EngineName


class Session(Protocol):
    """The engine's side of a transaction."""

    engine: EngineName

    def fetch(self, statement: Compiled, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run a statement and give all rows of its result."""
        ...

    def execute(self, statement: Compiled, values: dict[str, Any]) -> int:
        """Run a statement and give the number of rows it changed."""
        ...

    def send(self, statement: Compiled, values: dict[str, Any]) -> None:
        """Run a statement whose result nobody needs; a failure may show only later in the transaction."""
        ...

    def plain(self, text: str) -> None:
        """Run a statement without values or result."""
        ...
