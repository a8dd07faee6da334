"""The address of a database as an operator writes it."""

from dataclasses import dataclass
from pathlib import Path

from setright.storage.sql import EngineName


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address: `path` is set for an SQLite file, None for a PostgreSQL server."""

    url: str
    engine: EngineName
    path: Path | None

    @property
    def shown(self) -> str:
        """The address without a password."""
        scheme, found, rest = self.url.partition("://")
        credentials, at, place = rest.rpartition("@")
        if not found or not at:
            return self.url
        return f"{scheme}://{credentials.partition(':')[0]}@{place}"


def parse(text: str) -> Address:
    """`sqlite:///file`, a plain file path, or `postgresql://…`; ValueError names what is allowed."""
    if text.startswith(("postgresql://", "postgres://")):
        return Address(f"postgresql://{text.partition('://')[2]}", "postgresql", None)
    if text.startswith("sqlite:///"):
        return Address(text, "sqlite", Path(text.removeprefix("sqlite:///")))
    if "://" in text or not text:
        raise ValueError(
            f"database: {text!r} is neither a file path, sqlite:///FILE nor postgresql://HOST/NAME"
        )
    return Address(f"sqlite:///{text}", "sqlite", Path(text))
