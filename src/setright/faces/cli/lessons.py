"""The commands about lessons: what agents were corrected about, and the rules that came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import typer

from setright.client import Lesson, LessonEvent, RecordedLesson, UpdatedLesson
from setright.faces.cli import content, lists, names
from setright.faces.cli.asking import ask_person
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.options import Key, Project, ahead
from setright.faces.cli.out import compact, moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("What agents were corrected about, and the rules that came of it.")
LessonId = Annotated[str, typer.Argument(metavar="LESSON", help="Id of the lesson.")]
Rule = Annotated[str | None, typer.Option(metavar="TEXT", help="The rule in these words, one line.")]
KindName = Literal["drift", "assumption", "overclaim", "instruction", "quality", "safety"]
NO = 1


def _row(found: Lesson) -> Sequence[object]:
    said = compact(found.rule or found.what_happened, 80)
    whom = found.agent or "every agent"
    return found.id, found.status, found.severity, whom, found.project_id, said, moment(found.created_at)


LOOKS = lists.Looks(
    ("ID", "STATUS", "SEVERITY", "AGENT", "PROJECT", "RULE, OR WHAT HAPPENED", "RECORDED"),
    _row,
    "There are no lessons like that; setright lessons record makes one.",
)


@dataclass(frozen=True, slots=True)
class Said:
    """What else a lesson says."""

    noticed_by: Annotated[Literal["person", "self"], typer.Option(help="Who noticed.")] = "person"
    expected: Annotated[str | None, typer.Option(metavar="TEXT", help="What it should have done.")] = None
    rule: Rule = None
    severity: Annotated[
        Literal["low", "medium", "high", "critical"] | None, typer.Option(help="How grave it is.")
    ] = None
    agent: Annotated[str | None, typer.Option(metavar="ID", help="For this agent; else for every one.")] = (
        None
    )
    project: Project = None
    session: Annotated[str | None, typer.Option(metavar="TEXT", help="In which session it happened.")] = None
    evidence: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="A link or a citation. May be given several times."),
    ] = None
    must_not_call: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JSON",
            help='A call that the rule forbids: \'{"tool": "Bash", "args": {"command": "rm"}}\'.',
        ),
    ] = None
    until: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Until when the rule counts; 30d is thirty days from now."),
    ] = None
    correction: Annotated[
        str | None, typer.Option(metavar="ID", help="The correction of a run that it comes from.")
    ] = None


@command(app, "record", OF_LEDGER)
def record(
    desk: Desk,
    kind: Annotated[KindName, typer.Option(help="What went wrong.")],
    what_happened: Annotated[str, typer.Option(metavar="TEXT", help="What the agent did.")],
    said: Said,
    key: Key = None,
) -> None:
    """Record what an agent was corrected about, and the rule that would prevent it.

    setright lessons record --kind drift --what-happened 'It saved over a newer version' --rule 'Read it again first'
    """
    made = desk.client.lessons.record(
        key=key,
        kind=kind,
        what_happened=what_happened,
        noticed_by=said.noticed_by,
        expected=said.expected,
        rule=said.rule,
        severity=said.severity,
        agent=said.agent,
        project_id=names.project_or_all(desk.client, said.project),
        session=said.session,
        evidence=said.evidence or None,
        must_not_call=_calls(said.must_not_call),
        until=ahead("--until", said.until),
        from_correction_id=said.correction,
    )
    if made.recurrence_of is not None:
        desk.out.note(f"Its rule is in force already and was broken again: {made.recurrence_of}.")
    elif made.receipt is not None and made.receipt.status == 200:
        desk.out.note("You had said the same before: this is what is there since.")
    tell(desk, made)


def _calls(texts: Sequence[str] | None) -> list[Any] | None:
    example = '{"tool": "Bash", "args": {"command": "rm"}}'
    return [content.json_option("--must-not-call", text, example) for text in texts] if texts else None


@dataclass(frozen=True, slots=True)
class Which:
    """Which lessons to list."""

    project: Project = None
    agent: Annotated[str | None, typer.Option(metavar="ID", help="For this agent.")] = None
    kind: Annotated[KindName | None, typer.Option(help="Of this kind.")] = None
    status: Annotated[
        list[str] | None,
        typer.Option(help="In this status, such as open or adopted; may be given several times."),
    ] = None
    noticed_by: Annotated[Literal["person", "self"] | None, typer.Option(help="Noticed by whom.")] = None
    duplicate_of: Annotated[
        str | None, typer.Option(metavar="LESSON", help="Each time that this lesson's rule was broken again.")
    ] = None
    correction: Annotated[
        str | None, typer.Option(metavar="ID", help="That come from this correction of a run.")
    ] = None


@command(app, "list", OF_LEDGER)
def list_lessons(desk: Desk, which: Which, wanted: lists.Wanted) -> None:
    """List lessons, newest first; duplicates only where they are asked for."""
    lists.show(
        desk.out,
        desk.client.lessons.page,
        LOOKS,
        wanted,
        project_id=names.project_or_all(desk.client, which.project),
        agent=which.agent,
        kind=which.kind,
        status=which.status or None,
        noticed_by=which.noticed_by,
        duplicate_of=which.duplicate_of,
        from_correction_id=which.correction,
    )


@command(app, "show", OF_LEDGER)
def show(
    desk: Desk,
    lesson: LessonId,
    history: Annotated[
        bool, typer.Option("--history", help="With --json, also what happened to it.")
    ] = False,
) -> None:
    """Show a lesson, and what happened to it."""
    found = desk.client.lessons.get(lesson)
    happened = list(desk.client.lessons.history(lesson)) if history or not desk.out.as_json else []
    tell(desk, found, happened, with_history=history)


@command(app, "adopt", OF_LEDGER)
def adopt(
    desk: Desk,
    lesson: LessonId,
    rule: Rule = None,
    over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LESSON=WORD",
            help="What is meant of a rule in force that is like it: replaces, both or same. May be given several times.",
        ),
    ] = None,
    key: Key = None,
) -> None:
    """Put a lesson's rule in force, perhaps in other words: every later session of its agent reads it.

    setright lessons adopt LESSON --rule 'Read the document again before you save it.'
    """
    words = dict(map(_over, over or ()))
    if words or desk.client.lessons.get(lesson).person_decides:
        ask_person(desk, f"Adopt {lesson}, over what a person decided before?")
    changes: dict[str, Any] = {"status": "adopted", "rule": rule, "over": words or None}
    _moved(desk, lesson, {name: value for name, value in changes.items() if value is not None}, key)


def _over(text: str) -> tuple[str, str]:
    lesson, found, word = text.rpartition("=")
    if not found:
        raise Cannot(f"--over {text!r} says nothing; for example: --over {text}=replaces.", kind="usage")
    return lesson, word


@command(app, "verify", OF_LEDGER)
def verify(desk: Desk, lesson: LessonId, key: Key = None) -> None:
    """Confirm, as a person, that a rule in force is right."""
    ask_person(desk, f"Verify the rule of {lesson}?")
    _moved(desk, lesson, {"status": "verified"}, key)


@command(app, "dismiss", OF_LEDGER)
def dismiss(desk: Desk, lesson: LessonId, key: Key = None) -> None:
    """Say, as a person, that a lesson was wrong."""
    ask_person(desk, f"Dismiss {lesson}?")
    _moved(desk, lesson, {"status": "dismissed"}, key)


@command(app, "retire", OF_LEDGER)
def retire(desk: Desk, lesson: LessonId, key: Key = None) -> None:
    """Take, as a person, a rule out of force; the answer says how many sessions still have it."""
    ask_person(desk, f"Retire the rule of {lesson}?")
    moved = _moved(desk, lesson, {"status": "retired"}, key)
    if moved.sessions_still_have_it:
        many = "1 session still has" if moved.sessions_still_have_it == 1 else "sessions still have"
        count = "" if moved.sessions_still_have_it == 1 else f"{moved.sessions_still_have_it} "
        desk.out.note(f"{count}{many} it, until they read a briefing again.")


@command(app, "duplicate", OF_LEDGER)
def duplicate(
    desk: Desk,
    lesson: LessonId,
    of: Annotated[str, typer.Argument(metavar="OF", help="Id of the lesson that it repeats.")],
    key: Key = None,
) -> None:
    """Say that a lesson repeats another one."""
    _ask_if_verified(desk, lesson, "Make a verified rule a duplicate")
    _moved(desk, lesson, {"status": "duplicate", "duplicate_of": of}, key)


@command(app, "reword", OF_LEDGER)
def reword(
    desk: Desk,
    lesson: LessonId,
    rule: Annotated[str, typer.Argument(metavar="RULE", help="The rule in its new words, one line.")],
    key: Key = None,
) -> None:
    """Put a lesson's rule in other words; the old ones are kept in its history."""
    _ask_if_verified(desk, lesson, "Reword a verified rule")
    _moved(desk, lesson, {"rule": rule}, key)


