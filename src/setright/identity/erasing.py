"""Taking a user's name, e-mail and id out of the ledger: a pseudonym stands where the user stood."""

from collections.abc import Sequence

from sqlalchemy import and_, bindparam, delete, literal_column, null, select, update

from setright.identity import sign_in_store, store
from setright.identity.model import User
from setright.identity.operations import disable_user
from setright.identity.passwords import shut_out
from setright.identity.queries import find_user
from setright.identity.tables import scholar_claims, tokens, users
from setright.kernel.errors import PermissionDenied
from setright.storage import Snapshot, Sql, Tx, raise_identity_version

_U, _T, _C = users.c, tokens.c, scholar_claims.c
_NAMELESS_TOKENS = Sql(
    update(tokens)
    .where(_T.tenant_id == bindparam("in_tenant"), _T.user_id == bindparam("of_user"))
    .values(name=bindparam("new_name"))
)
_IDS = Sql(select(_U.id).where(_U.tenant_id == bindparam("tenant_id")).order_by(_U.id))
_EMPTY_CLAIMS = Sql(
    update(scholar_claims)
    .where(
        _C.tenant_id == bindparam("in_tenant"),
        _C.principal_kind == literal_column("'user'"),
        _C.principal_id == bindparam("of_user"),
        _C.note.is_not(None),
    )
    .values(note=null())
)
_EMPTY_REASONS = Sql(
    update(scholar_claims)
    .where(
        _C.tenant_id == bindparam("in_tenant"),
        _C.decided_by_kind == literal_column("'user'"),
        _C.decided_by_id == bindparam("of_user"),
        _C.reason.is_not(None),
    )
    .values(reason=null())
)
_FORGET = Sql(
    delete(users).where(and_(_U.tenant_id == bindparam("in_tenant"), _U.id == bindparam("of_user")))
)


def erasable_user(tx: Tx, user_id: str) -> User:
    """The user, who must be another than the caller: what the caller does from now on would name them again."""
    found = find_user(tx, user_id)
    if (tx.actor.kind, tx.actor.id) == ("user", found.id):
        raise PermissionDenied(
            "Nobody erases themselves; another admin of the tenant does it.", {"userId": found.id}
        )
    return found


def user_ids(at: Snapshot) -> Sequence[str]:
    """The ids of the tenant's users, pseudonyms too."""
    return [row["id"] for row in at.all(_IDS, tenant_id=at.actor.tenant_id)]


def retire_user(tx: Tx, user_id: str, *, even_last: bool = False) -> str:
    """Shut a user out and make the pseudonym that will stand for them; its id.

    The last admin stays (`last-admin`), but for who restores a ledger from before there was another.
    """
    user = find_user(tx, user_id) if even_last else disable_user(tx, user_id)
    if even_last:
        tx.run(store.DISABLE_USER, at=tx.now, in_tenant=user.tenant_id, user_id=user.id)
    shut_out(tx, user)
    tx.run(sign_in_store.DROP_SESSIONS, in_tenant=user.tenant_id, of_user=user.id)
    pseudonym = tx.new_id("usr")
    name = f"erased {pseudonym[-8:]}"
    tx.run(
        store.ADD_USER,
        id=pseudonym,
        tenant_id=user.tenant_id,
        name=name,
        email=None,
        email_key=None,
        external_id=None,
        role=None,
        created_at=user.created_at,
        updated_at=tx.now,
        disabled_at=tx.now,
    )
    tx.run(_NAMELESS_TOKENS, in_tenant=user.tenant_id, of_user=user.id, new_name=name)
    return pseudonym


def erase_claims_by(tx: Tx, user_id: str) -> None:
    """Take out what a user said in claims to speak as a scholar, and why they approved or rejected others'."""
    for statement in (_EMPTY_CLAIMS, _EMPTY_REASONS):
        tx.run(statement, in_tenant=tx.actor.tenant_id, of_user=user_id)


def forget_user(tx: Tx, user_id: str) -> None:
    """Drop the row of a user to whom nothing in the ledger points any more."""
    raise_identity_version(tx)
    tx.run(_FORGET, in_tenant=tx.actor.tenant_id, of_user=user_id)
