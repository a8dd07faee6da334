"""What the knowledge room refuses."""

from collections.abc import Sequence

from setright.kernel.errors import Kind, Refusal


class ArtifactNotFound(Refusal):
    """The tenant has no such artifact."""

    kind, code = Kind.MISSING, "artifact-not-found"

    def __init__(self, artifact_id: str) -> None:
        super().__init__(
            f"There is no artifact {artifact_id!r}. GET /v1/artifacts lists those there are.",
            {"artifactId": artifact_id},
        )


class AnnotationNotFound(Refusal):
    """The tenant has no such annotation."""

    kind, code = Kind.MISSING, "annotation-not-found"

    def __init__(self, annotation_id: str) -> None:
        super().__init__(f"There is no annotation {annotation_id!r}.", {"annotationId": annotation_id})


class AnnotationRunNotFound(Refusal):
    """The tenant has no such annotation run."""

    kind, code = Kind.MISSING, "annotation-run-not-found"

    def __init__(self, number: int) -> None:
        super().__init__(f"There is no annotation run {number}.", {"annotationRunId": number})


class InteractionNotFound(Refusal):
    """The tenant has no such interaction; nothing was written."""

    kind, code = Kind.MISSING, "interaction-not-found"

    def __init__(self, number: int) -> None:
        super().__init__(
            f"There is no interaction {number}. Every answer of a knowledge tool has its number in interactionId "
            "(over MCP interaction_id).",
            {"interactionId": number},
        )


class OutputNotFound(Refusal):
    """The tenant has no such kept answer."""

    kind, code = Kind.MISSING, "output-not-found"

    def __init__(self, output_id: str) -> None:
        super().__init__(f"There is no kept answer {output_id!r}.", {"outputId": output_id})


class AnnotationMoveRefused(Refusal):
    """The annotation cannot be decided on where it stands; `details.open` lists what can be done."""

    kind, code = Kind.CONFLICT, "annotation-move-refused"

    def __init__(self, annotation_id: str, standing: str, verb: str, moves: Sequence[str]) -> None:
        to = ", ".join(moves) or "nothing"
        super().__init__(
            f"Annotation {annotation_id} is {standing}: nobody contests it, so there is nothing to {verb}. "
            f"Open is: {to}.",
            {"annotationId": annotation_id, "standing": standing, "wanted": verb, "open": list(moves)},
        )


class PersonNeeded(Refusal):
    """An assistant wanted to decide between readings; the message says how a person does it."""

    kind, code = Kind.FORBIDDEN, "person-needed"

    def __init__(self, annotation_id: str, verb: str) -> None:
        super().__init__(
            f"Only a person can {verb} annotation {annotation_id}. A scholar does it with a user's token, by "
            f"`setright knowledge {verb} {annotation_id}` or POST /v1/annotations/{annotation_id}/{verb}.",
            {"annotationId": annotation_id, "needs": "person"},
        )


class ScholarNeeded(Refusal):
    """Whoever decides speaks as a scholar, and it is not clear as which one."""

    kind, code = Kind.FORBIDDEN, "scholar-needed"

    def __init__(self, verb: str, scholars: Sequence[int]) -> None:
        way = (
            f"You may speak as {', '.join(map(str, scholars))}: say which in scholarId."
            if scholars
            else "Ask to speak as one by POST /v1/scholars/{id}/claims; an admin of the tenant approves."
        )
        super().__init__(f"To {verb} a reading is a scholar's decision. {way}", {"scholars": list(scholars)})


class LineNotFound(Refusal):
    """The artifact has no such line."""

    kind, code = Kind.MISSING, "line-not-found"

    def __init__(self, target: str) -> None:
        super().__init__(
            f"The artifact has no line {target[:200]!r}. Its summary names the lines it has.",
            {"line": target},
        )


class TokenNotFound(Refusal):
    """The artifact has no such word."""

    kind, code = Kind.MISSING, "token-not-found"

    def __init__(
        self, target: str, why: str = "a word is named by surface, line and position, such as o.1.2"
    ) -> None:
        super().__init__(f"The artifact has no word {target[:200]!r}: {why}.", {"tokenId": target})