@command(app, "reopen", OF_LEDGER)
def reopen(desk: Desk, lesson: LessonId, key: Key = None) -> None:
    """Have a lesson be decided on again; its rule is not in force until then."""
    _ask_if_verified(desk, lesson, "Reopen a verified rule")
    _moved(desk, lesson, {"status": "open"}, key)


@command(app, "delete", OF_LEDGER)
def delete(desk: Desk, lesson: LessonId, key: Key = None) -> None:
    """Delete, as a person, a lesson: it leaves every list and every briefing."""
    ask_person(desk, f"Delete {lesson} for good?")
    desk.client.lessons.delete(lesson, key=key)
    if desk.out.as_json:
        desk.out.document({"deleted": lesson})
    desk.out.line(f"Deleted {lesson}.")


def _ask_if_verified(desk: Desk, lesson: str, what: str) -> None:
    """What a person verified is a person's to change."""
    if desk.url is None and desk.client.lessons.get(lesson).verified_at is not None:
        ask_person(desk, f"{what}: {lesson}?")


def _moved(desk: Desk, lesson: str, changes: dict[str, Any], key: str | None) -> UpdatedLesson:
    """Change a lesson and tell of it; exits with 1 where it waits for a person."""
    moved = desk.client.lessons.update(lesson, key=key, **changes)
    tell(desk, moved)
    if moved.waits_for_person:
        desk.out.note(
            "Nothing was changed: its rule is too like one in force, and a person says what is meant (--over)."
        )
        raise typer.Exit(NO)
    return moved


