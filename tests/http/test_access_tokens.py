"""Access tokens of an issuer over HTTP: they let users in, for as long and as far as they say."""

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import jwt
import pytest

from setright.app.assemble import assemble
from setright.app.settings import SettingFault, Settings
from setright.outside.documents import DocumentTrouble, read_document
from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, a_run, error_of, open_api
from tests.support.issuer import STRANGER, Issuing, claims


@pytest.fixture
def issuing() -> Iterator[Issuing]:
    issuing = Issuing()
    yield issuing
    issuing.close()


@pytest.fixture
def trusting(tmp_path: Path, issuing: Issuing) -> Iterator[Api]:
    """A server that believes the issuer."""
    api = open_api(
        new_sqlite(tmp_path), oidc_issuer=issuing.name, oidc_audience=("https://setright.example.org/mcp",)
    )
    yield api
    api.close()


@pytest.fixture
def admin(trusting: Api) -> Caller:
    admin = trusting.tenant()
    admin.mailed("bo", role="write")
    return admin


def asks(caller: Caller, text: str, path: str = "/v1/me", method: str = "GET", body: Any = None) -> Any:
    """A request with another token."""
    return Caller(caller.client, "", "", text, caller.app).send(method, path, body)


def test_a_token_lets_its_user_in(admin: Caller, issuing: Issuing) -> None:
    text = issuing.token()
    me = asks(admin, text).json()
    assert (me["kind"], me["name"], me["role"]) == ("user", "bo", "write")
    assert me["scopes"] == ["corrections:read", "corrections:write"]
    assert "token" not in me
    made = asks(admin, text, "/v1/runs", "POST", a_run())
    assert made.status_code == 201
    assert issuing.asked.count("/keys") == 1


def test_it_may_no_more_than_it_says(admin: Caller, issuing: Issuing) -> None:
    error = error_of(
        asks(admin, issuing.token(scope="corrections:read"), "/v1/runs", "POST", a_run()),
        403,
        "scope-missing",
    )
    assert error["details"]["has"] == ["corrections:read"]
    error_of(asks(admin, issuing.token(scope="openid profile"), "/v1/runs"), 403, "scope-missing")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"aud": "https://other.example"}, "auth-invalid"),
        ({"iss": "https://evil.example"}, "auth-invalid"),
        ({"exp": 1}, "auth-expired"),
        ({"email": "who@example.org"}, "auth-invalid"),
        ({"email_verified": False}, "auth-invalid"),
    ],
)
def test_what_must_not_be_believed(
    admin: Caller, issuing: Issuing, changes: dict[str, Any], code: str
) -> None:
    text = issuing.token(**changes)
    answer = asks(admin, text)
    error_of(answer, 401, code)
    assert text not in answer.text
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_a_users_end_is_the_tokens_end(admin: Caller, issuing: Issuing) -> None:
    text = issuing.token()
    me = asks(admin, text).json()
    admin.post(f"/v1/users/{me['id']}/disable")
    error_of(asks(admin, text), 401, "auth-revoked")


def test_a_user_of_another_tenant_is_nobody_without_a_tenant(
    admin: Caller, trusting: Api, issuing: Issuing
) -> None:
    assert asks(admin, issuing.token()).status_code == 200
    other = trusting.tenant()
    other.mailed("cy")
    error_of(asks(admin, issuing.token(email="cy@example.org")), 401, "auth-invalid")


def test_tokens_of_ours_go_on(admin: Caller) -> None:
    assert admin.get("/v1/me").status_code == 200
    assert asks(admin, admin.session()[1]).status_code == 200


def test_a_server_without_an_issuer_believes_none(api: Api, issuing: Issuing) -> None:
    error_of(asks(api.tenant(), issuing.token()), 401, "auth-invalid")


def test_it_cannot_make_a_token_that_outlasts_it(admin: Caller, issuing: Issuing) -> None:
    admin.mailed("dee", role="admin")
    text = issuing.token(email="dee@example.org", scope="admin")
    made = asks(admin, text, "/v1/tokens", "POST", {"kind": "user", "name": "mine"})
    error_of(made, 403, "permission-denied")


def test_nothing_of_a_token_is_logged(admin: Caller, trusting: Api, issuing: Issuing) -> None:
    texts = [issuing.token(), issuing.token(aud="x"), jwt.encode(claims(), STRANGER, "RS256", {"kid": "r1"})]
    for text in texts:
        asks(admin, text)
        assert text not in trusting.logged
        assert text.rpartition(".")[2] not in trusting.logged


def test_an_issuer_that_is_down_from_the_start_is_a_503(tmp_path: Path, issuing: Issuing) -> None:
    api = open_api(new_sqlite(tmp_path), oidc_issuer=issuing.name, oidc_audience=("a",))
    text = issuing.token(aud="a")
    issuing.close()
    answer = asks(api.tenant(), text)
    error_of(answer, 503, "issuer-unavailable")
    assert answer.headers["retry-after"]
    api.close()


def test_a_fault_in_the_keys_starts_nothing(tmp_path: Path) -> None:
    with pytest.raises(SettingFault):
        assemble(
            Settings(
                database=new_sqlite(tmp_path),
                oidc_issuer="https://x",
                oidc_audience=("a",),
                oidc_keys=str(tmp_path),
            )
        )


def redirected(request: BaseHTTPRequestHandler) -> None:
    request.send_response(302)
    request.send_header("Location", "/keys")
    request.end_headers()


def endless(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    try:
        for _ in range(100):
            request.wfile.write(b" " * 65_536)
    except OSError:
        pass


def test_documents_are_read_within_bounds(issuing: Issuing) -> None:
    assert b"issuer" in read_document(f"{issuing.name}/.well-known/openid-configuration")
    issuing.answers = {"/moved": redirected, "/endless": endless}
    for path in ("/moved", "/endless", "/missing"):
        with pytest.raises(DocumentTrouble):
            read_document(f"{issuing.name}{path}")
    assert issuing.asked.count("/keys") == 0
    for url in (
        "http://192.0.2.1/x",
        "file:///etc/passwd",
        "http://localhost.evil.example/",
        "http://a@127.0.0.1/",
        "http://[::1",
    ):
        with pytest.raises(DocumentTrouble):
            read_document(url)


def test_a_remembered_token_is_looked_at_again(admin: Caller, trusting: Api, issuing: Issuing) -> None:
    text = issuing.token()
    asks(admin, text)
    (caller,) = [one for one in trusting.app.callers._known.values() if one.presented.vouched]
    assert caller.found.valid_until is not None
    left = caller.found.valid_until / 1_000_000 - time.time()
    assert 200 < left <= 300
