"""Access tokens of the one issuer that the settings name: whether one may be believed, and what it says."""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import jwt
from jwt.exceptions import (
    ExpiredSignatureError,
    ImmatureSignatureError,
    InvalidAudienceError,
    InvalidIssuerError,
    PyJWTError,
)

from setright.app.issuer_keys import (
    ALGORITHMS,
    Fetch,
    KeysInFile,
    KeysOfIssuer,
    MetadataFault,
    metadata_of,
)
from setright.app.settings import SettingFault, Settings
from setright.identity import AuthExpired, AuthInvalid, Presented, Vouched, hash_of
from setright.kernel.actor import SCOPES
from setright.kernel.clock import LATEST_TIME, SECOND
from setright.kernel.errors import Kind, Refusal
from setright.outside.documents import DocumentTrouble, is_safe_address

MOST_CHARACTERS = 16 * 1024
AGAIN_AFTER = 300 * SECOND
"""For how long a token that was right is believed without a look at its signature."""
AT_ONCE, MOST_WAITING = 2, 64
TYPES = frozenset({"jwt", "at+jwt", "application/at+jwt"})
NOT_NARROWED = "none"
"""The name of no claim: tokens are not narrowed by scopes."""
_REQUIRED = ["exp", "iat", "iss", "aud"]


class IssuerBusy(Refusal):
    """More tokens wait to be checked than are checked."""

    kind, code = Kind.UNAVAILABLE, "issuer-unavailable"

    def __init__(self) -> None:
        super().__init__("Too many tokens wait to be checked. Try again.", retry_after=2)


