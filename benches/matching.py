"""10,000 cases of known truth made from two benchmarks: how many verdicts are right, and how many come in a second.

A case is what a correction says and what a new version called, as JSON; a verdict with its explanation comes out as
JSON. Right cases have their keys shuffled, whole numbers as floats, calls in another order, or a call more; wrong ones
have one value, tool, argument's name or call broken.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from benches.bfcl import broken, entries
from benches.changing import Call, rewritten
from benches.machine import describe
from benches.real import Truth, options, trials, truths
from benches.report import QUICK, Goal
from setright.kernel import json as kernel_json
from setright.matching import hold

HERE = Path(__file__).parent
THEIR_PYTHON = HERE.parent / ".venv-peers" / "bin" / "python"
PEERS = ("agentevals", "deepeval", "pydantic-evals")
CASES = 10_000
TURNS = 5
PER_S = Goal(least=100_000)
RIGHT_SHARE = Goal(least=1)


@dataclass(frozen=True)
class Case:
    """What is wanted and what was called, and whether that is right."""

    wanted: list[dict[str, Any]]
    calls: list[Call]
    is_right: bool

    def plain(self) -> list[Call]:
        """The wanted calls without anything that only we can say."""
        return [{"tool": one["tool"], "args": one["args"]} for one in self.wanted]

    def raw(self) -> bytes:
        """The case as JSON, as it comes in."""
        said = {"decisions": "wrong", "shouldCall": self.wanted}
        return json.dumps({"correction": said, "new": {"calls": self.calls}}, separators=(",", ":")).encode()


def concrete(truth: Truth, chance: Random) -> Truth:
    """One way to fulfil a ground truth: of the accepted values of each argument one that is said."""
    calls: list[tuple[str, dict[str, list[Any]]]] = []
    for tool, accepted in truth.calls:
        said = {name: [value for value in values if value != ""] for name, values in accepted.items()}
        calls.append((tool, {name: [chance.choice(values)] for name, values in said.items() if values}))
    return Truth(truth.id, calls)


def sources(data: Path, chance: Random) -> list[Truth]:
    """The ground truths of the one benchmark, and the expected calls of every task of the other."""
    airline = {trial.task: trial.expected for trial in trials(data) if trial.expected}
    tasks = [
        Truth(
            f"airline-{task}",
            [(call["tool"], {name: [value] for name, value in call["args"].items()}) for call in wanted],
        )
        for task, wanted in airline.items()
    ]
    functions = [concrete(truth, chance) for truth in truths(data)]
    # As many airline cases as function cases would be the same fifty again and again: every fifth is one.
    return functions + tasks * (len(functions) // (4 * len(tasks)))


def made(data: Path, count: int = CASES) -> list[Case]:
    """So many cases, the same ones each time: two thirds right, one third wrong."""
    chance = Random(7)
    pool = sources(data, chance)
    cases: list[Case] = []
    while len(cases) < count:
        truth = pool[len(cases) % len(pool)]
        wanted = entries(truth)
        calls = [{"tool": one["tool"], "args": rewritten(one["args"], chance)} for one in wanted]
        chance.shuffle(calls)
        kinds = list(broken(truth, calls)) if len(cases) % 3 == 2 else []
        if kinds:
            wrong = chance.choice([kind for kind, _ in kinds])
            cases.append(Case(wanted, chance.choice([one for kind, one in kinds if kind == wrong]), False))
        else:
            further = [{"tool": "look_around", "args": {"place": "here"}}] if chance.random() < 0.3 else []
            cases.append(Case(wanted, [*calls, *further], True))
    return cases


def verdict_of(raw: bytes) -> bytes:
    """JSON in, verdict out."""
    case = kernel_json.read_stored(raw.decode())
    return kernel_json.write(hold(case["correction"], {}, case["new"]).written())


def ours(cases: Sequence[Case], turns: int) -> tuple[float, list[float]]:
    """The share of right verdicts, and the cases a second of every turn."""
    raws = [case.raw() for case in cases]
    rates: list[float] = []
    answers: list[bytes] = []
    for _ in range(turns):
        begin = time.perf_counter()
        answers = [verdict_of(raw) for raw in raws]
        rates.append(len(raws) / (time.perf_counter() - begin))
    good = sum(
        json.loads(answer)["verdict"] == ("right" if case.is_right else "wrong")
        for case, answer in zip(cases, answers, strict=True)
    )
    return good / len(cases), rates


def peers(cases: Sequence[Case]) -> dict[str, dict[str, float]]:
    """What each peer makes of the same cases, in the environment of their own; one at a time."""
    found: dict[str, dict[str, float]] = {}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "cases.jsonl"
        told = ({"wanted": one.plain(), "called": one.calls, "right": one.is_right} for one in cases)
        file.write_text("".join(f"{json.dumps(one)}\n" for one in told), "utf-8")
        for name in PEERS:
            done = subprocess.run(
                [THEIR_PYTHON, HERE / "peers.py", name, file],
                capture_output=True,
                text=True,
                check=False,
                cwd=folder,
            )
            if done.returncode:
                print(f"  {name} failed: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
            else:
                found[name] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def tell_peers(found: Mapping[str, Mapping[str, float]], rate: float) -> None:
    """Print each peer, and how many times as fast ours is."""
    for name, one in found.items():
        times = rate / one["cases_per_s"]
        goal = Goal(least=10).told(times) if one["right_share"] >= 0.95 else "less than 95 % right"
        print(
            f"  {name:<15} right {one['right_share']:.4f}  {one['cases_per_s']:>7.0f}/s  x {times:<6.1f} {goal}"
        )


def main() -> int:
    """Measure, print, and answer 1 when a verdict was false."""
    chosen = options(__doc__ or "", quick=QUICK, peers="other libraries too, in .venv-peers")
    cases = made(chosen.data)
    share, rates = ours(cases, 1 if chosen.quick else TURNS)
    rate = statistics.median(rates)
    print(f"\nmatching on {describe()}")
    print(f"  {len(cases)} cases, {sum(case.is_right for case in cases)} of them right")
    print(f"  right_share {share:>9.4f}  {RIGHT_SHARE.told(share)}")
    print(f"  cases_per_s {rate:>9.0f}  ({min(rates):.0f} - {max(rates):.0f})  {PER_S.told(rate)}")
    figures: dict[str, Any] = {"right_share": share, "cases_per_s": round(rate)}
    if chosen.peers:
        figures["peers"] = peers(cases)
        tell_peers(figures["peers"], rate)
    if chosen.json:
        print(json.dumps({"bench": "matching", "figures": figures}))
    return 0 if share == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
