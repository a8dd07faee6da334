"""`db check` on both engines: a ledger that was used is sound, and each thing that may be wrong is found and named."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from setright.app import soundness
from setright.app.settings import Settings
from setright.app.soundness import Checked
from setright.storage import sqlite
from setright.storage.open import SchemaMismatch, create_or_upgrade
from tests.backup.places import Places, filled, sound
from tests.backup.test_while_writing import Writers
from tests.concurrency.wire import Serving, a_run
from tests.http.support import Caller
from tests.support.ledger import sqlite_url

HOLD = "/v1/corrections?whenRunMissing=hold&projectId=default"


def check(url: str) -> Checked:
    return soundness.check(Settings(database=url), lambda *_: None)


def change(url: str, *statements: str) -> None:
    """Change a database behind the back of the product; nothing holds it to its foreign keys."""
    if url.startswith("sqlite"):
        with closing(sqlite.connect(Path(url.removeprefix("sqlite:///")))) as connection:
            connection.execute("PRAGMA foreign_keys=OFF")
            for statement in statements:
                connection.execute(statement)
    else:
        with psycopg.connect(url) as connection:
            connection.execute("SET session_replication_role = replica")
            for statement in statements:
                connection.execute(statement.encode())


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def used(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger of each engine in which corrections were made, moved, superseded and removed; nobody uses it any more."""
    folder = tmp_path_factory.mktemp("used")
    new = request.getfixturevalue("postgres").new_database if request.param == "postgresql" else str
    places = Places(request.param, folder, new, folder)
    made = places.with_schema()
    admin = filled(places, made)
    first, second, *_ = admin.get("/v1/corrections").json()["data"]
    moves = ({"status": "being-fixed"}, {"sortedTo": "developer", "reason": "theirs"}, {"statusNote": "soon"})
    for number, body in enumerate(moves):
        moved = admin.keyed(f"move-{number}", f"/v1/corrections/{first['id']}", body, "PATCH")
        assert moved.status_code == 200, moved.text
    assert admin.post(f"/v1/corrections/{second['id']}/unregister").status_code == 200
    running = {name: value for name, value in a_run(id="running").items() if name != "output"}
    admin.post("/v1/runs", {**running, "status": "running"})
    later = a_run(id="later")
    for number in range(3):
        body = {"runId": "later" if number else "never", "answer": "wrong", "why": f"held {number}"}
        assert admin.keyed(f"held-{number}", HOLD, body).status_code == 202
    assert admin.post("/v1/runs", later).status_code == 201
    used_further(admin)
    places.close()
    return made


def used_further(admin: Caller) -> None:
    """Deploy and pin a version, test another up to one case of two, give up a job, and review a run half."""
    assert admin.post("/v1/agents/refunds/versions", {"version": "v2"}).status_code == 201
    subject = {"kind": "agent", "id": "refunds"}
    pin = {"subject": subject, "version": "v1"}
    assert admin.post("/v1/projects/default/pins", pin).status_code == 201
    test_run = f"/v1/test-runs/{admin.test_run('v3')['id']}"
    claimed = admin.post(f"{test_run}/claim").json()
    did = {"caseId": claimed["cases"][0]["id"], "lease": claimed["lease"], "calls": [], "answer": "no"}
    assert admin.post(f"{test_run}/results", {"results": [did]}).status_code == 200
    assert admin.post(f"/v1/jobs/{admin.job()}/cancel").status_code == 200
    admin.job()
    queue = {"projectId": "default", "name": "two of us", "reviewersPerItem": 2}
    reviews = f"/v1/review-queues/{admin.post('/v1/review-queues', queue).json()['id']}"
    admin.run("reviewed")
    claim = admin.post(f"{reviews}/claims").json()
    answer = f"{reviews}/claims/{claim['id']}/correction"
    assert admin.post(answer, {"answer": "wrong", "shouldSay": "14 days"}).status_code == 201
    learned(admin)
    span = {"traceId": "1" * 32, "spanId": "2" * 16, "name": "chat"}
    traced = admin.send(
        "POST",
        "/v1/traces",
        headers={"content-type": "application/json", "x-setright-project": "default"},
        content=json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}).encode(),
    )
    assert traced.json() == {}


def learned(admin: Caller) -> None:
    """A rule that was adopted and broken again, and a lesson that is open."""
    said = {"agent": "refunds", "kind": "drift", "noticedBy": "person", "whatHappened": "it guessed"}
    for number, rule in enumerate(("Ask first.", "Ask first.", "Never guess.")):
        made = admin.post("/v1/lessons", {**said, "rule": rule, "session": f"s-{number}"})
        assert made.status_code == 201, made.text
        if number == 0:
            lesson = f"/v1/lessons/{made.json()['id']}"
            assert admin.send("PATCH", lesson, {"status": "adopted"}).status_code == 200


