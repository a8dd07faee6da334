"""The column types of the migrations, frozen apart from those of the code."""

from typing import Any

import sqlalchemy as sa


def exact(name: str, *, null: bool = False, **more: Any) -> sa.Column[str]:
    """Text that compares byte by byte on both engines."""
    kind = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column(name, kind, nullable=null, **more)


def plain(name: str, *, null: bool = False, **more: Any) -> sa.Column[str]:
    """Text that is never compared."""
    return sa.Column(name, sa.Text(), nullable=null, **more)


def big(name: str, *, null: bool = False, **more: Any) -> sa.Column[int]:
    """A 64-bit integer."""
    return sa.Column(name, sa.BigInteger(), nullable=null, autoincrement=False, **more)


def blob(name: str, *, null: bool = False, **more: Any) -> sa.Column[bytes]:
    """Bytes."""
    return sa.Column(name, sa.LargeBinary(), nullable=null, **more)


def auto_integer(name: str) -> sa.Column[int]:
    """An integer key that the database counts up."""
    return sa.Column(
        name, sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
    )
