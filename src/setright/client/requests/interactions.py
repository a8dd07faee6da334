"""The requests about answered questions, what is said of the answers, and answers that are kept."""

from typing import Literal, Unpack

from setright.client.annotations import (
    AnswerCorrectionFields,
    Interaction,
    InteractionFeedback,
    InteractionFilters,
    InteractionInFull,
    KeptAnswer,
    KeptAnswerFilters,
    KeptAnswerInFull,
    SubmittedCorrection,
)
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.values import ours, query, segment


def get(interaction_id: int) -> Request[InteractionInFull]:
    """Read an answered question with the whole answer, and what was said of it."""
    return Request[InteractionInFull].get(_interaction(interaction_id), InteractionInFull.read)


def page(**filters: Unpack[InteractionFilters]) -> Request[Page[Interaction]]:
    """Read one page of the answered questions, newest first, without their answers."""
    return Request[Page[Interaction]].get("/v1/interactions", page_of(Interaction), query(**filters))


def correct(
    interaction_id: int, *, key: str | None = None, **said: Unpack[AnswerCorrectionFields]
) -> Request[SubmittedCorrection]:
    """Say which claim of an answer is wrong, and what is right; nothing is written over."""
    path = f"{_interaction(interaction_id)}/corrections"
    return Request[SubmittedCorrection].write("POST", path, SubmittedCorrection.read, ours(said), key=key)


def rate(
    interaction_id: int, rating: Literal["up", "down"], *, key: str | None = None
) -> Request[InteractionFeedback]:
    """Rate an answer."""
    path, body = f"{_interaction(interaction_id)}/ratings", {"rating": rating}
    return Request[InteractionFeedback].write("POST", path, InteractionFeedback.read, body, key=key)


def output(output_id: str) -> Request[KeptAnswerInFull]:
    """Read a kept answer as it was given."""
    path = f"/v1/outputs/{segment('output_id', output_id)}"
    return Request[KeptAnswerInFull].get(path, KeptAnswerInFull.read)


def outputs_page(**filters: Unpack[KeptAnswerFilters]) -> Request[Page[KeptAnswer]]:
    """Read one page of the kept answers, newest first; `stale` are those that will be composed anew."""
    return Request[Page[KeptAnswer]].get("/v1/outputs", page_of(KeptAnswer), query(**filters))


def _interaction(interaction_id: int) -> str:
    return f"/v1/interactions/{segment('interaction_id', str(interaction_id))}"
