"""The token of the person at this machine's terminal: one file that nobody else may read."""

import hashlib
import os
from pathlib import Path

from setright.app.settings import Settings, data_folder, database_url

NAME = "local-token"


def token_file(settings: Settings) -> Path:
    """Where the token for the database of `settings` is kept; the default database has the plain name."""
    folder = data_folder(settings)
    url = database_url(settings)
    if url == f"sqlite:///{folder / 'ledger.db'}":
        return folder / NAME
    return folder / f"{NAME}-{hashlib.sha256(_spelled_one_way(url).encode()).hexdigest()[:12]}"


def _spelled_one_way(url: str) -> str:
    """A database address as one spelling: a file by its whole path, a server without its password."""
    if url.startswith(("postgresql://", "postgres://")):
        credentials, at, place = url.partition("://")[2].rpartition("@")
        return f"postgresql://{credentials.partition(':')[0]}{at}{place}"
    return str(Path(url.removeprefix("sqlite:///")).absolute())


def keep(file: Path, secret: str) -> None:
    """Write the token so that only its owner can read it, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(
        os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii"
    ) as opened:
        opened.write(f"{secret}\n")
    fresh.replace(file)


def kept(file: Path) -> str | None:
    """The token in the file, None when there is no file."""
    try:
        return file.read_text("utf-8").strip()
    except FileNotFoundError:
        return None
