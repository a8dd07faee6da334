"""The built wheel, installed where nothing else of the project is."""

import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from tests.house.tree import ROOT
from tests.support.curl import path_with_curl


@dataclass(frozen=True)
class Installed:
    """An environment whose `pip install` finds the built wheel and nothing else, and a home that is empty."""

    environment: Path
    home: Path
    wheels: Path

    def variables(self) -> dict[str, str]:
        """What a newcomer's shell has, with the environment activated and no way to a package index."""
        path = f"{self.environment / 'bin'}:{path_with_curl(self.wheels)}"
        offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_NO_CACHE_DIR": "1"}
        return {"PATH": path, "HOME": str(self.home), "PIP_DISABLE_PIP_VERSION_CHECK": "1", **offline}


def build_wheel(place: Path) -> Path:
    """Build the wheel of the tree as it is."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return next(place.glob("setright-*.whl"))


def new_environment(place: Path) -> Path:
    """A fresh environment in which the dependencies are there already, borrowed from the one that runs the tests.

    Everything is borrowed but the project itself.
    """
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True, capture_output=True, timeout=60)
    borrowed = place / "borrowed"
    borrowed.mkdir()
    for found in Path(sysconfig.get_path("purelib")).iterdir():
        if "setright" not in found.name and found.suffix != ".pth":
            (borrowed / found.name).symlink_to(found)
    (packages,) = place.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(f"{borrowed}\n")
    return place