@pytest.fixture
def url(used: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A copy of that ledger, to be spoilt."""
    if used.startswith("sqlite"):
        copy = tmp_path / "ledger.db"
        shutil.copy(used.removeprefix("sqlite:///"), copy)
        return f"sqlite:///{copy}"
    return request.getfixturevalue("postgres").new_database(like=used)


def test_a_ledger_that_was_used_is_sound(url: str) -> None:
    found = check(url)
    assert found.faults == ()
    assert [finding for finding in found.findings if finding.ok is False] == []
    names = [finding.name for finding in found.findings]
    assert names[0] == "schema"
    rooms = [
        "identity",
        "subjects",
        "runs",
        "corrections",
        "reviews",
        "lessons",
        "knowledge",
        "test runs",
        "traces",
        "jobs",
        "events",
    ]
    assert names[-12:] == ["references", *rooms]
    assert "8 corrections" in found.findings[-8].says


WRONG: dict[str, tuple[str, str, str]] = {
    "an event is lost": (
        "DELETE FROM events WHERE kind = 'correction.recorded' AND subject_id = (SELECT min(id) FROM corrections)",
        "corrections",
        "says 0 times that it was recorded",
    ),
    "an event came twice": (
        "INSERT INTO events (tenant_id, at, by_kind, by_id, kind, subject_kind, subject_id, changed) "
        "SELECT tenant_id, at, by_kind, by_id, kind, subject_kind, subject_id, changed FROM events "
        "WHERE kind = 'correction.recorded' AND subject_id = (SELECT min(id) FROM corrections)",
        "corrections",
        "says 2 times that it was recorded",
    ),
    "a correction is lost": (
        "DELETE FROM corrections WHERE id = (SELECT max(id) FROM corrections)",
        "events",
        "points to a row of corrections that is not there",
    ),
    "a status was changed by hand": (
        "UPDATE corrections SET status = 'wont-fix' WHERE run_id = 'run-2'",
        "corrections",
        "its status is wont-fix, was open when it was saved, and no event says who changed it",
    ),
    "a removed one came back": (
        "UPDATE corrections SET status = 'open' WHERE status = 'removed'",
        "corrections",
        "its status is open, and its history says otherwise",
    ),
    "one changed after its history": (
        "UPDATE corrections SET updated_at = updated_at + 1 WHERE id = (SELECT max(id) FROM corrections)",
        "corrections",
        "changed after the last event",
    ),
    "a superseded one stands again": (
        "UPDATE corrections SET superseded_by = NULL, unregistered_at = NULL WHERE superseded_by IS NOT NULL",
        "corrections",
        "it is not superseded, and its history says otherwise",
    ),
    "the one that supersedes is another": (
        "UPDATE corrections SET superseded_by = (SELECT max(id) FROM corrections) WHERE superseded_by IS NOT NULL",
        "corrections",
        "is of another run, caller, participant or time",
    ),
    "the one that supersedes is none": (
        "UPDATE corrections SET superseded_by = 'cor_none' WHERE superseded_by IS NOT NULL",
        "corrections",
        "superseded by cor_none, which is not there",
    ),
    "one stands in no place": (
        "UPDATE corrections SET place = id WHERE id = (SELECT max(id) FROM corrections)",
        "corrections",
        "does not stand in the place that is its own",
    ),
    "a desk does not fit": (
        "UPDATE corrections SET sorted_to = 'owner' WHERE status = 'being-fixed'",
        "corrections",
        "its status is being-fixed, and it is sorted to owner",
    ),
    "of another version than its run": (
        "UPDATE corrections SET subject_version = 'v9' WHERE id = (SELECT max(id) FROM corrections)",
        "corrections",
        "of another project, subject or version than its run",
    ),
    "a held one is lost": ("DELETE FROM waiting_corrections", "events", "neither held nor recorded"),
    "a held one was moved by hand": (
        "UPDATE waiting_corrections SET state = 'withdrawn'",
        "waiting_corrections",
        "its history does not say that it is withdrawn",
    ),
    "a held one was recorded": (
        "UPDATE waiting_corrections SET id = (SELECT min(id) FROM corrections)",
        "waiting_corrections",
        "it was recorded, and is held all the same",
    ),
    "votes that are lost": ("DELETE FROM agreement_units", "agreement_units", "is kept as no votes, and is"),
    "votes that nobody gave": (
        "UPDATE agreement_units SET rights = rights + 1",
        "agreement_units",
        "is kept as 1 right, 2 wrong, and is 0 right, 2 wrong",
    ),
    "votes on another run": (
        "UPDATE agreement_units SET run_id = 'run-0'",
        "agreement_units",
        "and is no votes",
    ),
    "figures that are wrong": (
        "UPDATE agreement_counts SET units = units + 1",
        "agreement_counts",
        "units is 2 instead of 1",
    ),
    "a pair that is lost": ("DELETE FROM agreement_pairs", "agreement_pairs", "is kept as None, and is"),
    "a pair that is wrong": (
        "UPDATE agreement_pairs SET answer_rw = answer_rw + 1",
        "agreement_pairs",
        "'answer_rw': 1",
    ),
    "words that are no JSON": (
        "UPDATE corrections SET said = '{'",
        "corrections",
        "what it says cannot be read",
    ),
    "a gap among the calls": (
        "UPDATE run_calls SET position = 9 WHERE position = 1",
        "runs",
        "its 3 calls stand at 0 to 9: there is a gap",
    ),
    "a call is lost": (
        "DELETE FROM run_calls WHERE position = 2",
        "runs",
        "it has 2 calls, and says that it has 3",
    ),
    "the content is lost": (
        "DELETE FROM run_contents WHERE run_id = 'run-1'",
        "runs",
        "its content is not there",
    ),
    "a run that runs again": (
        "UPDATE runs SET status = 'running' WHERE id = 'run-2'",
        "runs",
        "its status is running, and its history says that it ended",
    ),
    "a run is lost": (
        "DELETE FROM runs WHERE id = 'run-2'",
        "events",
        "points to a row of runs that is not there",
    ),
    "a version that nobody saw": (
        "UPDATE runs SET subject_version = 'v8' WHERE id = 'running'",
        "runs",
        "points to a row of subject_versions that is not there",
    ),
    "a subject without versions": ("DELETE FROM subject_versions", "subjects", "seen at no version"),
    "a member who is nobody": (
        "UPDATE members SET principal_id = 'usr_none'",
        "members",
        "there is no user of that id",
    ),
    "a case is lost": (
        "DELETE FROM test_cases WHERE state = 'open' AND position = (SELECT max(position) FROM test_cases)",
        "test_runs",
        "its case_count is",
    ),
    "a result is lost": ("DELETE FROM case_results", "test_cases", "it is done, and its lease or its result"),
    "a verdict is lost": ("DELETE FROM verdicts", "test_runs", "_count is"),
    "a verdict of no case": (
        "UPDATE verdicts SET case_id = 'cas_none'",
        "verdicts",
        "there is no such case with a result",
    ),
    "a verdict on no correction": (
        "UPDATE verdicts SET correction_id = 'cor_none' WHERE correction_id = (SELECT min(correction_id) FROM verdicts)",
        "verdicts",
        "points to a row of corrections that is not there",
    ),
    "a test run that nobody ended": (
        "UPDATE test_runs SET status = 'finished'",
        "test_runs",
        "its status is finished, and its history says test-run.created",
    ),
    "a test run is lost": (
        "DELETE FROM test_runs",
        "events",
        "points to a row of test_runs that is not there",
    ),
    "a job that nobody takes": (
        "UPDATE jobs SET next_at = NULL WHERE state = 'waiting'",
        "jobs",
        "its state is waiting, and a worker would never take it",
    ),
    "a job that was cancelled, and waits": (
        "UPDATE jobs SET next_at = 0 WHERE state = 'cancelled'",
        "jobs",
        "its state is cancelled, and a worker would take it",
    ),
    "a job that runs for nobody": (
        "UPDATE jobs SET state = 'running' WHERE state = 'waiting'",
        "jobs",
        "its state is running, and it is not leased",
    ),
    "a job that failed silently": (
        "UPDATE jobs SET state = 'failed' WHERE state = 'cancelled'",
        "jobs",
        "no event says so",
    ),
    "a trace that is a run, and which is lost": (
        "UPDATE traces SET state = 'finished'",
        "traces",
        "its state is finished, and it is no run",
    ),
    "a trace that was refused silently": (
        "UPDATE traces SET state = 'refused'",
        "traces",
        "it was refused, and nothing says why",
    ),
    "a pin of another version": (
        "UPDATE pins SET version = 'v2'",
        "pins",
        "is of another change than the one that it names",
    ),
    "a pin of a version that nobody saw": (
        "UPDATE pins SET version = 'v7'",
        "pins",
        "points to a row of subject_versions that is not there",
    ),
    "a deploy is lost": (
        "DELETE FROM version_changes WHERE verb = 'deploy'",
        "subjects",
        "points to a row of version_changes that is not there",
    ),
    "a claim is lost": ("DELETE FROM review_claims", "corrections", "in which it answers nothing"),
    "a run under review that nobody has": (
        "UPDATE review_items SET state = 'claimed'",
        "review_items",
        "its state is not that of the claims on it",
    ),
    "a run that no reviewer gets": (
        "UPDATE review_items SET turn = NULL",
        "review_items",
        "it has room and is not handed out",
    ),
    "a claim nobody holds": (
        "UPDATE review_claims SET state = 'active'",
        "review_claims",
        "it is active, and its lease, end or answer differs",
    ),
    "a review that ended by itself": (
        "UPDATE review_items SET state = 'complete'",
        "review_items",
        "when it ended does not fit",
    ),
    "a verdict that others see too early": (
        "UPDATE corrections SET blind = NULL",
        "review_claims",
        "others see what it says",
    ),
    "a verdict that nobody ever sees": (
        "UPDATE review_items SET state = 'dropped', turn = NULL, ended_at = 1",
        "corrections",
        "is hidden for a review that is over",
    ),
    "a rule that nobody adopted": (
        "UPDATE lessons SET status = 'adopted' WHERE status = 'open'",
        "lessons",
        "its status is adopted, and its history says otherwise",
    ),
    "a rule that no agent reads": (
        "UPDATE lessons SET in_force = NULL",
        "lessons",
        "agents read it or do not",
    ),
    "a lesson that repeats nothing": (
        "UPDATE lessons SET duplicate_of = 'les_none' WHERE duplicate_of IS NOT NULL",
        "lessons",
        "which is itself or not there",
    ),
    "a lesson without a story": (
        "DELETE FROM events WHERE kind = 'lesson.recorded'",
        "lessons",
        "its history does not begin with its recording",
    ),
    "kept counts of lessons that are wrong": (
        "UPDATE lesson_counts SET rules = rules + 1",
        "lesson_counts",
        "2 rules and 1 open lessons are kept, instead of 1 and 1",
    ),
    "a kept count that is wrong": (
        "UPDATE correction_counts SET corrections = corrections + 1",
        "correction_counts",
        "instead of",
    ),
    "a kept count that is lost": (
        "DELETE FROM correction_counts",
        "correction_counts",
        "is not kept, and must be",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_found_and_named(url: str, wrong: str) -> None:
    statement, table, says = WRONG[wrong]
    change(url, statement)
    found = check(url)
    told = [fault for fault in found.faults if fault.table == table and says in fault.says]
    assert told, found.faults
    assert all(fault.id for fault in told)
    wrong_ones = [finding for finding in found.findings if finding.ok is False]
    assert wrong_ones
    assert all(finding.fix for finding in wrong_ones)


def test_two_that_stand_in_one_place_are_found(url: str) -> None:
    change(
        url,
        "DROP INDEX uq_corrections_current",
        "UPDATE corrections SET place = '' WHERE run_id = 'run-0'",
    )
    assert any("only one of the two can" in fault.says for fault in check(url).faults)


def test_events_that_the_feed_would_hide_are_found(url: str) -> None:
    change(url, """UPDATE events SET "transaction" = 9000000000000000 WHERE kind = 'run.started'""")
    (fault,) = check(url).faults
    assert (fault.table, "the feed does not show it" in fault.says) == ("events", True)


def test_no_more_than_a_hundred_of_a_kind_are_told(url: str) -> None:
    many = ", ".join(f"('{number:03}')" for number in range(150))
    change(
        url,
        "INSERT INTO members (tenant_id, project_id, principal_kind, principal_id, role, added_at) "
        f"SELECT t.id, 'default', 'user', column1, 'read', 0 FROM tenants t, (VALUES {many}) AS v",
    )
    found = check(url)
    assert len(found.faults) == 100
    (wrong,) = [finding for finding in found.findings if finding.ok is False]
    assert wrong.name == "identity"


def test_pages_that_are_damaged_are_found_and_nothing_else_is_believed(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    create_or_upgrade(url)
    path = tmp_path / "ledger.db"
    with closing(sqlite.connect(path)) as connection:
        question = "SELECT rootpage FROM sqlite_master WHERE name = 'ix_events_feed'"
        (root,) = connection.execute(question).fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    found = {finding.name: finding for finding in check(url).findings}
    assert found["integrity"].ok is False
    assert "go back to a backup" in (found["integrity"].fix or "")
    assert found["corrections"].ok is None


def test_a_schema_that_does_not_fit_is_not_checked(url: str) -> None:
    change(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaMismatch):
        check(url)


def test_a_ledger_is_checked_while_it_is_written_to(places: Places) -> None:
    url = places.with_schema()
    serving = Serving(url)
    writers = Writers(serving.tenant("busy"))
    try:
        threads = writers.start(already=30)
        for _ in range(3):
            assert sound(url)
        writers.stopped.set()
        for thread in threads:
            thread.join(60)
    finally:
        writers.stopped.set()
        serving.close()
    assert sound(url)
