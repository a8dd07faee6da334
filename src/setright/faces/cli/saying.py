"""What a correction says, from the options of a command; the server judges it."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import typer

from setright.faces.cli import content
from setright.faces.cli.failures import Cannot

Verdict = Literal["right", "wrong"]
SHOULD_CALL = 'cancel_booking {"id": 7}'
ITEM = "42=wrong"


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of a run, as options; what may stand several times is a list."""

    decisions: Annotated[Verdict | None, typer.Option(help="Were the tool calls right?")] = None
    should_call: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CALL",
            help=f"A call that was needed: '{SHOULD_CALL}', a tool's name alone, or JSON. May be given several times.",
        ),
    ] = None
    must_not_call: Annotated[
        list[str] | None,
        typer.Option(metavar="TOOL", help="A tool that must not be called. May be given several times."),
    ] = None
    calls_match: Annotated[
        Literal["at-least", "exactly"] | None, typer.Option(help="May there be other calls that write?")
    ] = None
    calls_order: Annotated[
        Literal["any", "as-listed"] | None, typer.Option(help="Does the order of the calls count?")
    ] = None
    answer: Annotated[Verdict | None, typer.Option(help="Was the answer right?")] = None
    should_say: Annotated[str | None, typer.Option(metavar="TEXT", help="The answer that was right.")] = None
    answer_match: Annotated[
        str | None, typer.Option(metavar="JSON", help='How answers are compared: \'{"how": "contains"}\'.')
    ] = None
    why: Annotated[str | None, typer.Option(metavar="TEXT", help="Why, in your words.")] = None
    item: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VERDICT",
            help=f"The verdict on one item: {ITEM}, or JSON. May be given several times.",
        ),
    ] = None
    evidence: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="A link or a citation. May be given several times."),
    ] = None
    corrector_group: Annotated[
        str | None,
        typer.Option(metavar="GROUP", help="The corrector group that you speak for, by id or name."),
    ] = None
    participant: Annotated[
        str | None, typer.Option(metavar="ID", help="The end user whose words these are.")
    ] = None


@dataclass(frozen=True, slots=True)
class Said(Words):
    """The fields of a correction as options: what is said, perhaps with the run of which it is said."""

    run_file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A whole finished run as JSON, recorded with its correction."),
    ] = None


def words_or_file(said: Words, file: str | None) -> dict[str, Any]:
    """What is said by options, or by a file of JSON that says everything."""
    body = body_of(said)
    if file is None:
        return body
    if body:
        raise Cannot("--file holds the whole correction; give it alone, or give the fields.", kind="usage")
    return content.one_object(file, "a correction")


def body_of(said: Words) -> dict[str, Any]:
    """The body of the request: only what was said."""
    run = said.run_file if isinstance(said, Said) else None
    whole: dict[str, Any] = {
        "run": None if run is None else content.one_object(run, "a run"),
        "decisions": said.decisions,
        "shouldCall": [_call(text) for text in said.should_call or ()],
        "mustNotCall": list(said.must_not_call or ()),
        "callsMatch": said.calls_match,
        "callsOrder": said.calls_order,
        "answer": said.answer,
        "shouldSay": said.should_say,
        "answerMatch": _json("--answer-match", said.answer_match, '{"how": "contains"}'),
        "why": said.why,
        "items": [_item(text) for text in said.item or ()],
        "evidence": list(said.evidence or ()),
        "correctorGroupId": said.corrector_group,
        "participantId": said.participant,
    }
    return {name: value for name, value in whole.items() if value is not None and value != []}


def _json(option: str, text: str | None, example: str) -> Any:
    return None if text is None else content.json_option(option, text, example)


def _call(text: str) -> Any:
    """A call as people write it: a tool's name, a name and JSON arguments, or the JSON of the whole entry."""
    if text.lstrip().startswith("{"):
        return content.json_option("--should-call", text, '{"tool": "cancel_booking", "args": {"id": 7}}')
    found = re.match(r"(\S+)\s+(\{.*)\Z", text.strip(), re.DOTALL)
    if found is None:
        return {"tool": text.strip()}
    return {"tool": found[1], "args": content.json_option("--should-call", found[2], SHOULD_CALL)}


def _item(text: str) -> Any:
    if text.lstrip().startswith("{"):
        return content.json_option("--item", text, '{"key": "42", "verdict": "wrong"}')
    key, found, verdict = text.rpartition("=")
    if not found:
        raise Cannot(f"--item {text!r} has no verdict; for example: --item {ITEM}.", kind="usage")
    return {"key": key, "verdict": verdict}
