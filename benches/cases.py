"""Cases of known truth made from two benchmarks, two thirds of them right, and the verdict on one.

A case is what a correction says and what a new version called, as JSON; a verdict with its explanation comes out as
JSON. Right cases have their keys shuffled, whole numbers as floats, calls in another order, or a call more; wrong ones
have one value, tool, argument's name or call broken.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benches.bfcl import broken, entries
from benches.changing import Call, rewritten
from benches.real import Truth, trials, truths
from setright.kernel import json as kernel_json
from setright.matching import hold

CASES = 10_000


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
