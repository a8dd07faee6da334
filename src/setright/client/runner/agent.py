"""An agent as a Python callable: found by its name, looked at once, and called for each case."""

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from setright.client.errors import SetrightError
from setright.client.replay import RecordedTools
from setright.client.runner.outcome import told_in_a_line


class AgentNotUsable(SetrightError):
    """The agent cannot be found, or cannot be called with a case; nothing was sent."""


class Agent:
    """Something that is called with a case, and with its `tools` when it has that parameter; plain or asynchronous."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.name = name
        self._function = function
        self._takes_tools = _takes_tools(function, name)
        self.is_async = _is_async(function)

    def __call__(self, case: Any, tools: RecordedTools) -> Any:
        """What it returns, awaitable where it is asynchronous."""
        return self._function(case, tools=tools) if self._takes_tools else self._function(case)


def named(text: str) -> Agent:
    """The agent called `module:function`, looked for from the current folder on; raises `AgentNotUsable`."""
    module_name, colon, path = text.partition(":")
    if not colon or not module_name or not path:
        raise AgentNotUsable(f"{text!r} names no agent: give module:function, such as my_agent:answer.")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise AgentNotUsable(f"{text}: the module cannot be loaded: {told_in_a_line(error)}") from error
    for part in path.split("."):
        if not hasattr(found, part):
            raise AgentNotUsable(f"{text}: there is no {part} in {getattr(found, '__name__', found)!r}.")
        found = getattr(found, part)
    if not callable(found):
        raise AgentNotUsable(f"{text} is a value of type {type(found).__name__} and cannot be called.")
    return Agent(found, text)


def _takes_tools(function: Callable[..., Any], name: str) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return False
    takes = "tools" in signature.parameters
    try:
        signature.bind(None, **({"tools": None} if takes else {}))
    except TypeError as error:
        raise AgentNotUsable(
            f"{name}{signature} cannot be called with a case{' and tools' if takes else ''}: {error}."
        ) from None
    return takes


def _is_async(function: Callable[..., Any]) -> bool:
    called = getattr(function, "__call__", None)  # noqa: B004 - the method of an object that is called
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)
