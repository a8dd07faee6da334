"""What the identity room refuses."""

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
