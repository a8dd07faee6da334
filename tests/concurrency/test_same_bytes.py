"""One story, told to both engines with one clock and one source of ids, gets the same answers byte by byte."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from setright.app.schema import TABLES
from setright.erasure.store import SECRET as ERASURE_SECRET
from setright.kernel.clock import Clock
from setright.kernel.ids import Ids
from setright.storage import insert_or_ignore
from setright.storage.address import parse
from setright.storage.kept import CURSOR_SECRET, marks
from setright.storage.migrate import engine_for
from setright.storage.open import create_or_upgrade, open_store
from tests.concurrency.wire import Serving, Told, Wire, a_run
from tests.support.ledger import sqlite_url
from tests.support.postgres import Postgres

START = 1_767_574_800_000_000
# What workers and operators write, what is written later, and what a queue notes once it has passed many runs.
UNTOLD = {
    "jobs",
    "recurring_jobs",
    "review_fronts",
    "tenant_limits",
    "newest_verdicts",
    "evidence_moves",
    "lesson_served",
    "lesson_sessions",
    "retention_cuts",
    "search_vectors",
}
NOT_OURS = {"date", "server"}
# Leases go by the database's clock, which no test can hold.
LEASE = re.compile(rb'"until":"[^"]+",|"expiresAt":"[^"]+",(?="run":)')
ODD = ["a\u0301", "\u00e1", "Z", "a", "B", "\U0001f600", "\ufb33", "x.y", "a/b", "%2F", "\u017f", "-", "_"]


class Telling:
    """A server with a clock that ticks by itself and ids that count, and what it answered."""

    def __init__(self, url: str) -> None:
        self.url = url
        create_or_upgrade(url)
        _fix_secrets(url)
        ticks, numbers = count(START * 1000, 1_000_000), count(1)
        self._serving = Serving(
            url, Clock(lambda: next(ticks)), lambda prefix, _: f"{prefix}_{next(numbers):026d}"
        )
        self._wire = self._serving.tenant("story")
        self._requests = count(1)
        self.answers: list[tuple[str, Told]] = []

    def say(
        self,
        method: str,
        path: str,
        body: Any = None,
        key: str | None = None,
        who: Wire | None = None,
        matching: str | None = None,
        project: str | None = None,
    ) -> Any:
        """Send a request and note its answer."""
        number = {"X-Request-Id": f"story-{next(self._requests)}"}
        if matching is not None:
            number["If-Match"] = matching
        if project is not None:
            number["x-setright-project"] = project
        told = (who or self._wire).send(method, path, body, key, number)
        self.answers.append((f"{method} {path}", told))
        return told.json if told.content else None

    def wire(self, secret: str) -> Wire:
        """Another caller."""
        return self._serving.wire(secret)

    def shown(self) -> list[tuple[str, int, dict[str, str], bytes]]:
        """Every answer without what HTTP itself adds, without secrets, which are random, and without leases."""
        return [
            (
                asked,
                told.status,
                {k: v for k, v in told.headers.items() if k not in NOT_OURS},
                _struck(told.content),
            )
            for asked, told in self.answers
        ]

    def close(self) -> None:
        """Stop the server."""
        self._serving.close()


def _struck(content: bytes) -> bytes:
    before, found, after = content.partition(b'"secret":"')
    return LEASE.sub(b"", before + found + after.partition(b'"')[2] if found else content)


def _fix_secrets(url: str) -> None:
    """The secrets that sign cursors and hash what was erased are made at random unless they are there."""
    store = open_store(url, Clock(), Ids())
    add = insert_or_ignore(marks)
    for name in (CURSOR_SECRET, ERASURE_SECRET):
        store.write(lambda tx, name=name: tx.run(add, name=name, value="00" * 32)).result(20)
    store.close()


@pytest.fixture
def tellings(tmp_path: Path, postgres: Postgres) -> Iterator[list[Telling]]:
    """The same server twice, once on each engine."""
    opened = [Telling(sqlite_url(tmp_path)), Telling(postgres.new_database())]
    yield opened
    for telling in opened:
        telling.close()


def tell(telling: Telling) -> None:
    """A story with everything in it: people, runs, corrections, lists, keys, and what is refused."""
    say = telling.say
    people(telling)
    for number, name in enumerate(ODD):
        subject = {"kind": "flow" if number % 3 else "agent", "id": name, "version": f"v{number % 2}"}
        say(
            "POST",
            "/v1/runs",
            a_run(id=f"run {name}", subject=subject, input={name: [number, 1.0, 1e22, None]}),
        )
    say("POST", "/v1/runs", a_run(id="run a"))
    say("POST", "/v1/runs", a_run(id="run a", input="other"))
    say(
        "POST",
        "/v1/runs/batch",
        {"runs": [a_run(), a_run(projectId="nowhere"), {"x": 1}, a_run(status="failed")]},
    )
    corrections(telling)
    growing_run(telling)
    versions(telling)
    texts(telling)
    for path in (
        "/v1/runs",
        "/v1/corrections?includeUnregistered=true",
        "/v1/agents",
        "/v1/flows",
        "/v1/tokens",
        "/v1/corrector-groups",
        "/v1/projects/default/running",
        "/v1/projects/default/pins",
    ):
        walk(telling, path)
    say("GET", "/v1/events?limit=100")
    say("GET", "/v1/events?limit=3&after=999999")
    say("GET", "/v1/nowhere")
    say("DELETE", "/v1/runs")
    say("POST", "/v1/runs", b"[" * 1000)
    say("POST", "/v1/runs", b'{"projectId": NaN, "input": "\\u0000"}')


def texts(telling: Telling) -> None:
    """A text that two sources read in two ways, an answer about it, a scholar's correction and decision."""
    say = telling.say
    for source, sense in (("one", "king"), ("two", "o\u0301wner")):
        word = {
            "form": "lu\u2082-gal",
            "annotations": [{"field": "sense", "value": sense, "confidence": 0.5}],
        }
        line = {"label": "1'", "text": "lu\u2082-gal", "tokens": [word]}
        say("POST", "/v1/artifacts", {"id": "P 1", "source": source, "title": "T", "lines": [line]})
    scholar = say("POST", "/v1/scholars", {"name": "Ada Reader"})["id"]
    claim = say("POST", f"/v1/scholars/{scholar}/claims", {"note": "me"})["id"]
    say("POST", f"/v1/scholars/{scholar}/claims/{claim}/approve", {})
    say("GET", "/v1/search?q=lugal")
    say("GET", "/v1/artifacts/P%201/summary")
    asked = say("GET", "/v1/artifacts/P%201/tokens/o.1'.1/interpretation")
    said = {"claim": "It said king.", "correction": "lord", "evidence": "p. 1", "scholarId": scholar}
    say("POST", f"/v1/interactions/{asked['interactionId']}/corrections", said)
    say("POST", f"/v1/interactions/{asked['interactionId']}/ratings", {"rating": "down"})
    cited = say("GET", "/v1/artifacts/P%201/summary")["citations"]
    layer = next(one["annotationId"] for one in cited if one["value"] == "lord")
    say("POST", f"/v1/annotations/{layer}/accept", {"reason": "so", "scholarId": scholar})
    say("GET", f"/v1/annotations/{layer}")
    for path in ("/v1/annotation-runs", "/v1/interactions", "/v1/outputs", "/v1/artifacts"):
        say("GET", path)


