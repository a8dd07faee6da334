"""The command `setright mcp` as assistants start it: the official client over standard input and output."""

import asyncio
import json
import signal
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import mcp
import pytest

from setright import Setright
from setright.faces.mcp.table import TOOLS, chosen
from tests.cli.conftest import postgresql_places
from tests.cli.shell import COMMAND, IN_FRONT, Served, Shell
from tests.mcp.asking import ERAS, text_of, words

__all__ = ["postgresql_places"]
T = TypeVar("T")
RULE = "Read the document again before saving: \u00fcberall."
SAID = {
    "kind": "drift",
    "what_happened": "It saved over a newer version.",
    "noticed_by": "person",
    "agent": "scribe",
}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A terminal in an empty folder, with no ledger yet."""
    return Shell(tmp_path)


@pytest.fixture
def served(shell: Shell) -> Iterator[Served]:
    """A server on the ledger of this machine."""
    server = Served(shell)
    yield server
    assert server.stop() == 0


def session(
    shell: Shell, doing: Callable[[mcp.Client], Awaitable[T]], *arguments: str, era: str = "auto", **env: str
) -> T:
    """One session of an assistant, from its start to its end."""
    started = mcp.StdioServerParameters(
        command=str(COMMAND), args=["mcp", *arguments], env={**shell.bare(), **env}, cwd=shell.folder
    )

    async def whole() -> T:
        async with mcp.Client(started, mode="legacy" if era == "legacy" else "auto") as client:
            return await doing(client)

    return asyncio.run(whole())


def person(shell: Shell) -> str:
    return (shell.data / "local-token").read_text().strip()


@pytest.mark.parametrize("era", ERAS)
def test_two_sessions_of_a_coding_agent(shell: Shell, era: str) -> None:
    async def first(client: mcp.Client) -> str:
        made = await client.call_tool("corrections_record", {**SAID, "rule": RULE, "session": "one"})
        lesson_id = made.structured_content["correction"]["id"]
        done = await client.call_tool("corrections_update", {"correction_id": lesson_id, "status": "adopted"})
        assert not done.is_error, words(done)
        alone = await client.call_tool(
            "corrections_update", {"correction_id": lesson_id, "status": "verified"}
        )
        assert alone.is_error
        return lesson_id

    async def second(client: mcp.Client) -> tuple[str, str]:
        rules = await client.call_tool("corrections_rules", {"agent": "scribe"})
        again = await client.call_tool("corrections_record", {**SAID, "rule": RULE, "session": "two"})
        return words(rules), again.structured_content["recurrence_of"]

    lesson_id = session(shell, first, era=era)
    briefing, earlier = session(shell, second, era=era)
    assert RULE in briefing
    assert earlier == lesson_id


def test_a_person_verifies_over_http_what_a_service_cannot(shell: Shell) -> None:
    async def record(client: mcp.Client) -> str:
        made = await client.call_tool("corrections_record", {**SAID, "rule": RULE})
        lesson_id = made.structured_content["correction"]["id"]
        await client.call_tool("corrections_update", {"correction_id": lesson_id, "status": "adopted"})
        return lesson_id

    async def rules(client: mcp.Client) -> list[Any]:
        return (await client.call_tool("corrections_rules", {"agent": "scribe"})).structured_content["rules"]

    lesson_id = session(shell, record)
    server = Served(shell)
    env = {"SETRIGHT_URL": server.url, "SETRIGHT_TOKEN": person(shell)}
    with Setright(server.url, person(shell)) as client:
        client.lessons.update(lesson_id, status="verified")
        assert session(shell, rules, **env)[0]["status"] == "verified"
        client.lessons.briefing(agent="scribe", session="two")
        assert client.lessons.update(lesson_id, status="retired").sessions_still_have_it == 1
    assert session(shell, rules, **env) == []
    assert server.stop() == 0


def test_the_relay_shows_what_the_server_shows(shell: Shell, served: Served) -> None:
    env = {"SETRIGHT_URL": served.url, "SETRIGHT_TOKEN": person(shell)}

    async def whole(client: mcp.Client) -> tuple[list[str], str, str, str]:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        wrong = await client.call_tool("corrections_record", {**SAID, "kind": "x"})
        rules = text_of(await client.read_resource("corrections://rules"))
        with pytest.raises(mcp.MCPError) as unknown:
            await client.call_tool("corrections_forget", {})
        return tools, words(wrong), rules, str(unknown.value)

    for era in ERAS:
        tools, wrong, rules, unknown = session(shell, whole, era=era, **env)
        assert tools == [tool.name for tool in TOOLS]
        assert wrong.startswith("kind: 'x' is not allowed.")
        assert rules == "No rules are in force here yet, and no open corrections wait."
        assert "There is no tool" in unknown


def test_a_server_that_does_not_answer_is_an_error_that_says_so(shell: Shell) -> None:
    async def call(client: mcp.Client) -> Any:
        return await client.call_tool("corrections_rules", {})

    answer = session(shell, call, SETRIGHT_URL="http://127.0.0.1:9", SETRIGHT_TOKEN="srt_x")
    assert answer.is_error
    assert "does not answer" in words(answer)


def test_a_relay_without_a_token_says_what_to_set(shell: Shell) -> None:
    told = shell.outside("mcp", stdin="", SETRIGHT_URL="http://127.0.0.1:9")
    assert told.code == 2
    assert told.out == ""
    assert "SETRIGHT_TOKEN" in told.err


def test_standard_output_holds_messages_and_nothing_else(shell: Shell) -> None:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    told = shell.outside("mcp", stdin=json.dumps(message) + "\n").good()
    answers = [json.loads(line) for line in told.out.splitlines()]
    assert [answer["id"] for answer in answers] == [1]
    assert answers[0]["result"]["instructions"]


def test_it_ends_with_its_input(shell: Shell) -> None:
    with subprocess.Popen(
        [COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=shell.bare(), cwd=shell.folder
    ) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0


def test_an_old_file_is_never_upgraded(shell: Shell) -> None:
    shell("project", "list").good()
    with sqlite3.connect(shell.data / "ledger.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    told = shell.outside("mcp", stdin="")
    assert (told.code, told.out) == (2, "")
    assert "0001" in told.err
    with sqlite3.connect(shell.data / "ledger.db") as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)


def test_the_assistant_keeps_one_token_and_gets_another_when_it_was_revoked(shell: Shell) -> None:
    async def nothing(client: mcp.Client) -> int:
        return len((await client.list_tools()).tools)

    assert session(shell, nothing) == 5
    assert session(shell, nothing, "--tools", "all") == len(TOOLS)
    tokens = [
        token for token in shell("token", "list", "--json").good().json["data"] if token["kind"] == "service"
    ]
    assert [token["name"] for token in tokens] == ["local-assistant"]
    shell("token", "revoke", tokens[0]["id"], "--yes")
    assert session(shell, nothing, "--tools", "runs") == len(chosen(["runs"]))


NARROW = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C"}
"""The streams of a system with one alphabet."""


@pytest.mark.parametrize("era", ERAS)
def test_text_of_every_script_passes_streams_of_one_alphabet(shell: Shell, era: str) -> None:
    async def whole(client: mcp.Client) -> str:
        made = await client.call_tool("corrections_record", {**SAID, "rule": "Say 日本語 and 🦊."})
        lesson_id = made.structured_content["correction"]["id"]
        await client.call_tool("corrections_update", {"correction_id": lesson_id, "status": "adopted"})
        return text_of(await client.read_resource("corrections://rules/scribe"))

    assert "Say 日本語 and 🦊." in session(shell, whole, era=era, **NARROW)


def test_ctrl_c_ends_it_at_once(shell: Shell) -> None:
    with subprocess.Popen(
        [*IN_FRONT, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=shell.bare(), cwd=shell.folder
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == -signal.SIGINT
