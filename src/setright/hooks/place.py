"""Where the hooks find a server, its token, and their own files: from the environment, never from the folder they run in."""

import hashlib
import json
import os
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

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
        """The name that the files of this server, agent and space begin with."""
        words = json.dumps([self.server, spelled(self.agent), self.space])
        return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:24]


class Server(NamedTuple):
    """A server that can be asked."""

    url: str
    token: str


class Machine:
    """The places of this machine, as an environment says."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment

    @property
    def url(self) -> str:
        """The address of the server that was set, or nothing."""
        return self._environment.get(URL_VARIABLE, "").strip().rstrip("/")

    @property
    def server(self) -> str:
        """What the cache calls the server."""
        return self.url or f"local {self._environment.get('SETRIGHT_DATABASE', '')}".rstrip()

    @property
    def data(self) -> Path:
        """The data folder of this machine."""
        chosen = self._environment.get("SETRIGHT_DATA_FOLDER")
        if chosen:
            return Path(chosen).expanduser()
        return Path(self._environment.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "setright"

    @property
    def own(self) -> Path:
        """The folder of the hooks' own files."""
        return self.data / FOLDER

    def has_ledger(self) -> bool:
        """Whether there is a ledger on this machine; nothing is made by asking."""
        named = self._environment.get("SETRIGHT_DATABASE", "")
        if named.startswith(("postgresql://", "postgres://")):
            return True
        return (Path(named.removeprefix("sqlite:///")) if named else self.data / "ledger.db").exists()

    def elsewhere(self) -> dict[str, str]:
        """The environment for a program of ours that runs in another folder, with whole paths."""
        found = {**self._environment, "SETRIGHT_DATA_FOLDER": str(self.data.absolute())}
        named = found.get("SETRIGHT_DATABASE", "")
        if named and not named.startswith(("postgresql://", "postgres://")):
            found["SETRIGHT_DATABASE"] = f"sqlite:///{Path(named.removeprefix('sqlite:///')).absolute()}"
        if found.get("SETRIGHT_CONFIG"):
            found["SETRIGHT_CONFIG"] = str(Path(found["SETRIGHT_CONFIG"]).absolute())
        return found

    def reachable(self) -> Server | None:
        """The server to ask: that of SETRIGHT_URL, else the one that serves the ledger of this machine."""
        if self.url:
            return Server(self.url, self._environment.get(TOKEN_VARIABLE, "").strip())
        suffix = _suffix(self._environment.get("SETRIGHT_DATABASE", ""), self.data)
        told = read_json(self.data / f"local-server{suffix}")
        token = _text_of(self.data / f"local-token{suffix}")
        url, process = told.get("url"), told.get("pid")
        if not token or not isinstance(url, str) or not isinstance(process, int) or not _lives(process):
            return None
        return Server(url.rstrip("/"), token)


def spelled(agent: str) -> str:
    """An agent's name as names are compared."""
    return unicodedata.normalize("NFKC", agent).strip().casefold()


def read_json(file: Path) -> dict[str, Any]:
    """The JSON object in a file; empty when there is none that can be read."""
    try:
        return object_in(file.read_bytes()) or {}
    except OSError:
        return {}


def object_in(content: bytes) -> dict[str, Any] | None:
    """The JSON object that a content is; None when it is anything else."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def write_private(file: Path, content: bytes) -> None:
    """Put a file in its place as a whole, so that only its owner can read it."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as opened:
            opened.write(content)
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)


def _text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except (OSError, ValueError):
        return ""


def _suffix(database: str, folder: Path) -> str:
    """How the names of the files for a database end; those of the default one have no end of their own."""
    if not database or database == f"sqlite:///{folder / 'ledger.db'}":
        return ""
    if database.startswith(("postgresql://", "postgres://")):
        credentials, at, place = database.partition("://")[2].rpartition("@")
        whole = f"postgresql://{credentials.partition(':')[0]}{at}{place}"
    else:
        whole = str(Path(database.removeprefix("sqlite:///")).absolute())
    return f"-{hashlib.sha256(whole.encode()).hexdigest()[:12]}"


def _lives(process: int) -> bool:
    """Whether a process is there; another program may listen where a killed server did, and must not get the token."""
    if os.name == "nt":
        return True  # there, signal 0 would not ask but interrupt
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
