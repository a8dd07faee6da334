"""The tool that tells which spaces (projects) there are."""

from collections.abc import Mapping
from typing import Any

from setright.app.catalog import QUERIES
from setright.faces.mcp.arguments import Argument, ToolFault
from setright.faces.mcp.ledger import Ledger, Wire
from setright.faces.mcp.tool import ACCOUNT, NEXT_PAGE, PAGE_TOKEN, READ_LESSONS, Tool, record, several, text

PAGE_SIZE = Argument("page_size", "whole", "How many to a page: 1 to 200; 0 or empty is 50.")
USUAL_PAGE, LARGEST_PAGE = 50, 200


def page_size(given: Mapping[str, Any]) -> int:
    """How many entries a page has; 0 is the usual number, more than the largest is the largest."""
    size = given.get("page_size", 0)
    if size < 0:
        raise ToolFault(f"page_size: must be 0 to {LARGEST_PAGE}, got {size}. 0 is {USUAL_PAGE}.")
    return min(size, LARGEST_PAGE) or USUAL_PAGE


async def list_spaces(ledger: Ledger, given: Mapping[str, Any]) -> Wire:
    """The spaces that the caller may read, newest first."""
    ledger.check_account(given)
    wanted = {"after": ledger.place(LIST.name, given.get("page_token")), "limit": page_size(given)}
    found = await ledger.ask(QUERIES["list-projects"], lambda: wanted)
    return ledger.page(LIST.name, "spaces", found, lambda project: {"id": project.id, "name": project.name})


LIST = Tool(
    name="decisions_list_spaces",
    group="lessons",
    title="List spaces",
    description="List the spaces that you may read, newest first, with the id that the other tools take as space_id. "
    "Call it when you do not know a space's id; use corrections_rules for what is kept in a space. It reads only, and "
    "answers pages of up to 200.",
    takes=(ACCOUNT, PAGE_SIZE, PAGE_TOKEN),
    scopes=READ_LESSONS,
    does=list_spaces,
    result=record(
        spaces=several(
            "The spaces of this page.",
            record(id=text("What the other tools take as space_id."), name=text("How people call it.")),
        ),
        next_page_token=NEXT_PAGE,
    ),
    read_only=True,
    idempotent=True,
    nothing={"spaces": "There are no spaces that you may read."},
)
