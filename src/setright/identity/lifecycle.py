"""The lives of a user and of a token, as tables of moves."""

from setright.kernel.lifecycle import Lifecycle, Move

_KEEPERS = "the user itself, an admin of the token's project, or an admin of the tenant"

USER_LIFE = Lifecycle(
    thing="user",
    statuses=("active", "disabled"),
    moves=(
        Move("create", None, "active", "an admin of the tenant", "user.created"),
        Move("change", "active", "active", "an admin of the tenant", "user.changed"),
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
