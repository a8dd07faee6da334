"""Access tokens of an issuer: what is believed, and every way in which one must not be."""

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jwt
import pytest

from setright.app.issuer import Issuer
from setright.app.issuer_keys import IssuerUnavailable, KeysOfIssuer, keys_in
from setright.app.settings import SettingFault, Settings, load
from setright.identity import Vouched
from setright.kernel.clock import LATEST_TIME, SECOND
from setright.kernel.errors import Refusal
from setright.outside.documents import DocumentTrouble
from tests.support.issuer import AUDIENCE, KEYS, NAME, NEW, STRANGER, WEAK, claims, jwks, part, pem, token

METADATA = {"issuer": NAME, "jwks_uri": "https://login.example.org/keys"}


class Outside:
    """What the issuer publishes, a clock that is moved, and how often it was asked."""

    def __init__(self) -> None:
        self.metadata: Any = dict(METADATA)
        self.keys: Any = jwks()
        self.down = False
        self.asked: list[str] = []
        self.now = 1000.0

    def __call__(self, url: str) -> bytes:
        self.asked.append(url)
        if self.down:
            raise DocumentTrouble("it could not be reached")
        return json.dumps(self.keys if url.endswith("/keys") else self.metadata).encode()

    def issuer(self, **settings: Any) -> Issuer:
        """An issuer that publishes this."""
        given = {"oidc_issuer": NAME, "oidc_audience": (AUDIENCE,), **settings}
        return Issuer(Settings(**given), self, lambda: self.now)


@pytest.fixture
def outside() -> Outside:
    return Outside()


def vouched(issuer: Issuer, text: str) -> Vouched:
    """What a token says."""
    found = issuer.read(text).vouched
    assert found is not None
    return found


def refused(issuer: Issuer, text: str) -> str:
    """The code with which a token is refused, whose text is not in the message."""
    with pytest.raises(Refusal) as caught:
        issuer.read(text)
    assert text not in caught.value.message or not text
    return caught.value.code


@pytest.mark.parametrize("key", sorted(KEYS))
def test_a_token_of_each_kind_of_key_is_believed(outside: Outside, key: str) -> None:
    said = vouched(outside.issuer(), token(key))
    assert (said.email, said.external_id, said.tenant) == ("bo@example.org", None, None)
    assert said.scopes == {"corrections:read", "corrections:write"}


@pytest.mark.parametrize("key", sorted(KEYS))
def test_keys_of_a_file_serve_as_well(outside: Outside, tmp_path: Path, key: str) -> None:
    files = {
        "keys.json": json.dumps(jwks()).encode(),
        "keys.pem": b"# ours\n".join([b"", *(pem(k) for _, k in KEYS.values())]).lstrip(b"# ours\n"),
    }
    for name, text in files.items():
        (tmp_path / name).write_bytes(text)
        issuer = outside.issuer(oidc_keys=str(tmp_path / name))
        assert vouched(issuer, token(key))
        assert refused(issuer, jwt.encode(claims(), STRANGER, "RS256", {"kid": "r1"})) == "auth-invalid"
    assert not outside.asked


@pytest.mark.parametrize(
    "text", [b"", b"{}", b'{"keys": []}', b"-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----"]
)
def test_a_file_without_keys_is_refused(outside: Outside, tmp_path: Path, text: bytes) -> None:
    (tmp_path / "keys").write_bytes(text)
    with pytest.raises(SettingFault):
        outside.issuer(oidc_keys=str(tmp_path / "keys"))
    with pytest.raises(SettingFault):
        outside.issuer(oidc_keys=str(tmp_path / "missing"))


NOW = time.time


def unsigned() -> str:
    return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims())}."


def signed_with_the_public_key(secret: bytes) -> str:
    """HS256 with the bytes of the public key as its secret: the classic confusion."""
    body = f"{part({'alg': 'HS256', 'typ': 'JWT', 'kid': 'r1'})}.{part(claims())}"
    return f"{body}.{part(hmac.new(secret, body.encode(), hashlib.sha256).digest())}"


