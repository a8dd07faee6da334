"""Scholars and the claims to speak as one: the records, and what a caller may send."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, StringConstraints, WithJsonSchema

from setright.identity.model import Label
from setright.kernel.errors import fault_at
from setright.kernel.fields import WORDS, Fault, Id, Input, optional, required

ClaimStatus = Literal["asked", "approved", "rejected", "withdrawn"]
_ORCID = re.compile(r"(?:https?://orcid\.org/)?([0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X])\Z", re.ASCII)
_EXAMPLE = "sixteen digits with their check digit, such as 0000-0002-1825-0097"


@dataclass(frozen=True, slots=True)
class Scholar:
    """Somebody to whom readings are attributed; who may speak as one is decided by an admin."""

    number: int
    name: str
    orcid: str | None
    institution: str | None
    created_by_kind: str
    created_by_id: str
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class ScholarClaim:
    """That a user or a service may speak as a scholar: asked for, and what was decided."""

    id: str
    scholar: int
    principal_kind: str
    principal_id: str
    status: ClaimStatus
    note: str | None
    reason: str | None
    decided_by_kind: str | None
    decided_by_id: str | None
    decided_at: int | None
    created_at: int
    updated_at: int


def check_digit(digits: str) -> str:
    """The check digit of an ORCID (ISO 7064, MOD 11-2) for its first fifteen digits."""
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    left = (12 - total % 11) % 11
    return "X" if left == 10 else str(left)


def _orcid(text: str) -> str:
    found = _ORCID.match(text)
    if found is None:
        raise Fault("", "is no ORCID", _EXAMPLE)
    digits = found[1].replace("-", "")
    if check_digit(digits[:-1]) != digits[-1]:
        raise Fault("", "is no ORCID: its check digit is wrong", _EXAMPLE)
    return found[1]


Orcid = Annotated[str, AfterValidator(_orcid), WithJsonSchema({"type": "string", "maxLength": 64})]
Reason = Annotated[str, StringConstraints(max_length=WORDS)]


class NewScholar(Input):
    """A scholar to attribute readings to."""

    name: Label = required("The scholar's name.")
    orcid: Orcid | None = optional("The scholar's ORCID; no other scholar of the tenant has it.")
    institution: Label | None = optional("Where the scholar works.")


class ScholarChange(Input):
    """What becomes different about a scholar: what is left out stays, null lifts the ORCID and the institution."""

    name: Label | None = optional("Another name.")
    orcid: Orcid | None = optional("Another ORCID; null: none.")
    institution: Label | None = optional("Another institution; null: none.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An empty change is refused, and a name cannot be lifted."""
        if not body:
            yield fault_at("", "changes nothing", "at least one of name, orcid, institution")
        if "name" in body and body["name"] is None:
            yield fault_at("/name", "is null, and a scholar always has one", "leave it out")

    def wanted(self) -> dict[str, Any]:
        """What was given, by the fields of a scholar."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class NewScholarClaim(Input):
    """Asking to speak as a scholar; an admin may name another user or service, and approves with it."""

    note: Reason | None = optional("Why the caller may speak as this scholar.")
    user_id: Id | None = optional("For an admin: the user who may speak as the scholar from now on.")
    service_id: Id | None = optional("For an admin: the service token that may do so.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """One of the two at most."""
        if body.get("userId") is not None and body.get("serviceId") is not None:
            yield fault_at("/serviceId", "stands beside userId", "one of the two")


class ClaimDecision(Input):
    """An admin's decision on a claim."""

    reason: Reason | None = optional("Why.")
