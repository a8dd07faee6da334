"""The session that `setright sign-in` opened at a server: one file for each address, that nobody else may read."""

import hashlib
from pathlib import Path

from setright.app.settings import Settings, data_folder
from setright.faces.cli import local_token


def session_file(settings: Settings, url: str) -> Path:
    """Where the session at a server is kept."""
    told = hashlib.sha256(url.rstrip("/").encode()).hexdigest()[:12]
    return data_folder(settings) / f"session-{told}"


def keep(settings: Settings, url: str, secret: str) -> Path:
    """Keep the secret of a session, and say where."""
    file = session_file(settings, url)
    local_token.keep(file, secret)
    return file


def kept(settings: Settings, url: str) -> str | None:
    """The secret of the session at a server, None where nobody signed in there."""
    return local_token.kept(session_file(settings, url))


def drop(settings: Settings, url: str) -> None:
    """Forget the session at a server."""
    session_file(settings, url).unlink(missing_ok=True)
