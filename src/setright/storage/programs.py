"""PostgreSQL's own client programs: which one is used, and how it is run without showing a password to anybody."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from setright.storage.backup import BackupStopped

_VERSION = re.compile(r"\(PostgreSQL\) ((\d+)\S*)")
_SECRETS = ("sslpassword", "oauth_client_secret")


@dataclass(frozen=True, slots=True)
class Program:
    """A client program and the version of PostgreSQL that it is of."""

    name: str
    path: Path
    version: str
    major: int


def find(name: str, folder: Path | None) -> Program:
    """The program called `name` in `folder`, or on the search path; says what to install when there is none."""
    found = shutil.which(name, path=None if folder is None else str(folder))
    if found is None:
        where = "on the search path (PATH)" if folder is None else f"in {folder}"
        raise BackupStopped(
            "tool-missing",
            f"There is no {name} {where}: a PostgreSQL ledger is backed up and restored by PostgreSQL's own programs.",
            "install PostgreSQL's client programs (Debian, Ubuntu: postgresql-client; macOS: brew install libpq)",
            "or say where they are: --pg-bin DIR",
        )
    question = [found, "--version"]
    done = subprocess.run(question, capture_output=True, text=True, check=False, env=_environment())  # noqa: S603
    version = _VERSION.search(done.stdout)
    if done.returncode or version is None:
        raise BackupStopped(
            "tool-failed", f"{found} does not say its version: {_said(done.stderr) or done.stdout.strip()!r}."
        )
    return Program(name, Path(found), version[1], int(version[2]))


class Target:
    """A database as the programs are told of it: what is secret goes through their environment."""

    def __init__(self, url: str) -> None:
        known: dict[str, Any] = conninfo_to_dict(url)
        secret = [name for name in _SECRETS if known.get(name)]
        if secret:
            raise BackupStopped(
                "secret-not-passed",
                f"The address has {secret[0]}, which PostgreSQL's programs take only where others can see it.",
                "name it in a service file, and the service in the address: postgresql:///?service=NAME",
            )
        password = known.pop("password", None)
        self.arguments = ("--no-password", f"--dbname={make_conninfo(**known)}")
        self.environment = _environment() | ({"PGPASSWORD": str(password)} if password else {})


def _environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C"}


@contextmanager
def listen(
    program: Program,
    options: Sequence[str],
    *,
    stdin: IO[bytes] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Generator[IO[bytes]]:
    """What the program writes, while it runs; refuses in the end when it failed, and ends it when we leave before."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(  # noqa: S603 - the program was found by its name, and the options are ours
            [str(program.path), *options],
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=subprocess.PIPE,
            stderr=said,
            env=_environment() if environment is None else environment,
        )
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        try:
            yield process.stdout
            process.wait()
            _check(program, process, said)
        except Exception:
            # Whoever read what a failing program wrote stumbled over its end: its own complaint says more.
            with suppress(subprocess.TimeoutExpired):
                process.wait(1)
                _check(program, process, said)
            raise
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def _check(program: Program, process: "subprocess.Popen[bytes]", said: IO[bytes]) -> None:
    code = process.returncode
    if code == 0:
        return
    said.seek(0)
    reason = _said(said.read(100_000).decode(errors="replace"))
    ended = f"was ended by the signal {-code}" if code < 0 else f"failed ({code})"
    raise BackupStopped(
        "tool-failed", f"{program.path} {ended}: {reason or 'it said nothing'}. Nothing is left of it."
    )


def _said(text: str) -> str:
    """The first complaint of a program, in one line, without its name before it."""
    lines = [line.partition(": ")[2] or line for line in text.splitlines() if line.strip()]
    return " ".join(" ".join(lines[:4]).split())[:1000].rstrip(".")
