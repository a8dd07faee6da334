"""The public keys of an issuer: from a file, or from what the issuer publishes, read again when they may have changed."""

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from jwt import PyJWK
from jwt.exceptions import PyJWTError

from setright.app.settings import SettingFault
from setright.kernel.errors import Kind, Refusal
from setright.outside.documents import DocumentTrouble

ALGORITHMS = ("RS256", "ES256", "EdDSA")
LEAST_RSA_BITS = 2048
MOST_KEYS = 100
OLD_AFTER = 600.0
AGAIN_AFTER = 60.0
FIRST_AGAIN_AFTER = 5.0
Fetch = Callable[[str], bytes]


class IssuerUnavailable(Refusal):
    """The keys of the issuer were never read, so that no token of it can be checked."""

    kind, code = Kind.UNAVAILABLE, "issuer-unavailable"

    def __init__(self) -> None:
        super().__init__(
            "The keys of the issuer of this token cannot be read just now. Try again, or use a token of this server.",
            retry_after=int(FIRST_AGAIN_AFTER),
        )


@dataclass(frozen=True, slots=True)
class IssuerKey:
    """A public key, its id if it has one, and the one algorithm for which it is used."""

    key_id: str | None
    algorithm: str
    public: Any


class KeysInFile:
    """The keys of a file, read once; refuses (SettingFault) a file without any."""

    def __init__(self, path: Path) -> None:
        try:
            text = path.read_bytes()
        except OSError as trouble:
            raise SettingFault(f"oidc_keys: {path} could not be read: {trouble.strerror}.") from None
        self._keys = _keys_in_pem(text) if text.lstrip().startswith(b"-----") else keys_in(text)
        if not self._keys:
            raise SettingFault(
                f"oidc_keys: {path} holds no public key for RS256 (of {LEAST_RSA_BITS} bits), ES256 or EdDSA."
            )

    def fitting(self, key_id: str | None, algorithm: str) -> Sequence[IssuerKey]:
        """The keys by which a token may be signed that names this key and this algorithm."""
        return _fitting(self._keys, key_id, algorithm)


class KeysOfIssuer:
    """The keys that an issuer publishes: kept while it cannot be reached, and read again after ten minutes.

    A token that names an unknown key has them read again at once, but at most once a minute. Its own metadata says
    where they stand, and must call the issuer by the very name that the setting has.
    """

    def __init__(self, issuer: str, fetch: Fetch, seconds: Callable[[], float] = time.monotonic) -> None:
        self._issuer = issuer
        self._fetch = fetch
        self._seconds = seconds
        self._keys: Sequence[IssuerKey] = ()
        self._read_at: float | None = None
        self._tried_at: float | None = None
        self._lock = threading.Lock()

    def fitting(self, key_id: str | None, algorithm: str) -> Sequence[IssuerKey]:
        """The keys by which a token may be signed; refuses (`issuer-unavailable`) when none was ever read."""
        read_at = self._read_at
        if read_at is None:
            self._read_again(FIRST_AGAIN_AFTER)
        elif self._seconds() - read_at > OLD_AFTER:
            self._read_again(AGAIN_AFTER)
        if self._read_at is None:
            raise IssuerUnavailable
        found = _fitting(self._keys, key_id, algorithm)
        if not found and key_id is not None:
            self._read_again(AGAIN_AFTER)
            found = _fitting(self._keys, key_id, algorithm)
        return found

    def _read_again(self, after: float) -> None:
        """Read the keys unless that was tried a moment ago; who has some does not wait for another who reads them."""
        if not self._lock.acquire(blocking=self._read_at is None):
            return
        try:
            now = self._seconds()
            if self._tried_at is None or now - self._tried_at >= after:
                self._tried_at = now
                self._read(now)
        finally:
            self._lock.release()

    def _read(self, now: float) -> None:
        try:
            metadata = metadata_of(self._issuer, self._fetch)
            place = metadata.get("jwks_uri")
            found = keys_in(self._fetch(place)) if isinstance(place, str) else ()
        except (DocumentTrouble, MetadataFault):
            return
        if found:
            self._keys, self._read_at = found, now


