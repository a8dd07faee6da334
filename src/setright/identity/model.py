"""Tenants, users, projects, members and tokens: the records, and what a caller may send."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from setright.kernel.actor import Actor, Role
from setright.kernel.errors import fault_at
from setright.kernel.fields import NAME, Fault, Id, Input, Moment, Name, optional, required
from setright.kernel.ids import looks_like_ours

EMAIL = 320
LONGEST_KEEP = 1_440
_UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_PROJECT_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")

Scope = Literal[
    "corrections:read",
    "corrections:write",
    "decisions:read",
    "decisions:write",
    "knowledge:read",
    "knowledge:write",
    "mcp:read",
    "mcp:write",
    "admin",
]
Reviewer = Literal["standard", "senior", "admin"]
RoleWord = Literal["read", "write", "admin"]
PrincipalKind = Literal["user", "service"]


@dataclass(frozen=True, slots=True)
class Authenticated:
    """Who a token belongs to, and the moment (microseconds) after which that must be read again.

    `own_limits` are those that its tenant alone has, by the words of `kernel.limits`; `seen_at` is when a session
    was last known to be used, None for a token.
    """

    actor: Actor
    valid_until: int | None
    own_limits: Mapping[str, int] = field(default_factory=dict[str, int])
    seen_at: int | None = None


@dataclass(frozen=True, slots=True)
class Vouched:
    """What an issuer says in an access token whose signature, audience and times were right.

    A user is meant by an address that the issuer verified, or by the id that it has for them. `scopes` are ours, None
    where the token does not narrow. The token itself is looked at again at `again_at`.
    """

    tenant: str | None
    email: str | None
    external_id: str | None
    scopes: frozenset[str] | None
    expires_at: int
    again_at: int


@dataclass(frozen=True, slots=True)
class Tenant:
    """A customer; every row belongs to one."""

    id: str
    name: str
    created_at: int


@dataclass(frozen=True, slots=True)
class User:
    """A person of a tenant; `role` counts in every project of it."""

    id: str
    tenant_id: str
    name: str
    email: str | None
    external_id: str | None
    role: Role | None
    created_at: int
    updated_at: int
    disabled_at: int | None

    @property
    def status(self) -> str:
        """Where the user stands in its lifecycle."""
        return "active" if self.disabled_at is None else "disabled"


@dataclass(frozen=True, slots=True)
class Project:
    """Where runs, corrections and lessons live."""

    id: str
    tenant_id: str
    name: str
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class Member:
    """A user's or a service token's role in one project; `principal_name` is the user's or the token's name."""

    project_id: str
    principal_kind: str
    principal_id: str
    principal_name: str
    role: Role
    reviewer_role: str | None
    added_at: int


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret; `scopes` is None when none were chosen."""

    id: str
    tenant_id: str
    kind: str
    user_id: str | None
    name: str
    role: Role | None
    project_id: str | None
    scopes: tuple[str, ...] | None
    created_by_kind: str
    created_by_id: str
    created_at: int
    rotated_at: int | None
    old_until: int | None
    expires_at: int | None
    revoked_at: int | None

    @property
    def status(self) -> str:
        """Where the token stands in its lifecycle; an expired one is still active here."""
        return "active" if self.revoked_at is None else "revoked"


