"""Rounds in which three runners work on one test run, and two of them are killed at a random moment."""

import random
import secrets
import subprocess
import sys
import time

from setright.client import Setright, TestRun
from tests.client.real_server import RealServer

RUNS, REPEAT = 6, 3
CASES = RUNS * REPEAT
RUNNER = """
import sys, time
from setright.client import Setright
from setright.client.runner.agent import Agent
from setright.client.runner.running import How, Runner

def play(case):
    time.sleep(0.03)
    return "14 days"

url, token, test_run = sys.argv[1:]
with Setright(url, token) as client:
    begun = client.test_runs.get(test_run)
    print("ready", flush=True)
    sys.stdin.readline()
    Runner(client, Agent(play, "agent"), How(lease_seconds=1)).run(begun)
"""


def corrected(client: Setright) -> str:
    """An agent with corrected runs; its id."""
    agent_id = f"desk-{secrets.token_hex(4)}"
    for number in range(RUNS):
        subject = {"kind": "agent", "id": agent_id, "version": "v1"}
        run = client.runs.create(project_id="default", subject=subject, input=number, output="30 days")
        client.corrections.create(run_id=run.id, answer="wrong", should_say="14 days")
    return agent_id


def a_round(server: RealServer, client: Setright, agent_id: str, seed: int) -> int:
    """One round: every case has one result at the end; how many cases were done when the two were killed."""
    chance = random.Random(seed)
    subject = {"kind": "agent", "id": agent_id, "version": "v2"}
    test_run = client.test_runs.create(project_id="default", subject=subject, repeat=REPEAT)
    runners = [_started(server, test_run) for _ in range(3)]
    try:
        _let_go(runners)
        done = _wait_until_done(client, test_run, chance.randrange(CASES // 2))
        for runner in chance.sample(runners, 2):
            runner.kill()
        assert sorted(runner.wait(60) for runner in runners) == [-9, -9, 0]
    finally:
        for runner in runners:
            runner.kill()
            runner.communicate()
    _hold_to_account(client, test_run)
    return done


def _started(server: RealServer, test_run: TestRun) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RUNNER, server.url, server.token, test_run.id]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _let_go(runners: list[subprocess.Popen[str]]) -> None:
    """Let all begin at once, when the last of them is ready."""
    for runner in runners:
        assert runner.stdout is not None
        assert runner.stdout.readline() == "ready\n"
    for runner in runners:
        assert runner.stdin is not None
        runner.stdin.write("go\n")
        runner.stdin.flush()


def _wait_until_done(client: Setright, test_run: TestRun, least: int) -> int:
    while (done := client.test_runs.get(test_run.id).cases.done) < least:
        time.sleep(0.005)
    return done


def _hold_to_account(client: Setright, test_run: TestRun) -> None:
    """The test run is finished, and each case has exactly one result."""
    ended = client.test_runs.get(test_run.id)
    assert (ended.status, ended.cases.done, ended.verdicts.right) == ("finished", CASES, CASES)
    verdicts = list(client.test_runs.verdicts(test_run.id, limit=100))
    assert len(verdicts) == len({one.case_id for one in verdicts}) == CASES
