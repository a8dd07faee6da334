"""Every operation and query of the product by name, with the scope that it needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Operation:
    """A write: `verb(tx, **arguments)` runs in one transaction; an empty `scope` needs only a valid token."""

    name: str
    scope: str
    verb: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Query:
    """A read: `read(snapshot, **arguments)` sees one consistent state; an empty `scope` needs only a valid token."""

    name: str
    scope: str
    read: Callable[..., Any]