class MetadataFault(ValueError):
    """The issuer's metadata cannot be used; the message says why."""


def metadata_of(issuer: str, fetch: Fetch) -> dict[str, Any]:
    """The issuer's metadata (OpenID Connect Discovery, else RFC 8414); raises MetadataFault, or what `fetch` does."""
    scheme, _, rest = issuer.partition("://")
    host, _, path = rest.partition("/")
    path = f"/{path}".rstrip("/")
    places = (
        f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        f"{scheme}://{host}/.well-known/oauth-authorization-server{path}",
    )
    try:
        text = fetch(places[0])
    except DocumentTrouble:
        text = fetch(places[1])
    found = _object(text)
    if found is None:
        raise MetadataFault("its metadata is no JSON object")
    called = found.get("issuer")
    if called != issuer:
        told = called if isinstance(called, str) else "nothing"
        raise MetadataFault(f"it calls itself {told[:200]!r}, and the setting says {issuer!r}")
    return found


def keys_in(text: bytes) -> Sequence[IssuerKey]:
    """The keys of a JWKS that can be used here; others are passed over."""
    found = (_object(text) or {}).get("keys")
    if not isinstance(found, list):
        return ()
    read = (_key_in(entry) for entry in cast("list[object]", found)[:MOST_KEYS])
    return tuple(key for key in read if key is not None)


def _key_in(entry: object) -> IssuerKey | None:
    if not isinstance(entry, dict):
        return None
    jwk = cast("dict[str, Any]", entry)
    if jwk.get("use", "sig") != "sig" or "d" in jwk or "verify" not in jwk.get("key_ops", ["verify"]):
        return None
    kinds = {("RSA", None): "RS256", ("EC", "P-256"): "ES256", ("OKP", "Ed25519"): "EdDSA"}
    algorithm = kinds.get((str(jwk.get("kty")), jwk.get("crv")))
    if algorithm is None or jwk.get("alg", algorithm) not in (algorithm, "Ed25519"):
        return None
    try:
        public = PyJWK({**jwk, "alg": algorithm}, algorithm).key
    except (PyJWTError, ValueError, TypeError):
        return None
    key_id = jwk.get("kid")
    return _usable(public, key_id if isinstance(key_id, str) else None)


def _keys_in_pem(text: bytes) -> Sequence[IssuerKey]:
    end = b"-----END PUBLIC KEY-----"
    found: list[IssuerKey | None] = []
    for part in text.split(end)[:-1]:
        try:
            found.append(_usable(load_pem_public_key(part.strip() + b"\n" + end + b"\n"), None))
        except (ValueError, UnsupportedAlgorithm):
            continue
    return tuple(key for key in found if key is not None)


def _usable(public: object, key_id: str | None) -> IssuerKey | None:
    """A key with the one algorithm that its kind is used for: no token chooses another."""
    if isinstance(public, RSAPublicKey):
        return IssuerKey(key_id, "RS256", public) if public.key_size >= LEAST_RSA_BITS else None
    if isinstance(public, EllipticCurvePublicKey) and isinstance(public.curve, SECP256R1):
        return IssuerKey(key_id, "ES256", public)
    return IssuerKey(key_id, "EdDSA", public) if isinstance(public, Ed25519PublicKey) else None


def _fitting(keys: Sequence[IssuerKey], key_id: str | None, algorithm: str) -> Sequence[IssuerKey]:
    """Those of the algorithm with the id, or without any; without an id only the one that there is."""
    same = [key for key in keys if key.algorithm == algorithm]
    if key_id is None:
        return same if len(same) == 1 else ()
    return [key for key in same if key.key_id in (key_id, None)]


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        read: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", read) if isinstance(read, dict) else None
