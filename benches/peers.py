"""What other libraries make of the same cases; it runs in their environment and knows nothing of ours.

`python benches/peers.py NAME FILE`: FILE has a case a line, `{"wanted": [...], "called": [...], "right": bool}`, and the
last line of the output is `{"right_share", "cases_per_s"}`. Each is set as near to "any order, more calls allowed, the
arguments equal" as it can be: agentevals superset, deepeval unordered with arguments; pydantic-evals has equality only
for calls that were not traced.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

# No model is ever asked; the key is for constructors that want one.
os.environ.update(
    OPENAI_API_KEY="dummy",
    DEEPEVAL_TELEMETRY_OPT_OUT="YES",
    DEEPEVAL_FILE_SYSTEM="READ_ONLY",
    LANGSMITH_TRACING="false",
)

Case = dict[str, Any]
Verdicts = Callable[[Sequence[str]], list[bool]]


def agentevals() -> Verdicts:
    """The trajectory match of agentevals."""
    module = importlib.import_module("agentevals.trajectory.match")
    match = module.create_trajectory_match_evaluator(trajectory_match_mode="superset")

    def message(calls: list[Case]) -> list[Case]:
        said = [{"function": {"name": one["tool"], "arguments": json.dumps(one["args"])}} for one in calls]
        return [{"role": "assistant", "content": "", "tool_calls": said}]

    def verdicts(lines: Sequence[str]) -> list[bool]:
        cases = map(json.loads, lines)
        return [
            match(outputs=message(case["called"]), reference_outputs=message(case["wanted"]))["score"] is True
            for case in cases
        ]

    return verdicts


def deepeval() -> Verdicts:
    """The tool correctness of deepeval, with arguments."""
    cases_of = importlib.import_module("deepeval.test_case")
    metric = importlib.import_module("deepeval.metrics").ToolCorrectnessMetric(
        threshold=1,
        evaluation_params=[cases_of.ToolCallParams.INPUT_PARAMETERS],
        include_reason=False,
        async_mode=False,
    )

    def calls(told: list[Case]) -> list[Any]:
        return [cases_of.ToolCall(name=one["tool"], input_parameters=one["args"]) for one in told]

    def verdict(case: Case) -> bool:
        wanted, called = calls(case["wanted"]), calls(case["called"])
        metric.measure(
            cases_of.LLMTestCase(input="", actual_output="", tools_called=called, expected_tools=wanted),
            _show_indicator=False,
        )
        return bool(metric.is_successful())

    return lambda lines: [verdict(json.loads(line)) for line in lines]


def pydantic_evals() -> Verdicts:
    """A data set of pydantic-evals, whose expected outputs are the wanted calls."""
    module = importlib.import_module("pydantic_evals")
    evaluators = importlib.import_module("pydantic_evals.evaluators")

    def verdicts(lines: Sequence[str]) -> list[bool]:
        told = [json.loads(line) for line in lines]
        cases = [
            module.Case(name=str(number), inputs=case["called"], expected_output=case["wanted"])
            for number, case in enumerate(told)
        ]
        made = module.Dataset(name="calls", cases=cases, evaluators=[evaluators.EqualsExpected()])
        report = made.evaluate_sync(lambda called: called, progress=False)
        found = {case.name: all(one.value for one in case.assertions.values()) for case in report.cases}
        return [found[case.name] for case in cases]

    return verdicts


PEERS: dict[str, Callable[[], Verdicts]] = {
    "agentevals": agentevals,
    "deepeval": deepeval,
    "pydantic-evals": pydantic_evals,
}


def main() -> None:
    """Hold every case, and print how many were right and how long it took."""
    name, file = sys.argv[1:]
    lines = Path(file).read_text("utf-8").splitlines()
    verdicts = PEERS[name]()
    verdicts(lines[:20])
    begin = time.perf_counter()
    found = verdicts(lines)
    seconds = time.perf_counter() - begin
    good = sum(one is json.loads(line)["right"] for one, line in zip(found, lines, strict=True))
    print(json.dumps({"right_share": good / len(lines), "cases_per_s": len(lines) / seconds}))


if __name__ == "__main__":
    main()
