"""The real application on a real database, and callers of fresh tenants."""

import io
import threading
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import uvicorn
from starlette.testclient import TestClient

from setright import identity, jobs, knowledge
from setright.app import machine
from setright.app.assemble import RunningApp, assemble
from setright.app.settings import Settings
from setright.faces.http.application import build
from setright.faces.http.logs import Lines, open_log
from setright.faces.http.protocol import Protocol
from setright.kernel.actor import Actor
from setright.kernel.clock import SECOND
from setright.kernel.fields import validate
from setright.storage import Tx
from tests.knowledge.reading_room import a_text

_NUMBERS = count(1)


@dataclass
class Caller:
    """A token of a tenant and a client that sends it."""

    client: TestClient
    tenant_id: str
    id: str
    token: str
    app: RunningApp

    def send(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """Send a request as this caller; `body` goes as JSON."""
        headers = {"authorization": f"Bearer {self.token}", **more.pop("headers", {})}
        if body is not None:
            more["json"] = body
        return self.client.request(method, path, headers=headers, **more)

    def get(self, path: str, **more: Any) -> Any:
        """GET as this caller."""
        return self.send("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        """POST as this caller."""
        return self.send("POST", path, body, **more)

    def trace(self, project: str, trace_id: str = "0af7651916cd43dd8448eb211c80319c") -> str:
        """An exporter sends one span of a trace to a project."""
        span = {"traceId": trace_id, "spanId": "00f067aa0ba902b7", "name": "chat"}
        body = {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}
        sent = self.post("/v1/traces", body, headers={"x-setright-project": project})
        assert sent.status_code == 200, sent.text
        return trace_id

    def keyed(self, key: str, path: str, body: Any = None, method: str = "POST", **headers: str) -> Any:
        """A write with an Idempotency-Key, of whatever state the thing is in."""
        given = {"idempotency-key": key, **({"if-match": "*"} if method == "PATCH" else {})}
        return self.send(method, path, body, headers={**given, **headers})

    def with_token(self, token: str) -> "Caller":
        """The same tenant with another token."""
        return replace(self, token=token)

    def service(self, role: str = "write", **more: Any) -> "Caller":
        """A service of the same tenant."""
        made = self.post("/v1/tokens", {"kind": "service", "name": "agent", "role": role, **more})
        assert made.status_code == 201, made.text
        return replace(self, token=made.json()["secret"], id=made.json()["id"])

    def user(self, name: str, role: str | None = None) -> "Caller":
        """Another user of the same tenant."""
        user = self.post("/v1/users", {"name": name, **({"role": role} if role else {})})
        assert user.status_code == 201, user.text
        made = self.post("/v1/tokens", {"kind": "user", "name": "own", "userId": user.json()["id"]})
        assert made.status_code == 201, made.text
        return replace(self, token=made.json()["secret"], id=user.json()["id"])

    def mailed(self, name: str, **more: Any) -> str:
        """Another user of the tenant, with an address of e-mail; its id."""
        made = self.post("/v1/users", {"name": name, "email": f"{name}@example.org", **more})
        assert made.status_code == 201, made.text
        return made.json()["id"]

    def session(self) -> tuple[str, str]:
        """A session of this user, opened without a password; its id and its secret."""

        def work(tx: Tx) -> identity.IssuedSession:
            tx.actor = Actor(self.tenant_id, "user", self.id, "", frozenset())
            day = 24 * 3600 * SECOND
            return identity.begin_session(tx, identity.find_user(tx, self.id), identity.Lasting(day, day))

        made = self.app.store.write(work).result(20)
        return made.session.id, made.secret

    def run(self, run_id: str | None = None, **more: Any) -> str:
        """A finished run of the tenant's project; its id."""
        made = self.post("/v1/runs", {**a_run(), **({"id": run_id} if run_id else {}), **more})
        assert made.status_code == 201, made.text
        return made.json()["id"]

    def job(self) -> str:
        """A job of the tenant that is due tomorrow; its id."""

        def ask(tx: Tx) -> None:
            tx.actor = Actor(self.tenant_id, "user", self.id, "", frozenset())
            jobs.ask(tx, "of-a-test", tx.new_id("key"), {}, due=tx.now + 24 * 3600 * SECOND)

        self.app.store.write(ask).result(20)
        return self.get("/v1/jobs?limit=1").json()["data"][0]["id"]

    def held(self, run_id: str, **more: Any) -> dict[str, Any]:
        """A correction that waits for its run in the tenant's project."""
        path = "/v1/corrections?whenRunMissing=hold&projectId=default"
        made = self.post(path, a_correction(run_id, **more))
        assert made.status_code == 202, made.text
        return made.json()

    def correction(self, run_id: str | None = None, **more: Any) -> dict[str, Any]:
        """A correction that says that the answer of a run was wrong."""
        made = self.post("/v1/corrections", a_correction(run_id or self.run(), **more))
        assert made.status_code == 201, made.text
        return made.json()

    def test_run(self, version: str = "v2", **more: Any) -> dict[str, Any]:
        """A test run of a version of the agent `refunds`, which has corrections."""
        subject = {"kind": "agent", "id": "refunds", "version": version}
        made = self.post("/v1/test-runs", {"projectId": "default", "subject": subject, **more})
        assert made.status_code == 201, made.text
        return made.json()

    def lesson(self, **more: Any) -> dict[str, Any]:
        """An open lesson of the tenant's project."""
        made = self.post("/v1/lessons", a_lesson(**more))
        assert made.status_code == 201, made.text
        return made.json()

    def text(self, artifact_id: str = "P1", **more: Any) -> str:
        """A text of the tenant whose first word, lu2-gal, means king; its id."""

        def keep(tx: Tx) -> None:
            tx.actor = Actor(self.tenant_id, "user", self.id, "", frozenset())
            knowledge.record_artifact(tx, validate(knowledge.NewArtifact, a_text(artifact_id, **more)))

        self.app.store.write(keep).result(20)
        return artifact_id

    def group(self, **more: Any) -> dict[str, Any]:
        """A corrector group, of the whole tenant unless told otherwise."""
        body = {"name": "Experts", "scope": {"kind": "tenant"}, **more}
        made = self.post("/v1/corrector-groups", body)
        assert made.status_code == 201, made.text
        return made.json()

    def queue(self, **more: Any) -> dict[str, Any]:
        """A review queue of the project `default`."""
        made = self.post("/v1/review-queues", {"projectId": "default", "name": "Q", **more})
        assert made.status_code == 201, made.text
        return made.json()

    def claim(self, queue: dict[str, Any]) -> dict[str, Any]:
        """The next run of a queue for this caller."""
        made = self.post(f"/v1/review-queues/{queue['id']}/claims")
        assert made.status_code == 201, made.text
        return made.json()

    def judge(self, claim: dict[str, Any], **said: Any) -> dict[str, Any]:
        """The correction by which this caller answers a claim; wrong unless told otherwise."""
        path = f"/v1/review-queues/{claim['queueId']}/claims/{claim['id']}/correction"
        made = self.post(path, said or {"answer": "wrong", "shouldSay": "yes"})
        assert made.status_code == 201, made.text
        return made.json()


@dataclass
class Api:
    """An application on a database, with what it logged."""

    app: RunningApp
    client: TestClient
    _lines: Lines
    _stream: io.StringIO

    @property
    def logged(self) -> str:
        """Everything that was logged."""
        self._lines.drain()
        return self._stream.getvalue()

    def tenant(self) -> Caller:
        """The admin of a new tenant, which has the project `default`."""
        made = machine.new_tenant(self.app, f"tenant-{next(_NUMBERS)}-{id(self)}", "default", "ada")
        return Caller(self.client, made.tenant.id, made.user.id, made.issued.secret, self.app)

    def close(self) -> None:
        """Close the client and the database."""
        self.client.close()
        self.app.close()


def open_api(url: str, **settings: Any) -> Api:
    """The application on the database at `url`, which has a schema."""
    given = {"rate_per_second": 0, "log_format": "json", "otlp_quiet_seconds": 3600, **settings}
    app = assemble(Settings(database=url, **given))
    stream = io.StringIO()
    lines = Lines(stream)
    asgi: Any = build(app, open_log(app.settings, lines, terminal=False))
    client = TestClient(asgi, base_url="http://localhost", raise_server_exceptions=True)
    return Api(app, client, lines, stream)


def a_run(**more: Any) -> dict[str, Any]:
    """The body of a finished run."""
    return {
        "projectId": "default",
        "subject": {"kind": "agent", "id": "refunds", "version": "v1"},
        "input": {"question": "may I?"},
        "calls": [{"tool": "look_up", "args": {"order": 1}, "result": "paid"}],
        "output": {"matches": [{"id": "a"}, {"id": "b"}]},
        "answer": "no",
        **more,
    }


def a_correction(run_id: str, **more: Any) -> dict[str, Any]:
    """The body of a correction."""
    return {"runId": run_id, "answer": "wrong", "shouldSay": "yes", **more}


def a_lesson(**more: Any) -> dict[str, Any]:
    """The body of a lesson."""
    return {
        "projectId": "default",
        "agent": "refunds",
        "kind": "instruction",
        "noticedBy": "person",
        "whatHappened": "It refused without looking.",
        "rule": "Look up the order first.",
        **more,
    }


def error_of(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The error of an answer, which must be in the one envelope."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    whole = answer.json()
    assert set(whole) == {"error"}
    error = whole["error"]
    assert {"code", "message", "requestId"} <= set(error) <= {"code", "message", "details", "requestId"}
    assert error["code"] == code, error
    assert error["requestId"] == answer.headers["x-request-id"]
    return error


class Served:
    """An application behind a real socket, in a thread of this process."""

    def __init__(self, asgi: Any, port: int = 0, **more: Any) -> None:
        config = uvicorn.Config(
            asgi,
            host="127.0.0.1",
            port=port,
            http=Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            **more,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive()
        self.port: int = self._server.servers[0].sockets[0].getsockname()[1]

    def stop(self) -> None:
        """Stop gracefully."""
        self._server.should_exit = True
        self._thread.join(20)
