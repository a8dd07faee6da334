"""The tables of tenants, users, tokens, sign-ins, projects and their members, and of scholars and who may speak as one."""

from sqlalchemy import ForeignKeyConstraint, Index, Table, UniqueConstraint, literal_column

from setright.storage import json_text, metadata, moment, number, text

tenants = Table(
    "tenants", metadata, text("id", primary_key=True), text("name", unique=True), moment("created_at")
)

tenant_limits = Table(
    "tenant_limits",
    metadata,
    text("tenant_id", primary_key=True),
    json_text("limits"),
    moment("updated_at"),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
)

users = Table(
    "users",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("name"),
    text("email", null=True),
    text("email_key", null=True),
    text("external_id", null=True),
    text("role", null=True),
    moment("created_at"),
    moment("updated_at", null=True),
    moment("disabled_at", null=True),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
    UniqueConstraint("tenant_id", "name"),
)
"""`email_key` is the address as it is looked up, however it was written."""
Index("ix_users_external_id", users.c.tenant_id, users.c.external_id)
Index("ix_users_email_key", users.c.tenant_id, users.c.email_key)

projects = Table(
    "projects",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("name"),
    moment("created_at"),
    moment("updated_at"),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
)
Index("ix_projects_page", projects.c.tenant_id, projects.c.created_at, projects.c.id)

tokens = Table(
    "tokens",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("kind"),
    text("user_id", null=True),
    text("name"),
    text("secret_hash"),
    text("old_secret_hash", null=True),
    moment("old_until", null=True),
    text("role", null=True),
    text("project_id", null=True),
    json_text("scopes", null=True),
    text("created_by_kind"),
    text("created_by_id"),
    moment("created_at"),
    moment("rotated_at", null=True),
    moment("expires_at", null=True),
    moment("revoked_at", null=True),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
    ForeignKeyConstraint(["user_id"], ["users.id"]),
)
Index("ix_tokens_page", tokens.c.tenant_id, tokens.c.created_at, tokens.c.id)

members = Table(
    "members",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    text("principal_kind", primary_key=True),
    text("principal_id", primary_key=True),
    text("role"),
    text("reviewer_role", null=True),
    moment("added_at"),
    ForeignKeyConstraint(["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"]),
)
Index("ix_members_principal", members.c.tenant_id, members.c.principal_kind, members.c.principal_id)

tenant_numbers = Table(
    "tenant_numbers",
    metadata,
    text("tenant_id", primary_key=True),
    text("kind", primary_key=True),
    number("last"),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
)
"""The last whole number that a tenant gave to a thing of some kind."""

scholars = Table(
    "scholars",
    metadata,
    text("tenant_id", primary_key=True),
    number("number", primary_key=True, autoincrement=False),
    text("name"),
    text("orcid", null=True),
    text("institution", null=True),
    text("created_by_kind"),
    text("created_by_id"),
    moment("created_at"),
    moment("updated_at"),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
    UniqueConstraint("tenant_id", "orcid"),
)

scholar_claims = Table(
    "scholar_claims",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    number("scholar"),
    text("principal_kind"),
    text("principal_id"),
    text("status"),
    text("note", null=True),
    text("reason", null=True),
    text("decided_by_kind", null=True),
    text("decided_by_id", null=True),
    moment("decided_at", null=True),
    moment("created_at"),
    moment("updated_at"),
    ForeignKeyConstraint(["tenant_id", "scholar"], ["scholars.tenant_id", "scholars.number"]),
)
"""Who asked to speak as a scholar, and what an admin said; one at most that is asked or approved of each."""
_CLAIM = scholar_claims.c
_LIVE = _CLAIM.status.in_([literal_column("'asked'"), literal_column("'approved'")])
Index(
    "ix_scholar_claims_live",
    _CLAIM.tenant_id,
    _CLAIM.scholar,
    _CLAIM.principal_kind,
    _CLAIM.principal_id,
    unique=True,
    sqlite_where=_LIVE,
    postgresql_where=_LIVE,
)
Index("ix_scholar_claims_page", _CLAIM.tenant_id, _CLAIM.scholar, _CLAIM.created_at, _CLAIM.id)
Index("ix_scholar_claims_principal", _CLAIM.tenant_id, _CLAIM.principal_kind, _CLAIM.principal_id)

passwords = Table(
    "passwords",
    metadata,
    text("tenant_id", primary_key=True),
    text("user_id", primary_key=True),
    text("password_hash"),
    moment("set_at"),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
    ForeignKeyConstraint(["user_id"], ["users.id"]),
)

invitations = Table(
    "invitations",
    metadata,
    text("tenant_id", primary_key=True),
    text("user_id", primary_key=True),
    text("id", unique=True),
    text("secret_hash"),
    text("created_by_kind"),
    text("created_by_id"),
    moment("created_at"),
    moment("expires_at"),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
    ForeignKeyConstraint(["user_id"], ["users.id"]),
)
"""What lets a user set a password, once; one at most of each."""

user_sessions = Table(
    "user_sessions",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("user_id"),
    text("secret_hash"),
    number("idle_for"),
    moment("created_at"),
    moment("seen_at"),
    moment("expires_at"),
    moment("ended_at", null=True),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
    ForeignKeyConstraint(["user_id"], ["users.id"]),
)
"""Sign-ins of users; `idle_for` is how long one lasts that nobody uses."""
_SESSION = user_sessions.c
Index("ix_user_sessions_page", _SESSION.tenant_id, _SESSION.user_id, _SESSION.created_at, _SESSION.id)
Index("ix_user_sessions_expires_at", _SESSION.expires_at)

sign_in_attempts = Table(
    "sign_in_attempts",
    metadata,
    text("kind", primary_key=True),
    text("key_hash", primary_key=True),
    number("count"),
    moment("last_at"),
)
"""How often somebody tried to sign in since it was last right; belongs to no tenant, for not every name has one."""
Index("ix_sign_in_attempts_last_at", sign_in_attempts.c.last_at)

sign_in_places = Table(
    "sign_in_places",
    metadata,
    text("tenant_id", primary_key=True),
    text("user_id", primary_key=True),
    text("address_hash", primary_key=True),
    moment("last_at"),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
    ForeignKeyConstraint(["user_id"], ["users.id"]),
)
"""Addresses from which a user came in before, which strangers' attempts do not slow."""
Index("ix_sign_in_places_last_at", sign_in_places.c.last_at)
