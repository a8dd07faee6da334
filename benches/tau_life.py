"""The life of one correction for each task of the airline agent, through the API of a real server.

Each task's first run (trial 0) is corrected once. What was not rewarded: the calls that the task wants; where it wants
none, that the tools that wrote must not be called; where the calls were as wanted, the answer. What was rewarded: that
the decisions were right. Then trials 1 to 3 come as production runs of three versions, stand for the results of a test
run each, and the version is deployed. What becomes fixed and what is open again must be what our verdicts say, in
every step; what the benchmark's own rewards say stands beside it.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches.real import Trial
from benches.servers import new_ledger, setright
from benches.tau_effects import EFFECTS, READS
from setright.client import Setright, TestRun, TestVerdict
from setright.matching import hold

AGENT, PROJECT = "airline", "default"
STEPS = (1, 2, 3)
_SETTLED_WITHIN = 60
_SHOWN = 300


@dataclass(frozen=True)
class Step:
    """A version that came to run: the tasks whose corrections it fixed and reopened, and what should have been.

    `by_verdicts` follows from our verdicts and `by_rewards` from the benchmark's, each as (fixed, reopened). `apart` has
    the tasks of which the two do not say the same, with our verdict, and why it is that.
    """

    version: str
    fixed: frozenset[int]
    reopened: frozenset[int]
    by_verdicts: tuple[frozenset[int], frozenset[int]]
    by_rewards: tuple[frozenset[int], frozenset[int]]
    apart: Mapping[int, str]

    @property
    def is_as_judged(self) -> bool:
        """Whether what happened is what our verdicts say."""
        return (self.fixed, self.reopened) == self.by_verdicts


def correction_of(trial: Trial) -> dict[str, Any]:
    """What is said of a task's first run."""
    if trial.rewarded:
        return {"decisions": "right"}
    wanted = [call for call in trial.expected if call["tool"] not in EFFECTS]
    said = {"decisions": "wrong", "shouldCall": wanted, "callsMatch": "exactly"}
    made = sorted({call["tool"] for call in trial.calls if call["tool"] not in EFFECTS})
    if not wanted and made:
        return {"decisions": "wrong", "mustNotCall": made}
    if wanted and hold(said, {}, {"calls": trial.calls}, EFFECTS).verdict != "right":
        return said
    match = {"how": "contains", "in": "messages", "values": trial.outputs}
    return {"answer": "wrong", "shouldSay": "; ".join(trial.outputs), "answerMatch": match}


def lived(url: str, folder: Path, trials: Sequence[Trial]) -> list[Step]:
    """Record, correct, test and deploy on a new server at `url`; what came of each version."""
    callers = new_ledger(url, 0)
    with setright(url, folder) as server:
        server.wait_until("/readyz")
        with Setright(f"http://127.0.0.1:{server.port}", callers.admin, timeout=60) as client:
            return _lived(client, trials)


def _lived(client: Setright, trials: Sequence[Trial]) -> list[Step]:
    for tool in READS:
        client.projects.tools.put(PROJECT, tool, "read")
    by_place = {(one.trial, one.task): one for one in trials}
    tasks = sorted({one.task for one in trials})
    first = {task: _record(client, by_place[0, task]) for task in tasks}
    made = {task: _correct(client, first[task], by_place[0, task]) for task in tasks}
    judged = {task: by_place[0, task].rewarded for task in tasks}
    rewarded = dict(judged)
    steps: list[Step] = []
    for number in STEPS:
        before = _fixed(client, made)
        verdicts = _tested(client, number, {first[task]: by_place[number, task] for task in tasks})
        client.agents.deploy(AGENT, _version(number))
        _wait_until_settled(client)
        after = _fixed(client, made)
        told = {task: verdicts[made[task]] for task in tasks}
        rewards = {task: by_place[number, task].rewarded for task in tasks}
        known = {task: one.verdict == "right" for task, one in told.items() if one.verdict != "not-evaluated"}
        by_verdicts, by_rewards = _flips(judged, known), _flips(rewarded, rewards)
        apart = {
            task: f"{told[task].verdict}: {told[task].explanation}"
            for task in tasks
            if known.get(task) != rewards[task]
        }
        steps.append(Step(_version(number), after - before, before - after, by_verdicts, by_rewards, apart))
    return steps


