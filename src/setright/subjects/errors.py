"""What the subjects room refuses."""

from setright.kernel.errors import Kind, Refusal


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
