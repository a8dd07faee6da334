"""The server to ask, its token, and the ledger of this machine: from the environment and the data folder."""

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from setright.hooks.place import TOKEN_VARIABLE, Machine, read_json


class Server(NamedTuple):
    """A server that can be asked."""

    url: str
    token: str


def reachable(machine: Machine) -> Server | None:
    """The server to ask: that of SETRIGHT_URL, else the one that serves the ledger of this machine."""
    if machine.url:
        return Server(machine.url, machine.environment.get(TOKEN_VARIABLE, "").strip())
    data = Path(machine.data)
    suffix = _suffix(machine.environment.get("SETRIGHT_DATABASE", ""), data)
    told = read_json(str(data / f"local-server{suffix}"))
    token = _text_of(data / f"local-token{suffix}")
    url, process = told.get("url"), told.get("pid")
    if not token or not isinstance(url, str) or not isinstance(process, int) or not _lives(process):
        return None
    return Server(url.rstrip("/"), token)


def has_ledger(machine: Machine) -> bool:
    """Whether there is a ledger on this machine; nothing is made by asking."""
    named = machine.environment.get("SETRIGHT_DATABASE", "")
    if named.startswith(("postgresql://", "postgres://")):
        return True
    return Path(named.removeprefix("sqlite:///") if named else f"{machine.data}/ledger.db").exists()


def elsewhere(machine: Machine) -> dict[str, str]:
    """The environment for a program of ours that runs in another folder, with whole paths."""
    found = {**machine.environment, "SETRIGHT_DATA_FOLDER": str(Path(machine.data).absolute())}
    named = found.get("SETRIGHT_DATABASE", "")
    if named and not named.startswith(("postgresql://", "postgres://")):
        found["SETRIGHT_DATABASE"] = f"sqlite:///{Path(named.removeprefix('sqlite:///')).absolute()}"
    if found.get("SETRIGHT_CONFIG"):
        found["SETRIGHT_CONFIG"] = str(Path(found["SETRIGHT_CONFIG"]).absolute())
    return found


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