def versions(telling: Telling) -> None:
    """A group, deploys, pins, what tools do, a correction that waits for its run, and a review."""
    say = telling.say
    say("POST", "/v1/corrector-groups", {"name": "Experts", "scope": {"kind": "tenant"}, "weight": 2.5})
    say("POST", "/v1/agents/a/versions", {"version": "v0"})
    subject = {"kind": "agent", "id": "a"}
    pinned = say("POST", "/v1/projects/default/pins", {"subject": subject, "version": "v0", "why": "calm"})
    say("POST", f"/v1/projects/default/pins/{pinned['id']}/unpin", {})
    say("POST", "/v1/projects/default/pins", {"subject": subject, "version": "v9"})
    say("POST", "/v1/projects/default/pins", {"subject": {"kind": "flow", "id": "z"}, "version": "v0"})
    say("PUT", "/v1/projects/default/tools/math.sum", {"effect": "read"})
    held = "/v1/corrections?whenRunMissing=hold&projectId=default"
    say("POST", held, {"runId": "not yet", "answer": "right"})
    queue = say("POST", "/v1/review-queues", {"projectId": "default", "name": "Q"})["id"]
    claim = say("POST", f"/v1/review-queues/{queue}/claims")
    say("POST", f"/v1/review-queues/{queue}/claims/{claim['id']}/correction", {"answer": "right"})
    say("GET", f"/v1/review-queues/{queue}/items")
    proof(telling)


