"""An agent is found by its name and called as it wants to be; one that hangs is given up and stops no other."""

import asyncio
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from setright.client.replay import RecordedTools, ReplayEnded
from setright.client.runner.agent import Agent, AgentNotUsable, named
from setright.client.runner.doing import Doer

MODULE = """
import functools
def plain(case): return f"{case} plain"
def with_tools(case, tools): return tools.call("find")
async def awaited(case, *, tools): return await tools.acall("find")
def returns_awaitable(case): return awaited(case, tools={"x": 1})
class Desk:
    def answer(self, case): return f"{case} desk"
    async def __call__(self, case): return f"{case} called"
desk = Desk()
partly = functools.partial(with_tools, tools=None)
seven = 7
def two(case, other): return None
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "agents_of_test.py").write_text(MODULE)
    (tmp_path / "broken_agent.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield "agents_of_test"
    sys.modules.pop("agents_of_test", None)


def done(agent: Agent, tools: RecordedTools | None = None) -> Any:
    ended: queue.Queue[tuple[object, BaseException | None]] = queue.Queue()
    doer = Doer(agent)
    doer.start("case", tools or RecordedTools([{"tool": "find", "result": 7}]), lambda *end: ended.put(end))
    returned, error = ended.get(timeout=20)
    doer.close()
    if error is not None:
        raise error
    return returned


@pytest.mark.parametrize(
    ("name", "is_async", "returned"),
    [
        ("plain", False, "case plain"),
        ("with_tools", False, 7),
        ("awaited", True, 7),
        ("desk.answer", False, "case desk"),
        ("desk", True, "case called"),
    ],
)
def test_agents_of_every_kind_are_called(module: str, name: str, is_async: bool, returned: object) -> None:
    agent = named(f"{module}:{name}")
    assert (agent.is_async, agent.name) == (is_async, f"{module}:{name}")
    assert done(agent) == returned


def test_a_plain_function_may_return_something_to_await() -> None:
    async def answer() -> str:
        await asyncio.sleep(0)
        return "done"

    assert done(Agent(lambda case: answer(), "agent")) == "done"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("agents_of_test", "names no agent: give module:function"),
        (":plain", "names no agent"),
        ("no_such_module:f", "the module cannot be loaded: ModuleNotFoundError"),
        ("broken_agent:f", "the module cannot be loaded: SystemExit: 3"),
        ("agents_of_test:nothing", "there is no nothing in 'agents_of_test'"),
        ("agents_of_test:desk.nothing", "there is no nothing in"),
        ("agents_of_test:seven", "is a value of type int and cannot be called"),
        ("agents_of_test:two", "two(case, other) cannot be called with a case: missing a required argument"),
    ],
)
def test_what_is_no_agent_is_told(module: str, text: str, why: str) -> None:
    with pytest.raises(AgentNotUsable, match=re.escape(why)):
        named(text)


@pytest.mark.parametrize("raised", [ValueError("no"), SystemExit(1), KeyboardInterrupt()])
@pytest.mark.parametrize("kind", ["plain", "async"])
def test_whatever_an_agent_raises_is_handed_over(kind: str, raised: BaseException) -> None:
    def plain(case: Any) -> None:
        raise raised

    async def awaited(case: Any) -> None:
        raise raised

    with pytest.raises(type(raised)):
        done(Agent(plain if kind == "plain" else awaited, "agent"))


def hanging(kind: str, going_on: threading.Event) -> Callable[..., Any]:
    def plain(case: Any, tools: RecordedTools) -> None:
        going_on.wait()
        tools.call("refund")

    async def awaited(case: Any, tools: RecordedTools) -> None:
        await asyncio.Event().wait()

    async def never_awaiting(case: Any, tools: RecordedTools) -> None:
        if case == "hang":
            going_on.wait()

    return {"plain": plain, "async": awaited, "async that never awaits": never_awaiting}[kind]


@pytest.mark.parametrize("kind", ["plain", "async", "async that never awaits"])
def test_an_agent_that_hangs_is_given_up_and_the_next_case_is_done(kind: str) -> None:
    going_on = threading.Event()
    ended: queue.Queue[object] = queue.Queue()
    tools = RecordedTools()
    doer = Doer(Agent(hanging(kind, going_on), "agent"))
    give_up = doer.start("hang", tools, lambda *end: ended.put(end))
    time.sleep(0.05)
    give_up()
    assert doer.given_up == 1
    with pytest.raises(ReplayEnded):
        tools.call("refund")
    if kind == "async that never awaits":
        doer.start("next", RecordedTools(), lambda *end: ended.put("next"))
        assert ended.get(timeout=20) == "next"
    going_on.set()
    doer.close()
    assert tools.calls == []
