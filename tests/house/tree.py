"""The files of the repository, read once for all rules of the house."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src" / "setright"
CODE_FOLDERS = ("src", "tests", "tests_slow", "benches")
MADE_BY_TOOLS = {
    ".conformance",
    ".git",
    ".hypothesis",
    ".import_linter_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".schemathesis",
    ".venv",
    ".venv-conformance",
    ".venv-fuzz",
    ".venv-lock",
    ".venv-mutate",
    ".venv-peers",
    ".venv-supply",
    ".venv.lock",
    "__pycache__",
    "build",
    "dist",
}


@dataclass(frozen=True)
class Source:
    """One Python file: its path from the root of the repository with slashes, and its text."""

    path: str
    text: str
    tree: ast.Module = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tree", ast.parse(self.text))

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the path below src/setright, or below the root for files that stand elsewhere."""
        return tuple(self.path.removeprefix("src/setright/").split("/"))

    def where(self, node: ast.stmt | ast.expr) -> str:
        """Name the place of a node, so that an editor can open it."""
        return f"{self.path}:{node.lineno}"


def files(top: Path = ROOT) -> Iterator[Path]:
    """Yield every file that somebody wrote, leaving out what tools made."""
    for path in sorted(top.iterdir()):
        if path.name in MADE_BY_TOOLS:
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def sources(*folders: str) -> list[Source]:
    """Read the Python files below some folders of the repository; without names, all that hold code."""
    return [
        Source(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for folder in folders or CODE_FOLDERS
        if (ROOT / folder).is_dir()
        for path in files(ROOT / folder)
        if path.suffix == ".py"
    ]


def is_source(source: Source) -> bool:
    """Tell whether a file belongs to the package, and not to its tests or benches."""
    return source.path.startswith("src/")


def listed(faults: list[str]) -> str:
    """Write faults one a line, as the message of a failed rule."""
    return "\n".join(faults)
