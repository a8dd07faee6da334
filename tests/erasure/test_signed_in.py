"""A user who signs in leaves no password, session, invitation or place behind."""

from typing import Any

from sqlalchemy import func, select

from setright import identity
from setright.app.schema import metadata
from setright.identity import Lasting
from setright.kernel.clock import SECOND
from setright.storage import Sql, Tx
from tests.erasure.said import Said

HOUR = 3600 * SECOND
OF_USERS = ("passwords", "invitations", "user_sessions", "sign_in_places")


def count_of(said: Said, table: str, user_id: str) -> int:
    """How many rows of a table are a user's."""
    rows = metadata.tables[table]
    found = Sql(select(func.count().label("count")).where(rows.c.user_id == user_id))
    row = said.proving.ledger.read(lambda at: at.one(found))
    return 0 if row is None else row["count"]


def signed_in(said: Said, user_id: str) -> None:
    """The user has a password, signed in by it, and was invited once more."""
    tenant_id = said.admin.tenant_id

    def by_admin(work: Any) -> Any:
        return said.proving.ledger.write(work, said.admin)

    def by_nobody(work: Any) -> Any:
        return said.proving.ledger.write(work)

    def sign_in(tx: Tx) -> None:
        entrance = identity.begin_sign_in(tx, "marthe@example.org", tenant_id, f"home of {user_id}")
        identity.open_session(tx, entrance, Lasting(HOUR, HOUR))

    invitation = by_admin(lambda tx: identity.invite_user(tx, user_id)).secret
    by_nobody(lambda tx: identity.set_password(tx, invitation, "hash", Lasting(HOUR, HOUR)))
    by_nobody(sign_in)
    by_admin(lambda tx: identity.invite_user(tx, user_id))


def test_nothing_of_signing_in_is_left_of_an_erased_user(said: Said) -> None:
    marthe = said.user()
    signed_in(said, marthe.id)
    assert [count_of(said, table, marthe.id) for table in OF_USERS] == [1, 1, 2, 1]
    said.erased(userId=marthe.id)
    assert [count_of(said, table, marthe.id) for table in OF_USERS] == [0, 0, 0, 0]
    assert said.places("marthe@") == []
