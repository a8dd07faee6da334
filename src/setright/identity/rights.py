"""What a caller's roles allow it: which scopes they bring, and what it may hand on."""

from collections.abc import Iterable, Mapping

from setright.kernel.actor import Role, scopes_of

_NONE: frozenset[str] = frozenset()


def scopes_of_user(roles: Mapping[str, Role], tenant_role: Role | None) -> frozenset[str]:
    """The scopes of a user without a narrowed token; `admin` comes only from the role admin in the tenant."""
    own = _NONE if tenant_role is None else scopes_of(tenant_role)
    return own | _scopes_of_members(roles.values())


def scopes_of_service(token_role: Role | None, memberships: Iterable[Role]) -> frozenset[str]:
    """The scopes of a service token for which none were chosen.

    A membership never brings `admin`: else an admin of one project could raise a token in all others.
    """
    own = _NONE if token_role is None else scopes_of(token_role)
    return own | _scopes_of_members(memberships)


def _scopes_of_members(roles: Iterable[Role]) -> frozenset[str]:
    strongest = max(roles, default=None)
    return _NONE if strongest is None else scopes_of(min(strongest, Role.WRITE))
