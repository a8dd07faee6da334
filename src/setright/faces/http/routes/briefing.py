"""Routes of the briefing, and of what hooks stop because of it."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import One, Tagged
from setright.faces.http.wire import briefing as wire
from setright.kernel.errors import fault_at
from setright.kernel.fields import Id, Input, Name, optional
from setright.lessons import Asked as AskedBriefing
from setright.lessons import FormatWord, NewStops


class BriefingQuery(Input):
    """Which briefing is asked for, and in which form."""

    agent: Name | None = optional("The agent that is to follow it; left out, only the rules for every agent.")
    project_id: Id | None = optional(
        "The project, whose rules and those of the account come; left out, of all projects that you may read."
    )
    session: Name | None = optional(
        "Who is told, so that retiring a rule says how many sessions still have it."
    )
    format: FormatWord = Field(
        default="json",
        description="How the text in `briefing` is written: text is plain text; markdown, claude and json: such that "
        "no markdown acts.",
    )
    budget: Annotated[int, Field(ge=200, le=100_000)] | None = optional(
        "How many characters the text has at most; left out, 9000. `rules` are those that the text has room for."
    )
    explain: bool = Field(default=False, description="Also say why rules are in or out.")
    lesson_id: list[Id] = Field(
        default=[],
        max_length=50,
        description="With explain: about this lesson; repeat it for several. Left out, about the rules that are in and "
        "the newest others.",
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """Lessons are named to be explained."""
        if body.get("lessonId") and not body.get("explain"):
            yield fault_at("/lessonId", "goes only with explain=true")


def _asked(asked: Asked) -> dict[str, Any]:
    query: BriefingQuery = asked.query
    wanted = AskedBriefing(
        query.agent or "",
        query.project_id,
        query.session,
        query.format,
        query.budget,
        query.explain,
        tuple(dict.fromkeys(query.lesson_id)),
    )
    return {"asked": wanted}


ROUTES = (
    Route(
        method="GET",
        path="/v1/briefing",
        name="readBriefing",
        summary="Read the rules that an agent follows: its own first, then every agent's, and the newest open lessons.",
        does=QUERIES["read-briefing"],
        more="In force is what was adopted, verified or broken again, and is not past its time; the gravest first, then "
        "what was broken most often, then the newest. `rules` carries the words exactly; in the text, what cannot be "
        "seen is left out and what would be markup escaped by a backslash. Lines are whole, and `leftOut` counts the "
        "rules for which there is no room. `guard` has every rule that forbids calls, room or not. With a session, "
        "what it was told is remembered for 90 days.",
        query=BriefingQuery,
        arguments=_asked,
        show=Tagged(wire.briefing, lambda told: told.mark),
        answers=wire.Briefing,
        example=Example(query=f"agent={wire.BRIEFING['agent']}", answer=wire.BRIEFING),
        refuses=("project-not-found", "permission-denied"),
    ),
    Route(
        method="POST",
        path="/v1/lessons/stops",
        name="countStops",
        summary="Tell how many calls a hook stopped because of a rule; the lesson then shows it.",
        does=OPERATIONS["count-stops"],
        body=NewStops,
        arguments=lambda asked: {"told": asked.body},
        show=One(wire.stops),
        answers=wire.CountedStops,
        example=Example(body=wire.NEW_STOPS, answer=wire.COUNTED),
        refuses=("permission-denied",),
    ),
)
