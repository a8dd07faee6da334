"""Rules that the tree as a whole keeps or breaks, each a function from what it reads to its faults."""

import re
from collections.abc import Iterable
from pathlib import Path

ROOM_FILES = {
    "__init__.py",
    "errors.py",
    "jobs.py",
    "lifecycle.py",
    "model.py",
    "operations.py",
    "queries.py",
    "reactions.py",
    "erasing.py",
    "soundness.py",
    "store.py",
    "tables.py",
}
# Halves joined at run time, so that this file does not name what it looks for.
INDEX_HOST = re.compile(
    "|".join(
        (
            r"pypi" r"\.org",
            r"python" r"hosted\.org",
            r"--(extra-)?index" r"-url",
            r"--find" r"-links",
            r"https?://[^ \"]*/sim" r"ple(/|\b)",
            r"registry *= *\"?ht" r"tp",
            r"\"resolved\": *\"ht" r"tp",
        )
    ),
    re.IGNORECASE,
)
# Packages that say nothing in their metadata, or that this platform does not install: read from their licence file.
READ_BY_HAND = {
    "colorama": "BSD-3-Clause",
    "httpx2-jsfetch": "BSD-3-Clause",
    "pysqlite3": "Zlib",
    "pywin32": "PSF-2.0",
    "tzdata": "Apache-2.0",
}
COMMON_FOLDERS = {"/", "/opt", "/srv", "/tmp", "/usr/src", "/var/tmp"}
HOMES: list[str] = ["/ho" + "me/", "/Us" + "ers/", "/ro" + "ot/"]


def stray_room_files(rooms: Iterable[Path], architecture: str) -> list[str]:
    """A room holds the files that every room may hold; another needs a line in ARCHITECTURE.md."""
    return [
        f"{room.name}/{path.name}: no file of a room, and ARCHITECTURE.md has no line for `{room.name}/{path.name}`"
        for room in rooms
        for path in sorted(room.iterdir())
        if path.name not in ROOM_FILES | {"__pycache__"} and f"`{room.name}/{path.name}`" not in architecture
    ]


def unexplained_folders(top: Path, architecture: str) -> list[str]:
    """ARCHITECTURE.md has exactly one line for each folder of the package, which begins with its name."""
    lines = [re.sub(r"^[\s|*`#-]+", "", line) for line in architecture.splitlines()]
    faults: list[str] = []
    for folder in sorted(top.rglob("*")):
        if not folder.is_dir() or "__pycache__" in folder.parts:
            continue
        name = f"{folder.relative_to(top).as_posix()}/"
        found = sum(bool(re.match(rf"{re.escape(name)}[`\s|*:]", f"{line} ")) for line in lines)
        if found != 1:
            faults.append(f"{name}: {found} lines of ARCHITECTURE.md begin with it, there must be one")
    return faults


def told_folders_that_are_gone(top: Path, architecture: str) -> list[str]:
    """ARCHITECTURE.md has no line for a folder of the package that is not there."""
    names = re.findall(r"^[\s|*-]*`([a-z_/]+)/`", architecture, re.MULTILINE)
    return [f"{name}/: there is no such folder" for name in names if not (top / name).is_dir()]


def machine_traces(path: str, text: str, root: Path) -> list[str]:
    """No file names a folder of somebody's machine, or the host of a package index."""
    parent = root.parent.as_posix()
    places = [*HOMES] if parent in COMMON_FOLDERS else [*HOMES, f"{parent}/"]
    faults: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        faults += [
            f"{path}:{number}: a folder of one machine ({place})"
            for place in places
            if re.search(rf"(?<![\w.~}}$-]){re.escape(place)}", line)
        ]
        if INDEX_HOST.search(line):
            faults.append(f"{path}:{number}: a package index")
    return faults


def pins(text: str) -> dict[str, str]:
    """Read the names and versions of a requirement file; names are in lower case with dashes."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, re.MULTILINE)
    return {re.sub(r"[._-]+", "-", name).lower(): version for name, version in found}


def unhashed(text: str) -> list[str]:
    """Every requirement is pinned to one version and to hashes, and the file says nothing else."""
    faults: list[str] = []
    for block in re.split(r"\n(?! )", text.strip("\n")):
        if not re.match(r"[A-Za-z0-9._-]+==\S+", block):
            faults.append(f"not one pinned version: {block.splitlines()[0]}")
        elif "--hash=sha256:" not in block:
            faults.append(f"no hash: {block.splitlines()[0]}")
    return faults


COPYLEFT = re.compile(r"(?<![A-Z])A?GPL|(?<!LESSER )GENERAL PUBLIC|AFFERO|SSPL|BUSL|COMMONS CLAUSE")
LESSER = re.compile(r"LGPL|LESSER GENERAL PUBLIC")
FREE = re.compile(
    r"\b(MIT|BSD|APACHE|ISC|PSF|PYTHON SOFTWARE FOUNDATION|ZLIB|MPL|MOZILLA PUBLIC|UNLICENSE|0BSD|CC0)"
)
MAY_BE_LESSER = {"psycopg", "psycopg-binary", "psycopg-pool"}


def licence_fault(name: str, licence: str, *, server: bool) -> list[str]:
    """No GPL or AGPL at run time; LGPL only for the psycopg family, and only in the server's set."""
    words = licence.upper()
    if LESSER.search(words):
        allowed = server and name in MAY_BE_LESSER
        return [] if allowed else [f"{name}: {licence} is only for psycopg, and only in the server's set"]
    if COPYLEFT.search(words):
        return [f"{name}: {licence} is not for the run time"]
    return [] if FREE.search(words) else [f"{name}: the licence {licence!r} is not on the list"]
