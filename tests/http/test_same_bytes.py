"""The same story with the same clock and ids gives the same bytes on both engines."""

import re
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from setright.app import machine
from setright.app.assemble import assemble
from setright.app.settings import Settings
from setright.faces.http.application import build
from setright.kernel.clock import Clock
from setright.storage.open import create_or_upgrade
from tests.http.conftest import new_sqlite
from tests.http.support import Caller
from tests.http.test_openapi import play
from tests.support.postgres import Postgres

LEASE = re.compile(r'"until":"[^"]+",|"expiresAt":"[^"]+",(?="run":)')


class Source:
    """A clock that moves a millisecond at every look, and ids that count."""

    def __init__(self) -> None:
        self.moment = 1_767_574_800_000_000_000
        self.count = 0

    def seconds(self) -> int:
        return self.moment

    def __call__(self, prefix: str, now: int) -> str:
        self.count += 1
        return f"{prefix}_01KE5MCQ80{self.count:016d}"


def told(url: str) -> dict[str, tuple[int, dict[str, str], str]]:
    """The answers of the whole story on a fresh database, without secrets and leases.

    Secrets are random, and leases go by the database's clock.
    """
    source = Source()
    app = assemble(Settings(database=url), Clock(source.seconds), source)
    made = machine.new_tenant(app, "tenant", "default", "ada")
    asgi: Any = build(app)
    client = TestClient(asgi, base_url="http://localhost")
    caller = Caller(client, made.tenant.id, made.user.id, made.issued.secret, app)

    class Ticking(Caller):
        def send(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
            source.moment += 1_000_000
            return super().send(method, path, body, **more)

    answers = play(Ticking(caller.client, caller.tenant_id, caller.id, caller.token, caller.app))
    app.close()
    shown = ("content-type", "content-length", "etag", "location", "x-request-id")
    return {
        name: (
            answer.status_code,
            {header: answer.headers.get(header, "") for header in shown},
            LEASE.sub("", re.sub(r'"secret":"[^"]+"', '"secret":""', answer.text)),
        )
        for name, answer in answers.items()
    }


def test_both_engines_answer_the_same(tmp_path: Path, postgres: Postgres) -> None:
    elsewhere = postgres.new_database()
    create_or_upgrade(elsewhere)
    assert told(new_sqlite(tmp_path)) == told(elsewhere)
