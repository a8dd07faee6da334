"""The tools about knowledge: searching, summaries and words; every answer has a number by which it is corrected."""

from collections.abc import Callable, Mapping
from typing import Any

from setright.app.catalog import OPERATIONS
from setright.faces.http.wire.knowledge_answers import answer
from setright.faces.mcp.arguments import Argument, ToolFault
from setright.faces.mcp.ledger import Ledger, Wire
from setright.faces.mcp.spelling import for_http, for_tools
from setright.faces.mcp.tool import (
    READ_KNOWLEDGE,
    WRITE_KNOWLEDGE,
    Tool,
    number,
    record,
    several,
    text,
    texts,
)
from setright.kernel.fields import validate
from setright.knowledge import Answered, Corrected, SearchAsked, SubmittedCorrection, WordAsked

MOST_HITS = 50
HITS = 10
SAID = 500
TYPES = ("artifact", "line", "token")
RUN = Argument("run_id", "id", "The run in which you ask; a correction is then one of a run, too.")
P_NUMBER = Argument("p_number", "id", "The artifact's id, such as P237960.", required=True)


async def search(ledger: Ledger, given: Mapping[str, Any]) -> Wire:
    """Hits for words, with what is said of them."""
    limit = given.get("limit", HITS)
    if not 1 <= limit <= MOST_HITS:
        raise ToolFault(f"limit: is {limit}; allowed: 1 to {MOST_HITS}.")
    types = [one.strip().casefold() for one in given.get("types", ())]
    unknown = [one for one in types if one not in TYPES]
    if unknown:
        raise ToolFault(f"types: '{unknown[0][:60]}' is not allowed. Use: {', '.join(TYPES)}.")
    asked = SearchAsked(given["q"], tuple(types), limit, given.get("mode", "hybrid"))
    return await _asked(ledger, "semantic-search", given, lambda: {"asked": asked})


async def summarize(ledger: Ledger, given: Mapping[str, Any]) -> Wire:
    """The summary of an artifact."""
    focus = given.get("focus", "").strip()
    wanted = {"artifact_id": given["p_number"], "focus": focus}
    return await _asked(ledger, "summarize-artifact", given, lambda: wanted)


async def interpret(ledger: Ledger, given: Mapping[str, Any]) -> Wire:
    """What a word is taken to be."""
    token, line, position = given.get("token_id"), given.get("line"), given.get("position")
    if (token is None) == (line is None and position is None):
        raise ToolFault("token_id: name the word by token_id (such as o.1.2), or by line and position.")
    if token is None and (line is None or position is None):
        raise ToolFault("line: goes together with position: the line (such as o.1), and which word of it.")
    asked = WordAsked(token_id=token, line=line, position=position)
    wanted = {"artifact_id": given["p_number"], "asked": asked}
    return await _asked(ledger, "interpret-token", given, lambda: wanted)


async def submit(ledger: Ledger, given: Mapping[str, Any]) -> Wire:
    """A correction of an answer: the four fields that the contract names, and no others."""
    number = given["interaction_id"]
    if number < 1:
        raise ToolFault(f"interaction_id: is {number}; allowed: whole numbers from 1, as answers carry them.")
    body = for_http({name: value for name, value in given.items() if name != "interaction_id"})

    def arguments() -> Mapping[str, Any]:
        return {"number": number, "said": validate(SubmittedCorrection, body)}

    def shown(made: Corrected) -> Wire:
        said = made.feedback
        return {
            "interaction_id": said.interaction,
            "feedback_id": said.number,
            "new_annotation_run_id": said.annotation_run,
            "message": said.message,
        }

    return await ledger.write(OPERATIONS["submit-correction"], arguments, shown)


async def _asked(
    ledger: Ledger, operation: str, given: Mapping[str, Any], arguments: Callable[[], Mapping[str, Any]]
) -> Wire:
    """The answer to a question, in the spelling of tools."""

    def shown(made: Answered) -> Wire:
        return for_tools(answer(made))

    def whole() -> Mapping[str, Any]:
        return {**arguments(), "run_id": given.get("run_id")}

    return await ledger.write(OPERATIONS[operation], whole, shown)


CITATION = record(
    n=number("The number by which sentences cite it, as [n]."),
    annotation_id=text("The annotation that is cited."),
    artifact_id=text("The artifact of which it speaks."),
    target=text("The line or word of which it speaks; empty for the whole."),
    field=text(
        "What it says: reading, lemma, sense, pos, translation, note, title, genre, period, language."
    ),
    value=text("What it says, word for word."),
    source=text("Who says so."),
    standing=text("plain, contested, correction, accepted or rejected."),
    scholar=text("The scholar who says so."),
    evidence=text("On which grounds."),
)


