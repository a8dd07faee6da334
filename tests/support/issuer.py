"""An issuer of access tokens of our own: its keys, its tokens, and what it publishes on loopback."""

import base64
import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

NAME = "https://login.example.org/realms/one"
AUDIENCE = "https://setright.example.org/mcp"


def _rsa(bits: int = 2048) -> Any:
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


KEYS: dict[str, tuple[str, Any]] = {
    "r1": ("RS256", _rsa()),
    "e1": ("ES256", ec.generate_private_key(ec.SECP256R1())),
    "o1": ("EdDSA", ed25519.Ed25519PrivateKey.generate()),
}
STRANGER = _rsa()
NEW = ("RS256", _rsa())
WEAK = ("RS256", _rsa(1024))


def pem(key: Any) -> bytes:
    """The public half of a key."""
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def jwks(keys: dict[str, tuple[str, Any]] | None = None) -> dict[str, Any]:
    """The public keys as an issuer publishes them."""
    return {"keys": [_jwk(name, *pair) for name, pair in (KEYS if keys is None else keys).items()]}


def _jwk(name: str, algorithm: str, key: Any) -> dict[str, Any]:
    maker: Any = jwt.get_algorithm_by_name(algorithm)
    return {**json.loads(maker.to_jwk(key.public_key())), "kid": name, "use": "sig", "alg": algorithm}


def claims(**changes: Any) -> dict[str, Any]:
    """What a good token says; None takes a claim away."""
    now = int(time.time())
    told = {
        "iss": NAME,
        "aud": AUDIENCE,
        "sub": "00u1",
        "email": "bo@example.org",
        "email_verified": True,
        "scope": "corrections:read corrections:write",
        "iat": now,
        "exp": now + 600,
        **changes,
    }
    return {name: value for name, value in told.items() if value is not None}


def token(key: str = "r1", header: dict[str, Any] | None = None, **changes: Any) -> str:
    """A token, signed by one of the issuer's keys."""
    algorithm, private = KEYS[key]
    return jwt.encode(claims(**changes), private, algorithm, {"kid": key, "typ": "at+jwt", **(header or {})})


def part(value: Any) -> str:
    """A part of a token that no library would write."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


class Issuing:
    """An issuer on loopback with metadata, keys, registration, codes and tokens, as the official MCP client uses them."""

    def __init__(self) -> None:
        self.keys: dict[str, tuple[str, Any]] = dict(KEYS)
        self.asked: list[str] = []
        self.sent: list[dict[str, str]] = []
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.claims: dict[str, Any] = {}
        issuing = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuing._get(self)

            def do_POST(self) -> None:
                issuing._post(self)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is Python's
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.name = f"http://127.0.0.1:{self._server.server_port}"
        self.called = self.name

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()

    def token(self, **changes: Any) -> str:
        """A token of this issuer."""
        return token(**{"iss": self.called, **self.claims, **changes})

    def _metadata(self) -> dict[str, Any]:
        here = self.name
        return {
            "issuer": self.called,
            "jwks_uri": f"{here}/keys",
            "authorization_endpoint": f"{here}/authorize",
            "token_endpoint": f"{here}/token",
            "registration_endpoint": f"{here}/register",
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
        }

    def _get(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        self.asked.append(parts.path)
        if parts.path in self.answers:
            self.answers[parts.path](request)
        elif parts.path.startswith("/.well-known/"):
            _answer(request, self._metadata())
        elif parts.path == "/keys":
            _answer(request, jwks(self.keys))
        elif parts.path == "/authorize":
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            self.sent.append(query)
            back = urlencode({"code": "c0de", "state": query["state"], "iss": self.called})
            request.send_response(302)
            request.send_header("Location", f"{query['redirect_uri']}?{back}")
            request.send_header("Content-Length", "0")
            request.end_headers()
        else:
            request.send_error(404)

    def _post(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        self.asked.append(request.path)
        if request.path == "/register":
            _answer(request, {**json.loads(body), "client_id": "client-1"}, 201)
            return
        self.sent.append({name: values[0] for name, values in parse_qs(body.decode()).items()})
        made = {"access_token": self.token(aud=self.sent[-1].get("resource")), "token_type": "Bearer"}
        _answer(request, {**made, "expires_in": 600, "scope": self.claims.get("scope", "")})


def _answer(request: BaseHTTPRequestHandler, value: Any, status: int = 200) -> None:
    body = json.dumps(value).encode()
    request.send_response(status)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
