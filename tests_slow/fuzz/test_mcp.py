"""Any JSON as a message, and as the arguments of any tool: always an answer of the protocol, never a crash.

Over HTTP, in this process, on each engine; SETRIGHT_FUZZ_SECONDS says for how long each part goes on.
"""

import contextlib
import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from setright.faces.mcp.table import TOOLS
from tests.http.conftest import api, database_url
from tests.http.support import Api
from tests.http.writes import made_things
from tests.mcp.asking import Asking
from tests.mcp.places import call_of
from tests.mcp.ways import ERAS, over_http
from tests_slow.fuzz.fuzzing import SECONDS, SEED, TOLD

__all__ = ["api", "database_url"]
pytestmark = pytest.mark.timeout(900)
ODD = [
    "",
    "null",
    "\0",
    "\ud800",
    "\u202e",
    "-1",
    "1e400",
    "tools/call",
    "../..",
    "x" * 5_000,
    "'; --",
    "{run}",
]
TEXTS = st.sampled_from(ODD) | st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
METHODS = st.sampled_from(
    [
        "initialize",
        "ping",
        "tools/list",
        "tools/call",
        "resources/read",
        "prompts/get",
        "logging/setLevel",
        "nothing",
    ]
)
MESSAGES = JSON | st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | JSON, "method": METHODS | JSON},
    optional={"id": st.integers() | JSON, "params": JSON, "result": JSON},
)
endless = settings(
    max_examples=10**6,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


class _Enough(Exception):
    """The time is over."""


def fuzzed(name: str, run: Any) -> None:
    """Go on until the time is over, and tell how often that was."""
    started = time.monotonic()
    with contextlib.suppress(_Enough):
        run(lambda: time.monotonic() - started > float(SECONDS))
    TOLD.append(f"mcp {name}: seed {SEED}, {time.monotonic() - started:.0f} s")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_any_arguments_of_a_tool(api: Api, tool: Any) -> None:
    caller = api.tenant()
    made = made_things(caller)
    good = call_of(tool, made)
    names = [argument.name for argument in tool.takes]
    count = 0

    def run(over: Any) -> None:
        @seed(int(SEED))
        @endless
        @given(
            st.dictionaries(st.sampled_from(names) | TEXTS, JSON, max_size=5),
            st.booleans(),
            st.sampled_from([*ERAS]),
        )
        def asking(sent: dict[str, Any], beside: bool, era: str) -> None:
            nonlocal count
            if over():
                raise _Enough
            count += 1
            arguments = {**good, **sent} if beside else sent
            answer = over_http(
                Asking(caller), "tools/call", {"name": tool.name, "arguments": arguments}, era=era
            )
            check(answer)

        asking()

    fuzzed(tool.name, run)
    assert count > 0
    assert '"crash"' not in api.logged


def test_any_json_as_a_message(api: Api) -> None:
    caller = api.tenant()
    count = 0

    def run(over: Any) -> None:
        @seed(int(SEED))
        @endless
        @given(MESSAGES, st.booleans())
        def sending(message: Any, doubled: bool) -> None:
            nonlocal count
            if over():
                raise _Enough
            count += 1
            raw = json.dumps([message] if doubled else message).encode()
            check(caller.send("POST", "/mcp", content=raw, headers={"content-type": "application/json"}))

        sending()

    fuzzed("messages", run)
    assert count > 0
    assert '"crash"' not in api.logged
    assert caller.get("/v1/me").status_code == 200


def check(answer: Any) -> None:
    """An answer of the protocol or of the door: no 5xx, no traceback, JSON where there is anything."""
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text
    if not answer.content:
        assert answer.status_code == 202
        return
    told = answer.json()
    if "jsonrpc" in told:
        assert told["jsonrpc"] == "2.0"
        assert ("result" in told) != ("error" in told)
        text = json.dumps(told)
        assert "the ledger failed" not in text.lower()
    else:
        assert set(told) == {"error"}
