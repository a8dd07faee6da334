"""Several inserts as one PostgreSQL statement, so that they cost one round through the driver."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from setright.storage.sql import Compiled

_NAME = re.compile(r"%\((\w+)\)s")


def is_insert(statement: Compiled) -> bool:
    """Whether a statement adds rows, and so can stand beside others that do."""
    return statement.text.startswith("INSERT ")


def together(held: Sequence[tuple[Compiled, dict[str, Any]]]) -> tuple[bytes, dict[str, Any]]:
    """One statement and its values for inserts of different tables, none of which sees what the others add.

    The server runs them in an order of its own (PostgreSQL, "Data-Modifying Statements in WITH").
    """
    if len(held) == 1:
        statement, values = held[0]
        return statement.text.encode(), values
    named = {
        f"{name}_{number}": value for number, (_, values) in enumerate(held) for name, value in values.items()
    }
    return _joined(tuple(statement for statement, _ in held)), named


@lru_cache(maxsize=256)
def _joined(statements: tuple[Compiled, ...]) -> bytes:
    *first, last = (_NAME.sub(rf"%(\1_{number})s", one.text) for number, one in enumerate(statements))
    parts = ", ".join(f"part_{number} AS ({text})" for number, text in enumerate(first))
    return f"WITH {parts} {last}".encode()
