"""What the identity room refuses."""

from collections.abc import Sequence

from setright.kernel.errors import Kind, Refusal


class AuthMissing(Refusal):
    """The request names no token."""

    kind, code = Kind.UNAUTHENTICATED, "auth-missing"

    def __init__(self) -> None:
        super().__init__("A token is needed: send the header Authorization: Bearer srt_...")


class AuthInvalid(Refusal):
    """The text is no token of ours, or of no token that exists."""

    kind, code = Kind.UNAUTHENTICATED, "auth-invalid"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The token {reason}. Copy it again, whole, from where it was shown, or make a new one."
        )


class AuthExpired(Refusal):
    """The token, or the secret that a rotation replaced, is past its time."""

    kind, code = Kind.UNAUTHENTICATED, "auth-expired"


class AuthRevoked(Refusal):
    """The token was revoked, or its user was disabled."""

    kind, code = Kind.UNAUTHENTICATED, "auth-revoked"


class SignInRefused(Refusal):
    """Nobody signs in with that; it is never told which part of it is wrong."""

    kind, code = Kind.UNAUTHENTICATED, "sign-in-refused"

    def __init__(self) -> None:
        super().__init__(
            "Nobody signs in with this e-mail address and password. Where the ledger has more than one tenant, give "
            "the tenant too. An admin of the tenant can make an invitation, which sets a new password."
        )


class SignInSlowed(Refusal):
    """Too many tries were wrong; Retry-After says when the next one is looked at."""

    kind, code = Kind.TOO_MANY, "sign-in-slowed"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            f"Too many sign-ins were wrong: the next one is looked at in {seconds} seconds. An invitation of an admin "
            "of the tenant is never slowed, and neither is an address from which this account came in before.",
            retry_after=seconds,
        )


class InvitationRefused(Refusal):
    """The invitation was used, replaced or never made, or is past its time."""

    kind, code = Kind.UNAUTHENTICATED, "invitation-refused"

    def __init__(self) -> None:
        super().__init__(
            "This invitation lets nobody in: it was used or replaced, is past its time, or was not copied whole. "
            "An admin of the tenant makes another."
        )


class EmailMissing(Refusal):
    """The user has no e-mail address to sign in with."""

    kind, code = Kind.CONFLICT, "email-missing"

    def __init__(self, name: str, user_id: str) -> None:
        super().__init__(
            f"The user {name} has no e-mail address, and signs in by one. Give them one first: PATCH /v1/users/{user_id}.",
            {"userId": user_id},
        )


class EmailTaken(Refusal):
    """Another user of the tenant signs in with the address."""

    kind, code = Kind.CONFLICT, "email-taken"

    def __init__(self, email: str) -> None:
        super().__init__(
            f"Another user of the tenant signs in with {email}. Give one of the two another address.",
            {"email": email},
        )


class ExternalIdTaken(Refusal):
    """The identity provider's id belongs to another user of the tenant."""

    kind, code = Kind.CONFLICT, "external-id-taken"

    def __init__(self, external_id: str) -> None:
        super().__init__(
            f"externalId: {external_id} is another user's already. Each user has an id of their own there.",
            {"externalId": external_id},
        )


class SessionNotFound(Refusal):
    """The tenant has no such session."""

    kind, code = Kind.MISSING, "session-not-found"


class TenantExists(Refusal):
    """The name belongs to another tenant of this ledger."""

    kind, code = Kind.CONFLICT, "tenant-exists"


class UserNotFound(Refusal):
    """The tenant has no such user."""

    kind, code = Kind.MISSING, "user-not-found"


class UserExists(Refusal):
    """The name belongs to another user of the tenant."""

    kind, code = Kind.CONFLICT, "user-exists"


class UserDisabled(Refusal):
    """The user was disabled, which cannot be undone."""

    kind, code = Kind.CONFLICT, "user-disabled"


class LastAdmin(Refusal):
    """Without this user nobody could manage the tenant."""

    kind, code = Kind.CONFLICT, "last-admin"


class ProjectNotFound(Refusal):
    """The tenant has no such project."""

    kind, code = Kind.MISSING, "project-not-found"


class ProjectExists(Refusal):
    """The id belongs to another project of the tenant."""

    kind, code = Kind.CONFLICT, "project-exists"


class TokenNotFound(Refusal):
    """The tenant has no such token."""

    kind, code = Kind.MISSING, "token-not-found"


class TokenRevoked(Refusal):
    """The token was revoked, which cannot be undone."""

    kind, code = Kind.CONFLICT, "token-revoked"


class TokenExpired(Refusal):
    """The token is past its time, and a new secret would not work either."""

    kind, code = Kind.CONFLICT, "token-expired"


class MemberNotFound(Refusal):
    """The project has no such member."""

    kind, code = Kind.MISSING, "member-not-found"


class ScholarNotFound(Refusal):
    """The tenant has no such scholar."""

    kind, code = Kind.MISSING, "scholar-not-found"

    def __init__(self, number: int) -> None:
        super().__init__(
            f"There is no scholar {number}. GET /v1/scholars lists those there are, POST makes one.",
            {"scholarId": number},
        )


class ScholarNotYours(Refusal):
    """The caller has no approved claim to speak as the scholar."""

    kind, code = Kind.FORBIDDEN, "scholar-not-yours"

    def __init__(self, number: int, name: str) -> None:
        super().__init__(
            f"You may not speak as scholar {number} ({name}). Ask for it by POST /v1/scholars/{number}/claims or "
            f"`setright scholars claim {number}`; an admin of the tenant approves.",
            {"scholarId": number, "ask": f"/v1/scholars/{number}/claims"},
        )


class OrcidTaken(Refusal):
    """The ORCID belongs to another scholar of the tenant."""

    kind, code = Kind.CONFLICT, "orcid-taken"

    def __init__(self, orcid: str, number: int) -> None:
        super().__init__(
            f"orcid: {orcid} is scholar {number}'s already. Use that scholar, or leave the ORCID out.",
            {"orcid": orcid, "scholarId": number},
        )


class ClaimNotFound(Refusal):
    """There is no such claim on the scholar that the caller may see."""

    kind, code = Kind.MISSING, "scholar-claim-not-found"

    def __init__(self, number: int, claim_id: str) -> None:
        super().__init__(
            f"There is no claim {claim_id!r} on scholar {number}.", {"scholarId": number, "claimId": claim_id}
        )


class ClaimMoveRefused(Refusal):
    """The claim cannot be moved so from where it stands; `details.open` lists the moves that are open."""

    kind, code = Kind.CONFLICT, "scholar-claim-move-refused"

    def __init__(self, claim_id: str, status: str, verb: str, moves: Sequence[str]) -> None:
        to = ", ".join(moves) or "none: make a new claim"
        super().__init__(
            f"Claim {claim_id} is {status}, so it cannot be {_DONE.get(verb, verb)}. Open moves: {to}.",
            {"claimId": claim_id, "status": status, "wanted": verb, "open": list(moves)},
        )


_DONE = {"approve": "approved", "reject": "rejected", "withdraw": "withdrawn", "ask": "asked for again"}