def proof(telling: Telling) -> None:
    """A test run with results, and what came of them where its version runs."""
    say = telling.say
    wanted = {"projectId": "default", "subject": {"kind": "agent", "id": "a", "version": "v2"}}
    path = f"/v1/test-runs/{say('POST', '/v1/test-runs', wanted)['id']}"
    claimed = say("POST", f"{path}/claim", {"n": 5})
    did = {"lease": claimed["lease"], "calls": [], "answer": "14 days"}
    say("POST", f"{path}/results", {"results": [{"caseId": one["id"], **did} for one in claimed["cases"]]})
    say("POST", f"{path}/finish", {"partial": True})
    say("GET", path)
    subject = {"kind": "agent", "id": "a"}
    say("POST", "/v1/projects/default/pins", {"subject": subject, "version": "v2", "why": "it is right"})
    lessons(telling)


def lessons(telling: Telling) -> None:
    """A rule that is adopted, broken again and reworded, a lesson that is open, and a briefing."""
    say = telling.say
    said = {"agent": "a", "kind": "drift", "noticedBy": "person", "whatHappened": "it \U0001f600 guessed"}
    first = say("POST", "/v1/lessons", {**said, "rule": "Ask first.", "session": "one"})
    say("PATCH", f"/v1/lessons/{first['id']}", {"status": "adopted"})
    say("POST", "/v1/lessons", {**said, "rule": "ask first", "session": "two"})
    say("POST", "/v1/lessons", {**said, "rule": "ask first", "session": "two"})
    say("POST", "/v1/lessons", {**said, "session": "three"})
    say("PATCH", f"/v1/lessons/{first['id']}", {"rule": "Ask first, always."})
    say("POST", "/v1/lessons/stops", {"stops": [{"lessonId": first["id"], "count": 2}]})
    say("GET", f"/v1/lessons/{first['id']}/history")
    say("GET", "/v1/briefing?agent=a")
    walk(telling, "/v1/lessons?")


def people(telling: Telling) -> None:
    """Projects, users, tokens and members."""
    say = telling.say
    say("GET", "/v1/me")
    say("POST", "/v1/projects", {"id": "shop", "name": "Shop"}, "k1")
    say("POST", "/v1/projects", {"id": "shop", "name": "Shop"}, "k1")
    say("POST", "/v1/projects", {"id": "shop", "name": "Other"}, "k1")
    user = say("POST", "/v1/users", {"name": "bo"})
    say("PUT", f"/v1/projects/shop/members/{user['id']}", {"role": "read"})
    secret = say("POST", "/v1/tokens", {"kind": "user", "name": "own", "userId": user["id"]}, "k2")["secret"]
    say("POST", "/v1/tokens", {"kind": "user", "name": "own", "userId": user["id"]}, "k2")
    say("GET", "/v1/projects", who=telling.wire(secret))
    signed_in(telling)
    say("POST", "/v1/runs", a_run(projectId="shop"), who=telling.wire(secret))
    say("POST", "/v1/users", {"name": "bo"})
    say("POST", "/v1/legal-holds", {"participantId": "cy", "reason": "kept"})
    say("POST", "/v1/erasures", {"participantId": "cy", "reason": "held"})
    say("POST", "/v1/erasures", {"participantId": "di", "reason": "asked for"})
    say("PATCH", "/v1/projects/shop/retention", {"runs": 30})
    say("PUT", "/v1/projects/shop/read-log", {"kept": True})
    shown = say("POST", "/v1/runs", a_run(projectId="shop", id="shown"))
    say("GET", f"/v1/runs/{shown['id']}")
    say("GET", "/v1/projects/shop/run-reads")
    say("PATCH", "/v1/retention", {"outputs": 3, "briefings": 7})
    say("POST", "/v1/retention-passings")
    say("GET", "/v1/retention/due")


def signed_in(telling: Telling) -> None:
    """A user who sets a password, is mistaken about it, and signs in and out."""
    say, words = telling.say, "four words are fine"
    user = say("POST", "/v1/users", {"name": "di", "email": "Di@example.org"})
    invitation = say("POST", f"/v1/users/{user['id']}/invite")["secret"]
    say("POST", "/v1/users/nobody/invite")
    say("POST", "/v1/passwords", {"invitation": invitation, "password": words})
    say("POST", "/v1/passwords", {"invitation": invitation, "password": words})
    say("POST", f"/v1/users/{user['id']}/invite")
    say("POST", "/v1/sessions", {"email": "di@example.org", "password": "other words"})
    say("POST", "/v1/sessions", {"email": "who@example.org", "password": words})
    secret = say("POST", "/v1/sessions", {"email": "di@example.org", "password": words})["secret"]
    say("GET", "/v1/sessions", who=telling.wire(secret))
    say("DELETE", "/v1/sessions/current", who=telling.wire(secret))


