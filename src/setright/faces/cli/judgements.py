"""How what a test run came to is told: to people the counts and what is newly wrong, to programs all of it."""

from typing import Any

from setright.client import VersionChange
from setright.client.runner.judged import Judged, Judgement
from setright.client.values import camel
from setright.faces.cli.out import Out

_SHOWN = 20


def tell(out: Out, found: Judgement, deployed: VersionChange | None, *, asked_to_deploy: bool) -> None:
    """Print what came out, and what was or was not deployed."""
    if out.as_json:
        out.document(_document(found, deployed))
        return
    test_run, counts = found.test_run, found.counts
    if test_run.failure is not None:
        out.line(test_run.failure.message)
    told = [f"{counts[change]} {change}" for change in _SAID if counts.get(change)]
    corrections = "1 correction" if len(found.judged) == 1 else f"{len(found.judged)} corrections"
    out.line(f"{corrections}: {', '.join(told) or 'none'}.")
    for change in ("newly wrong", "not evaluated"):
        _table(out, change, found.of(change))
    if not counts.get("newly wrong"):
        _table(out, "still wrong", found.of("still wrong"))
    if test_run.cases.erased:
        out.line(f"{test_run.cases.erased} cases were left out, because their runs were erased.")
    if deployed is not None:
        out.line(
            f"Deployed {deployed.subject.kind} {deployed.subject.id} {deployed.version} ({deployed.id})."
        )
    elif asked_to_deploy:
        out.note("Not deployed.")
    elif test_run.says is not None:
        out.line(test_run.says)


_SAID = ("newly wrong", "still wrong", "newly right", "still right", "not evaluated")


def _table(out: Out, title: str, judged: list[Judged]) -> None:
    if not judged:
        return
    out.line("")
    out.table((title.upper(), "WHY"), [(one.correction_id, one.says) for one in judged[:_SHOWN]])
    if len(judged) > _SHOWN:
        out.line(f"and {len(judged) - _SHOWN} more; --json, --junit and --markdown have them")
    out.line("")


def _document(found: Judgement, deployed: VersionChange | None) -> dict[str, Any]:
    return {
        "good": found.is_good,
        "testRun": dict(found.test_run.raw),
        "counts": {camel(change.replace(" ", "_")): found.counts.get(change, 0) for change in _SAID},
        "agentErrors": len(found.agent_errors),
        "corrections": [
            {
                "correctionId": one.correction_id,
                "verdict": one.verdict,
                "change": one.change.replace(" ", "-"),
                **({"reason": one.reason} if one.reason is not None else {}),
                "explanation": one.explanation,
            }
            for one in found.judged
        ],
        **({"deployed": dict(deployed.raw)} if deployed is not None else {}),
    }
