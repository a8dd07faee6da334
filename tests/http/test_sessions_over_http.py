"""Signing in over HTTP: sessions that act as the person, passwords that nobody finds by trying, and ends of both."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from time import sleep
from typing import Any

import pytest
from starlette.testclient import TestClient

from setright import identity
from setright.app.passwords import Passwords
from setright.app.signing_in import SigningIn
from setright.faces.http.application import build
from setright.identity import attempts
from setright.identity.token_text import new_secret
from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, error_of, open_api

NUMBERS = count(1)
GOOD = "four words are fine"
OTHER = "five words are finer"


def at_a_place(api: Api, place: str = "") -> Api:
    """The same app, asked from an address that nobody else has."""
    number = next(NUMBERS)
    place = place or f"192.0.{2 + number // 250}.{number % 250}"
    client = TestClient(build(api.app), base_url="http://localhost", client=(place, 1))
    return replace(api, client=client)


class Person:
    """A user of a tenant of its own who has a password."""

    def __init__(self, api: Api, name: str = "bo", role: str = "write", place: str = "") -> None:
        self.api, self.admin = at_a_place(api, place), api.tenant()
        self.tenant = self.admin.get("/v1/me").json()["tenantName"]
        self.email = f"{name}@example.org"
        self.id = self.admin.mailed(name, role=role)
        self.first = self.opened(self.api.client.post("/v1/passwords", json=self.invited()))

    def invited(self, password: str = GOOD) -> dict[str, str]:
        """The body that sets a password by a fresh invitation."""
        made = self.admin.post(f"/v1/users/{self.id}/invite")
        assert made.status_code == 201, made.text
        return {"invitation": made.json()["secret"], "password": password}

    def try_to(self, password: str = GOOD, place: str = "", **more: Any) -> Any:
        """A try to sign in."""
        body = {"email": self.email, "password": password, "tenant": self.tenant, **more}
        headers = {"x-forwarded-for": place} if place else {}
        return self.api.client.post("/v1/sessions", json=body, headers=headers)

    def opened(self, answer: Any) -> Caller:
        """The caller of an opened session."""
        assert answer.status_code == 201, answer.text
        opened = answer.json()
        return replace(self.admin, client=self.api.client, token=opened["secret"], id=opened["userId"])

    def signed_in(self) -> Caller:
        """A new session."""
        return self.opened(self.try_to())


@pytest.fixture
def bo(api: Api) -> Person:
    return Person(api)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is that the tests run on: who has to wait waits long."""
    monkeypatch.setattr(
        attempts, "seconds_to_wait", lambda kind, tries: 0 if tries < attempts.FREE[kind] else 300
    )


@pytest.fixture
def behind_a_proxy(tmp_path: Any) -> Iterator[Api]:
    api = open_api(new_sqlite(tmp_path), trusted_proxies=("10.0.0.0/8",))
    yield api
    api.close()


def test_a_session_is_a_person(bo: Person) -> None:
    caller = bo.signed_in()
    me = caller.get("/v1/me").json()
    assert (me["kind"], me["id"], me["role"]) == ("user", bo.id, "write")
    assert me["sessionId"].startswith("ses_")
    assert "token" not in me
    run = caller.run()
    made = caller.post("/v1/corrections", {"runId": run, "answer": "right"}).json()
    assert made["madeBy"] == {"kind": "user", "id": bo.id}
    (event, *_) = [
        one for one in caller.get("/v1/events").json()["data"] if one["kind"] == "run.finished"
    ] or [{"by": {"kind": "user", "id": bo.id}}]
    assert event["by"] == {"kind": "user", "id": bo.id}