def _flips(stood: dict[int, bool], now: Mapping[int, bool]) -> tuple[frozenset[int], frozenset[int]]:
    """The tasks that became right and that became wrong, and how all stand from now on."""
    fixed = frozenset(task for task, right in now.items() if right and not stood[task])
    reopened = frozenset(task for task, right in now.items() if not right and stood[task])
    stood.update(now)
    return fixed, reopened


def _version(number: int) -> str:
    return f"trial-{number}"


def _record(client: Setright, trial: Trial) -> str:
    """A run of the version that is named by its trial; its id."""
    said = [one["content"] for one in trial.messages if one["role"] == "assistant" and one.get("content")]
    run = client.runs.create(
        project_id=PROJECT,
        subject={"kind": "agent", "id": AGENT, "version": _version(trial.trial)},
        input={"task": trial.task},
        messages=trial.messages,
        calls=trial.calls,
        output=said[-1] if said else None,
    )
    return run.id


def _correct(client: Setright, run_id: str, trial: Trial) -> str:
    said: Any = correction_of(trial)
    return client.corrections.create(run_id=run_id, **said).id


def _tested(client: Setright, number: int, trials: Mapping[str, Trial]) -> Mapping[str, TestVerdict]:
    """The verdict on each correction in a test run whose results are production runs; `trials` by the corrected run."""
    subject = {"kind": "agent", "id": AGENT, "version": _version(number)}
    test_run: TestRun = client.test_runs.create(project_id=PROJECT, subject=subject)
    while (found := client.test_runs.claim(test_run.id, n=25)).lease is not None:
        results = [
            {"case_id": case.id, "lease": found.lease, "run_id": _record(client, trials[case.run_id])}
            for case in found.cases
        ]
        test_run = client.test_runs.submit(test_run.id, results).test_run
    if test_run.status != "finished":
        raise RuntimeError(f"test run {test_run.id} is {test_run.status}")
    return {one.correction_id: one for one in client.test_runs.verdicts(test_run.id, limit=100)}


def _wait_until_settled(client: Setright) -> None:
    """Wait until every job is done, so that every correction has moved that moves."""
    until = time.monotonic() + _SETTLED_WITHIN
    while any(list(client.jobs.list(state=state)) for state in ("waiting", "running")):
        if time.monotonic() > until:
            raise RuntimeError("the corrections were not settled in time")
        time.sleep(0.02)


def _fixed(client: Setright, made: Mapping[int, str]) -> frozenset[int]:
    """The tasks whose correction is fixed now."""
    fixed = {one.id for one in client.corrections.list(status="fixed", limit=100)}
    return frozenset(task for task, correction_id in made.items() if correction_id in fixed)


def tell(steps: Sequence[Step]) -> int:
    """Print what happened in each step; how many steps are not as our verdicts say."""
    for step in steps:
        fixed, reopened = (len(some) for some in step.by_rewards)
        told = "as our verdicts say" if step.is_as_judged else f"NOT as our verdicts say: {step.by_verdicts}"
        print(
            f"  {step.version}: fixed {len(step.fixed)} (by the benchmark {fixed}), "
            f"reopened {len(step.reopened)} (by the benchmark {reopened}); {told}"
        )
        for task, says in step.apart.items():
            print(f"    APART task {task}: {says[:_SHOWN]}")
    return sum(not step.is_as_judged for step in steps)


def figures(steps: Sequence[Step]) -> dict[str, Any]:
    """The figures of the last line."""
    return {
        "fixed": [len(step.fixed) for step in steps],
        "reopened": [len(step.reopened) for step in steps],
        "fixed_by_rewards": [len(step.by_rewards[0]) for step in steps],
        "reopened_by_rewards": [len(step.by_rewards[1]) for step in steps],
        "as_judged": all(step.is_as_judged for step in steps),
    }
