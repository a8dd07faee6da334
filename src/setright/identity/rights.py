"""What a caller's roles allow it in this room: the scopes they bring, and what it may hand on."""

from collections.abc import Iterable, Mapping
from typing import get_args

from setright.identity.model import Reviewer, Token
from setright.kernel.actor import Actor, Role, scopes_of
from setright.kernel.clock import to_wire
from setright.kernel.errors import PermissionDenied, ScopeMissing

_NONE: frozenset[str] = frozenset()
REVIEWER_ROLES: tuple[str, ...] = get_args(Reviewer)
"""The reviewer roles from the lowest to the highest."""


def reaches(reviewer_role: str | None, least: str) -> bool:
    """Whether a reviewer role is the least that is asked for, or a higher one; without a role none is."""
    return reviewer_role is not None and REVIEWER_ROLES.index(reviewer_role) >= REVIEWER_ROLES.index(least)


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


def has_whole_rights(actor: Actor) -> bool:
    """Whether the caller acts with all that it is: by the scope `admin`, or as a person whose token was not narrowed.

    A narrowed token is not whole because its scopes are all that the user has today: the user may have more tomorrow.
    """
    return "admin" in actor.scopes or (actor.is_person and not actor.narrowed)


def require_whole_rights(actor: Actor) -> None:
    """Refuse (`scope-missing`) a service token without the scope `admin`, and a user's token that was narrowed.

    What changes who may do what would otherwise give a narrowed token the rights that it was denied; and whom else
    there is, is not for a token that was made for one purpose.
    """
    if has_whole_rights(actor):
        return
    needs = (
        "this token was narrowed to some scopes. Use a token for which no scopes were chosen."
        if actor.is_person
        else "a service token needs the scope admin for it. A user's token does it without."
    )
    raise ScopeMissing(
        f"This takes all that its caller may do: {needs}", {"needs": "admin", "has": sorted(actor.scopes)}
    )


def require_scopes_to_give(actor: Actor, scopes: Iterable[str]) -> None:
    """Refuse (`permission-denied`) to hand on scopes that the caller itself lacks."""
    beyond = _NONE if "admin" in actor.scopes else frozenset(scopes) - actor.scopes
    if beyond:
        words = ", ".join(sorted(beyond))
        raise PermissionDenied(
            f"The token would have rights that you do not have: the scopes {words}. Choose scopes without them.",
            {"beyond": sorted(beyond), "has": sorted(actor.scopes)},
        )


def require_rights_to_give(actor: Actor, scopes: Iterable[str], roles: Mapping[str, Role]) -> None:
    """Refuse (`permission-denied`) to hand on scopes, or roles by project, that the caller itself lacks."""
    beyond = [
        f"{role.word} in project {project}"
        for project, role in sorted(roles.items())
        if not actor.may(role, project)
    ]
    if beyond:
        raise PermissionDenied(
            f"The token has rights that you do not have: {', '.join(beyond)}. An admin of the tenant can do this.",
            {"beyond": beyond},
        )
    require_scopes_to_give(actor, scopes)


def require_time_to_give(actor: Actor, until: int | None, way_out: str) -> None:
    """Refuse (`permission-denied`) to hand out a secret that works longer than the one that the caller sent.

    `until` is when it ends, None if never; `way_out` says how the caller can do what it wants.
    """
    ends_at = actor.ends_at
    if ends_at is None or (until is not None and until <= ends_at):
        return
    raise PermissionDenied(
        f"The secret that you call with works until {to_wire(ends_at)}, and this would give out one that works "
        f"longer. {way_out}",
        {"latest": to_wire(ends_at)},
    )


def require_person(actor: Actor) -> None:
    """Refuse (`permission-denied`) an assistant the secret of a user's token, which would make it a person."""
    if not actor.is_person:
        raise PermissionDenied(
            "A service token cannot get the secret of a user's token. "
            "A person does this with a token of their own, or by the setright command at the server.",
            {"needs": "user"},
        )


def require_keeper(actor: Actor, token: Token) -> None:
    """Refuse who may not see and revoke the token: its own, one of a project that it runs, or any as admin.

    One that is not its own needs whole rights besides.
    """
    own = token.id == actor.token_id or (actor.is_person and token.user_id == actor.id)
    if own:
        return
    runs = token.project_id is not None and actor.may(Role.ADMIN, token.project_id)
    if actor.tenant_role is not Role.ADMIN and not runs:
        raise PermissionDenied(
            "This token belongs to somebody else: it needs the role admin in the tenant"
            + (f" or in project {token.project_id}." if token.project_id else "."),
            {"tokenId": token.id, "needs": "admin"},
        )
    require_whole_rights(actor)
