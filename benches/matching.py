"""10,000 cases of known truth: how many verdicts are right, and how many come in a second; a million in a file, too."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benches import million
from benches.cases import Case, made, verdict_of
from benches.machine import describe
from benches.real import options
from benches.report import QUICK, Goal

HERE = Path(__file__).parent
THEIR_PYTHON = HERE.parent / ".venv-peers" / "bin" / "python"
PEERS = ("agentevals", "deepeval", "pydantic-evals")
TURNS = 5
PER_S = Goal(least=100_000)
RIGHT_SHARE = Goal(least=1)


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
    if not chosen.quick:
        figures |= million.tell(chosen.data)
    if chosen.peers:
        figures["peers"] = peers(cases)
        tell_peers(figures["peers"], rate)
    if chosen.json:
        print(json.dumps({"bench": "matching", "figures": figures}))
    return 0 if share == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
