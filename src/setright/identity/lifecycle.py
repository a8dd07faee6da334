"""The lives of a user, a token, a session and a claim to speak as a scholar, as tables of moves."""

from setright.kernel.lifecycle import Lifecycle, Move

_KEEPERS = "the user itself, an admin of the token's project, or an admin of the tenant"

USER_LIFE = Lifecycle(
    thing="user",
    statuses=("active", "disabled"),
    moves=(
        Move("create", None, "active", "an admin of the tenant", "user.created"),
        Move("change", "active", "active", "an admin of the tenant", "user.changed"),
        Move("invite", "active", "active", "an admin of the tenant, in person", "user.invited"),
        Move(
            "set-password",
            "active",
            "active",
            "whoever has the invitation, or the old password",
            "user.password-set",
        ),
        Move("disable", "active", "disabled", "an admin of the tenant", "user.disabled"),
    ),
    final=("disabled",),
)

TOKEN_LIFE = Lifecycle(
    thing="token",
    statuses=("active", "revoked"),
    moves=(
        Move("create", None, "active", _KEEPERS, "token.created"),
        Move("rotate", "active", "active", f"{_KEEPERS}; a user's token only in person", "token.rotated"),
        Move("revoke", "active", "revoked", _KEEPERS, "token.revoked"),
    ),
    final=("revoked",),
)

SESSION_LIFE = Lifecycle(
    thing="session",
    statuses=("open", "ended"),
    moves=(
        Move("sign-in", None, "open", "the user, by a password", "session.opened"),
        Move("end", "open", "ended", "the user, or an admin of the tenant", "session.ended"),
    ),
    final=("ended",),
)

_ADMIN = "an admin of the tenant"
_BEARER = "whose claim it is"

CLAIM_LIFE = Lifecycle(
    thing="scholar claim",
    statuses=("asked", "approved", "rejected", "withdrawn"),
    moves=(
        Move("ask", None, "asked", "anyone with knowledge:write, for itself", "scholar-claim.asked"),
        Move("grant", None, "approved", f"{_ADMIN}, for another", "scholar-claim.approved"),
        Move("approve", "asked", "approved", _ADMIN, "scholar-claim.approved"),
        Move("reject", "asked", "rejected", _ADMIN, "scholar-claim.rejected"),
        Move("reject", "approved", "rejected", _ADMIN, "scholar-claim.rejected"),
        Move("withdraw", "asked", "withdrawn", _BEARER, "scholar-claim.withdrawn"),
        Move("withdraw", "approved", "withdrawn", _BEARER, "scholar-claim.withdrawn"),
    ),
    final=("rejected", "withdrawn"),
)
