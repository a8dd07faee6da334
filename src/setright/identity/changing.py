"""What every change of who may do what begins with."""

from setright.identity.errors import UserDisabled
from setright.identity.model import User
from setright.identity.rights import require_whole_rights
from setright.storage import Tx, raise_identity_version


def change_identity(tx: Tx) -> None:
    """Begin a change of who may do what: every remembered caller is read again, and other such changes wait."""
    require_whole_rights(tx.actor)
    raise_identity_version(tx)


def require_active(user: User) -> None:
    """Refuse (`user-disabled`) a user who is shut out."""
    if user.disabled_at is not None:
        raise UserDisabled(f"The user {user.name} was disabled, and stays so.", {"userId": user.id})