def said_by_itself(name: str) -> str:
    """A token of a stranger that brings its own key along."""
    own = {
        "jwk": jwks({"r1": ("RS256", STRANGER)})["keys"][0],
        "jku": "https://evil.example/keys",
        "x5u": "https://evil.example/cert",
    }
    return jwt.encode(claims(), STRANGER, "RS256", {"kid": "r1", name: own[name]})


def altered() -> str:
    head, _, signature = token().split(".")
    return f"{head}.{part(claims(email='admin@example.org'))}.{signature}"


ATTACKS: dict[str, Callable[[], str]] = {
    "no algorithm": unsigned,
    "None": lambda: unsigned().replace(part({"alg": "none", "typ": "JWT"}), part({"alg": "None"})),
    "HS256 with the public PEM": lambda: signed_with_the_public_key(pem(KEYS["r1"][1])),
    "HS256 with the JWK": lambda: signed_with_the_public_key(json.dumps(jwks()["keys"][0]).encode()),
    "a key of its own": lambda: said_by_itself("jwk"),
    "keys at an address of its own": lambda: said_by_itself("jku"),
    "a certificate at an address of its own": lambda: said_by_itself("x5u"),
    "another's key under our id": lambda: jwt.encode(claims(), STRANGER, "RS256", {"kid": "r1"}),
    "another algorithm of the same key": lambda: jwt.encode(claims(), KEYS["r1"][1], "RS512", {"kid": "r1"}),
    "PS256": lambda: jwt.encode(claims(), KEYS["r1"][1], "PS256", {"kid": "r1"}),
    "the id of a key of another kind": lambda: jwt.encode(claims(), KEYS["r1"][1], "RS256", {"kid": "e1"}),
    "no id where there are several": lambda: jwt.encode(claims(), STRANGER, "RS256"),
    "altered": altered,
    "something critical": lambda: token(header={"crit": ["exp"]}),
    "a token for logging out": lambda: token(header={"typ": "logout+jwt"}),
    "an identity token": lambda: token(nonce="n-1"),
    "bound to its holder": lambda: token(cnf={"jkt": "x"}),
    "another audience": lambda: token(aud="https://other.example"),
    "an audience like ours": lambda: token(aud=AUDIENCE + "/"),
    "no audience": lambda: token(aud=None),
    "another issuer": lambda: token(iss="https://evil.example"),
    "an issuer like ours": lambda: token(iss=NAME + "/"),
    "no issuer": lambda: token(iss=None),
    "no end": lambda: token(exp=None),
    "no beginning": lambda: token(iat=None),
    "an end without one": lambda: token(exp="soon"),
    "not yet": lambda: token(nbf=int(NOW()) + 60),
    "made tomorrow": lambda: token(iat=int(NOW()) + 86_400),
    "no address": lambda: token(email=None),
    "an address that is none": lambda: token(email=["bo@example.org"]),
    "an address that nobody verified": lambda: token(email_verified=None),
    "an address that is said to be verified": lambda: token(email_verified="true"),
    "five parts": lambda: token() + ".a.b",
    "two parts": lambda: token().rpartition(".")[0],
    "nothing": lambda: "ey..",
    "deep": lambda: f"{part(b'[' * 9000)}.e30.e30",
    "long": lambda: "ey" + "a" * 20_000 + "..",
    "not ASCII": lambda: token() + "\u00e9",
    "no object": lambda: jwt.PyJWS().encode(b"[1]", KEYS["r1"][1], "RS256", {"kid": "r1"}),
    "an infinite end": lambda: jwt.PyJWS().encode(
        json.dumps(claims()).replace(str(claims()["exp"]), "1e999").encode(),
        KEYS["r1"][1],
        "RS256",
        {"kid": "r1"},
    ),
}


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_no_attack_is_believed(outside: Outside, attack: str) -> None:
    issuer = outside.issuer()
    assert vouched(issuer, token())
    assert refused(issuer, ATTACKS[attack]()) == "auth-invalid"
    assert not [url for url in outside.asked if "evil" in url]


