"""Every row of what clients were seen to send, in both eras of the protocol: what comes back, and what is kept of it."""

import json
from typing import Any

import pytest

from tests.mcp.asking import Asking
from tests.mcp.sent import ABSENT, LISTED, RECORDED, SAID, Row
from tests.mcp.ways import ERAS, WAYS, Answer, over_http

PLAIN = [row for row in (*RECORDED,) if not row.raw]
RAW = [row for row in RECORDED if row.raw]
ways = pytest.mark.parametrize("way", WAYS)
eras = pytest.mark.parametrize("era", ERAS)


def named(row: Row) -> str:
    return row.name


def call(way: str, asking: Asking, tool: str, arguments: Any = None) -> Answer:
    """The answer to a call; without arguments there are none in the message."""
    given = {} if arguments is None else {"arguments": arguments}
    return WAYS[way](asking, "tools/call", {"name": tool, **given})


def text_of(result: Answer) -> str:
    return "\n".join(part["text"] for part in result["content"])


def check_refused(result: Answer, told: str) -> None:
    """A refusal: an error in words, with nothing of the libraries below in it and nothing beside it."""
    assert result["isError"] is True, result
    assert "structuredContent" not in result
    text = text_of(result)
    assert told in text
    assert not any(
        word in text for word in ("pydantic", "Error executing", "input_value", "Traceback", "[type=")
    )


@ways
@pytest.mark.parametrize("row", PLAIN, ids=named)
def test_what_a_tool_that_writes_is_sent(lone_person: Asking, way: str, row: Row) -> None:
    result = call(way, lone_person, "corrections_record", {**SAID, **row.sends})["result"]
    kept = lone_person("corrections_list")["corrections"]
    if row.told:
        check_refused(result, row.told)
        assert kept == []
        return
    assert result.get("isError", False) is False, result
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    made = result["structuredContent"]["correction"]
    assert {name: made.get(name, ABSENT) for name in row.keeps} == row.keeps
    assert kept == [made]


@ways
@pytest.mark.parametrize("row", LISTED, ids=named)
def test_what_a_tool_that_lists_is_sent(lone_person: Asking, way: str, row: Row) -> None:
    lone_person("corrections_record", **SAID)
    result = call(way, lone_person, "corrections_list", row.sends)["result"]
    if row.told:
        check_refused(result, row.told)
        return
    assert result.get("isError", False) is False, result
    assert len(result["structuredContent"]["corrections"]) == 1
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


@eras
@pytest.mark.parametrize("row", RAW, ids=named)
def test_what_no_client_can_write_is_refused_and_nothing_is_kept(
    lone_person: Asking, era: str, row: Row
) -> None:
    asked = {"name": "corrections_record", "arguments": {**SAID, **row.sends}}
    answer = over_http(lone_person, "tools/call", asked, era=era)
    told = answer.json()
    assert told.get("error") or told["result"]["isError"] is True
    assert answer.status_code in (200, 400)
    assert lone_person("corrections_list")["corrections"] == []
