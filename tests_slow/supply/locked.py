"""The locked requirements: names, versions, hashes, and the sets in which a package is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SETS: Mapping[str, str] = {
    "base": "requirements/base.txt",
    "mcp": "requirements/mcp.txt",
    "server": "requirements/server.txt",
    "development": "requirements.txt",
}
"""The sets that are installed from us, from the smallest on, and the one for developers."""
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Locked:
    """A package as it is locked; `hashes` are the SHA-256 of each of its files, `sets` where it is installed."""

    name: str
    version: str
    hashes: tuple[str, ...]
    sets: tuple[str, ...]


def pinned(text: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """The hashes of every package of a requirement file, by name and version."""
    found = list(_PIN.finditer(text))
    ends = [one.start() for one in found[1:]] + [len(text)]
    return {
        (one[1], one[2]): tuple(sorted(_HASH.findall(text[one.end() : end])))
        for one, end in zip(found, ends, strict=True)
    }


def locked(root: Path = ROOT) -> list[Locked]:
    """Every package that is locked, by name."""
    of_sets = {name: pinned((root / file).read_text("utf-8")) for name, file in SETS.items()}
    every = sorted({package for packages in of_sets.values() for package in packages})
    return [
        Locked(
            name,
            version,
            next(packages[name, version] for packages in of_sets.values() if (name, version) in packages),
            tuple(one for one, packages in of_sets.items() if (name, version) in packages),
        )
        for name, version in every
    ]