def _result(**more: Any) -> dict[str, Any]:
    return record(
        interaction_id=number("The number of this answer; submit_correction takes it."),
        summary=text("Sentences, one to a line, each of which cites what it says as [n]."),
        citations=several("What the sentences cite.", CITATION),
        sources=several("From where it comes.", record(name=text("A source."), licence=text("Its terms."))),
        required_attributions=texts("Words that must be shown with the answer."),
        follow_ups=texts("What can be asked next."),
        generated_at=text("When the answer was composed (RFC 3339)."),
        worded_by=text("The model in whose words the summary is; absent where it is composed."),
        **more,
    )


_CORRECT = "Wrong? Call submit_correction with its interaction_id."

SEARCH = Tool(
    name="semantic_search",
    group="knowledge",
    title="Search texts",
    description="Find artifacts, lines and words, however they are written: lugal, lu2-gal and LUGAL are one. With a "
    f"P-number call summarize_artifact instead. Hits cite what is said of them. {_CORRECT}",
    takes=(
        Argument("q", "text", "The words to look for, up to 500 characters.", required=True, most=SAID),
        Argument("types", "texts", "Any of artifact, line, token; empty is all."),
        Argument("limit", "whole", f"How many hits, 1 to {MOST_HITS}; {HITS} if empty."),
        Argument(
            "mode",
            "choice",
            "hybrid (this if empty), lexical or semantic.",
            ("hybrid", "lexical", "semantic"),
        ),
        RUN,
    ),
    scopes=READ_KNOWLEDGE,
    does=search,
    result=_result(
        data=record(hits=several("The hits, the best first.", record(artifact_id=text("Where it is.")))),
        degraded=text("What the mode asks for and the server could not do."),
    ),
    read_only=True,
    idempotent=True,
)

SUMMARIZE = Tool(
    name="summarize_artifact",
    group="knowledge",
    title="Summarize an artifact",
    description="Read what is known of one artifact, line by line, competing readings side by side with who holds them. "
    f"It stays the same until something in it is corrected. For one word call interpret_token. {_CORRECT}",
    takes=(
        P_NUMBER,
        Argument(
            "focus",
            "text",
            "Lines (o.3), a stretch (o.1--o.20) or words; empty: the first 60 lines.",
            most=SAID,
        ),
        RUN,
    ),
    scopes=READ_KNOWLEDGE,
    does=summarize,
    result=_result(data=record(lines=several("The lines told of.", record(target=text("The line's name."))))),
    read_only=True,
    idempotent=True,
)

INTERPRET = Tool(
    name="interpret_token",
    group="knowledge",
    title="Interpret a word",
    description="Read what one word of an artifact is taken to be, from its form over reading and lemma to its sense, "
    f"with competing readings as hypotheses. Name it by token_id, or by line and position. {_CORRECT}",
    takes=(
        P_NUMBER,
        Argument("token_id", "id", "Surface, line and position, such as o.1.2."),
        Argument("line", "id", "Instead of token_id, with position: the line, such as o.1."),
        Argument("position", "whole", "With line: which word of it, from 1."),
        RUN,
    ),
    scopes=READ_KNOWLEDGE,
    does=interpret,
    result=_result(
        data=record(
            form=text("The word as it is written."),
            chain=several("From reading to sense: what is told first.", record(value=text("Its value."))),
            hypotheses=several("Fields on which opinions differ.", record(field=text("Which field."))),
        )
    ),
    read_only=True,
    idempotent=True,
)

SUBMIT = Tool(
    name="submit_correction",
    group="knowledge",
    title="Submit a correction",
    description="Submit a scholarly correction of what an answer of semantic_search, summarize_artifact or "
    "interpret_token said. Name in claim the wrong value as the answer gave it. Nothing is deleted: the correction is "
    "a layer over that reading, attributed to the scholar, and every answer that cited it is composed anew.",
    takes=(
        Argument(
            "interaction_id", "whole", "The interaction_id of the answer that is corrected.", required=True
        ),
        Argument("claim", "text", "The specific claim that is wrong, up to 4,000 characters.", required=True),
        Argument("correction", "text", "What the correct interpretation is.", required=True),
        Argument("evidence", "text", "Scholarly citation that supports the correction."),
        Argument("scholar_id", "whole", "The scholar to whom it is attributed; you must speak as that one."),
    ),
    scopes=WRITE_KNOWLEDGE,
    does=submit,
    result=record(
        interaction_id=number("The answer that was corrected."),
        feedback_id=number("The number of what was said of it."),
        new_annotation_run_id=number("The annotation run that the correction is."),
        message=text("What happens now."),
    ),
    idempotent=True,
)
