"""`setright test`: a version is held against the corrections, and its exit code says whether it may go out."""

import json
import secrets
import signal
import subprocess
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest

from setright.client import Setright
from setright.faces.cli.desk import Desk, Where
from setright.faces.cli.out import Out
from tests.cli.shell import IN_FRONT, Shell
from tests.client.told_server import ToldServer

AGENTS = """
import time
def good(case, tools):
    print("thinking")
    tools.call("get_booking", id=7)
    return "14 days"
async def forgets(case, *, tools):
    return {"answer": "14 days", "calls": []}
def fails(case):
    raise RuntimeError("no model")
def fails_once(case, tools):
    if case.input["number"] == 0:
        raise RuntimeError("no model")
    return good(case, tools)
def hangs(case):
    time.sleep(60)
def odd(case):
    return {"answer": "14 days \\ud800"}
def listless(case):
    return {"answer": "14 days", "calls": 7}
def unknown(case):
    return "banana"
def slow(case, tools):
    if case.input["number"] != 2:
        time.sleep(60)
    return good(case, tools)
"""


@pytest.fixture
def module(shell: Shell) -> str:
    """The module of the agents, which no other test has."""
    name = f"agents_{secrets.token_hex(4)}"
    (shell.folder / f"{name}.py").write_text(AGENTS)
    return name


@pytest.fixture
def client(ledger_shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Setright]:
    """A client of the ledger that the commands work on."""
    for name, value in ledger_shell.environment.items():
        monkeypatch.setenv(name, value)
    desk = Desk(Where(), Out(as_json=False))
    yield desk.client
    desk.close()


def corrected(client: Setright) -> str:
    """A project, and an agent in it of the same name, with two wrong answers and one whose decisions were right."""
    name = f"desk-{secrets.token_hex(4)}"
    client.projects.create(id=name, name=name)
    client.projects.tools.put(name, "get_booking", "write")
    for number in range(3):
        run = client.runs.create(
            project_id=name,
            subject={"kind": "agent", "id": name, "version": "v1"},
            input={"number": number},
            calls=[{"tool": "get_booking", "args": {"id": 7}, "result": "paid"}],
            output="30 days",
        )
        if number:
            client.corrections.create(run_id=run.id, answer="wrong", should_say="14 days")
        else:
            client.corrections.create(run_id=run.id, decisions="right")
    return name


@pytest.fixture
def agent(client: Setright) -> str:
    """An agent with corrections, in a project of the same name."""
    return corrected(client)


def hold(shell: Shell, agent: str, *more: object, version: str = "v2") -> Any:
    """Run the command on the agent."""
    return shell("test", "--subject", agent, "--project", agent, "--version", version, *more)


def test_a_version_that_is_nowhere_newly_wrong_is_good(ledger_shell: Shell, agent: str, module: str) -> None:
    junit, markdown = ledger_shell.folder / "junit.xml", ledger_shell.folder / "report.md"
    files = ("--junit", junit, "--markdown", markdown)
    told = hold(ledger_shell, agent, "--agent", f"{module}:good", "--concurrency", 2, *files).good()
    assert "3 corrections: 2 newly right, 1 still right." in told.out
    assert f"{agent} does not run v2: deploy or pin it and 2 corrections become fixed." in told.out
    assert "thinking" not in told.out
    assert ET.fromstring(junit.read_text())[0].get("failures") == "0"
    assert markdown.read_text().startswith("# agent desk-")


def test_with_json_stdout_is_one_document(ledger_shell: Shell, agent: str, module: str) -> None:
    told = hold(ledger_shell, agent, "--agent", f"{module}:good", "--repeat", 2, "--json").good()
    assert told.json["good"] is True
    assert told.json["counts"]["newlyRight"] == 2
    assert told.json["testRun"]["cases"] == {"total": 6, "done": 6}
    assert {one["change"] for one in told.json["corrections"]} == {"newly-right", "still-right"}


def test_what_is_newly_wrong_is_told_with_its_reason(ledger_shell: Shell, agent: str, module: str) -> None:
    told = hold(ledger_shell, agent, "--agent", f"{module}:forgets")
    assert told.code == 1
    assert "1 newly wrong, 2 newly right." in told.out
    (line,) = [line for line in told.out.splitlines() if line.startswith("cor_")]
    assert "get_booking" in line
    assert "(missing-call)" in line


@pytest.mark.parametrize(
    ("function", "more", "told"),
    [
        ("fails", (), "RuntimeError: no model"),
        ("hangs", ("--timeout", 0.3, "--concurrency", 3), "did not come to an end within 0.3 s"),
        ("odd", (), "cannot be kept"),
        ("listless", (), "calls is a value of type int and not a list"),
        ("unknown", (), "needs-match"),
    ],
)
def test_where_nothing_is_evaluated_it_is_not_good(
    ledger_shell: Shell, agent: str, module: str, function: str, more: tuple[object, ...], told: str
) -> None:
    only = ("--status", "open") if function == "unknown" else ()
    done = hold(ledger_shell, agent, "--agent", f"{module}:{function}", *more, *only)
    assert done.code == 1
    assert "Not one correction could be judged" in done.out
    assert told in done.out


def test_a_case_without_a_verdict_because_the_agent_failed_is_not_good(
    ledger_shell: Shell, agent: str, module: str
) -> None:
    done = hold(ledger_shell, agent, "--agent", f"{module}:fails_once", "--deploy", "--json")
    assert (done.code, done.json["agentErrors"], done.json["counts"]["newlyWrong"]) == (1, 1, 0)
    assert "deployed" not in done.json