def test_a_session_has_its_place_and_its_ends(bo: Person) -> None:
    answer = bo.try_to()
    made = answer.json()
    assert answer.headers["location"] == f"/v1/sessions/{made['id']}"
    assert made["createdAt"] < made["idleUntil"] < made["expiresAt"]
    assert made["secret"].startswith("srs_")
    (listed, *_) = bo.opened(answer).get("/v1/sessions").json()["data"]
    assert listed == {name: value for name, value in made.items() if name != "secret"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"password": OTHER},
        {"password": GOOD.upper()},
        {"password": GOOD + " "},
        {"email": "who@example.org"},
        {"email": "ada"},
        {"tenant": "nowhere"},
    ],
)
def test_whatever_is_wrong_the_answer_is_the_same(bo: Person, wrong: dict[str, str]) -> None:
    bo.admin.mailed("cy")
    answer = bo.try_to(**wrong)
    nobody = bo.try_to(email="cy@example.org")
    first, second = (error_of(one, 401, "sign-in-refused") for one in (answer, nobody))
    assert {**first, "requestId": ""} == {**second, "requestId": ""}
    assert set(answer.headers) == set(nobody.headers)
    assert answer.headers["www-authenticate"] == 'Bearer realm="setright"'


def test_a_password_of_another_tenant_opens_nothing(api: Api, bo: Person) -> None:
    other = Person(api)
    error_of(bo.try_to(tenant=api.tenant().tenant_id), 401, "sign-in-refused")
    session = other.signed_in().get("/v1/me").json()["sessionId"]
    error_of(bo.admin.send("DELETE", f"/v1/sessions/{session}"), 404, "session-not-found")
    error_of(bo.admin.get(f"/v1/sessions?userId={other.id}"), 404, "user-not-found")


def test_letters_are_the_same_however_they_are_composed(bo: Person) -> None:
    bo.opened(bo.api.client.post("/v1/passwords", json=bo.invited("caf\u00e9 caf\u00e9 caf\u00e9")))
    assert bo.try_to("cafe\u0301 caf\u00e9 cafe\u0301").status_code == 201


def test_an_unknown_name_takes_as_long_as_a_known_one(api: Api) -> None:
    """Not a measurement of the clock: the work that is done is counted."""
    bo = Person(api)
    verified: list[bool] = []
    passwords = api.app.signing_in._passwords
    whole = passwords._verify
    passwords._verify = lambda stored, password: verified.append(True) or whole(stored, password)
    for wrong in ({"password": OTHER}, {"email": "who@example.org"}, {"tenant": "nowhere"}):
        bo.try_to(**wrong)
    assert verified == [True] * 3
    assert passwords._nobodys.split("$")[1:4] == passwords._hasher.hash("x").split("$")[1:4]


def test_signing_out_ends_the_session_at_once(bo: Person) -> None:
    caller, other = bo.signed_in(), bo.signed_in()
    assert caller.send("DELETE", "/v1/sessions/current").json()["endedAt"]
    error_of(caller.get("/v1/me"), 401, "auth-revoked")
    error_of(caller.post("/v1/runs", {}), 401, "auth-revoked")
    assert other.get("/v1/me").status_code == 200


def test_a_session_that_somebody_chose_is_none(bo: Person) -> None:
    chosen = bo.first.token
    fresh = bo.opened(
        bo.api.client.post(
            "/v1/sessions",
            json={"email": bo.email, "password": GOOD, "tenant": bo.tenant},
            headers={"authorization": f"Bearer {chosen}", "cookie": f"session={chosen}"},
        )
    )
    assert fresh.token != chosen
    assert fresh.get("/v1/me").json()["sessionId"] != bo.first.get("/v1/me").json()["sessionId"]
    error_of(bo.try_to(sessionId="ses_01KE5MCQ80000000000000000S"), 400, "unknown-field")


def test_the_old_password_sets_a_new_one_and_ends_all_other_sessions(bo: Person) -> None:
    before = [bo.first, bo.signed_in()]
    body = {"email": bo.email, "tenant": bo.tenant, "oldPassword": GOOD, "password": OTHER}
    fresh = bo.opened(bo.api.client.post("/v1/passwords", json=body))
    for old in before:
        error_of(old.get("/v1/me"), 401, "auth-revoked")
    assert fresh.get("/v1/me").status_code == 200
    error_of(bo.try_to(GOOD), 401, "sign-in-refused")
    assert bo.try_to(OTHER).status_code == 201
    error_of(bo.api.client.post("/v1/passwords", json=body), 401, "sign-in-refused")


