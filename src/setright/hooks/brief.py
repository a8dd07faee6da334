"""`setright brief`: what an agent is told when a session starts, within three seconds and whatever goes wrong."""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

from setright.hooks import rules_kept, stops
from setright.hooks.ask import Unheard, ask, within
from setright.hooks.formats import AS_JSON, FORMATS, WORDS, noted, shaped
from setright.hooks.handover import local_briefing
from setright.hooks.inert import inert
from setright.hooks.options import FLAG, TEXT, WrongOption, read
from setright.hooks.place import Asked, Machine, object_in, read_json, write_private
from setright.hooks.server import has_ledger, reachable
from setright.hooks.streams import in_utf8

# Of the two seconds, three in all, that a session waits, the start of this program takes a part.
NETWORK_SECONDS = 1.9
ALL_SECONDS = 2.9
STDIN_SECONDS = 0.2
STDIN_BYTES = 64 * 1024
GOOD = 200
UNKNOWN = 500
KEPT_FOR_LATER = (401, 403, 404, 429)
USAGE = f"setright brief --agent NAME [--space SPACE] [--format {'|'.join(FORMATS)}] [--session ID] [--explain [LESSON ...]]"
OPTIONS = {
    "--agent": TEXT,
    "--space": TEXT,
    "--format": TEXT,
    "--session": TEXT,
    "--explain": FLAG,
    "--json": FLAG,
}
Document = Mapping[str, Any]


class Wanted(NamedTuple):
    """What was asked for: `parameters` is the query of the request."""

    asked: Asked
    form: str
    parameters: Sequence[tuple[str, str]]
    explain: bool
    as_json: bool


def main(words: Sequence[str] | None = None) -> int:
    """Print the briefing; it always ends with 0, because a session must start without it too."""
    in_utf8()
    given = sys.argv[1:] if words is None else words
    if {"-h", "--help"} & set(given):
        print(f"Usage: {USAGE}")
        return 0
    try:
        sys.stdout.write(brief(given))
        sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 - nothing that goes wrong here may keep a session from starting
        with contextlib.suppress(Exception):
            print(f"setright brief: {inert(str(error))[:300] or type(error).__name__}", file=sys.stderr)
            sys.stdout.write("{}\n" if _wants_json(given) else "")
    return 0


def brief(words: Sequence[str]) -> str:
    """`main` without its net: the text to print."""
    started = time.monotonic()
    machine = Machine()
    wanted = _wanted(machine, words)
    heard, failure = _hear(machine, wanted, started)
    if heard is not None:
        _keep(machine, wanted, heard)
        return _told(wanted, heard, None)
    kept = read_json(_copy(machine, wanted))
    document = kept.get("briefing")
    if kept.get("for") != wanted.asked.said or not isinstance(document, dict) or wanted.explain:
        raise Unheard(failure)
    print(f"setright brief: {inert(failure)[:300]}; this is the last briefing", file=sys.stderr)
    return _told(wanted, cast("Document", document), str(kept.get("at")))


def _wanted(machine: Machine, words: Sequence[str]) -> Wanted:
    lessons: list[str] = []
    options = read(words, OPTIONS, lessons)
    form = options.get("--format", "text")
    if form not in FORMATS:
        raise WrongOption(f"--format {form[:40]!r} is none of {', '.join(FORMATS)}. Usage: {USAGE}")
    agent, space = options.get("--agent", ""), options.get("--space", "")
    explain = "--explain" in options
    if lessons and not explain:
        raise WrongOption(f"{lessons[0][:80]!r} is not one of its options. Usage: {USAGE}")
    parameters = [
        ("agent", agent.strip()),
        ("projectId", space),
        ("format", WORDS[form]),
        ("session", options.get("--session") or _session_on_stdin()),
        ("explain", "true" if explain else ""),
        *(("lessonId", lesson) for lesson in lessons),
    ]
    given = [(name, value) for name, value in parameters if value]
    return Wanted(Asked(machine.server, agent, space), form, given, explain, "--json" in options)


