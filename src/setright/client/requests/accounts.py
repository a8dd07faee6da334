"""The requests about users, tokens, the caller and the server itself."""

from typing import Any, Unpack, cast

from setright.client.accounts import Invitation, Me, Session, Token, User
from setright.client.inputs import (
    PageFilters,
    SessionFilters,
    TokenFields,
    UserChanges,
    UserFields,
    UserFilters,
)
from setright.client.limits import Limits
from setright.client.paging import Page, page_of
from setright.client.records import Receipt, Unreadable
from setright.client.request import Request
from setright.client.values import ours, query, segment


def me() -> Request[Me]:
    """Read who the token speaks for and what it may do."""
    return Request[Me].get("/v1/me", Me.read)


def limits() -> Request[Limits]:
    """Read every limit that can refuse a request, and how much of the tenant's is used."""
    return Request[Limits].get("/v1/limits", Limits.read)


def openapi() -> Request[dict[str, Any]]:
    """Read the server's OpenAPI document."""
    return Request[dict[str, Any]].get("/openapi.json", _document)


def create_user(*, key: str | None = None, **user: Unpack[UserFields]) -> Request[User]:
    """Make a user."""
    return Request[User].write("POST", "/v1/users", User.read, ours(user), key=key)


def get_user(user_id: str) -> Request[User]:
    """Read a user."""
    return Request[User].get(_user(user_id), User.read)


def users_page(**filters: Unpack[UserFilters]) -> Request[Page[User]]:
    """Read one page of the users, newest first."""
    return Request[Page[User]].get("/v1/users", page_of(User), query(**filters))


def change_user(
    user_id: str, *, if_match: str | None = None, key: str | None = None, **changes: Unpack[UserChanges]
) -> Request[User]:
    """Give a user another name, e-mail address or role.

    With `if_match`, the ETag of the state that you read (`.receipt.etag`), a user whom another changed since is
    refused (`ChangedMeanwhile`).
    """
    return Request[User].write("PATCH", _user(user_id), User.read, ours(changes), key=key, if_match=if_match)


def disable_user(user_id: str, *, key: str | None = None) -> Request[User]:
    """Shut a user out: the tokens stop at once, and what the user said stays."""
    return Request[User].write("POST", f"{_user(user_id)}/disable", User.read, key=key)


def invite_user(user_id: str, *, key: str | None = None) -> Request[Invitation]:
    """Make an invitation, by which the user sets a password; `secret` of the answer is told this one time."""
    return Request[Invitation].write("POST", f"{_user(user_id)}/invite", Invitation.read, key=key)


def sign_in(email: str, password: str, *, tenant: str | None = None) -> Request[Session]:
    """Sign in as a user; `secret` of the answer, told this one time, lets in as a token does.

    Whatever token the client has is not looked at.
    """
    body = ours({"email": email, "password": password, "tenant": tenant})
    return Request[Session].write("POST", "/v1/sessions", Session.read, body, key=None)


def set_password(
    password: str,
    *,
    invitation: str | None = None,
    email: str | None = None,
    old_password: str | None = None,
    tenant: str | None = None,
) -> Request[Session]:
    """Set a password by an invitation, or by `email` and `old_password`, and be signed in; other sessions end."""
    by = {"invitation": invitation, "email": email, "old_password": old_password, "tenant": tenant}
    body = ours({"password": password, **by})
    return Request[Session].write("POST", "/v1/passwords", Session.read, body, key=None)


def sessions_page(**filters: Unpack[SessionFilters]) -> Request[Page[Session]]:
    """Read one page of your sessions that let in, or of a user's as an admin, newest first."""
    return Request[Page[Session]].get("/v1/sessions", page_of(Session), query(**filters))


def end_session(session_id: str = "current", *, key: str | None = None) -> Request[Session]:
    """End a session at once; without an id the one that calls, which signs out."""
    path = f"/v1/sessions/{segment('session_id', session_id)}"
    return Request[Session].write("DELETE", path, Session.read, key=key)


def create_token(*, key: str | None = None, **token: Unpack[TokenFields]) -> Request[Token]:
    """Make a token; `secret` of the answer is told this one time.

    A retry whose first try was answered unheard is a Conflict `idempotency-key-replay-withheld`: rotate the token.
    """
    return Request[Token].write("POST", "/v1/tokens", Token.read, ours(token), key=key)


def get_token(token_id: str) -> Request[Token]:
    """Read a token, without its secret."""
    return Request[Token].get(_token(token_id), Token.read)


def tokens_page(**filters: Unpack[PageFilters]) -> Request[Page[Token]]:
    """Read one page of the tokens, without their secrets, newest first."""
    return Request[Page[Token]].get("/v1/tokens", page_of(Token), query(**filters))


def revoke_token(token_id: str, *, key: str | None = None) -> Request[Token | None]:
    """End a token at once."""
    return Request[Token | None].write("DELETE", _token(token_id), _token_or_nothing, key=key)


def rotate_token(
    token_id: str, *, keep_old_minutes: int | None = None, key: str | None = None
) -> Request[Token]:
    """Give a token a new secret, told this one time; the old one lives on for `keep_old_minutes`."""
    body = {} if keep_old_minutes is None else {"keepOldMinutes": keep_old_minutes}
    return Request[Token].write("POST", f"{_token(token_id)}/rotate", Token.read, body, key=key)


def _user(user_id: str) -> str:
    return f"/v1/users/{segment('user_id', user_id)}"


def _token(token_id: str) -> str:
    return f"/v1/tokens/{segment('token_id', token_id)}"


def _token_or_nothing(value: object, receipt: Receipt) -> Token | None:
    return None if value is None else Token.read(value, receipt)


def _document(value: object, _receipt: Receipt) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unreadable("the OpenAPI document is not an object")
    return cast("dict[str, Any]", value)
