"""Passwords, invitations, sessions, and what slows guessing (pre: before the new code)."""

import unicodedata

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact

revision = "0025"
down_revision = "0024"


def _of_tenant(name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=f"fk_{name}_tenant_id")


def _of_user(name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=f"fk_{name}_user_id")


def upgrade() -> None:
    """Add them; addresses that are there get the key under which they are looked up."""
    op.add_column("users", exact("email_key", null=True))
    op.create_index("ix_users_email_key", "users", ["tenant_id", "email_key"])
    _key_addresses()
    op.create_table(
        "passwords",
        exact("tenant_id"),
        exact("user_id"),
        exact("password_hash"),
        big("set_at"),
        sa.PrimaryKeyConstraint("tenant_id", "user_id", name="pk_passwords"),
        _of_tenant("passwords"),
        _of_user("passwords"),
    )
    op.create_table(
        "invitations",
        exact("tenant_id"),
        exact("user_id"),
        exact("id"),
        exact("secret_hash"),
        exact("created_by_kind"),
        exact("created_by_id"),
        big("created_at"),
        big("expires_at"),
        sa.PrimaryKeyConstraint("tenant_id", "user_id", name="pk_invitations"),
        sa.UniqueConstraint("id", name="uq_invitations_id"),
        _of_tenant("invitations"),
        _of_user("invitations"),
    )
    _sessions()
    _attempts()


def _key_addresses() -> None:
    users = sa.table("users", sa.column("id"), sa.column("email"), sa.column("email_key"))
    connection = op.get_bind()
    for user_id, email in connection.execute(
        sa.select(users.c.id, users.c.email).where(users.c.email.is_not(None))
    ).all():
        key = unicodedata.normalize("NFKC", email.strip()).casefold()
        connection.execute(sa.update(users).where(users.c.id == user_id).values(email_key=key))


def _sessions() -> None:
    op.create_table(
        "user_sessions",
        exact("id"),
        exact("tenant_id"),
        exact("user_id"),
        exact("secret_hash"),
        big("idle_for"),
        big("created_at"),
        big("seen_at"),
        big("expires_at"),
        big("ended_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_user_sessions"),
        _of_tenant("user_sessions"),
        _of_user("user_sessions"),
    )
    op.create_index("ix_user_sessions_page", "user_sessions", ["tenant_id", "user_id", "created_at", "id"])
    op.create_index("ix_user_sessions_expires_at", "user_sessions", ["expires_at"])


def _attempts() -> None:
    op.create_table(
        "sign_in_attempts",
        exact("kind"),
        exact("key_hash"),
        big("count"),
        big("last_at"),
        sa.PrimaryKeyConstraint("kind", "key_hash", name="pk_sign_in_attempts"),
    )
    op.create_index("ix_sign_in_attempts_last_at", "sign_in_attempts", ["last_at"])
    op.create_table(
        "sign_in_places",
        exact("tenant_id"),
        exact("user_id"),
        exact("address_hash"),
        big("last_at"),
        sa.PrimaryKeyConstraint("tenant_id", "user_id", "address_hash", name="pk_sign_in_places"),
        _of_tenant("sign_in_places"),
        _of_user("sign_in_places"),
    )
    op.create_index("ix_sign_in_places_last_at", "sign_in_places", ["last_at"])


def downgrade() -> None:
    """Drop them."""
    for name in ("sign_in_places", "sign_in_attempts", "user_sessions", "invitations", "passwords"):
        op.drop_table(name)
    op.drop_index("ix_users_email_key", "users")
    op.drop_column("users", "email_key")