def _hear(machine: Machine, wanted: Wanted, started: float) -> tuple[Document | None, str]:
    """The briefing from the server, else from the ledger of this machine; else why there is none."""
    failure = "no server is known"
    server = reachable(machine)
    waiting = _waiting(machine, wanted.asked)
    if server is not None:
        until = started + NETWORK_SECONDS
        path = f"/v1/briefing?{urlencode(wanted.parameters)}"
        try:
            heard = ask(server, "GET", path, until=until)
            if heard.status == GOOD and isinstance(heard.body.get("guard"), list):
                _send(
                    waiting,
                    lambda one: _taken(ask(server, "POST", STOPS, until=until, body=one.body, key=one.key)),
                )
                return heard.body, ""
            failure = f"{server.url} answered {heard.status} {_reason(heard.body)}".rstrip()
        except Unheard as error:
            failure = str(error)
    if not machine.url and has_ledger(machine):
        told = local_briefing(machine, wanted.parameters, waiting, started + ALL_SECONDS)
        if told is not None:
            _send(waiting, lambda one: one.key in told.taken)
            return told.briefing, ""
        failure += ", and the ledger of this machine gave no briefing in time"
    return None, failure


STOPS = "/v1/lessons/stops"


def _taken(heard: Any) -> bool:
    """Whether stops need not be sent again: they were counted, or never will be."""
    return heard.status < UNKNOWN and heard.status not in KEPT_FOR_LATER


def _waiting(machine: Machine, asked: Asked) -> list[stops.Batch]:
    try:
        return stops.batches(machine, asked)
    except OSError:
        return []


def _send(waiting: Sequence[stops.Batch], post: Callable[[stops.Batch], bool]) -> None:
    with contextlib.suppress(Unheard, OSError):
        stops.send(waiting, post)


def _keep(machine: Machine, wanted: Wanted, document: Document) -> None:
    """Keep the briefing for when nobody answers, and the guard's rules; a full disk costs only that."""
    try:
        rules_kept.keep(machine, wanted.asked, cast("list[Mapping[str, Any]]", document["guard"]))
        if not wanted.explain:
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            kept = {"for": wanted.asked.said, "at": at, "briefing": document}
            write_private(_copy(machine, wanted), json.dumps(kept).encode())
    except OSError as error:
        print(f"setright brief: this briefing is not kept: {inert(str(error))[:300]}", file=sys.stderr)


def _copy(machine: Machine, wanted: Wanted) -> str:
    return machine.file(wanted.asked, WORDS[wanted.form])


def _told(wanted: Wanted, document: Document, at: str | None) -> str:
    if wanted.as_json:
        return json.dumps(document, ensure_ascii=True, indent=2) + "\n"
    text = str(document.get("explanation" if wanted.explain else "briefing", ""))
    if at is not None:
        text = noted(text, f"(Read at {at}; since then the ledger could not be asked.)")
    return shaped(text, wanted.form)


def _reason(body: Document) -> str:
    error = body.get("error")
    return str(cast("Mapping[str, Any]", error).get("message", "")) if isinstance(error, dict) else ""


def _wants_json(words: Sequence[str]) -> bool:
    return any(word in {"--json", *AS_JSON, *(f"--format={form}" for form in AS_JSON)} for word in words)


def _session_on_stdin() -> str:
    """The session that a hook's input names; a stdin that nobody writes to costs a moment, and no more."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    try:
        found = object_in(within(STDIN_SECONDS, lambda: _all_of(sys.stdin.fileno()))) or {}
    except (Unheard, OSError, ValueError):
        return ""
    named = (found.get(name) for name in ("session_id", "sessionId", "conversation_id"))
    return next((name[:200] for name in named if isinstance(name, str)), "")


def _all_of(stream: int) -> bytes:
    found = b""
    while (more := os.read(stream, STDIN_BYTES)) and len(found) < STDIN_BYTES:
        found += more
    return found


def run() -> None:
    """The command `setright-brief`."""
    sys.exit(main())