class Issuer:
    """Checks the access tokens of one issuer, in threads of its own; `fetch` reads what it publishes."""

    def __init__(
        self, settings: Settings, fetch: Fetch, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = settings.oidc_issuer
        self._settings = settings
        self._fetch = fetch
        self._audience = list(settings.oidc_audience) or [f"{settings.public_url}/mcp"]
        self._scopes = {word: word for word in SCOPES}
        self._scopes |= {theirs: ours for theirs, _, ours in (p.partition("=") for p in settings.oidc_scopes)}
        if settings.oidc_keys:
            self._keys = KeysInFile(Path(settings.oidc_keys).expanduser())
        elif is_safe_address(self.name):
            self._keys = KeysOfIssuer(self.name, fetch, seconds)
        else:
            raise SettingFault(
                f"oidc_issuer: {self.name!r} is neither https nor http on loopback, so its keys cannot be read from it; "
                "give oidc_keys."
            )
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="setright-issuer")
        self._busy = 0

    @staticmethod
    def could_be(text: str) -> bool:
        """Whether a text looks like a token of an issuer, and not like one of ours."""
        return text.startswith("ey") and text.count(".") == 2

    def called(self, scopes: tuple[str, ...]) -> tuple[str, ...]:
        """Our scopes by the names that the issuer has for them; none where its tokens are not narrowed by any."""
        if self._settings.oidc_scope_claim == NOT_NARROWED:
            return ()
        theirs = {ours: word for word, ours in self._scopes.items() if word != ours}
        return tuple(dict.fromkeys(theirs.get(scope, scope) for scope in scopes))

    async def vouch(self, text: str) -> Presented:
        """What a token says; refuses (`auth-invalid`, `auth-expired`) one that must not be believed."""
        if self._busy >= AT_ONCE + MOST_WAITING:
            raise IssuerBusy
        self._busy += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self.read, text)
        finally:
            self._busy -= 1

    def read(self, text: str) -> Presented:
        """As `vouch`, waiting for the issuer where its keys have to be read."""
        if len(text) > MOST_CHARACTERS or not text.isascii():
            raise AuthInvalid("is no access token")
        try:
            claims = self._checked(text)
        except (ArithmeticError, AttributeError, RecursionError, TypeError, ValueError):
            raise AuthInvalid("is no access token") from None
        now = time.time_ns() // 1000
        # What was right within the leeway counts until its end with the leeway, and never without an end.
        ends = (int(claims["exp"]) + self._settings.oidc_leeway_seconds) * SECOND
        expires_at = min(ends, LATEST_TIME)
        vouched = Vouched(
            tenant=self._tenant(claims),
            **self._user(claims),
            scopes=self._scopes_in(claims),
            expires_at=expires_at,
            again_at=now + AGAIN_AFTER,
        )
        return Presented("", hash_of(text), vouched)

    def start_fault(self) -> tuple[bool, str] | None:
        """Whether a server must not start so, and why; None where what the issuer says of itself fits the settings.

        One that cannot be reached just now is asked again when its first token comes.
        """
        try:
            metadata_of(self.name, self._fetch)
        except MetadataFault as fault:
            return True, f"oidc_issuer: {fault}."
        except DocumentTrouble as trouble:
            told = f"The issuer {self.name} cannot be asked now: {trouble}."
            return (
                None if self._settings.oidc_keys else (False, f"{told} Its tokens are refused until it can.")
            )
        return None

    def close(self) -> None:
        """Finish what is being checked."""
        self._threads.shutdown()

    def _checked(self, text: str) -> dict[str, Any]:
        """The claims of a token with a right signature, issuer, audience and times."""
        try:
            header = jwt.get_unverified_header(text)
        except PyJWTError:
            raise AuthInvalid("is no access token") from None
        algorithm, key_id, kind = header.get("alg"), header.get("kid"), header.get("typ", "JWT")
        if algorithm not in ALGORITHMS or "crit" in header:
            raise AuthInvalid(f"is signed in a way that is not taken here: {', '.join(ALGORITHMS)} are")
        if not isinstance(kind, str) or kind.lower() not in TYPES:
            raise AuthInvalid("is no access token")
        # Whatever else the header says (jku, jwk, x5u, x5c) is the sender's word, and nobody reads it.
        for key in self._keys.fitting(key_id if isinstance(key_id, str) else None, algorithm):
            try:
                return self._decoded(text, key.public, algorithm)
            except jwt.InvalidSignatureError:
                continue
        raise AuthInvalid("is not signed by a key of its issuer")

    def _decoded(self, text: str, key: Any, algorithm: str) -> dict[str, Any]:
        try:
            claims = jwt.decode(
                text,
                key,
                algorithms=[algorithm],
                audience=self._audience,
                issuer=self.name,
                leeway=self._settings.oidc_leeway_seconds,
                options={"require": _REQUIRED},
            )
        except ExpiredSignatureError:
            raise AuthExpired("The token expired. Get a new one from its issuer.") from None
        except ImmatureSignatureError:
            raise AuthInvalid("is not valid yet") from None
        except InvalidAudienceError:
            raise AuthInvalid("is for another audience than this server") from None
        except InvalidIssuerError:
            raise AuthInvalid("is of another issuer than this server believes") from None
        except jwt.InvalidSignatureError:
            raise
        except PyJWTError:
            raise AuthInvalid("lacks a claim that it must have, or has one of a wrong kind") from None
        if "cnf" in claims:
            raise AuthInvalid("is bound to a key of its holder, which this server does not check")
        if {"nonce", "at_hash", "c_hash"} & claims.keys():
            raise AuthInvalid(
                "is an identity token, which is for the client that asked for it and for nobody else"
            )
        return claims

    def _tenant(self, claims: Mapping[str, Any]) -> str | None:
        claim = self._settings.oidc_tenant_claim
        return _text(claims, claim) if claim else self._settings.oidc_tenant or None

    def _user(self, claims: Mapping[str, Any]) -> dict[str, str | None]:
        claim = self._settings.oidc_user_claim
        told = _text(claims, claim)
        if claim != "email":
            return {"email": None, "external_id": told}
        if claims.get("email_verified") is not True:
            raise AuthInvalid("has an address that its issuer does not call verified (claim email_verified)")
        return {"email": told, "external_id": None}

    def _scopes_in(self, claims: Mapping[str, Any]) -> frozenset[str] | None:
        claim = self._settings.oidc_scope_claim
        if claim == NOT_NARROWED:
            return None
        told: object = claims.get(claim, "")
        words: list[object] = []
        if isinstance(told, str):
            words = [*told.split()]
        elif isinstance(told, list):
            words = cast("list[object]", told)
        known = (self._scopes.get(word) for word in words if isinstance(word, str))
        return frozenset(word for word in known if word is not None)


def _text(claims: Mapping[str, Any], claim: str) -> str:
    told = claims.get(claim)
    if not isinstance(told, str) or not 0 < len(told) <= 320:
        raise AuthInvalid(f"has no text in the claim {claim}")
    return told