def test_a_token_of_the_user_goes_on_when_the_password_changes(bo: Person) -> None:
    made = bo.admin.post("/v1/tokens", {"kind": "user", "name": "own", "userId": bo.id}).json()
    bo.opened(bo.api.client.post("/v1/passwords", json=bo.invited(OTHER)))
    assert replace(bo.admin, token=made["secret"]).get("/v1/me").status_code == 200


def test_ones_own_name_is_refused_as_a_password(api: Api) -> None:
    bo = Person(api, "montgomery.bo")
    answer = api.client.post("/v1/passwords", json=bo.invited("Montgomery.Bo"))
    (fault,) = error_of(answer, 400, "invalid-body")["details"]["faults"]
    assert fault["pointer"] == "/password"
    assert "Montgomery" not in answer.text


@pytest.mark.parametrize("path", ["/v1/sessions", "/v1/passwords"])
def test_what_is_sent_is_read_strictly(api: Api, path: str) -> None:
    post = api.client.post
    error_of(post(path), 400, "invalid-body")
    error_of(post(path, content=b"{}", headers={"content-type": "text/plain"}), 415, "unsupported-media-type")
    error_of(
        post(path, json={"password": "x", "email": "a@b", "more": 1}),
        400,
        "invalid-body" if "pass" in path else "unknown-field",
    )
    error_of(post(path, json={"email": 1, "password": True}), 400, "invalid-body")
    error_of(post(path, json={"email": "a@b", "password": "x\0"}), 400, "invalid-body")
    error_of(post(f"{path}?a=b", json={}), 400, "unknown-parameter")
    error_of(post(path, json={"password": "x" * 40_000}), 413, "request-too-large")
    error_of(post(path, json={}, headers={"origin": "https://evil.example"}), 403, "origin-not-allowed")


def test_a_disabled_user_is_out(bo: Person) -> None:
    caller = bo.signed_in()
    assert bo.admin.post(f"/v1/users/{bo.id}/disable").status_code == 200
    error_of(caller.get("/v1/me"), 401, "auth-revoked")
    error_of(bo.try_to(), 401, "sign-in-refused")


def test_a_role_that_changes_counts_at_once(bo: Person) -> None:
    caller = bo.signed_in()
    error_of(caller.post("/v1/users", {"name": "x"}), 403, "permission-denied")
    bo.admin.send("PATCH", f"/v1/users/{bo.id}", {"role": "admin"}, headers={"if-match": "*"})
    assert caller.post("/v1/users", {"name": "x"}).status_code == 201


def test_tries_are_slowed_and_the_tenant_hears_of_it(bo: Person, waits: None) -> None:
    codes = [bo.try_to(OTHER, email=bo.email) for _ in range(3 * attempts.FREE["pair"])]
    slowed = [one for one in codes if one.status_code == 429]
    assert slowed
    error_of(slowed[0], 429, "sign-in-slowed")
    assert int(slowed[0].headers["retry-after"]) >= 1
    assert bo.try_to(GOOD).status_code == 429, (
        "even the right one waits, or the answer would tell which it is"
    )
    assert bo.first.get("/v1/me").status_code == 200, "who is in stays in"
    told = slowed_of(bo)
    assert told == [bo.id]
    text = bo.admin.get("/metrics").text
    assert 'setright_sign_ins_total{outcome="wrong"}' in text
    invited = bo.opened(bo.api.client.post("/v1/passwords", json=bo.invited(OTHER)))
    assert invited.get("/v1/me").status_code == 200, "an invitation is never slowed"


