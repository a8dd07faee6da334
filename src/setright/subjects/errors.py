"""What the subjects room refuses."""

from collections.abc import Sequence

from setright.kernel.errors import Kind, Refusal
from setright.kernel.fields import SHOWN


class AgentNotFound(Refusal):
    """No run of such an agent was seen in a project that the caller may read."""

    kind, code = Kind.MISSING, "agent-not-found"


class FlowNotFound(Refusal):
    """No run of such a flow was seen in a project that the caller may read."""

    kind, code = Kind.MISSING, "flow-not-found"


def subject_not_found(kind: str, subject_id: str) -> Refusal:
    """The refusal that fits the kind of subject."""
    refused = AgentNotFound if kind == "agent" else FlowNotFound
    return refused(f"There is no {kind} {subject_id!r} in the projects you may read.", {"id": subject_id})


class VersionNotFound(Refusal):
    """No run of this version was seen and it was never deployed."""

    kind, code = Kind.MISSING, "version-not-found"

    def __init__(self, version: str, known: Sequence[str]) -> None:
        newest = list(reversed(known))[:SHOWN]
        super().__init__(
            f"/version: {version!r} is not known: no run of it was seen and it was never deployed. "
            f"Known are, newest first: {', '.join(newest)}.",
            {"version": version, "known": newest},
        )


class PinNotFound(Refusal):
    """There is no such pin in the project."""

    kind, code = Kind.MISSING, "pin-not-found"

    def __init__(self, pin_id: str) -> None:
        super().__init__(f"There is no pin {pin_id} in this project.", {"pinId": pin_id})


class PinEnded(Refusal):
    """The pin holds no more: another took its place, or it was lifted."""

    kind, code = Kind.CONFLICT, "pin-ended"

    def __init__(self, pin_id: str, current: str | None) -> None:
        now = f"Pin {current} holds now" if current else "The project follows Latest now"
        details = {"pinId": pin_id} | ({"current": current} if current else {})
        super().__init__(f"Pin {pin_id} has ended already. {now}.", details)


class EffectNotFound(Refusal):
    """Nothing was declared of this tool in the project."""

    kind, code = Kind.MISSING, "effect-not-found"

    def __init__(self, tool: str) -> None:
        super().__init__(f"Nothing is declared of the tool {tool!r} in this project.", {"tool": tool})
