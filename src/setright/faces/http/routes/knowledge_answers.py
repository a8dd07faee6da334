"""Routes of the three questions about knowledge: each answer is kept as an interaction, which can be corrected."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from setright.app.catalog import OPERATIONS
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import One
from setright.faces.http.wire import knowledge_answers as wire
from setright.kernel.fields import Id, Input, optional, required
from setright.kernel.json import MAX_INTEGER
from setright.knowledge import ModeWord, SearchAsked, WordAsked

MOST_HITS = 50
SAID = 500

_RUN = "The run in which you ask; a correction of the answer is then a correction of a run, too."
_TELLS = (
    "Every sentence of `summary` cites what it says as `[n]`; `citations` has the annotations, and readings that compete "
    "stand side by side with who holds them. The answer is kept under `interactionId`, by which it can be corrected. "
)
Said = Annotated[str, StringConstraints(min_length=1, max_length=SAID, strip_whitespace=True)]


class FromRun(Input):
    """In which run a question is asked."""

    run_id: Id | None = optional(_RUN)


class SearchQuery(FromRun):
    """What is looked for."""

    q: Said = required("The words, however they are written: accents, case and sign indices do not count.")
    types: list[Literal["artifact", "line", "token"]] = Field(
        default=[],
        max_length=3,
        description="What is looked for; repeat it for several. Left out, everything.",
    )
    limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = Field(default=10, description="How many hits at most.")
    mode: ModeWord = Field(
        default="hybrid", description="By words, by meaning, or by both as far as the server can."
    )


class SummaryQuery(FromRun):
    """What a summary is to look at."""

    focus: Annotated[str, StringConstraints(max_length=SAID, strip_whitespace=True)] = Field(
        default="",
        description="Lines such as `o.3`, stretches such as `o.1--o.20`, or words that stand in the lines; left out, the "
        "first 60 lines.",
    )


class WordQuery(FromRun):
    """Which word of a text, by its line and place."""

    line: Annotated[str, StringConstraints(min_length=1, max_length=200)] = required(
        "The line, such as `o.1`."
    )
    position: Annotated[int, Field(ge=1, le=MAX_INTEGER)] = required("Which word of it, from 1.")


def _search(asked: Asked) -> dict[str, Any]:
    query: SearchQuery = asked.query
    wanted = SearchAsked(query.q, tuple(query.types), query.limit, query.mode)
    return {"asked": wanted, "run_id": query.run_id}


def _interpretation(asked: Asked, word: WordAsked) -> dict[str, Any]:
    return {"artifact_id": asked.path["artifactId"], "asked": word, "run_id": asked.query.run_id}


_OF_RUN = ("run-not-found", "permission-denied")

ROUTES = (
    Route(
        method="GET",
        path="/v1/search",
        name="searchKnowledge",
        summary="Find artifacts, lines and words by what stands in them and by what is said of them.",
        does=OPERATIONS["semantic-search"],
        more=_TELLS
        + "Without hits, `sources` says where was looked. `degraded` says what the server could not do.",
        query=SearchQuery,
        arguments=_search,
        show=One(wire.answer),
        answers=wire.SearchAnswer,
        example=Example(query="q=lugal&types=token&mode=lexical", answer=wire.SEARCH),
        refuses=_OF_RUN,
    ),
    Route(
        method="GET",
        path="/v1/artifacts/{artifactId}/summary",
        name="summarizeArtifact",
        summary="Read what is known of an artifact, line by line.",
        does=OPERATIONS["summarize-artifact"],
        more=_TELLS
        + "It is kept and given again, with the same `generatedAt`, until something that it cites is "
        "corrected, decided on or joined by another reading; then it is composed anew, once.",
        query=SummaryQuery,
        arguments=lambda asked: {
            "artifact_id": asked.path["artifactId"],
            "focus": asked.query.focus,
            "run_id": asked.query.run_id,
        },
        show=One(wire.answer),
        answers=wire.SummaryAnswer,
        example=Example(path={"artifactId": wire.EXAMPLE_PATH["artifactId"]}, answer=wire.SUMMARY),
        refuses=("artifact-not-found", *_OF_RUN),
    ),
    Route(
        method="GET",
        path="/v1/artifacts/{artifactId}/tokens/{tokenId}/interpretation",
        name="interpretToken",
        summary="Read what a word is taken to be: from its form over reading and lemma to its sense.",
        does=OPERATIONS["interpret-token"],
        more=_TELLS,
        query=FromRun,
        arguments=lambda asked: _interpretation(asked, WordAsked(token_id=asked.path["tokenId"])),
        show=One(wire.answer),
        answers=wire.InterpretationAnswer,
        example=Example(path=wire.EXAMPLE_PATH, answer=wire.INTERPRETATION),
        refuses=("artifact-not-found", "token-not-found", *_OF_RUN),
    ),
    Route(
        method="GET",
        path="/v1/artifacts/{artifactId}/interpretation",
        name="interpretWordAt",
        summary="Read what a word is taken to be, named by its line and its place in it.",
        does=OPERATIONS["interpret-token"],
        more=_TELLS,
        query=WordQuery,
        arguments=lambda asked: _interpretation(
            asked, WordAsked(line=asked.query.line, position=asked.query.position)
        ),
        show=One(wire.answer),
        answers=wire.InterpretationAnswer,
        example=Example(
            path={"artifactId": wire.EXAMPLE_PATH["artifactId"]},
            query="line=o.1&position=1",
            answer=wire.INTERPRETATION,
        ),
        refuses=("artifact-not-found", "line-not-found", "token-not-found", *_OF_RUN),
    ),
)
