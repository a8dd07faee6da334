"""Letting an agent do cases side by side, so that one that hangs is given up and stops no other."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from setright.client.replay import RecordedTools
from setright.client.runner.agent import Agent

Ended = Callable[[object, BaseException | None], None]
_ANSWERS_WITHIN = 1.0


class Doer:
    """Starts an agent on cases: a plain one in a thread for each, an asynchronous one in one event loop for all.

    `given_up` counts attempts that were left alone; a plain agent that hangs cannot be stopped, its thread ends with
    the process.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._loop: _Loop | None = None
        self.given_up = 0

    def start(self, case: Any, tools: RecordedTools, ended: Ended) -> Callable[[], None]:
        """Start on a case; `ended` is called with what was returned or raised. The answer gives the attempt up."""
        give_up = self._start_async(case, tools, ended) if self._agent.is_async else None
        if give_up is None:
            threading.Thread(
                target=_call, args=(self._agent, case, tools, ended), name="setright-case", daemon=True
            ).start()

        def left_alone() -> None:
            self.given_up += 1
            tools.end()
            if give_up is not None:
                give_up()

        return left_alone

    def close(self) -> None:
        """End the event loop, if there is one that still answers."""
        if self._loop is not None:
            self._loop.close()
            self._loop = None

    def _start_async(self, case: Any, tools: RecordedTools, ended: Ended) -> Callable[[], None]:
        if self._loop is None:
            self._loop = _Loop()
        loop = self._loop

        async def attempt() -> None:
            try:
                returned = await self._agent(case, tools)
            except BaseException as error:  # noqa: BLE001 - whatever it raises is how it failed
                ended(None, error)
            else:
                ended(returned, None)

        give_up = loop.start(attempt)

        def given_up() -> None:
            give_up()
            if loop is self._loop and not loop.answers():
                self._loop = None  # it is held up by an agent that never awaits; the next case gets another

        return given_up


def _call(agent: Agent, case: Any, tools: RecordedTools, ended: Ended) -> None:
    try:
        returned = agent(case, tools)
        if inspect.isawaitable(returned):
            returned = asyncio.run(_awaited(returned))
    except BaseException as error:  # noqa: BLE001 - whatever it raises is how it failed
        ended(None, error)
    else:
        ended(returned, None)


async def _awaited(returned: Awaitable[Any]) -> Any:
    return await returned


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="setright-loop", daemon=True)
        self._thread.start()

    def start(self, work: Callable[[], Any]) -> Callable[[], None]:
        """Start a coroutine; the answer cancels it."""
        future = asyncio.run_coroutine_threadsafe(work(), self._loop)

        def cancel() -> None:
            future.cancel()

        return cancel

    def answers(self) -> bool:
        """Whether the loop still goes round."""
        answered = threading.Event()
        self._loop.call_soon_threadsafe(answered.set)
        return answered.wait(_ANSWERS_WITHIN)

    def close(self) -> None:
        """Cancel what is left, and end the loop; one that does not answer is left alone."""
        if self.answers():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_ANSWERS_WITHIN)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()
