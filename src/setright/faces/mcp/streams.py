"""Speaking MCP over this process's own standard input and output."""

import asyncio
import signal
from typing import Any

from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server


def speak(built: Server[Any]) -> None:
    """Answer, in UTF-8 whatever the system's own is, until standard input ends.

    Ctrl+C ends the process as it stands: a read of standard input cannot be called off, and what was answered is kept.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(_speak(built))


async def _speak(built: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await built.run(reading, writing, built.create_initialization_options())
