"""How clients of /mcp come to a token: the metadata, the challenges, and the official client from 401 to an answer."""

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import mcp
import pytest
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from setright.faces.http.application import build
from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, Served, error_of, open_api
from tests.support.issuer import Issuing

PLACE = "/.well-known/oauth-protected-resource/mcp"
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "corrections_record", "arguments": {}},
}
PUBLIC = "https://setright.example.org"
FROM_OUTSIDE = {"host": "setright.example.org"}


@pytest.fixture
def issuing() -> Iterator[Issuing]:
    issuing = Issuing()
    yield issuing
    issuing.close()


def opened(tmp_path: Path, issuing: Issuing, **settings: Any) -> Api:
    """A server that believes the issuer."""
    return open_api(new_sqlite(tmp_path), **{"oidc_issuer": issuing.name, "public_url": PUBLIC, **settings})


@pytest.fixture
def trusting(tmp_path: Path, issuing: Issuing) -> Iterator[Api]:
    api = opened(tmp_path, issuing)
    yield api
    api.close()


def test_the_metadata_names_exactly_this(trusting: Api, issuing: Issuing) -> None:
    answer = trusting.client.get(PLACE, headers=FROM_OUTSIDE)
    assert answer.json() == {
        "resource": f"{PUBLIC}/mcp",
        "authorization_servers": [issuing.name],
        "bearer_methods_supported": ["header"],
        "resource_name": "Setright",
        "scopes_supported": [
            "corrections:read",
            "corrections:write",
            "decisions:read",
            "decisions:write",
            "knowledge:read",
            "knowledge:write",
            "mcp:read",
            "mcp:write",
        ],
    }


@pytest.mark.parametrize(
    "path", ["/.well-known/oauth-protected-resource", f"{PLACE}/", "/.well-known/oauth-authorization-server"]
)
def test_there_is_no_other_document(trusting: Api, path: str) -> None:
    error_of(trusting.client.get(path), 404, "route-not-found")


def test_a_slash_at_the_end_of_the_issuers_name_stays(tmp_path: Path, issuing: Issuing) -> None:
    api = opened(tmp_path, issuing, oidc_issuer=f"{issuing.name}/")
    assert api.client.get(PLACE).json()["authorization_servers"] == [f"{issuing.name}/"]
    api.close()


def test_without_an_issuer_there_is_none(api: Api, tmp_path: Path, issuing: Issuing) -> None:
    error_of(api.client.get(PLACE), 404, "route-not-found")
    hidden = opened(tmp_path, issuing, public_url="", oidc_audience=("a",))
    error_of(hidden.client.get(PLACE), 404, "route-not-found")
    assert "resource_metadata" not in hidden.client.post("/mcp", json=CALL).headers["www-authenticate"]
    hidden.close()


def test_the_challenge_says_where_it_is_and_every_scope(trusting: Api, issuing: Issuing) -> None:
    admin = trusting.tenant()
    admin.mailed("bo", role="write")
    rest = f'scope="mcp:write decisions:write", resource_metadata="{PUBLIC}{PLACE}"'
    told = trusting.client.post("/mcp", json=CALL)
    assert (told.status_code, told.headers["www-authenticate"]) == (401, f"Bearer {rest}")
    for text in ("srt_x", issuing.token(aud="https://other.example")):
        told = replace(admin, token=text).post("/mcp", CALL)
        assert (told.status_code, told.headers["www-authenticate"]) == (
            401,
            f'Bearer error="invalid_token", {rest}',
        )
    for scope in ("mcp:write", "openid", "mcp:read decisions:read"):
        told = replace(admin, token=issuing.token(aud=f"{PUBLIC}/mcp", scope=scope)).post("/mcp", CALL)
        assert told.status_code == 403
        assert told.headers["www-authenticate"] == f'Bearer error="insufficient_scope", {rest}'


def test_scopes_are_called_as_the_issuer_calls_them(tmp_path: Path, issuing: Issuing) -> None:
    api = opened(tmp_path, issuing, oidc_scopes=("use=mcp:write", "use.read=mcp:read"))
    assert api.client.get(PLACE).json()["scopes_supported"][-2:] == ["use.read", "use"]
    told = api.client.post("/mcp", json=CALL).headers["www-authenticate"]
    assert 'scope="use decisions:write"' in told
    api.close()
    whole = opened(tmp_path / "whole", issuing, oidc_scope_claim="none")
    assert "scopes_supported" not in whole.client.get(PLACE).json()
    assert "scope=" not in whole.client.post("/mcp", json=CALL).headers["www-authenticate"]
    whole.close()


class Storage:
    """What the client keeps between requests."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def asked(url: str, storage: Storage) -> list[str]:
    """The tools that the official client is shown once it has found the issuer and got a token there."""
    back: dict[str, str] = {}

    async def consent(address: str) -> None:
        async with httpx2.AsyncClient(trust_env=False) as browser:
            answer = await browser.get(address)
        query = parse_qs(urlsplit(answer.headers["location"]).query)
        back.update({name: values[0] for name, values in query.items()})

    async def returned() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(code=back["code"], state=back["state"], iss=back["iss"])

    provider = OAuthClientProvider(
        url,
        OAuthClientMetadata.model_validate(
            {"redirect_uris": ["http://127.0.0.1:1/back"], "client_name": "test"}
        ),
        storage,
        consent,
        returned,
    )
    async with (
        httpx2.AsyncClient(auth=provider, trust_env=False) as http,
        mcp.Client(streamable_http_client(url, http_client=http)) as client,
    ):
        listed = await client.list_tools()
        told = await client.call_tool("corrections_rules", {"agent": "a"})
        assert not told.is_error
        return [tool.name for tool in listed.tools]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_the_official_client_finds_its_way_by_itself(tmp_path: Path, issuing: Issuing) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    issuing.claims = {"scope": "mcp:read decisions:read"}
    api = opened(tmp_path, issuing, public_url=url)
    api.tenant().mailed("bo", role="write")
    served, storage = Served(build(api.app), port), Storage()
    try:
        tools = asyncio.run(asked(f"{url}/mcp", storage))
    finally:
        served.stop()
        api.close()
    assert "corrections_rules" in tools
    assert "corrections_record" not in tools
    assert issuing.sent[0]["resource"] == issuing.sent[1]["resource"] == f"{url}/mcp"
    assert issuing.sent[0]["scope"].split() == ["mcp:read", "decisions:read"]


def test_a_session_lets_in_as_well_and_out_again(trusting: Api) -> None:
    admin = trusting.tenant()
    session, secret = admin.session()
    person = replace(admin, token=secret)
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert person.post("/mcp", listing).json()["result"]["tools"]
    admin.send("DELETE", f"/v1/sessions/{session}")
    assert person.post("/mcp", listing).status_code == 401


def test_its_user_is_the_person_who_records(trusting: Api, issuing: Issuing) -> None:
    admin = trusting.tenant()
    admin.mailed("bo", role="write")
    text = issuing.token(aud=f"{PUBLIC}/mcp", scope="mcp:write decisions:write")
    arguments = {
        "agent": "a",
        "kind": "drift",
        "noticed_by": "person",
        "what_happened": "It guessed.",
        "expected": "Ask.",
        "space_id": "default",
    }
    body = {**CALL, "params": {"name": "corrections_record", "arguments": arguments}}
    told = Caller(admin.client, "", "", text, admin.app).post("/mcp", body)
    assert "isError" not in told.text.replace('"isError":false', ""), told.text
    (lesson,) = admin.get("/v1/lessons").json()["data"]
    assert lesson["recordedBy"]["kind"] == "user"