def test_an_expired_token_says_so(outside: Outside) -> None:
    assert refused(outside.issuer(), token(exp=int(time.time()) - 31)) == "auth-expired"


def test_clocks_may_differ_a_little(outside: Outside) -> None:
    now = int(time.time())
    issuer, strict = outside.issuer(), outside.issuer(oidc_leeway_seconds=0)
    for late in (token(exp=now - 10), token(nbf=now + 10), token(iat=now + 10)):
        assert vouched(issuer, late)
        assert refused(strict, late) in ("auth-expired", "auth-invalid")


def test_it_is_believed_until_its_end(outside: Outside) -> None:
    ends = int(time.time()) + 60
    assert vouched(outside.issuer(oidc_leeway_seconds=7), token(exp=ends)).expires_at == (ends + 7) * SECOND
    assert vouched(outside.issuer(), token(exp=10**18)).expires_at == LATEST_TIME


def test_one_of_several_audiences_is_enough(outside: Outside) -> None:
    assert vouched(outside.issuer(), token(aud=["https://other.example", AUDIENCE]))
    issuer = outside.issuer(oidc_audience=(), public_url="https://ledger.example")
    assert vouched(issuer, token(aud="https://ledger.example/mcp"))
    assert refused(issuer, token(aud="https://ledger.example")) == "auth-invalid"


def test_claims_are_chosen_by_the_settings(outside: Outside) -> None:
    issuer = outside.issuer(
        oidc_user_claim="sub",
        oidc_tenant_claim="org",
        oidc_scope_claim="scp",
        oidc_scopes=("read.all=corrections:read", "write.all=mcp:write"),
    )
    said = vouched(issuer, token(org="acme", scp=["read.all", "openid", "decisions:read", 7], email=None))
    assert (said.email, said.external_id, said.tenant) == (None, "00u1", "acme")
    assert said.scopes == {"corrections:read", "decisions:read"}
    assert refused(issuer, token()) == "auth-invalid"
    assert vouched(outside.issuer(oidc_tenant="acme"), token()).tenant == "acme"
    assert vouched(outside.issuer(), token(scope=None)).scopes == frozenset()
    assert vouched(outside.issuer(oidc_scope_claim="none"), token()).scopes is None


def test_keys_are_read_once(outside: Outside) -> None:
    issuer = outside.issuer()
    for _ in range(3):
        issuer.read(token())
    assert outside.asked == [f"{NAME}/.well-known/openid-configuration", METADATA["jwks_uri"]]


def test_an_unknown_key_has_them_read_again_once_a_minute(outside: Outside) -> None:
    issuer = outside.issuer()
    issuer.read(token())
    fresh = jwt.encode(claims(), NEW[1], "RS256", {"kid": "r2"})
    assert refused(issuer, fresh) == "auth-invalid"
    assert len(outside.asked) == 2, "they were read a moment ago"
    outside.keys, outside.now = jwks({**KEYS, "r2": NEW}), outside.now + 61
    assert vouched(issuer, fresh)
    for number in range(50):
        refused(issuer, jwt.encode(claims(), STRANGER, "RS256", {"kid": f"x{number}"}))
    assert len(outside.asked) == 4


def test_keys_that_were_withdrawn_go(outside: Outside) -> None:
    issuer = outside.issuer()
    issuer.read(token())
    outside.keys, outside.now = jwks({"e1": KEYS["e1"]}), outside.now + 601
    assert refused(issuer, token("r1")) == "auth-invalid"
    assert vouched(issuer, token("e1"))


def test_known_keys_stay_while_the_issuer_is_down(outside: Outside) -> None:
    issuer = outside.issuer()
    issuer.read(token())
    for published in ("down", {"keys": []}, {"keys": "x"}, ["no"]):
        outside.down, outside.keys = published == "down", published
        outside.now += 3600
        assert vouched(issuer, token())


