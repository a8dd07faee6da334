"""Whether our verdicts agree with a benchmark's own rewards on the 200 real runs of an airline agent, and move corrections.

For every run the same: its task's expected calls that write, exactly, and each of the task's expected outputs by
`contains` in any message of the assistant; the tools that only read are declared. No task is named. The benchmark
decides otherwise: it replays the calls on its own database and compares the data, and looks for the outputs as parts
of any text.

Then the life of one correction for each task, on its first run: `benches/tau_life.py`.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches import tau_life
from benches.real import Trial, options, trials
from benches.report import Goal
from benches.servers import Databases
from benches.tau_effects import EFFECTS
from setright.matching import Verdict, hold

LEAST = 197
MORE_THAN_EXPECTED = 198


@dataclass(frozen=True)
class Held:
    """A run, and our verdict on it."""

    trial: Trial
    verdict: Verdict

    @property
    def agrees(self) -> bool:
        """Whether we say right where the benchmark gave its reward, and wrong where it did not."""
        return self.verdict.verdict == ("right" if self.trial.rewarded else "wrong")

    def told(self) -> str:
        """The run, both verdicts, and why ours is what it is."""
        judged = self.trial.judged
        why_not = json.dumps(judged["info"]) if judged else "because it was cut off before it was judged"
        theirs = "rewarded" if self.trial.rewarded else f"not rewarded {why_not}"
        return f"task {self.trial.task} trial {self.trial.trial}: {theirs}; {self.verdict.verdict}: {self.verdict.explanation}"


def expectation(trial: Trial) -> dict[str, Any]:
    """What a run's task wants, as a correction; what is wanted does not depend on the run."""
    writes = [call for call in trial.expected if call["tool"] not in EFFECTS]
    said: dict[str, Any] = {"decisions": "wrong", "shouldCall": writes, "callsMatch": "exactly"}
    if trial.outputs:
        match = {"how": "contains", "in": "messages", "values": trial.outputs}
        said |= {"answer": "wrong", "shouldSay": "; ".join(trial.outputs), "answerMatch": match}
    return said


def agreement(data: Path) -> list[Held]:
    """Hold all runs against what their tasks want."""
    return [
        Held(trial, hold(expectation(trial), {}, {"calls": trial.calls, "messages": trial.messages}, EFFECTS))
        for trial in trials(data)
    ]


def tell_agreement(held: Sequence[Held]) -> int:
    """Print how many agree and every disagreement with its reason; how many agree."""
    agreeing = sum(one.agrees for one in held)
    print(f"  agreement {agreeing} of {len(held)}   {Goal(least=LEAST).told(agreeing)}")
    for one in held:
        if not one.agrees:
            print(f"  DISAGREES {one.told()}")
    return agreeing


def main() -> int:
    """Measure, print, and answer 1 when too few agree."""
    chosen = options(__doc__ or "")
    held = agreement(chosen.data)
    print(f"\ntau: {len(held)} runs, {sum(one.trial.rewarded for one in held)} rewarded by the benchmark")
    agreeing = tell_agreement(held)
    steps = lives([one.trial for one in held])
    faults = tau_life.tell(steps)
    if chosen.json:
        disagreements = [one.told() for one in held if not one.agrees]
        figures = {"runs": len(held), "agreement": agreeing, "disagreements": disagreements}
        print(json.dumps({"bench": "tau", "figures": figures | tau_life.figures(steps)}))
    return 0 if agreeing >= LEAST and not faults else 1


def lives(trials: Sequence[Trial]) -> list[tau_life.Step]:
    """What became of the corrections, on a server of its own with a new SQLite file."""
    databases = Databases()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return tau_life.lived(databases.new("sqlite", "tau"), Path(folder), trials)
    finally:
        databases.close()


if __name__ == "__main__":
    sys.exit(main())
