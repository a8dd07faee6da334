"""The column types that are the same on both engines, and the one MetaData that every room's tables join."""

from typing import Any

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Text
from sqlalchemy.types import TypeEngine

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

EXACT_TEXT: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")
AUTO_INTEGER: TypeEngine[int] = BigInteger().with_variant(Integer(), "sqlite")


def text(name: str, *rest: Any, null: bool = False, **more: Any) -> Column[str]:
    """A text column that compares byte by byte on both engines (ids, keys, names, keyset columns)."""
    return Column(name, EXACT_TEXT, *rest, nullable=null, **more)


def moment(name: str, *, null: bool = False, **more: Any) -> Column[int]:
    """A time in integer microseconds UTC."""
    return Column(name, BigInteger(), nullable=null, **more)


def number(name: str, *, null: bool = False, **more: Any) -> Column[int]:
    """A 64-bit integer; booleans are stored as 0 and 1."""
    return Column(name, BigInteger(), nullable=null, **more)


def json_text(name: str, *, null: bool = False, **more: Any) -> Column[str]:
    """JSON as compact text, kept in the order of its keys and never queried into."""
    return Column(name, Text(), nullable=null, **more)


def raw_bytes(name: str, *, null: bool = False, **more: Any) -> Column[bytes]:
    """Bytes as they are."""
    return Column(name, LargeBinary(), nullable=null, **more)


def counter(name: str) -> Column[int]:
    """An integer primary key that the database counts up and never gives twice."""
    return Column(name, AUTO_INTEGER, primary_key=True, autoincrement=True)