def corrections(telling: Telling) -> None:
    """Corrections of every kind, superseded, sent again and refused."""
    say = telling.say
    run_id = "run%20a"
    items = [
        {"key": "b", "pointer": "/matches/1", "verdict": "wrong"},
        {"key": "a", "verdict": "right", "rank": 0},
    ]
    bodies: list[dict[str, Any]] = [
        {"decisions": "wrong", "shouldCall": [{"tool": "math.sum", "args": {"x.y": 1.0, "b": [True, None]}}]},
        {"answer": "wrong", "shouldSay": "14 days", "why": "\U0001f600 a\u0301", "participantId": "p"},
        {"answer": "right", "items": items},
        {"answer": "right", "items": [{"key": "z", "pointer": "/matches/-", "verdict": "right"}]},
        {"answer": "maybe", "extra": 1},
        {"decisions": "right", "shouldCall": []},
    ]
    made = [
        say("POST", "/v1/corrections", {"runId": "run a", **body}, f"c{n}") for n, body in enumerate(bodies)
    ]
    for number, body in enumerate(bodies):
        say("POST", "/v1/corrections", {"runId": "run a", **body}, f"c{number}")
    for one in made[:3]:
        say("PATCH", f"/v1/corrections/{one['id']}", {"statusNote": "a\u0301"}, matching="*")
        say("GET", f"/v1/corrections/{one['id']}")
        say("GET", f"/v1/corrections/{one['id'].removeprefix('cor_')}/history")
    say("GET", f"/v1/corrections?runId={run_id}&status=open&status=fixed")
    say("GET", "/v1/corrections?projectId=nowhere")
    say("GET", "/v1/corrections/cor_nowhere")


def growing_run(telling: Telling) -> None:
    """A run that is started, gets its calls and is finished."""
    say = telling.say
    span = {"traceId": "a" * 32, "spanId": "b" * 16, "name": "chat"}
    say("POST", "/v1/traces", {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}, project="default")
    say("GET", f"/v1/traces/{'a' * 32}")
    started = {name: value for name, value in a_run(id="grows").items() if name != "output"}
    say("POST", "/v1/runs", started)
    say("POST", "/v1/corrections", {"runId": "grows", "answer": "right"})
    say(
        "POST",
        "/v1/runs/grows/calls",
        {"position": 0, "calls": [{"tool": f"t{n}", "args": {"n": n}} for n in range(30)]},
    )
    say("POST", "/v1/runs/grows/calls", {"position": 40, "calls": [{"tool": "t"}]})
    say("POST", "/v1/runs/grows/finish", {"output": None})
    say("GET", "/v1/runs/grows")
    say("GET", "/v1/runs/grows?callsAfter=25&callsLimit=3")


def walk(telling: Telling, path: str) -> None:
    """A list to its end, four entries at a time."""
    joint, cursor = "&" if "?" in path else "?", ""
    while True:
        page = telling.say("GET", f"{path}{joint}limit=4{cursor}")
        if not page["hasMore"]:
            return
        cursor = f"&cursor={page['nextCursor']}"


# Seals are made at once where there is one writer, and by a job elsewhere; words are kept in each engine's own form.
RANDOM = {"secret_hash", "password_hash", "transaction", "changes", "seal", "words"}


def rows_of(telling: Telling) -> dict[str, list[Any]]:
    """Every row of every table, without what is random and the number of the transaction, which SQLite has not."""
    found: dict[str, list[Any]] = {}
    with engine_for(parse(telling.url)).connect() as connection:
        for table in TABLES:
            if table.name == "event_heads":
                continue
            shown = [column for column in table.c if column.name not in RANDOM]
            rows = [tuple(row) for row in connection.execute(select(*shown))]
            found[table.name] = sorted(rows, key=repr)
    return found


def test_both_engines_keep_the_same_rows_of_the_same_story(tellings: list[Telling]) -> None:
    for telling in tellings:
        tell(telling)
    first, second = (rows_of(telling) for telling in tellings)
    assert first == second
    assert {name for name, rows in first.items() if not rows} <= UNTOLD, "the story touches every table"


def test_both_engines_answer_the_same_story_with_the_same_bytes(tellings: list[Telling]) -> None:
    for telling in tellings:
        tell(telling)
    first, second = (telling.shown() for telling in tellings)
    for one, other in zip(first, second, strict=True):
        assert one == other
    statuses = {status for _, status, _, _ in first}
    assert {200, 201, 400, 403, 404, 405, 409} <= statuses
    assert not {status for status in statuses if status >= 500}
    assert len(first) >= 70
