"""The 2,351 ground truths of a function-calling benchmark: each is held against itself, rewritten and broken.

Right is an instance of a ground truth with keys shuffled, whole numbers as floats, optional arguments left out, and
its calls in another order. Wrong is the same instance with one value, tool, argument's name or call broken so that it
leaves every accepted alternative. Objects among the accepted values are taken as they are.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from benches.changing import Call, leaving, rewritten, with_argument, with_tool
from benches.real import Truth, options, truths
from benches.report import Goal
from setright.matching import hold

ROUNDS = 5
NONE = Goal(most=0)


@dataclass
class Found:
    """What came of it; the lists hold the first few false verdicts, for a person."""

    cases: int = 0
    instances: int = 0
    breaks: Counter[str] = field(default_factory=Counter[str])
    false_fails: list[str] = field(default_factory=list[str])
    false_passes: list[str] = field(default_factory=list[str])


def entries(truth: Truth) -> list[dict[str, Any]]:
    """A ground truth as expected calls: one value stands in args, several are anyOf, an empty text makes it optional."""
    return [_entry(tool, accepted) for tool, accepted in truth.calls]


def _entry(tool: str, accepted: dict[str, list[Any]]) -> dict[str, Any]:
    args: dict[str, Any] = {}
    match: dict[str, Any] = {}
    for name, values in accepted.items():
        optional = {"optional": True} if "" in values else {}
        others = [value for value in values if value != ""]
        if len(others) == 1 and len(values) <= 2:
            args[name] = others[0]
            if optional:
                match[name] = optional
        else:
            match[name] = {"anyOf": values, **optional}
    return {"tool": tool, "args": args, **({"match": match} if match else {})}


def instance(truth: Truth, chance: Random, *, drop: bool) -> list[Call]:
    """Calls that a ground truth accepts, in any order; with `drop` without what may be left out."""
    calls = [{"tool": tool, "args": _chosen(accepted, chance, drop=drop)} for tool, accepted in truth.calls]
    chance.shuffle(calls)
    return calls


def _chosen(accepted: dict[str, list[Any]], chance: Random, *, drop: bool) -> dict[str, Any]:
    args: dict[str, Any] = {}
    for name, values in accepted.items():
        said = [value for value in values if value != ""]
        if "" in values and (drop or not said):
            continue
        args[name] = chance.choice(said)
    return rewritten(args, chance)


def broken(truth: Truth, calls: list[Call]) -> Iterator[tuple[str, list[Call]]]:
    """The calls with one thing broken, and what that is; only where no other call can stand in for the broken one."""
    for place, call in enumerate(calls):
        yield "call", calls[:place] + calls[place + 1 :]
        alike = [accepted for tool, accepted in truth.calls if tool == call["tool"]]
        names = {tool for tool, _ in truth.calls}
        for tool in (f"{call['tool']}_x", call["tool"].replace(".", "_"), call["tool"].swapcase()):
            if tool not in names:
                yield "tool", with_tool(calls, place, tool)
        for name, value in call["args"].items():
            if not all(name in accepted for accepted in alike):
                continue
            accepted_values = [one for accepted in alike for one in accepted[name]]
            for other in leaving(value, accepted_values):
                yield "value", with_argument(calls, place, {**call["args"], name: other})
            if not any("" in accepted[name] for accepted in alike):
                rest = {key: one for key, one in call["args"].items() if key != name}
                yield "argument", with_argument(calls, place, {**rest, f"{name}_x": value})


def measure(data: Path, rounds: int = ROUNDS) -> Found:
    """Hold every ground truth against its instances and their broken forms."""
    chance = Random(4)
    found = Found()
    for truth in truths(data):
        found.cases += 1
        said = {"decisions": "wrong", "shouldCall": entries(truth)}
        for turn in range(rounds):
            calls = instance(truth, chance, drop=turn % 2 == 0)
            found.instances += 1
            if hold(said, {}, {"calls": calls}).verdict != "right":
                found.false_fails.append(f"{truth.id}: {json.dumps(calls)}")
        for kind, wrong in broken(truth, instance(truth, chance, drop=False)):
            found.breaks[kind] += 1
            if hold(said, {}, {"calls": wrong}).verdict != "wrong":
                found.false_passes.append(f"{truth.id}, {kind}: {json.dumps(wrong)}")
    return found


def main() -> int:
    """Measure, print, and answer 1 when any verdict was false."""
    chosen = options(__doc__ or "")
    found = measure(chosen.data)
    print(
        f"\nbfcl: {found.cases} ground truths, {found.instances} instances of them, {found.breaks.total()} broken"
    )
    for kind, count in sorted(found.breaks.items()):
        print(f"  broken {kind:<10} {count:>7}")
    for name, false in (("fails", found.false_fails), ("passes", found.false_passes)):
        print(f"  false {name:<6} {len(false):>9}   {NONE.told(len(false))}")
    for told in found.false_fails[:10] + found.false_passes[:10]:
        print(f"  FALSE {told[:300]}")
    if chosen.json:
        figures = {
            "cases": found.cases,
            "false_fails": len(found.false_fails),
            "false_passes": len(found.false_passes),
            "breaks": dict(sorted(found.breaks.items())),
        }
        print(json.dumps({"bench": "bfcl", "figures": figures}))
    return 1 if found.false_fails or found.false_passes else 0


if __name__ == "__main__":
    sys.exit(main())