def tell(
    desk: Desk,
    lesson: Lesson,
    happened: Sequence[LessonEvent] = (),
    *,
    with_history: bool = False,
) -> None:
    """Print a lesson, the rules that are like its own, and what happened to it."""
    if desk.out.as_json:
        told = {"history": [event.raw for event in happened]} if with_history else {}
        desk.out.document({**lesson.raw, **told})
        return
    desk.out.fields(_fields(lesson))
    similar = lesson.similar_rules if isinstance(lesson, (RecordedLesson, UpdatedLesson)) else None
    if similar:
        desk.out.line("")
        rows = [
            (one.id, one.differs_only_in and f"only a {one.differs_only_in}", one.rule) for one in similar
        ]
        desk.out.table(("LIKE IT IS", "DIFFERS IN", "RULE"), rows)
    if happened:
        desk.out.line("")
        desk.out.table(
            ("WHEN", "WHAT", "BY", "RULE"),
            [(moment(one.at), one.kind, names.told(one.by) if one.by else "", one.rule) for one in happened],
        )


def _fields(lesson: Lesson) -> Mapping[str, Any]:
    raw = lesson.raw
    return {
        "id": lesson.id,
        "status": lesson.status,
        "rule": lesson.rule,
        "agent": lesson.agent or "every agent",
        "project": lesson.project_id or "the whole account",
        "kind": lesson.kind,
        "severity": lesson.severity,
        "what happened": lesson.what_happened,
        "expected": lesson.expected,
        "noticed by": lesson.noticed_by,
        "broken again": lesson.broken_again or None,
        "duplicate of": lesson.duplicate_of,
        "supersedes": ", ".join(lesson.supersedes or ()) or None,
        "until": moment(lesson.until) or None,
        "must not call": compact(raw["mustNotCall"]) if "mustNotCall" in raw else None,
        "stopped": lesson.stops,
        "from correction": lesson.from_correction_id,
        "session": lesson.session,
        "evidence": "\n".join(lesson.evidence or ()) or None,
        "recorded by": names.told(lesson.recorded_by),
        "adopted by": lesson.adopted_by and names.told(lesson.adopted_by),
        "verified by": lesson.verified_by and names.told(lesson.verified_by),
        "recorded": moment(lesson.created_at),
    }
