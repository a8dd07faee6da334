"""How deploys, pins, what runs, and what tools do look on the wire."""

from typing import Any

from setright.faces.http.samples import AT, WHAT_RAN, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, Time, absent
from setright.faces.http.shapes import present, time, who
from setright.kernel.clock import to_wire
from setright.proof import RunningNow
from setright.subjects import Changed, EffectWord, Kind, VerbWord
from setright.subjects import ToolEffect as ToolEffectRecord
from setright.subjects import VersionChange as ChangeRecord


class SubjectName(Shape):
    """An agent or a flow."""

    kind: Kind
    id: str


class VersionChange(Shape):
    """That somebody deployed, pinned or unpinned."""

    id: str
    verb: VerbWord
    project_id: str = absent("The project of a pin or unpin; a deploy counts in all that follow Latest.")
    subject: SubjectName
    version: str = absent("What runs from then on; absent when nothing was ever deployed.")
    before: str = absent("What ran until then; absent when nothing did.")
    why: str = absent("Why.")
    by: Principal
    at: Time


class Settling(Shape):
    """That corrections are moved just now, because of what was found of the version."""

    left: int


class Running(Shape):
    """Which version of a subject a project runs, and why."""

    subject: SubjectName
    version: str = absent("The version; absent while nothing was deployed or pinned.")
    pin_id: str = absent("The pin that holds it; absent where the project follows Latest.")
    how: VerbWord = absent("Through what it came to run.")
    why: str = absent("Why, as was said then.")
    by: Principal = absent("Who did that.")
    since: Time = absent("When.")
    settling: Settling = absent(
        "How many corrections are still to be looked at; absent when all are settled."
    )


class ToolEffect(Shape):
    """What a tool does in a project."""

    tool: str
    effect: EffectWord
    by: Principal
    at: Time


def change(found: ChangeRecord) -> dict[str, Any]:
    """A change as on the wire."""
    return present(
        {
            "id": found.id,
            "verb": found.verb,
            "projectId": found.project_id,
            "subject": who(found.kind, found.subject_id),
            "version": found.version,
            "before": found.before,
            "why": found.why,
            "by": who(found.by_kind, found.by_id),
            "at": to_wire(found.at),
        }
    )


def changed(made: Changed) -> dict[str, Any]:
    """What a deploy, pin or unpin came to, as on the wire."""
    return change(made.change)


def running(now: RunningNow) -> dict[str, Any]:
    """What runs as on the wire."""
    found = now.running
    by = None if found.by_kind is None or found.by_id is None else who(found.by_kind, found.by_id)
    return present(
        {
            "subject": who(found.kind, found.id),
            "version": found.version,
            "pinId": found.pin_id,
            "how": found.verb,
            "why": found.why,
            "by": by,
            "since": time(found.at),
            "settling": {"left": now.left} if now.left else None,
        }
    )


def tool_effect(found: ToolEffectRecord) -> dict[str, Any]:
    """What a tool does as on the wire."""
    return {
        "tool": found.tool,
        "effect": found.effect,
        "by": who(found.by_kind, found.by_id),
        "at": to_wire(found.at),
    }


_OF: Sample = {name: WHAT_RAN[name] for name in ("kind", "id")}
NEW_DEPLOY: Sample = {"version": "v2", "why": "It asks before it cancels."}
DEPLOY: Sample = {
    "id": "dep_01KE5MCQ80000000000000000A",
    "verb": "deploy",
    "subject": _OF,
    "version": "v2",
    "before": "v1",
    "why": NEW_DEPLOY["why"],
    "by": WHO,
    "at": AT,
}
NEW_PIN: Sample = {"subject": _OF, "version": "v1", "why": "v2 is slow here."}
PIN: Sample = {
    **DEPLOY,
    "id": "pin_01KE5MCQ80000000000000000B",
    "verb": "went-back",
    "projectId": "support",
    "version": "v1",
    "before": "v2",
    "why": NEW_PIN["why"],
}
UNPIN: Sample = {
    **PIN,
    "id": "unp_01KE5MCQ80000000000000000C",
    "verb": "unpin",
    "version": "v2",
    "before": "v1",
}
RUNNING: Sample = {
    "subject": _OF,
    "version": "v1",
    "pinId": PIN["id"],
    "how": "went-back",
    "by": WHO,
    "since": AT,
    "settling": {"left": 120},
}
TOOL_EFFECT: Sample = {"tool": "refund_payment", "effect": "write", "by": WHO, "at": AT}
