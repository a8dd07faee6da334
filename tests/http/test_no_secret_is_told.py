"""After all of the system was in use, no secret stands in a log, an error, an event, a kept answer, a file or a backup."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from setright.app.schema import TABLES
from setright.faces.http.route import Route
from setright.faces.http.table import ROUTES
from setright.faces.mcp.table import TOOLS
from setright.storage import Sql
from setright.storage.kept import marks
from setright.storage.open import create_or_upgrade
from tests.backup.places import Places
from tests.cli.shell import Shell
from tests.http.places import request_of
from tests.http.support import Api, Caller, open_api
from tests.http.writes import REQUESTS, made_things
from tests.mcp.asking import Asking
from tests.mcp.places import call_of

PASSWORD, WRONG, OF_DATABASE = "Quivering nightingales 7", "Quivering sparrows 8", "Quivering-of-the-database"
SENT = "Quivering-in-a-header"


@dataclass
class Used:
    """A ledger in which everything was done once, the secrets that were in it, and all that was told of it."""

    api: Api
    url: str
    secrets: dict[str, str] = field(default_factory=dict[str, str])
    told: dict[str, str] = field(default_factory=dict[str, str])

    def keep(self, name: str, answer: Any) -> None:
        """Note what was told in an error."""
        if answer.status_code >= 400:
            self.told[f"{name} {answer.status_code}"] = f"{answer.text} {dict(answer.headers)}"

    def hits(self, text: str, *, but: tuple[str, ...] = ()) -> list[str]:
        """The secrets that stand in a text."""
        return [name for name, secret in self.secrets.items() if secret in text and name not in but]


class _Taken(logging.Handler):
    """Every line that any library logs, however little it matters."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def listening() -> Iterator[_Taken]:
    """Hear everything that is logged meanwhile."""
    root, taken = logging.getLogger(), _Taken()
    before = root.level
    root.addHandler(taken)
    root.setLevel(logging.DEBUG)
    try:
        yield taken
    finally:
        root.removeHandler(taken)
        root.setLevel(before)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def places(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Places:
    """Where databases and backups of each engine are put."""
    if request.param == "postgresql":
        postgres = request.getfixturevalue("postgres")
        return Places("postgresql", tmp_path_factory.mktemp("kept"), postgres.new_database, postgres.programs)
    return Places("sqlite", tmp_path_factory.mktemp("kept"), str, Path())


@pytest.fixture(scope="module")
def used(places: Places) -> Iterator[Used]:
    """The ledger, after everything was done."""
    url = places.new()
    create_or_upgrade(url)
    given = url
    if places.engine == "postgresql":
        given = url.replace("://postgres:@", f"://postgres:{OF_DATABASE}@")
        assert OF_DATABASE in given, url
    with listening() as taken:
        api = open_api(given, log_level="debug", slow_call_ms=1)
        made = Used(api, given, {"database password": OF_DATABASE, "header": SENT})
        do_everything(made)
        made.told["libraries"] = "\n".join(taken.lines)
        made.told["log"] = api.logged
        yield made
        api.close()


def do_everything(used: Used) -> None:
    """Every writing route and every tool, signing in, errors of each kind, crashes and jobs."""
    api, owner = used.api, used.api.tenant()
    service = owner.service("admin")
    used.secrets |= {"token": owner.token, "token of a service": service.token, "session": owner.session()[1]}
    used.secrets |= {
        name: secret[-40:] for name, secret in dict(used.secrets).items() if name.startswith("token")
    }
    for row in api.app.store.read(lambda at: at.all(Sql(select(marks)))).result(20):
        if "secret" in row["name"]:
            used.secrets[f"ledger's {row['name']}"] = row["value"]
    made = made_things(owner)
    for route in ROUTES:
        if isinstance(route, Route):
            path, body = request_of(route, made)
            if route.name != "disableUser":
                answer = (
                    owner.keyed(f"key-{route.name}", path, body, route.method)
                    if route.writes
                    else owner.get(path)
                )
                used.keep(route.name, answer)
                note_secret(used, route.name, answer)
    for tool in TOOLS:
        used.told[tool.name] = str(Asking(owner).result(tool.name, **call_of(tool, made)))
    sign_in(used, owner)
    fail(used, owner)
    while api.app.worker.turn():
        pass
    used.told["metrics"] = api.client.get("/metrics").text
    used.told["events"] = owner.get("/v1/events?limit=100").text


def note_secret(used: Used, name: str, answer: Any) -> None:
    """Remember a secret that was given out once."""
    if answer.status_code < 300 and "secret" in answer.text:
        used.secrets[f"secret of {name}"] = answer.json()["secret"]


def sign_in(used: Used, owner: Caller) -> None:
    """An invitation, a password, a session; a wrong password; and each of them again where it does not count any more."""
    used.secrets |= {"password": PASSWORD, "wrong password": WRONG}
    user = owner.mailed("marthe")
    invited = owner.post(f"/v1/users/{user}/invite").json()["secret"]
    used.secrets["invitation"] = invited
    client, tenant = used.api.client, owner.get("/v1/me").json()["tenantName"]
    who = {"email": "marthe@example.org", "tenant": tenant}
    for name, path, body in (
        ("set", "/v1/passwords", {"invitation": invited, "password": PASSWORD}),
        ("set again", "/v1/passwords", {"invitation": invited, "password": PASSWORD}),
        ("sign in", "/v1/sessions", {**who, "password": PASSWORD}),
        ("wrong", "/v1/sessions", {**who, "password": WRONG}),
        ("too much", "/v1/sessions", {**who, "password": PASSWORD, "passwort": PASSWORD}),
        ("no text", "/v1/sessions", {**who, "password": [PASSWORD]}),
    ):
        answer = client.post(path, json=body)
        used.keep(name, answer)
        note_secret(used, name, answer)
    used.keep(
        "broken",
        client.post(
            "/v1/sessions", content=f'{{"password": "{PASSWORD}', headers={"content-type": "application/json"}
        ),
    )


def fail(used: Used, owner: Caller) -> None:
    """Requests that are refused in every way, with secrets wherever a client may put them; and crashes that hold some."""
    client, bearer = used.api.client, f"Bearer {owner.token}"
    ended = owner.service()
    used.secrets["ended token"] = ended.token
    owner.send("DELETE", f"/v1/tokens/{ended.get('/v1/me').json()['token']['id']}")
    for name, headers in (
        ("another scheme", {"authorization": f"Basic {SENT}"}),
        ("no token", {"authorization": f"Bearer {SENT}"}),
        ("cut token", {"authorization": bearer[:-3]}),
        ("ended token", {"authorization": f"Bearer {ended.token}"}),
        ("cookie", {"cookie": f"session={SENT}"}),
        ("two", {"authorization": f"{bearer}, {bearer}"}),
        ("origin", {"authorization": bearer, "origin": "https://elsewhere.example"}),
        ("media type", {"authorization": bearer, "content-type": "text/plain"}),
        ("accept", {"authorization": bearer, "accept": "text/html"}),
    ):
        used.keep(name, client.post("/v1/corrections", content=b"{}", headers=headers))
        used.keep(f"{name} over MCP", client.post("/mcp", content=b"{}", headers=headers))
    used.keep("large", owner.post("/v1/runs", {"input": "x" * 5_000_000}))
    used.keep("nowhere", owner.get("/v1/nowhere"))
    used.keep("token in a query", owner.get("/v1/runs?access_token=elsewhere"))
    with pytest.MonkeyPatch.context() as patch:
        crash = RuntimeError(f"{owner.token} {PASSWORD} {used.url}")
        patch.setattr(type(used.api.app.performer), "ask", _raising(crash))
        patch.setattr(type(used.api.app.performer), "perform", _raising(crash))
        used.keep("crash of a read", owner.get("/v1/runs"))
        used.keep("crash of a write", owner.post("/v1/projects", {"name": "P"}))
        used.told["crash of a tool"] = str(Asking(owner).result("run_get", run_id="known"))


def _raising(error: Exception) -> Any:
    def raising(*_: Any, **__: Any) -> Any:
        raise error

    return raising


def test_there_is_enough_to_look_through(used: Used) -> None:
    statuses = {name.rpartition(" ")[2] for name in used.told}
    assert {"400", "401", "403", "404", "405", "406", "409", "413", "415", "429", "500"} - statuses <= {
        "405",
        "406",
        "429",
    }
    assert len(used.secrets) >= 15
    assert "crash" in used.told["log"]
    assert len(REQUESTS) > 50


def test_nothing_that_is_told_or_logged_holds_a_secret(used: Used) -> None:
    assert {name: found for name, text in used.told.items() if (found := used.hits(text))} == {}


def test_no_row_holds_a_secret(used: Used) -> None:
    own = tuple(name for name in used.secrets if name.startswith("ledger's"))
    found: dict[str, list[str]] = {}
    for table in TABLES:
        rows = used.api.app.store.read(lambda at, table=table: at.all(Sql(select(table)))).result(20)
        found[table.name] = used.hits(str(rows), but=own)
    assert {name: hits for name, hits in found.items() if hits} == {}


def test_no_file_and_no_backup_holds_a_secret(places: Places, used: Used) -> None:
    own = tuple(name for name in used.secrets if name.startswith("ledger's"))
    made = places.back_up(used.url)
    files = [path for path in places.folder.iterdir() if path.is_file()]
    assert len(files) >= 2 if places.engine == "sqlite" else files
    assert made
    assert {
        path.name: hits for path in files if (hits := used.hits(path.read_bytes().decode("latin-1"), but=own))
    } == {}


def test_no_command_tells_a_secret(used: Used, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    nowhere = f"postgresql://somebody:{OF_DATABASE}@127.0.0.1:1/nowhere"
    token = used.secrets["token"]
    told = [
        shell("doctor", SETRIGHT_DATABASE=nowhere, SETRIGHT_TOKEN=token),
        shell("doctor", "--json", "--database", nowhere),
        shell("verify", "--database", nowhere),
        shell("db", "check", "--database", nowhere),
        shell("runs", "list", "--database", nowhere),
        shell("runs", "list", SETRIGHT_URL="http://127.0.0.1:1", SETRIGHT_TOKEN=token),
        shell("runs", "list", SETRIGHT_URL="http://127.0.0.1:1", SETRIGHT_TOKEN=f"{token}\u00e9"),
        shell(
            "sign-in",
            "--email",
            "a@example.org",
            "--json",
            stdin=f"{PASSWORD}\n",
            SETRIGHT_URL="http://127.0.0.1:1",
        ),
    ]
    assert all(one.code for one in told)
    assert used.hits(" ".join(f"{one.out} {one.err}" for one in told)) == []
