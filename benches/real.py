"""The real runs and ground truths that lie beside the repository: where they are, and what of them a bench reads."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benches.report import parser

VARIABLE = "SETRIGHT_DATA"
BESIDE = Path(__file__).parents[2] / "shared" / "data"

Accepted = dict[str, list[Any]]


@dataclass(frozen=True)
class Truth:
    """A case of the function-calling benchmark: the calls it wants, each a tool and the accepted values of its arguments.

    An empty text among them means that the argument may be left out. An argument for which nothing is accepted says
    nothing, and is not here.
    """

    id: str
    calls: list[tuple[str, Accepted]]


@dataclass(frozen=True)
class Trial:
    """A real run of the airline agent: what it called and said, what its task wanted, and the benchmark's own reward.

    `judged` is how the benchmark came to it; a run that was cut off was never judged, and got no reward.
    """

    task: int
    trial: int
    calls: list[dict[str, Any]]
    messages: list[dict[str, Any]]
    expected: list[dict[str, Any]]
    outputs: list[str]
    rewarded: bool
    judged: Mapping[str, Any] | None


def options(text: str, **flags: str) -> argparse.Namespace:
    """The options of a bench on real data: --json, --data, and its own flags."""
    known = parser(text, **flags)
    known.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get(VARIABLE, BESIDE)),
        help=f"the folder of the real data (or {VARIABLE}; ../shared/data beside the repository if left out)",
    )
    chosen = known.parse_args()
    if not chosen.data.is_dir():
        print(
            f"There is no folder {chosen.data}: name the real data with --data or {VARIABLE}.",
            file=sys.stderr,
        )
        raise SystemExit(2)
    return chosen


def truths(data: Path) -> list[Truth]:
    """The cases of all files of the function-calling benchmark."""
    lines = [
        line
        for path in sorted((data / "bfcl").glob("*.json"))
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]
    return [_truth(json.loads(line)) for line in lines]


def _truth(told: dict[str, Any]) -> Truth:
    calls = [
        (tool, {name: values for name, values in accepted.items() if values})
        for one in told["ground_truth"]
        for tool, accepted in one.items()
    ]
    return Truth(told["id"], calls)


def trials(data: Path) -> list[Trial]:
    """The runs of the airline agent, four trials of each task."""
    return [
        _trial(told) for told in json.loads((data / "tau_bench" / "gpt-4o-airline.json").read_text("utf-8"))
    ]


def _trial(told: dict[str, Any]) -> Trial:
    task = told["info"]["task"]
    return Trial(
        told["task_id"],
        told["trial"],
        list(calls_of(told["traj"])),
        told["traj"],
        [{"tool": action["name"], "args": action["kwargs"]} for action in task["actions"]],
        task["outputs"],
        told["reward"] == 1,
        told["info"]["reward_info"],
    )


def calls_of(messages: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The calls in order; a result belongs to the call just before it, because ids are used more than once."""
    for message, following in pairwise(messages):
        for call in message.get("tool_calls") or ():
            function, content = call["function"], following["content"]
            kind = "error" if content.startswith("Error") else "result"
            yield {"tool": function["name"], "args": json.loads(function["arguments"]), kind: content}
