"""With another tenant's id or name in any place of any command everything is as if nobody had it: words and work."""

import json
from pathlib import Path

import pytest

from tests.cli.at_desk import sitting
from tests.cli.lines import (
    LINES,
    MACHINE,
    PLACES,
    WORDS,
    Command,
    every_command,
    line_of,
    line_with,
)
from tests.cli.shell import Told
from tests.http.conftest import api, database_url
from tests.http.strangers import Stranger, Strangers, counted, strangers
from tests.http.support import Api, a_run

__all__ = ["api", "database_url"]
COMMANDS = [command for command in every_command() if command.name not in MACHINE]
EVERY = [(command, place) for command in COMMANDS for place in command.places]
AGENT = "def answer(case):\n    return {'answer': 'yes'}\n"
CHAT = [{"role": "user", "content": "may I?"}, {"role": "assistant", "content": "no"}]
TEXT = {"id": "P8", "title": "Brick P8"}


@pytest.fixture(scope="module")
def those(api: Api) -> Strangers:
    """The strangers, on each engine."""
    return strangers(api)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that commands read."""
    made = tmp_path_factory.mktemp("desk")
    (made / "runs.json").write_text(json.dumps([a_run(projectId="default")]))
    (made / "chats.jsonl").write_text(json.dumps({"messages": CHAT}))
    (made / "text.json").write_text(json.dumps(TEXT))
    (made / "answering.py").write_text(AGENT)
    (made / "AGENTS.md").write_text("- Look up the order first.\n")
    return made


def told(stranger: Stranger, folder: Path, command: Command, line: str) -> tuple[Told, list[str]]:
    """What a command tells, and the statements that it took."""
    stranger.caller.get("/v1/me")
    with sitting(stranger.caller, folder) as run, counted() as statements:
        answer = run(command.words, line)
        stranger.caller.app.store.write(lambda tx: None).result(20)
    return answer, statements


def alike(those: Strangers, folder: Path, command: Command, mine: str, other: str) -> Told:
    """What the one is told who knows the ids, which is what the one is told who knows nobody's."""
    answer, statements = told(those.first, folder, command, mine)
    twin, statements_of_twin = told(those.second, folder, command, other)
    assert answer.code == twin.code
    those.check(mine, answer.out + answer.err, twin.out + twin.err)
    assert statements == statements_of_twin
    return answer


def test_every_command_and_every_place_for_an_id_is_known() -> None:
    assert {command.name for command in every_command()} == {*LINES, *MACHINE}
    assert {one for command in COMMANDS for one in command.taken} <= {*PLACES, *WORDS}


@pytest.mark.parametrize(
    ("command", "place"), EVERY, ids=lambda one: one if isinstance(one, str) else one.name
)
def test_an_id_of_another_tenant_in_one_place(
    those: Strangers, folder: Path, command: Command, place: str
) -> None:
    mine = line_with(command, place, those.first.own, those.first.knows)
    answer = alike(
        those, folder, command, mine, line_with(command, place, those.second.own, those.second.knows)
    )
    assert "usage" not in answer.err + answer.out, answer


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_ids_of_another_tenant_in_every_place(those: Strangers, folder: Path, command: Command) -> None:
    mine, other = line_of(command, those.first.knows), line_of(command, those.second.knows)
    alike(those, folder, command, mine, other)