def test_without_any_keys_it_is_no_fault_of_the_token(outside: Outside) -> None:
    outside.down = True
    issuer = outside.issuer()
    with pytest.raises(IssuerUnavailable) as caught:
        issuer.read(token())
    assert caught.value.retry_after
    outside.down = False
    outside.now += 6
    assert vouched(issuer, token())


def test_a_slow_issuer_keeps_nobody_waiting_who_has_its_keys(outside: Outside) -> None:
    begun, go_on = threading.Event(), threading.Event()
    issuer = outside.issuer()
    issuer.read(token())
    outside.now += 61

    def slow(url: str) -> bytes:
        begun.set()
        assert go_on.wait(20)
        return outside(url)

    keys = issuer._keys
    assert isinstance(keys, KeysOfIssuer)
    keys._fetch = slow
    unknown = jwt.encode(claims(), STRANGER, "RS256", {"kid": "x"})
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(refused, issuer, unknown)
        assert begun.wait(20)
        assert vouched(issuer, token())
        assert refused(issuer, unknown) == "auth-invalid"
        go_on.set()
        assert waits.result(20) == "auth-invalid"


def test_metadata_of_another_name_is_not_used(outside: Outside) -> None:
    outside.metadata = {**METADATA, "issuer": NAME + "/"}
    with pytest.raises(IssuerUnavailable):
        outside.issuer().read(token())
    fault = outside.issuer().start_fault()
    assert fault is not None
    assert fault[0]
    assert NAME in fault[1]


def test_an_issuer_that_cannot_be_asked_keeps_no_server_from_starting(outside: Outside) -> None:
    assert outside.issuer().start_fault() is None
    outside.down = True
    told = outside.issuer().start_fault()
    assert told is not None
    assert not told[0]


@pytest.mark.parametrize(
    "change",
    [
        {"use": "enc"},
        {"d": "AQ"},
        {"kty": "oct", "k": "c2VjcmV0"},
        {"alg": "RS512"},
        {"n": "!"},
        {"key_ops": ["sign"]},
        {"kty": ["RSA"]},
    ],
)
def test_keys_that_are_not_for_this_are_passed_over(change: dict[str, Any]) -> None:
    (good,) = jwks({"r1": KEYS["r1"]})["keys"]
    assert len(keys_in(json.dumps({"keys": [good]}).encode())) == 1
    assert not keys_in(json.dumps({"keys": [{**good, **change}, 7, None]}).encode())


def test_a_short_key_is_no_key() -> None:
    assert not keys_in(json.dumps(jwks({"w": WEAK})).encode())


def test_a_curve_that_is_not_taken_is_passed_over() -> None:
    (good,) = jwks({"e1": KEYS["e1"]})["keys"]
    for change in ({"crv": "P-384"}, {"crv": "secp256k1"}, {"crv": None}):
        assert not keys_in(json.dumps({"keys": [{**good, **change}]}).encode())


@pytest.mark.parametrize(
    "settings",
    [
        {"oidc_issuer": NAME},
        {"oidc_issuer": NAME, "oidc_audience": "a", "oidc_leeway_seconds": 301},
        {"oidc_issuer": NAME, "oidc_audience": "a", "oidc_scopes": "x=root"},
        {"oidc_issuer": NAME, "oidc_audience": "a", "oidc_scopes": "=admin"},
        {"oidc_issuer": NAME, "oidc_audience": "a", "oidc_tenant": "t", "oidc_tenant_claim": "org"},
        {"public_url": "https://ledger.example/"},
        {"public_url": "https://ledger.example/path"},
        {"public_url": "ledger.example"},
        {"public_url": "https://user@ledger.example"},
    ],
)
def test_settings_that_check_too_little_are_refused(settings: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(SettingFault):
        load(settings, {}, None)


@pytest.mark.parametrize(
    "name", ["http://login.example.org", "ftp://x", "login.example.org", "https://a:b@c"]
)
def test_keys_are_read_over_https_only(outside: Outside, name: str) -> None:
    with pytest.raises(SettingFault):
        outside.issuer(oidc_issuer=name)
