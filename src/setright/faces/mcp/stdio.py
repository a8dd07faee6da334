"""MCP over standard input and output, on the ledger of this machine, as the service local-assistant."""

import asyncio
import sys
from collections.abc import Sequence

from setright.app.assemble import RunningApp
from setright.faces.mcp import server, table
from setright.faces.mcp.ledger import Ledger
from setright.faces.mcp.streams import speak
from setright.identity import hash_of, present


def serve(app: RunningApp, secret: str, groups: Sequence[str]) -> None:
    """Answer until standard input ends; each request is made with the token as it is then."""
    presented = present(secret)
    hashed = hash_of(secret)

    async def enter(_: server.Context) -> Ledger:
        caller = app.callers.remembered(hashed, app.clock.now())
        if caller is None:
            caller = await asyncio.wrap_future(app.store.read(lambda at: app.callers.read(at, presented)))
        return Ledger(app, caller)

    def crashed(error: Exception, place: str) -> None:
        sys.stderr.write(f"setright: {place} failed: {type(error).__name__}\n")

    speak(server.build(table.chosen(groups), enter, crashed))