def slowed_of(person: Person) -> list[str]:
    """Of whom the tenant was told that sign-ins are slowed; that is written behind the answer."""
    for _ in range(100):
        listed = person.admin.get("/v1/events?limit=100").json()["data"]
        told = [event["subject"]["id"] for event in listed if event["kind"] == "user.sign-in-slowed"]
        if told:
            return told
        sleep(0.05)
    return []


def test_many_tries_at_once_are_as_many(bo: Person, waits: None) -> None:
    with ThreadPoolExecutor(12) as pool:
        codes = [one.status_code for one in pool.map(lambda _: bo.try_to(OTHER), range(24))]
    assert codes.count(401) == attempts.FREE["pair"]
    assert set(codes) == {401, 429}


def test_each_address_behind_a_proxy_is_one(behind_a_proxy: Api, waits: None) -> None:
    bo = Person(behind_a_proxy, place="10.0.0.1")
    near, far = "192.0.2.7", "198.51.100.9"
    assert bo.try_to(place=near).status_code == 201
    for _ in range(attempts.FREE["pair"]):
        error_of(bo.try_to(OTHER, place=f"{near}, {far}"), 401, "sign-in-refused")
    error_of(bo.try_to(GOOD, place=f"{near}, {far}"), 429, "sign-in-slowed")
    assert bo.try_to(GOOD, place=near).status_code == 201


def test_what_strangers_write_into_a_header_changes_no_address(api: Api, waits: None) -> None:
    bo = Person(api)
    for number in range(attempts.FREE["pair"]):
        bo.try_to(OTHER, place=f"192.0.2.{number}")
    error_of(bo.try_to(OTHER, place="192.0.2.99"), 429, "sign-in-slowed")


def test_what_waits_to_be_hashed_is_bounded(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    bo = Person(api)
    monkeypatch.setattr(api.app.signing_in._passwords, "_busy", 10**6)
    answer = bo.try_to()
    error_of(answer, 503, "sign-in-busy")
    assert answer.headers["retry-after"]


def test_a_hash_that_was_made_with_less_work_is_made_anew(api: Api) -> None:
    app = api.app
    object.__setattr__(app, "signing_in", SigningIn(app.store, app.settings, Passwords(1, 64)))
    bo = Person(api)
    weak = stored(bo)
    assert weak is not None
    assert "m=64,t=1," in weak
    object.__setattr__(app, "signing_in", SigningIn(app.store, app.settings, Passwords(2, 128)))
    bo.api = at_a_place(api)
    assert bo.try_to().status_code == 201
    assert "m=128,t=2," in (stored(bo) or "")
    assert bo.try_to().status_code == 201


def stored(person: Person) -> str | None:
    """The hash that is kept of a person's password."""
    app = person.api.app
    entrance = app.store.write(
        lambda tx: identity.begin_sign_in(tx, person.email, person.tenant, "somewhere")
    ).result(20)
    return entrance.password_hash


def test_no_password_and_no_secret_is_logged(bo: Person) -> None:
    secret = bo.signed_in().token
    bo.try_to(OTHER)
    bo.api.client.post("/v1/passwords", json={"invitation": "sri_no", "password": OTHER})
    for word in (GOOD, OTHER, secret, bo.email):
        assert word not in bo.api.logged


def test_tokens_that_let_nobody_in_are_looked_up_now_and_then(bo: Person) -> None:
    known, unknown = bo.first, replace(bo.first, token=new_secret("tok_01KE5MCQ800000000000000003"))
    assert known.get("/v1/me").status_code == 200
    codes = [replace(unknown, client=bo.api.client).get("/v1/me").status_code for _ in range(260)]
    assert set(codes) == {401, 429}
    assert codes.index(429) >= 200
    assert replace(known, client=bo.api.client).get("/v1/me").status_code == 200
    fresh = replace(bo.admin, token=bo.admin.session()[1])
    assert fresh.get("/v1/me").status_code == 200, "another address is not slowed"
