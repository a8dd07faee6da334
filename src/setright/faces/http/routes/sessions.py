"""Routes of signing in: passwords, invitations and sessions."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http import samples
from setright.faces.http.parameters import PageQuery
from setright.faces.http.request import Request
from setright.faces.http.route import Asked, Example, OpenRoute, Route
from setright.faces.http.routes.server import Server
from setright.faces.http.show import Listed, One
from setright.faces.http.wire import sessions
from setright.identity import NewPassword, NewSession
from setright.kernel.answer import Answer
from setright.kernel.fields import Id, optional

SENT = (
    "invalid-body",
    "unknown-field",
    "unknown-parameter",
    "unsupported-media-type",
    "request-too-large",
    "origin-not-allowed",
    "sign-in-refused",
    "sign-in-slowed",
    "sign-in-busy",
    "storage-unavailable",
    "server-stopping",
)
USER = {"userId": samples.USER["id"]}
SESSION = {"sessionId": sessions.SESSION["id"]}


class SessionQuery(PageQuery):
    """Whose sessions are listed."""

    user_id: Id | None = optional("Another user, whose sessions an admin of the tenant may see.")


async def _sign_in(server: Server, request: Request) -> Answer:
    return await server.entry.sign_in(request)


async def _set_password(server: Server, request: Request) -> Answer:
    return await server.entry.set_password(request)


def _sessions(asked: Asked) -> dict[str, Any]:
    return {**asked.page, "user_id": asked.query.user_id}


ROUTES = (
    OpenRoute(
        "/v1/sessions",
        "signIn",
        "Sign in as a user, by e-mail address and password; the session's secret is in this answer and never again.",
        _sign_in,
        method="POST",
        tag="sessions",
        body=NewSession,
        answers=sessions.IssuedSession,
        example=Example(body=sessions.NEW_SESSION, answer=sessions.ISSUED_SESSION),
        refuses=SENT,
        more="A session acts as the person, and its secret is sent as a token is. It ends when nobody uses it for a "
        "while, after some days in any case, or when it is ended. Whatever is wrong, the answer is the same. "
        "Wrong tries make the next ones wait. For fifteen minutes a session may hand out secrets that outlast it, "
        "as tokens and invitations do; later, sign in again for that. An Idempotency-Key counts for nothing here.",
    ),
    OpenRoute(
        "/v1/passwords",
        "setPassword",
        "Set a password by an invitation, or by the password that it replaces, and be signed in.",
        _set_password,
        method="POST",
        tag="passwords",
        body=NewPassword,
        answers=sessions.IssuedSession,
        example=Example(body=sessions.NEW_PASSWORD, answer=sessions.ISSUED_SESSION),
        refuses=(*SENT, "invitation-refused", "email-missing", "email-taken"),
        more="All other sessions of the user end. Nothing is asked of a password but its length, and that it is none "
        "of those that are tried first. An Idempotency-Key counts for nothing here.",
    ),
    Route(
        method="POST",
        path="/v1/users/{userId}/invite",
        name="inviteUser",
        summary="Make an invitation, by which a user sets a password; its secret is in this answer and never again.",
        does=OPERATIONS["invite-user"],
        more="It works once, for a day; an earlier one stops working. Hand it over yourself: nothing is sent. Needs "
        "the role admin in the tenant, in person.",
        arguments=lambda asked: {"user_id": asked.path["userId"]},
        show=One(sessions.invitation, status=201, about=lambda made: (made.invitation.user_id,), secret=True),
        answers=sessions.Invitation,
        example=Example(path=USER, answer=sessions.INVITATION),
        refuses=("user-not-found", "permission-denied", "user-disabled", "email-missing", "email-taken"),
    ),
    Route(
        method="GET",
        path="/v1/sessions",
        name="listSessions",
        summary="List your sessions that let in, newest first; an admin of the tenant may list a user's.",
        does=QUERIES["list-sessions"],
        query=SessionQuery,
        arguments=_sessions,
        show=Listed(sessions.session),
        answers=sessions.Session,
        example=Example(answer=sessions.SESSION),
        refuses=("user-not-found", "permission-denied", "scope-missing"),
    ),
    Route(
        method="DELETE",
        path="/v1/sessions/{sessionId}",
        name="endSession",
        summary="End a session, at once; `current` names the one that you call with, which signs you out.",
        does=OPERATIONS["end-session"],
        arguments=lambda asked: {"session_id": asked.path["sessionId"]},
        show=One(sessions.session, about=lambda made: (made.user_id,)),
        answers=sessions.Session,
        example=Example(path=SESSION, answer={**sessions.SESSION, "endedAt": samples.LATER}),
        refuses=("session-not-found", "permission-denied"),
    ),
)
