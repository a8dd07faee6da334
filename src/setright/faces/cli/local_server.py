"""Where the server of this machine's ledger is found: one file beside the local token, as long as the server runs."""

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from setright.app.settings import Settings
from setright.faces.cli import local_token

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 - what is listened on is not what is called


def address_file(settings: Settings) -> Path:
    """Where the address of the server of this database is kept."""
    token = local_token.token_file(settings)
    return token.with_name(token.name.replace(local_token.NAME, "local-server", 1))


@contextmanager
def found_by_hooks(settings: Settings) -> Generator[Path]:
    """The file for the address; when the server ends, it goes, unless another server wrote its own there."""
    file = address_file(settings)
    try:
        yield file
    finally:
        if f'"pid": {os.getpid()}}}' in _read(file):
            file.unlink(missing_ok=True)


def tell(file: Path, address: str) -> None:
    """Write where this process serves, so that nobody else can say so."""
    scheme, _, place = address.partition("://")
    host, _, port = place.rpartition(":")
    local_token.keep(
        file, json.dumps({"url": f"{scheme}://{EVERYWHERE.get(host, host)}:{port}", "pid": os.getpid()})
    )


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, ValueError):
        return ""