@dataclass(frozen=True, slots=True)
class Session:
    """A user who signed in, without the secret: it ends by itself when it is idle for `idle_for`, or at `expires_at`."""

    id: str
    tenant_id: str
    user_id: str
    idle_for: int
    created_at: int
    seen_at: int
    expires_at: int
    ended_at: int | None

    @property
    def status(self) -> str:
        """Where the session stands in its lifecycle; one that ran out is still open here."""
        return "open" if self.ended_at is None else "ended"

    @property
    def valid_until(self) -> int:
        """The moment at which it ends by itself if nobody uses it again."""
        return min(self.expires_at, self.seen_at + self.idle_for)


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token and the text of its secret, which is shown this once."""

    token: Token
    secret: str


@dataclass(frozen=True, slots=True)
class Bootstrapped:
    """A new tenant with everything that a first call needs."""

    tenant: Tenant
    user: User
    project: Project
    issued: IssuedToken


@dataclass(frozen=True, slots=True)
class Me:
    """The caller as authentication found it; `token` or `session_id` is what it came with, if any."""

    tenant: Tenant
    kind: str
    id: str
    name: str
    token: Token | None
    session_id: str | None
    scopes: tuple[str, ...]
    tenant_role: Role | None
    roles: Mapping[str, Role]


def is_label(text: str) -> bool:
    """Whether a text can be a name: 1 to 200 characters, not all blank, each of them seen in one line."""
    return 0 < len(text) <= NAME and _label_fault(text) is None


def _label_fault(text: str) -> str | None:
    if not text.strip():
        return "is blank"
    if any(unicodedata.category(char) in _UNSEEN or char in _BIDI for char in text):
        return "contains a control character or a line break"
    return None


def _label(text: str) -> str:
    fault = _label_fault(text)
    if fault:
        raise Fault("", fault, "text in one line")
    return text


def _email(text: str) -> str:
    if "@" not in text.strip("@"):
        raise Fault("", "is no e-mail address", "name@example.org")
    return _label(text)


def _own_project_id(text: str) -> str:
    if not _PROJECT_ID.match(text):
        raise Fault("", "is no project id", "1 to 64 of A-Z a-z 0-9 _ -")
    if looks_like_ours(text):
        raise Fault("", "has the shape of an id that this server makes", "another id, or leave it out")
    return text


def email_key(address: str | None) -> str | None:
    """The form under which an address is looked up, however it is written; None for none."""
    return None if address is None else unicodedata.normalize("NFKC", address.strip()).casefold()


def could_be_project_id(text: str) -> bool:
    """Whether any project could have this id."""
    return _PROJECT_ID.match(text) is not None


Label = Annotated[Name, AfterValidator(_label)]
Email = Annotated[str, StringConstraints(max_length=EMAIL), AfterValidator(_email)]
ExternalId = Annotated[Name, AfterValidator(_label)]
_EXTERNAL = (
    "The id that your identity provider has for this user: the claim `sub`, or another that a setting names."
)
OwnProjectId = Annotated[
    str,
    AfterValidator(_own_project_id),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+$"}),
]


class NewTenant(Input):
    """A tenant to create."""

    name: Label


class NewUser(Input):
    """A user to create; `role`, if given, counts in every project of the tenant."""

    name: Label = required("A name that no other user of the tenant has.")
    email: Email | None = optional("An e-mail address.")
    external_id: ExternalId | None = optional(_EXTERNAL)
    role: RoleWord | None = optional("A role that counts in every project of the tenant.")


class UserChange(Input):
    """What becomes different about a user: what is left out stays, null lifts anything but the name."""

    name: Label | None = optional("Another name, that no other user of the tenant has.")
    email: Email | None = optional("Another e-mail address; null: none.")
    external_id: ExternalId | None = optional(f"{_EXTERNAL} null: none.")
    role: RoleWord | None = optional("Another role in every project of the tenant; null: none.")

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An empty change is refused, and a name cannot be lifted."""
        if not body:
            yield fault_at("", "changes nothing", "at least one of name, email, externalId, role")
        if "name" in body and body["name"] is None:
            yield fault_at("/name", "is null, and a user always has one", "leave it out")

    def wanted(self) -> dict[str, Any]:
        """What was given, by the fields of a user."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        return given | ({"role": role_of(self.role)} if "role" in given else {})


class NewProject(Input):
    """A project to create, with an id of the caller's own or a new one of ours."""

    id: OwnProjectId | None = optional("An id of the caller's own; left out, one of ours.")
    name: Label = required("How it is called among people.")


class ProjectChange(Input):
    """A project's new name."""

    name: Label = required("The new name.")


class NewMember(Input):
    """A member of a project, new or changed: `id` is a user's or a service token's."""

    kind: PrincipalKind
    id: Id
    role: RoleWord
    reviewer_role: Reviewer | None = None


class NewToken(Input):
    """A token to make: for a user, with that user's rights, or for a service, with a role in a project or everywhere.

    Without `userId` a user's token is the caller's own. `scopes` narrows; nothing widens.
    """

    kind: PrincipalKind = required("user: a person with that user's rights; service: an assistant.")
    name: Label = required("What the token is for.")
    user_id: Id | None = optional("Only for kind user: whose token; left out, the caller's own.")
    project_id: Id | None = optional("Only for kind service: where its role counts; left out, everywhere.")
    role: RoleWord | None = optional("Only for kind service, and needed there: what it may do.")
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=9)] | None = optional(
        "Narrows what the token may do; left out, all that the role brings."
    )
    expires_at: Moment | None = optional("When it ends; left out, never.")

    @model_validator(mode="after")
    def _fits_its_kind(self) -> "NewToken":
        if self.scopes is not None and len(set(self.scopes)) < len(self.scopes):
            raise Fault("/scopes", "names a scope twice")
        if self.kind == "service":
            if self.user_id is not None:
                raise Fault("/userId", "does not go with the kind service", "leave it out")
            if self.role is None:
                raise Fault("/role", "is required for the kind service", "read, write, admin")
            return self
        for pointer, given in (("/projectId", self.project_id), ("/role", self.role)):
            if given is not None:
                raise Fault(
                    pointer, "does not go with the kind user, whose roles are its own", "narrow it by scopes"
                )
        return self


class Rotation(Input):
    """How a secret is replaced: for how many minutes the old one still works."""

    keep_old_minutes: int = Field(
        default=0, ge=0, le=LONGEST_KEEP, description="For how many minutes the old secret still works."
    )


def role_of(word: str | None) -> Role | None:
    """The role that a word on the wire, or in a row, means."""
    return None if word is None else Role[word.upper()]
