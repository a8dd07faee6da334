"""Routes of answered questions, corrections and ratings of the answers, and answers that are kept."""

from typing import Any

from pydantic import Field

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.parameters import PageQuery, number_in
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One, path_to
from setright.faces.http.wire import interactions as wire
from setright.kernel.fields import Id, Name, optional
from setright.knowledge import NewRating, SubmittedCorrection


class InteractionQuery(PageQuery):
    """What a list of answered questions can be narrowed to."""

    tool: Name | None = optional("Only answers of this tool, such as interpret_token.")
    artifact_id: Id | None = optional("Only answers about this artifact.")
    mine: bool = Field(default=False, description="Only what you asked yourself.")


class OutputQuery(PageQuery):
    """Which kept answers: those that are stale, those that are not, or all with their history."""

    stale: bool | None = optional(
        "true: only those that will be composed anew; false: only those that will be given again; left out: all, those "
        "that others took the place of included."
    )


def _interaction(asked: Asked) -> dict[str, Any]:
    return {"number": number_in(asked.path, "interactionId")}


def _listed(asked: Asked) -> dict[str, Any]:
    query: InteractionQuery = asked.query
    return {"tool": query.tool, "artifact_id": query.artifact_id, "mine": query.mine, **asked.page}


_NUMBERS = ("interactionId",)

ROUTES = (
    Route(
        method="GET",
        path="/v1/interactions",
        name="listInteractions",
        summary="List answered questions, newest first, without their answers.",
        does=QUERIES["list-interactions"],
        query=InteractionQuery,
        arguments=_listed,
        show=Listed(wire.interaction),
        answers=wire.Interaction,
        example=Example(query="tool=interpret_token&limit=10", answer=wire.INTERACTION),
    ),
    Route(
        method="GET",
        path="/v1/interactions/{interactionId}",
        name="getInteraction",
        summary="Read an answered question with the whole answer as it was given, and what was said of it.",
        does=QUERIES["get-interaction"],
        arguments=_interaction,
        show=One(wire.in_full),
        answers=wire.InteractionInFull,
        example=Example(path=wire.EXAMPLE_PATH, answer=wire.IN_FULL),
        refuses=("interaction-not-found",),
        numbers=_NUMBERS,
    ),
    Route(
        method="POST",
        path="/v1/interactions/{interactionId}/corrections",
        name="submitCorrection",
        summary="Correct an answer: say which claim of it is wrong, and what is right.",
        does=OPERATIONS["submit-correction"],
        more="A new annotation is layered over each cited reading that the claim names, by its value or by the word's "
        "form; nothing is deleted, and whatever cites such a reading is composed anew at its next read. Of an answer "
        "about one word or artifact, a claim that names nothing contests what was cited of it; of a search it is kept as "
        "a note, and `message` says how to name a reading. The same claim and correction by you again are the first "
        "(200). Where the question was asked in a run, the correction is recorded as one of a run, too.",
        body=SubmittedCorrection,
        arguments=lambda asked: {**_interaction(asked), "said": asked.body},
        show=One(
            wire.corrected,
            status=lambda made: 201 if made.created else 200,
            location=lambda made: path_to("annotation-runs", str(made.feedback.annotation_run)),
            about=lambda made: (str(made.feedback.interaction),),
        ),
        answers=wire.CorrectedAnswer,
        example=Example(path=wire.EXAMPLE_PATH, body=wire.NEW_CORRECTION, answer=wire.CORRECTED),
        refuses=("interaction-not-found", "scholar-not-found", "scholar-not-yours"),
        numbers=_NUMBERS,
    ),
    Route(
        method="POST",
        path="/v1/interactions/{interactionId}/ratings",
        name="rateInteraction",
        summary="Rate an answer up or down; the same again changes nothing, and your newest rating counts.",
        does=OPERATIONS["rate-interaction"],
        body=NewRating,
        arguments=lambda asked: {**_interaction(asked), "new": asked.body},
        show=One(wire.feedback, about=lambda made: (str(made.interaction),)),
        answers=wire.InteractionFeedback,
        example=Example(path=wire.EXAMPLE_PATH, body={"rating": "down"}, answer=wire.RATING),
        refuses=("interaction-not-found",),
        numbers=_NUMBERS,
    ),
    Route(
        method="GET",
        path="/v1/outputs",
        name="listOutputs",
        summary="List the answers that are kept, newest first, and which of them will be composed anew.",
        does=QUERIES["list-outputs"],
        query=OutputQuery,
        arguments=lambda asked: {"stale": asked.query.stale, **asked.page},
        show=Listed(wire.kept),
        answers=wire.KeptAnswer,
        example=Example(query="limit=10", answer=wire.KEPT),
    ),
    Route(
        method="GET",
        path="/v1/outputs/{outputId}",
        name="getOutput",
        summary="Read a kept answer as it was given, also one that another took the place of.",
        does=QUERIES["get-output"],
        arguments=lambda asked: {"output_id": asked.path["outputId"]},
        show=One(wire.kept_in_full),
        answers=wire.KeptAnswerInFull,
        example=Example(path=wire.OUTPUT_PATH, answer=wire.KEPT_IN_FULL),
        refuses=("output-not-found",),
    ),
)
