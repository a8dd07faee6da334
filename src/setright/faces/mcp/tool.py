"""One tool: what it is called and takes, who may use it, and what it does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from setright.faces.mcp import arguments
from setright.faces.mcp.arguments import Argument
from setright.faces.mcp.ledger import Does

Group = Literal["lessons", "runs", "knowledge"]

READ_LESSONS = ("mcp:read", "decisions:read")
WRITE_LESSONS = ("mcp:write", "decisions:write")
READ_RUNS = ("mcp:read", "corrections:read")
WRITE_RUNS = ("mcp:write", "corrections:write")
READ_KNOWLEDGE = ("mcp:read", "knowledge:read")
WRITE_KNOWLEDGE = ("mcp:write", "knowledge:write")

ACCOUNT = Argument("account_id", "id", "The account; empty is your own, and no other can be reached.")
SPACE = Argument(
    "space_id", "id", "The space's id, as decisions_list_spaces tells it; empty is every space you may use."
)
PAGE_TOKEN = Argument(
    "page_token", "id", "The next_page_token of the page before; empty begins with the newest."
)
KEY = Argument(
    "idempotency_key",
    "id",
    "Any text of 1 to 255 characters of your own, the same at each retry of one call: it is then done once.",
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as it is listed and called; the three flags are its annotations, none of them reaches beyond the ledger.

    `result` is the schema of its structured content; `text` is the key of it that is shown as the text, else the whole
    is shown as JSON. `nothing` is said instead where what it names is empty.
    """

    name: str
    group: Group
    title: str
    description: str
    takes: tuple[Argument, ...]
    scopes: tuple[str, ...]
    does: Does
    result: Mapping[str, Any]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    always_load: bool = False
    text: str | None = None
    nothing: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        return arguments.schema(self.takes)

    def missing(self, scopes: frozenset[str]) -> bool:
        """Whether a token with these scopes lacks one that the tool needs; `admin` includes every scope."""
        return "admin" not in scopes and not scopes.issuperset(self.scopes)


def record(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with these properties, all of which may be absent."""
    return {"type": "object", "properties": {name: dict(inside) for name, inside in properties.items()}}


def texts(meaning: str) -> dict[str, Any]:
    """The schema of a list of texts."""
    return {"type": "array", "items": {"type": "string"}, "description": meaning}


def text(meaning: str) -> dict[str, Any]:
    """The schema of a text."""
    return {"type": "string", "description": meaning}


def number(meaning: str) -> dict[str, Any]:
    """The schema of a whole number."""
    return {"type": "integer", "description": meaning}


def several(meaning: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a list of objects."""
    return {"type": "array", "items": dict(entry), "description": meaning}


NEXT_PAGE = text("Send it as page_token for the next page; absent at the end.")
