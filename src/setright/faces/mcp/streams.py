"""Speaking MCP over this process's own standard input and output."""

import asyncio
from typing import Any

from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server


def speak(built: Server[Any]) -> None:
    """Answer, in UTF-8 whatever the system's own is, until standard input ends."""
    asyncio.run(_speak(built))


async def _speak(built: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await built.run(reading, writing, built.create_initialization_options())
