"""Where /mcp is answered: the MCP face, loaded when the first request for it comes, because that takes a second."""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

from setright.app.assemble import RunningApp
from setright.app.callers import Caller
from setright.faces.http.request import Request
from setright.kernel.answer import Answer

PATH = b"/mcp"


class McpDoor:
    """The MCP face of one server; the server answers everything else while it is loaded."""

    def __init__(self, app: RunningApp, caller: Callable[[Request], Awaitable[Caller]], log: Any) -> None:
        self._app = app
        self._caller = caller
        self._log = log
        self._loading = asyncio.Lock()
        self._answering: Any = None

    async def answer(self, request: Request) -> Answer:
        """The answer to a request for /mcp."""
        async with self._loading:
            if self._answering is None:
                face = await asyncio.to_thread(import_module, "setright.faces.mcp.endpoint")
                self._answering = face.Endpoint(self._app, self._caller, self._log).answer
            answering = self._answering
        answer: Answer = await answering(request)
        return answer
