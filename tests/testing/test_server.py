"""The real server in a test process."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from setright import Setright
from setright.testing import LocalServer, server


@pytest.fixture(scope="module")
def here() -> Iterator[LocalServer]:
    with server() as serving:
        yield serving


def test_what_a_deploy_leads_to_is_done_after_settling(here: LocalServer) -> None:
    client = here.client
    for n in range(3):
        with client.run(agent="refunds", version="v1", run_id=f"run-{n}") as run:
            run.answer("Within 30 days.")
    here.settle()
    for n in range(3):
        client.corrections.create(run_id=f"run-{n}", answer="wrong", should_say="14 days")
    subject = {"kind": "agent", "id": "refunds", "version": "v2"}
    made = client.test_runs.create(project_id=here.project_id, subject=subject)
    here.settle()
    claimed = client.test_runs.claim(made.id, n=3, seconds=60)
    results = [
        {"case_id": case.id, "lease": claimed.lease, "calls": [], "answer": "14 days"}
        for case in claimed.cases
    ]
    client.test_runs.submit(made.id, results)
    client.test_runs.finish(made.id)
    client.agents.deploy("refunds", "v2")
    here.settle()
    assert [one.status for one in client.corrections.list()] == ["fixed"] * 3


def test_settling_has_an_end(here: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalServer, "_busy", lambda self: True)
    with pytest.raises(TimeoutError, match="still at work"):
        here.settle(0.05)


def test_code_under_test_finds_it_in_its_environment(
    here: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in here.variables.items():
        monkeypatch.setenv(name, value)
    with Setright() as client:
        assert client.me().id == here.client.me().id
        assert str(client.recorder.folder).startswith(str(here.folder))


def test_it_answers_an_event_loop_too(here: LocalServer) -> None:
    async def ask() -> Any:
        async with here.async_client() as client:
            return (await client.me()).id

    assert asyncio.run(ask()) == here.client.me().id


def test_each_has_a_ledger_of_its_own_and_leaves_nothing_behind() -> None:
    with server() as one, server() as other:
        one.client.runs.create(
            project_id="default", subject={"kind": "agent", "id": "a", "version": "1"}, output="x"
        )
        assert [len(list(each.client.runs.list())) for each in (one, other)] == [1, 0]
        folders = [one.folder, other.folder]
        assert all(folder.exists() for folder in folders)
    assert not any(folder.exists() for folder in folders)


def test_an_exception_in_the_block_comes_out() -> None:
    with pytest.raises(LookupError), server():
        raise LookupError


def test_without_the_server_extra_the_pip_line_is_named() -> None:
    code = "import sys; sys.modules['uvicorn'] = None; import setright.testing"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ), check=False
    )
    assert "pip install 'setright[server]'" in done.stderr
