"""Who is calling, as authentication found out: never what a body says."""

from dataclasses import dataclass, field
from enum import IntEnum

from setright.kernel.errors import PermissionDenied, ScopeMissing


class Role(IntEnum):
    """A role in a project or in the whole tenant; each includes those below it."""

    READ = 1
    WRITE = 2
    ADMIN = 3

    @property
    def word(self) -> str:
        """The role as written on the wire."""
        return self.name.lower()


SCOPES = (
    "corrections:read",
    "corrections:write",
    "decisions:read",
    "decisions:write",
    "knowledge:read",
    "knowledge:write",
    "mcp:read",
    "mcp:write",
    "admin",
)


def scopes_of(role: Role) -> frozenset[str]:
    """The scopes that a role brings when none were chosen."""
    if role is Role.ADMIN:
        return frozenset(SCOPES)
    ends = (":read", ":write") if role is Role.WRITE else (":read",)
    return frozenset(scope for scope in SCOPES if scope.endswith(ends))


@dataclass(frozen=True, slots=True)
class Actor:
    """An authenticated caller: a user (a person) or a service (an assistant).

    `id` is the user's id, or the token's id for a service. `tenant_role` counts in every project of the tenant.
    `narrowed` says that scopes were chosen for the token, be it all that its bearer has now. `ends_at` (microseconds)
    is when the secret that was sent works no longer by itself, None if never.
    """

    tenant_id: str
    kind: str
    id: str
    token_id: str
    scopes: frozenset[str]
    roles: dict[str, Role] = field(default_factory=dict[str, Role])
    tenant_role: Role | None = None
    narrowed: bool = False
    ends_at: int | None = field(default=None, compare=False)

    @property
    def is_person(self) -> bool:
        """True for a user's session or token; a service token is an assistant."""
        return self.kind == "user"

    def role_in(self, project_id: str) -> Role | None:
        """The stronger of the roles in the tenant and in the project."""
        own = self.roles.get(project_id)
        if self.tenant_role is None:
            return own
        return self.tenant_role if own is None else max(own, self.tenant_role)

    def may(self, role: Role, project_id: str) -> bool:
        """Whether the caller has at least `role` in the project."""
        held = self.role_in(project_id)
        return held is not None and held >= role

    def require(self, role: Role, project_id: str) -> None:
        """Refuse (`permission-denied`) unless the caller has at least `role` in the project."""
        if not self.may(role, project_id):
            raise PermissionDenied(
                f"This needs the role {role.word} in project {project_id}.",
                {"projectId": project_id, "needs": role.word},
            )

    def require_in_tenant(self, role: Role) -> None:
        """Refuse (`permission-denied`) unless the caller has at least `role` in the whole tenant."""
        if self.tenant_role is None or self.tenant_role < role:
            raise PermissionDenied(f"This needs the role {role.word} in the tenant.", {"needs": role.word})

    def require_admin(self) -> None:
        """Refuse who is no admin of the tenant (`permission-denied`), and a token of one that lacks the scope `admin`.

        For what has no scope of its own because it is about the whole tenant: a token that was made for one purpose
        must not do it.
        """
        self.require_in_tenant(Role.ADMIN)
        self.require_scope("admin")

    def require_scope(self, scope: str) -> None:
        """Refuse (`scope-missing`) unless the token has the scope; `admin` includes every scope."""
        if scope and scope not in self.scopes and "admin" not in self.scopes:
            raise ScopeMissing(
                f"The token lacks the scope {scope}.", {"needs": scope, "has": sorted(self.scopes)}
            )

    def readable_projects(self) -> list[str] | None:
        """Ids of the projects that the caller may read; None when it may read every project of the tenant."""
        return self.projects_with(Role.READ)

    def projects_with(self, role: Role) -> list[str] | None:
        """Ids of the projects in which the caller has at least `role`; None when it has it in the whole tenant."""
        if self.tenant_role is not None and self.tenant_role >= role:
            return None
        return sorted(project for project, held in self.roles.items() if held >= role)
