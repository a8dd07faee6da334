"""Where the hooks find their own files: from the environment, never from the folder they run in."""

# Paths are plain texts here, in `stops` and in `rules_kept`: loading pathlib, hashlib or uuid would be a good part of the
# time that the guard takes before every call.

import json
import os
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple, cast
from zlib import crc32

TOKEN_VARIABLE = "SETRIGHT_TOKEN"  # noqa: S105 - the name of a variable
URL_VARIABLE = "SETRIGHT_URL"
FOLDER = "hooks"


class Asked(NamedTuple):
    """Whose briefing it is: `server` is an address, or names the ledger of this machine."""

    server: str
    agent: str
    space: str

    @property
    def key(self) -> str:
        """The name that the files of this server, agent and space begin with; two may share it, and tell by `said`."""
        words = json.dumps(self.said).encode()
        return f"{crc32(words):08x}{crc32(words[::-1]):08x}"

    @property
    def said(self) -> list[str]:
        """What the files of this server, agent and space say of themselves."""
        return [self.server, spelled(self.agent), self.space]


class Machine:
    """The places of this machine, as an environment says."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self.environment = os.environ if environment is None else environment

    @property
    def url(self) -> str:
        """The address of the server that was set, or nothing."""
        return self.environment.get(URL_VARIABLE, "").strip().rstrip("/")

    @property
    def server(self) -> str:
        """What the cache calls the server."""
        return self.url or f"local {self.environment.get('SETRIGHT_DATABASE', '')}".rstrip()

    @property
    def data(self) -> str:
        """The data folder of this machine."""
        chosen = self.environment.get("SETRIGHT_DATA_FOLDER")
        if chosen:
            return os.path.expanduser(chosen)
        base = self.environment.get("XDG_DATA_HOME") or "~/.local/share"
        return os.path.join(os.path.expanduser(base), "setright")

    @property
    def own(self) -> str:
        """The folder of the hooks' own files."""
        return os.path.join(self.data, FOLDER)

    def file(self, asked: Asked, kind: str) -> str:
        """The file of this kind for a server, an agent and a space."""
        return os.path.join(self.own, f"{asked.key}.{kind}")

    def make_own(self) -> None:
        """Make the folder of the hooks' own files, which nobody else may look into."""
        os.makedirs(self.data, exist_ok=True, mode=0o700)
        os.makedirs(self.own, exist_ok=True, mode=0o700)


def spelled(agent: str) -> str:
    """An agent's name as names are compared."""
    return unicodedata.normalize("NFKC", agent).strip().casefold()


def read_json(file: str) -> dict[str, Any]:
    """The JSON object in a file; empty when there is none that can be read."""
    try:
        with open(file, "rb") as opened:
            return object_in(opened.read()) or {}
    except OSError:
        return {}


def object_in(content: bytes) -> dict[str, Any] | None:
    """The JSON object that a content is; None when it is anything else."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def write_private(file: str, content: bytes) -> None:
    """Put a file in its place as a whole, so that only its owner can read it."""
    fresh = f"{file}.{os.getpid()}.new"
    try:
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as opened:
            opened.write(content)
        os.replace(fresh, file)
    except BaseException:
        if os.path.exists(fresh):
            os.unlink(fresh)
        raise