def test_deploy_is_for_a_good_version_only(
    ledger_shell: Shell, client: Setright, agent: str, module: str
) -> None:
    bad = hold(ledger_shell, agent, "--agent", f"{module}:forgets", "--deploy", version="v2")
    assert (bad.code, "Not deployed." in bad.err) == (1, True)
    assert list(client.agents.deploys(agent)) == []
    good = hold(ledger_shell, agent, "--agent", f"{module}:good", "--deploy", version="v3").good()
    assert f"Deployed agent {agent} v3" in good.out
    (deploy,) = client.agents.deploys(agent)
    assert (deploy.version, "nothing was newly wrong" in (deploy.why or "")) == ("v3", True)


def test_a_flow_is_tested_and_deployed_as_an_agent_is(
    ledger_shell: Shell, client: Setright, agent: str, module: str
) -> None:
    flow = {"kind": "flow", "id": agent, "version": "v1"}
    run = client.runs.create(project_id=agent, subject=flow, input={"number": 0}, output="30 days")
    client.corrections.create(run_id=run.id, answer="wrong", should_say="14 days")
    told = hold(ledger_shell, agent, "--flow", "--agent", f"{module}:forgets", "--deploy").good()
    assert "1 correction: 1 newly right." in told.out
    assert [one.version for one in client.flows.deploys(agent)] == ["v2"]
    assert list(client.agents.deploys(agent)) == []


def test_it_cannot_run_without_an_agent_or_a_place_for_its_reports(
    ledger_shell: Shell, agent: str, module: str
) -> None:
    for arguments, told in (
        ((), "--agent or --endpoint"),
        (("--agent", "no_such_module:answer"), "cannot be loaded"),
        (("--agent", f"{module}:nothing"), "there is no nothing"),
        (("--endpoint", "http://127.0.0.1:1/", "--timeout", 0.2), "cannot be reached"),
        (("--agent", f"{module}:good", "--junit", "no/such/folder/a.xml"), "There is no folder"),
        (("--agent", f"{module}:good", "--header", "A: b"), "goes with --endpoint"),
        (("--agent", f"{module}:good", "--test-run", "tst_1"), "leave --subject out"),
    ):
        done = hold(ledger_shell, agent, *arguments)
        assert (done.code, told in done.err) == (2, True), (arguments, done.err)
    narrowed = ledger_shell("test", "--agent", f"{module}:good", "--test-run", "tst_1", "--status", "open")
    assert (narrowed.code, "leave --status out" in narrowed.err) == (2, True)
    missing = ledger_shell("test", "--agent", f"{module}:good", "--subject", agent)
    assert (missing.code, "--project, --version is missing" in missing.err) == (2, True)


def test_without_a_case_there_is_nothing_to_be_good_at(ledger_shell: Shell, agent: str, module: str) -> None:
    done = hold(ledger_shell, agent, "--agent", f"{module}:good", "--status", "wont-fix")
    assert (done.code, "There is nothing to test" in done.err) == (1, True)


def test_an_endpoint_does_the_cases(ledger_shell: Shell, agent: str) -> None:
    server = ToldServer()
    for _ in range(2):
        server.says(200, {"answer": "14 days"})
    posts = ("--endpoint", f"{server.url}/case", "--header", "X-Key: mine", "--status", "open")
    told = hold(ledger_shell, agent, *posts).good()
    server.close()
    assert "2 corrections: 2 newly right." in told.out
    assert {case.json["input"]["number"] for case in server.asked} == {1, 2}
    assert server.asked[0].headers["x-key"] == "mine"


def test_at_a_terminal_a_bar_counts_what_is_right_and_wrong(
    ledger_shell: Shell, agent: str, module: str
) -> None:
    what = ("--subject", agent, "--project", agent, "--version", "v2")
    told = ledger_shell.at_a_terminal("test", *what, "--agent", f"{module}:forgets")
    assert told.code == 1
    assert "3/3" in told.err
    assert "2 right, 1 wrong, 0 not evaluated" in told.err


def test_ctrl_c_keeps_what_is_done_and_leaves_the_rest_to_be_claimed(
    served: tuple[str, str], shell: Shell, module: str
) -> None:
    shell.environment |= {"SETRIGHT_URL": served[0], "SETRIGHT_TOKEN": served[1]}
    with Setright(*served) as client:
        name = corrected(client)
        what = ("--subject", name, "--project", name, "--version", "v2")
        command = [*IN_FRONT, "test", *what, "--agent", f"{module}:slow", "--json"]
        with subprocess.Popen(
            command,
            stdout=-1,
            stderr=-1,
            text=True,
            cwd=shell.folder,
            env=shell.bare(),
        ) as process:
            while not any(one.cases.done for one in client.test_runs.list(project_id=name)):
                assert process.poll() is None
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    told = json.loads(out)
    test_run = told["testRun"]["id"]
    assert (process.returncode, told["interrupted"]) == (130, True)
    assert told["testRun"]["cases"] == {"total": 3, "done": 1}
    assert f"setright test --test-run {test_run}" in err
    assert f"setright test-runs cancel {test_run}" in err
    rest = shell("test", "--test-run", test_run, "--agent", f"{module}:good", "--json").good().json
    assert rest["testRun"]["cases"] == {"total": 3, "done": 3}
