"""A ledger that this user may not write: every command that needs to write says so, and nobody sees a traceback."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from setright.storage.open import create_or_upgrade
from tests.cli.shell import Shell, Told

AS_ANOTHER_USER = """
import os, sys
from importlib import import_module
from setright.faces.cli.main import COMMANDS, main
for module, _, _ in COMMANDS.values():
    import_module(f"setright.faces.cli.{module}")
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
main()
"""


@pytest.fixture
def ledger_of_nobody() -> Iterator[Path]:
    """A ledger in a folder that everybody may enter; its owner is a user with fewer rights, where we can be one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        create_or_upgrade(str(path))
        if os.geteuid() == 0:
            for place in (Path(folder), *Path(folder).iterdir()):
                os.chown(place, 65534, 65534)
        yield path
        Path(folder).chmod(0o700)


def told_to(path: Path, *arguments: str) -> Told:
    """What a command says to a user without special rights."""
    bare = Shell(path.parent).bare() | {"SETRIGHT_DATABASE": str(path)}
    command = [sys.executable, "-c", AS_ANOTHER_USER, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=bare, timeout=60, check=False)
    return Told(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("runs", "list"), ("bootstrap",)])
def test_a_read_only_file_is_told_at_the_start(ledger_of_nobody: Path, command: tuple[str, ...]) -> None:
    ledger_of_nobody.chmod(0o400)
    told = told_to(ledger_of_nobody, *command)
    assert told.code == 2
    assert f"{ledger_of_nobody} cannot be written by this user (its mode is 400)" in told.err
    assert "give that user the right to write" in told.err


def test_a_read_only_folder_is_told_at_the_start(ledger_of_nobody: Path) -> None:
    ledger_of_nobody.parent.chmod(0o500)
    told = told_to(ledger_of_nobody, "serve", "--port", "0")
    assert told.code == 2
    assert f"{ledger_of_nobody.parent} cannot be written by this user" in told.err
    assert "write-ahead log" in told.err


def test_a_read_only_ledger_is_checked_and_backed_up_all_the_same(ledger_of_nobody: Path) -> None:
    ledger_of_nobody.chmod(0o400)
    told = told_to(ledger_of_nobody, "db", "check")
    assert told.code == 0, told.err
    told = told_to(ledger_of_nobody, "db", "backup", str(ledger_of_nobody.parent / "safe"))
    assert told.code == 0, told.err


def test_a_read_only_folder_is_told_also_to_who_only_reads(ledger_of_nobody: Path) -> None:
    ledger_of_nobody.with_name("ledger.db.upgrade").unlink()
    ledger_of_nobody.parent.chmod(0o500)
    for command in (["db", "check"], ["db", "backup", "/nowhere"], ["doctor"]):
        told = told_to(ledger_of_nobody, *command)
        assert told.code in (1, 2)
        assert f"{ledger_of_nobody.parent} cannot be written by this user" in told.out + told.err
