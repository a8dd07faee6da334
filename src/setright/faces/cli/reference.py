"""Writes docs/reference from the code: `python -m setright.faces.cli.reference`, or with `--check` says what is stale."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from setright.faces.cli import command_pages, pages
from setright.faces.cli.openapi import of_this_version
from setright.faces.mcp.server import listed as tool_listed
from setright.faces.mcp.table import TOOLS
from setright.knowledge import NewArtifact

FOLDER = Path("docs/reference")
WRITE_AGAIN = "python -m setright.faces.cli.reference"


def openapi() -> str:
    """The OpenAPI document as it is committed."""
    return json.dumps(of_this_version(), ensure_ascii=False, indent=1) + "\n"


def tools() -> str:
    """The tools of the MCP face as they are listed."""
    listed = [tool_listed(tool).model_dump(mode="json", by_alias=True, exclude_none=True) for tool in TOOLS]
    return json.dumps({"tools": listed}, ensure_ascii=False, indent=1) + "\n"


def artifact_schema() -> str:
    """The JSON form of an artifact, as `setright knowledge import json` and POST /v1/artifacts take it."""
    schema = NewArtifact.model_json_schema(by_alias=True)
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Artifact"}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


PAGES: Mapping[str, Callable[[], str]] = {
    "artifact.schema.json": artifact_schema,
    "cli.md": command_pages.commands,
    "errors.md": pages.errors,
    "lifecycles.md": pages.lifecycles,
    "mcp.json": tools,
    "openapi.json": openapi,
    "settings.md": pages.settings,
}


def stale(folder: Path = FOLDER) -> list[str]:
    """The pages that are missing or do not say what the code says."""
    return [name for name, write in PAGES.items() if _read(folder / name) != write()]


def _read(page: Path) -> str | None:
    return page.read_text("utf-8") if page.is_file() else None


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` only compare; 0 good, 1 stale, 2 wrong usage."""
    if arguments == ["--check"]:
        old = stale()
        if old:
            print(f"{FOLDER}: not what the code says: {', '.join(old)}. Run: {WRITE_AGAIN}", file=sys.stderr)
        return 1 if old else 0
    if arguments:
        print(f"Usage: {WRITE_AGAIN} [--check]", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, write in PAGES.items():
        (FOLDER / name).write_text(write(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
