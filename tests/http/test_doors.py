"""Hosts, origins and media types: who may come in, and in which form."""

from typing import Any

import pytest

from setright.app.settings import Settings
from setright.faces.http.doors import Doors, host_of
from setright.faces.http.errors import InvalidRequest, MisdirectedHost, OriginNotAllowed
from setright.faces.http.request import Request
from tests.http.support import Caller, error_of

DOORS = Doors(
    Settings(allowed_hosts=("Ledger.Example", "10.0.0.7"), allowed_origins=("https://app.example/",))
)


def request(method: str = "GET", client: str = "127.0.0.1", **headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    scope = {"method": method, "raw_path": b"/", "path": "/", "headers": raw, "client": (client, 50_000)}
    return Request(scope, receive)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8321",
        "127.0.0.1",
        "127.9.9.9:1",
        "[::1]:8321",
        "[::1]",
        "ledger.example",
        "10.0.0.7:80",
    ],
)
def test_our_own_names_pass_with_any_port(host: str) -> None:
    for _ in range(2):
        DOORS.check_host(request(host=host))


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "10.0.0.8",
        "128.0.0.1",
        "127.evil.example",
        "127.0.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1.2",
        "127.0.0.1000",
        "127.1",
        "127",
    ],
)
def test_other_names_are_misdirected(host: str) -> None:
    with pytest.raises(MisdirectedHost):
        DOORS.check_host(request(host=host))


@pytest.mark.parametrize(
    "host", ["", "a b", "user@localhost", "localhost/x", "localhost:port", "[::1", "localhost:", "lö"]
)
def test_what_is_no_host_is_invalid(host: str) -> None:
    with pytest.raises(InvalidRequest):
        DOORS.check_host(request(host=host))


def test_a_server_answers_to_the_address_it_listens_on_but_not_to_the_open_one() -> None:
    Doors(Settings(host="192.168.1.5")).check_host(request(host="192.168.1.5"))
    with pytest.raises(MisdirectedHost):
        Doors(Settings(host="0.0.0.0")).check_host(request(host="0.0.0.0"))


def test_hosts_are_read_without_port() -> None:
    assert host_of("Example.org:80") == "example.org"
    assert host_of("[2001:DB8::1]:80") == "2001:db8::1"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "",
        "http://localhost:3000",
        "https://app.example.evil",
        "http://localhost:8321@evil.example",
        "http://[",
        "http://[::1",
        "http://[localhost]:8321",
        "http://\u2100",
    ],
)
def test_pages_of_other_origins_may_not_write(origin: str) -> None:
    with pytest.raises(OriginNotAllowed):
        DOORS.check_origin(request("POST", host="localhost:8321", origin=origin))
    DOORS.check_origin(request("GET", host="localhost:8321", origin=origin))


@pytest.mark.parametrize("origin", ["http://localhost:8321", "https://app.example", "HTTPS://APP.example"])
def test_our_own_pages_and_allowed_ones_may(origin: str) -> None:
    DOORS.check_origin(request("POST", host="localhost:8321", origin=origin))


@pytest.mark.parametrize("host", ["localhost:8321", "127.0.0.1", "[::1]:8321"])
@pytest.mark.parametrize("client", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.9.9.9"])
def test_a_request_of_this_machine_is_local(host: str, client: str) -> None:
    assert DOORS.is_local(request(host=host, client=client))


@pytest.mark.parametrize(
    ("client", "headers"),
    [
        ("10.0.0.9", {}),
        ("::ffff:10.0.0.9", {}),
        ("127.0.0.1", {"x_forwarded_for": "127.0.0.1"}),
        ("127.0.0.1", {"x_forwarded_proto": "https"}),
        ("127.0.0.1", {"via": "1.1 proxy"}),
        ("127.0.0.1", {"host": "ledger.example"}),
        ("127.0.0.1", {"host": "10.0.0.7:8321"}),
    ],
)
def test_a_request_through_a_proxy_is_not_local(client: str, headers: dict[str, str]) -> None:
    assert not DOORS.is_local(request(client=client, **{"host": "localhost", **headers}))


@pytest.mark.parametrize(
    "proxies", [("127.0.0.1",), ("127.0.0.0/8",), ("localhost",), ("[::1]",), ("10.0.0.1",)]
)
def test_behind_a_proxy_of_this_machine_nothing_is_local(proxies: tuple[str, ...]) -> None:
    """Such a proxy may add nothing to a request, or be told by the request to take it away (Connection)."""
    assert not Doors(Settings(trusted_proxies=proxies)).is_local(request(host="localhost"))


def test_a_proxy_of_another_machine_does_not_hide_who_is_local() -> None:
    doors = Doors(Settings(host="0.0.0.0", trusted_proxies=("10.0.0.1",)))
    assert doors.is_local(request(host="localhost"))
    assert not doors.is_local(request(host="localhost", client="10.0.0.1"))


@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        "application/json; charset=utf-8",
        'Application/JSON;charset="UTF-8"',
        "application/json;",
    ],
)
def test_json_is_taken(lone: Caller, kind: str) -> None:
    answer = lone.post("/v1/projects", content=b'{"name": "P"}', headers={"content-type": kind})
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/merge-patch+json"},
        {"content-type": "application/json; charset=latin-1"},
        {"content-type": "application/jsonx"},
        {},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
def test_anything_else_is_not(lone: Caller, headers: dict[str, str]) -> None:
    answer = lone.post("/v1/projects", content=b'{"name": "P"}', headers=headers)
    error_of(answer, 415, "unsupported-media-type")


@pytest.mark.parametrize(
    "accept", ["", "*/*", "application/*", "text/html, application/json;q=0.1", "text/html,*/*;q=0.8"]
)
def test_who_takes_json_gets_it(lone: Caller, accept: str) -> None:
    assert lone.get("/v1/me", headers={"accept": accept}).status_code == 200


@pytest.mark.parametrize(
    "accept", ["text/html", "application/xml", "application/json;q=0", "*/*, application/json;q=0.0"]
)
def test_who_excludes_json_is_told_in_json(lone: Caller, accept: str) -> None:
    error_of(lone.get("/v1/me", headers={"accept": accept}), 406, "not-acceptable")


def test_each_page_answers_in_its_own_form(lone: Caller) -> None:
    assert lone.client.get("/docs", headers={"accept": "text/html"}).status_code == 200
    error_of(lone.client.get("/docs", headers={"accept": "application/json"}), 406, "not-acceptable")
