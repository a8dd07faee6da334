"""Routes that sum corrections up."""

from collections.abc import Iterator, Mapping
from typing import Any

from setright.app.catalog import QUERIES
from setright.corrections import SummaryFilters
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.routes.corrections import subject_faults
from setright.faces.http.show import Headed
from setright.faces.http.wire import summary
from setright.kernel.fields import Id, Name, optional


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


def _summed(asked: Asked) -> dict[str, Any]:
    query: SummaryQuery = asked.query
    filters = SummaryFilters(
        project_id=query.project_id,
        agent_id=query.agent_id,
        agent_version=query.agent_version,
        flow_id=query.flow_id,
        expert=query.expert,
    )
    return {"filters": filters, "after": asked.after, "limit": query.limit}


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
)
