"""What a bench prints: medians with their spread beside the goals, and with --json one object on the last line."""

import argparse
import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benches.load import Outcome
from benches.machine import describe

QUICK = "one repetition"


@dataclass(frozen=True)
class Goal:
    """What a figure should reach: at least `least`, or at most `most`."""

    least: float | None = None
    most: float | None = None

    def told(self, value: float) -> str:
        """The goal, and whether the value reaches it."""
        if self.least is not None:
            return f">= {self.least:g}  {'reached' if value >= self.least else 'MISSED'}"
        if self.most is not None:
            return f"<= {self.most:g}  {'reached' if value <= self.most else 'MISSED'}"
        return ""


@dataclass
class Report:
    """The values of every figure over the repetitions, what went wrong, and how busy the machine was otherwise."""

    bench: str
    goals: Mapping[str, Goal]
    values: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    foreign: list[float] = field(default_factory=list[float])
    stolen: list[float] = field(default_factory=list[float])
    errors: list[str] = field(default_factory=list[str])

    def add(self, key: str, value: float) -> None:
        """One more value of a figure."""
        self.values.setdefault(key, []).append(value)

    def saw(self, what: str, outcome: Outcome) -> Outcome:
        """Note what a load met besides good answers."""
        self.foreign.append(outcome.foreign_cores)
        self.stolen.append(outcome.stolen_cores)
        for reason, count in outcome.errors.items():
            self.errors.append(f"{what}: {count} x {reason} {outcome.sample}")
        return outcome

    def figures(self) -> dict[str, float]:
        """The median of every figure."""
        return {key: _rounded(statistics.median(values)) for key, values in self.values.items()}

    def show(self, *, as_json: bool) -> int:
        """Print everything; 1 when any answer was not as wanted, else 0."""
        print(f"\n{self.bench} on {describe()}")
        width = max(len(key) for key in self.values)
        for key, value in self.figures().items():
            values = self.values[key]
            spread = f"({_rounded(min(values)):g} - {_rounded(max(values)):g})" if len(values) > 1 else ""
            print(
                f"  {key:<{width}}  {value:>9g}  {spread:<22}{self.goals.get(key, Goal()).told(value)}".rstrip()
            )
        print(f"  {noise('foreign load in cores', self.foreign)}; {noise('taken by the host', self.stolen)}")
        for error in self.errors:
            print(f"  ERROR {error}")
        if as_json:
            print(json.dumps({"bench": self.bench, "figures": self.figures()}))
        return 1 if self.errors else 0


def noise(name: str, cores: Sequence[float]) -> str:
    """The middle and the worst of what others used during the runs."""
    if not cores:
        return f"{name}: not measured"
    return f"{name}: median {statistics.median(cores):.2f}, worst {max(cores):.2f}"


def options(text: str, **flags: str) -> argparse.Namespace:
    """The options of a bench: --json, --quick and its own flags."""
    return parser(text, quick=QUICK, **flags).parse_args()


def parser(text: str, **flags: str) -> argparse.ArgumentParser:
    """What reads --json and the flags of a bench; more may be added to it."""
    made = argparse.ArgumentParser(description=text)
    made.add_argument("--json", action="store_true", help="one JSON object on the last line")
    for name, meaning in flags.items():
        made.add_argument(f"--{name}", action="store_true", help=meaning)
    return made


def _rounded(value: float) -> float:
    return round(value, 3) if abs(value) < 10 else round(value, 1)
