"""Passwords, invitations and sessions: the records, and what somebody who signs in may send."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, StringConstraints, WithJsonSchema

from setright.identity.guessable import LONGEST, SHORTEST, password_fault
from setright.identity.model import EMAIL, Session, User
from setright.kernel.errors import fault_at
from setright.kernel.fields import Fault, Input, Name, optional, required


@dataclass(frozen=True, slots=True)
class IssuedSession:
    """A session and the text of its secret, which is shown this once."""

    session: Session
    secret: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """What lets a user set a password, once, until it expires."""

    id: str
    tenant_id: str
    user_id: str
    created_at: int
    expires_at: int


@dataclass(frozen=True, slots=True)
class IssuedInvitation:
    """An invitation and the text of its secret, which is shown this once."""

    invitation: Invitation
    secret: str


@dataclass(frozen=True, slots=True)
class Lasting:
    """How long a session lasts, in microseconds: unused, and in all."""

    idle: int
    whole: int


@dataclass(frozen=True, slots=True)
class Entrance:
    """Who wants to come in, from where, and the hash that their password must have; None where there is none."""

    tenant_id: str
    user: User | None
    password_hash: str | None
    keys: Mapping[str, str]
    slows_now: bool = False


def _password(text: str) -> str:
    fault = password_fault(text)
    if fault is not None:
        raise Fault("", *fault)
    return text


Password = Annotated[
    str,
    AfterValidator(_password),
    WithJsonSchema({"type": "string", "minLength": SHORTEST, "maxLength": LONGEST, "format": "password"}),
]
"""A password that is to be set."""
Known = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST * 4)]
Address = Annotated[str, StringConstraints(min_length=1, max_length=EMAIL)]
_TENANT = "The tenant's name or id; may be left out where the ledger has only one."


class NewSession(Input):
    """Who signs in."""

    email: Address = required("The user's e-mail address.")
    password: Known = required("The user's password.")
    tenant: Name | None = optional(_TENANT)


class NewPassword(Input):
    """A password to set: by an invitation, or by the password that it replaces."""

    password: Password = required(
        f"The new password: {SHORTEST} to {LONGEST} characters of any kind, and none of those that are tried first."
    )
    invitation: Name | None = optional("The secret of an invitation: sri_...")
    email: Address | None = optional("With oldPassword: the user's e-mail address.")
    old_password: Known | None = optional("The password until now.")
    tenant: Name | None = optional(_TENANT)

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """Either an invitation, or an address with the old password."""
        invited = body.get("invitation") is not None
        for name in ("email", "oldPassword", "tenant"):
            if invited and body.get(name) is not None:
                yield fault_at(f"/{name}", "does not go with an invitation", "leave it out")
        for name in ("email", "oldPassword"):
            if not invited and body.get(name) is None:
                yield fault_at(f"/{name}", "is missing", "an invitation, or email and oldPassword together")
