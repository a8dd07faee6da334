"""Routes that sum corrections up."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from setright.app.catalog import QUERIES
from setright.corrections import AgreementFilters, AspectWord, SummaryFilters
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.routes.corrections import subject_faults
from setright.faces.http.show import Headed
from setright.faces.http.wire import agreement, summary
from setright.kernel.errors import fault_at
from setright.kernel.fields import NAME, Id, Name, optional

Rater = Annotated[str, StringConstraints(min_length=1, max_length=2 * NAME + 1)]


class SummaryQuery(PageQuery):
    """What a summary can be narrowed to."""

    project_id: Id | None = optional("Only corrections in this project.")
    agent_id: Name | None = optional("Only corrections of runs of this agent.")
    agent_version: Name | None = optional("Beside agentId: only of runs of this version.")
    flow_id: Name | None = optional("Only corrections of runs of this flow.")
    expert: bool | None = optional("Only corrections under a group that was restricted, or only the others.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An agent's version needs the agent."""
        yield from subject_faults(body)


class AgreementQuery(SummaryQuery):
    """What agreement can be narrowed to."""

    aspect: AspectWord | None = optional("Only disagreements about this, in `data`.")
    rater: list[Rater] = Field(
        default=[],
        max_length=2,
        description="Only this pair of raters, in `pairs`: the ids of two users or tokens, one that corrects for a "
        "participant with `/` and its participantId behind.",
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """A pair is two."""
        yield from super().rules(body)
        raters = body.get("rater", [])
        if len(raters) == 1 or len(raters) != len(set(raters)):
            yield fault_at("/rater", "is given for one rater only", "two different raters, or none")


def _narrowed(query: SummaryQuery) -> dict[str, Any]:
    return {
        "project_id": query.project_id,
        "agent_id": query.agent_id,
        "agent_version": query.agent_version,
        "flow_id": query.flow_id,
        "expert": query.expert,
    }


def _summed(asked: Asked) -> dict[str, Any]:
    return {"filters": SummaryFilters(**_narrowed(asked.query)), **asked.page}


def _agreed(asked: Asked) -> dict[str, Any]:
    query: AgreementQuery = asked.query
    filters = AgreementFilters(**_narrowed(query), aspect=query.aspect, raters=tuple(query.rater))
    return {"filters": filters, **asked.page}


ROUTES = (
    Route(
        method="GET",
        path="/v1/corrections/summary",
        name="summarizeCorrections",
        summary="Count corrections by agent or flow and version, by status and by what they say.",
        does=QUERIES["summarize-corrections"],
        more="Every count comes plain and weighted: the sum of what the corrector groups weigh now; a correction "
        "without a group weighs 1. What another superseded counts nowhere; what was removed counts under the status "
        "`removed` and not in the sums over the statuses. The head counts everything that was asked for, `data` "
        "a page of agents and flows by version, in the order of their ids.",
        query=SummaryQuery,
        arguments=_summed,
        show=Headed(summary.head, summary.subject_tally),
        answers=summary.Summary,
        example=Example(query="agentId=refunds&limit=10", answer=summary.SUMMARY),
        refuses=("project-not-found", "permission-denied"),
    ),
    Route(
        method="GET",
        path="/v1/corrections/agreement",
        name="readAgreement",
        summary="Read how far those who corrected the same runs agree, and where they do not.",
        does=QUERIES["read-agreement"],
        more="A rater is a caller, for a participant or not; a unit is a run's decisions, its answer, or one item of "
        "it. Only units that two or more judged count. For each aspect: the share of units on which everybody agrees, "
        "and Krippendorff's alpha. For each two raters: Cohen's kappa over the units that both judged, the pairs with "
        "most in common first; a run that more than 16 raters corrected counts in no pair. Where a coefficient has no "
        "value, `whyNot` says why. `data` is a page of the units on which they disagree, newest first. What was "
        "superseded, removed or is still blind counts nowhere.",
        query=AgreementQuery,
        arguments=_agreed,
        show=Headed(agreement.head, agreement.disagreement),
        answers=agreement.Agreement,
        example=Example(query="agentId=refunds&aspect=answer&limit=10", answer=agreement.AGREEMENT),
        refuses=("project-not-found", "permission-denied"),
    ),
)
