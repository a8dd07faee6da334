"""Routes of users, tokens and the caller itself."""

from typing import Any

from setright.app.catalog import OPERATIONS, QUERIES
from setright.faces.http import samples, schemas, shapes
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Listed, One, path_to
from setright.identity import NewToken, NewUser, Rotation, UserChange
from setright.kernel.fields import Name, optional


class UserQuery(PageQuery):
    """What a list of users can be narrowed to: the one with exactly this name."""

    name: Name | None = optional("Only the user with exactly this name.")


def _user(asked: Asked) -> dict[str, Any]:
    return {"user_id": asked.path["userId"]}


def _token(asked: Asked) -> dict[str, Any]:
    return {"token_id": asked.path["tokenId"]}


USER = {"userId": samples.USER["id"]}
TOKEN = {"tokenId": samples.TOKEN["id"]}

ROUTES = (
    Route(
        method="GET",
        path="/v1/me",
        name="me",
        summary="Read who you are and what you may do.",
        does=QUERIES["me"],
        arguments=lambda _: {},
        show=One(shapes.me),
        answers=schemas.Me,
        example=Example(answer=samples.ME),
    ),
    Route(
        method="POST",
        path="/v1/users",
        name="createUser",
        summary="Make a user of the tenant.",
        does=OPERATIONS["create-user"],
        body=NewUser,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            shapes.user,
            status=201,
            location=lambda made: path_to("users", made.id),
            about=lambda made: (made.id,),
        ),
        answers=schemas.User,
        example=Example(body=samples.NEW_USER, answer=samples.USER),
        refuses=(
            "quota-exceeded",
            "permission-denied",
            "user-exists",
        ),
    ),
    Route(
        method="GET",
        path="/v1/users",
        name="listUsers",
        summary="List the tenant's users, newest first.",
        does=QUERIES["list-users"],
        query=UserQuery,
        arguments=lambda asked: {**asked.page, "name": asked.query.name},
        show=Listed(shapes.user),
        answers=schemas.User,
        example=Example(answer=samples.USER),
        refuses=("permission-denied", "scope-missing"),
    ),
    Route(
        method="GET",
        path="/v1/users/{userId}",
        name="getUser",
        summary="Read a user.",
        does=QUERIES["get-user"],
        arguments=_user,
        show=One(shapes.user, stamp=lambda found: found.updated_at),
        answers=schemas.User,
        example=Example(path=USER, answer=samples.USER),
        refuses=(
            "user-not-found",
            "permission-denied",
            "scope-missing",
        ),
    ),
    Route(
        method="PATCH",
        path="/v1/users/{userId}",
        name="changeUser",
        summary="Give a user another name, e-mail address or role; null lifts the address and the role.",
        does=OPERATIONS["change-user"],
        more="Needs the role admin in the tenant. The last admin stays one. What the user said stays theirs, and so do "
        "their tokens, whose rights are from then on those of the new role.",
        body=UserChange,
        arguments=lambda asked: {**_user(asked), "change": asked.body, "known": asked.known},
        show=One(shapes.user, stamp=lambda found: found.updated_at, about=lambda made: (made.id,)),
        answers=schemas.User,
        example=Example(
            path=USER,
            body={"role": "write"},
            answer={**samples.USER, "role": "write", "updatedAt": samples.LATER},
        ),
        refuses=(
            "user-not-found",
            "permission-denied",
            "user-disabled",
            "user-exists",
            "last-admin",
            "changed-meanwhile",
        ),
    ),
    Route(
        method="POST",
        path="/v1/users/{userId}/disable",
        name="disableUser",
        summary="Shut a user out, with every token of theirs, at once and for good; what they said stays.",
        does=OPERATIONS["disable-user"],
        arguments=_user,
        show=One(shapes.user, about=lambda made: (made.id,)),
        answers=schemas.User,
        example=Example(path=USER, answer={**samples.USER, "disabledAt": samples.LATER}),
        refuses=(
            "user-not-found",
            "permission-denied",
            "last-admin",
        ),
    ),
    Route(
        method="POST",
        path="/v1/tokens",
        name="createToken",
        summary="Make a token; its secret is in this answer and never again.",
        does=OPERATIONS["create-token"],
        body=NewToken,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            shapes.issued_token,
            status=201,
            location=lambda made: path_to("tokens", made.token.id),
            about=lambda made: (made.token.id,),
            secret=True,
        ),
        answers=schemas.IssuedToken,
        example=Example(body=samples.NEW_TOKEN, answer=samples.ISSUED_TOKEN),
        refuses=(
            "quota-exceeded",
            "permission-denied",
            "project-not-found",
            "user-not-found",
            "user-disabled",
        ),
    ),
    Route(
        method="GET",
        path="/v1/tokens",
        name="listTokens",
        summary="List the tokens that you keep, revoked and expired ones too, newest first.",
        does=QUERIES["list-tokens"],
        query=PageQuery,
        arguments=lambda asked: asked.page,
        show=Listed(shapes.token),
        answers=schemas.Token,
        example=Example(answer=samples.TOKEN),
    ),
    Route(
        method="GET",
        path="/v1/tokens/{tokenId}",
        name="getToken",
        summary="Read a token without its secret.",
        does=QUERIES["get-token"],
        arguments=_token,
        show=One(shapes.token),
        answers=schemas.Token,
        example=Example(path=TOKEN, answer=samples.TOKEN),
        refuses=(
            "token-not-found",
            "permission-denied",
            "scope-missing",
        ),
    ),
    Route(
        method="POST",
        path="/v1/tokens/{tokenId}/rotate",
        name="rotateToken",
        summary="Give a token a new secret, shown this once; the old one works for keepOldMinutes more.",
        does=OPERATIONS["rotate-token"],
        body=Rotation,
        optional_body=True,
        arguments=lambda asked: {**_token(asked), "rotation": asked.body},
        show=One(shapes.issued_token, about=lambda made: (made.token.id,), secret=True),
        answers=schemas.IssuedToken,
        example=Example(path=TOKEN, body={"keepOldMinutes": 30}, answer=samples.ISSUED_TOKEN),
        refuses=(
            "token-not-found",
            "permission-denied",
            "token-revoked",
            "token-expired",
        ),
    ),
    Route(
        method="DELETE",
        path="/v1/tokens/{tokenId}",
        name="revokeToken",
        summary="Revoke a token: it stops working at once and for good.",
        does=OPERATIONS["revoke-token"],
        arguments=_token,
        show=One(shapes.token, about=lambda made: (made.id,)),
        answers=schemas.Token,
        example=Example(path=TOKEN, answer={**samples.TOKEN, "revokedAt": samples.LATER}),
        refuses=(
            "token-not-found",
            "permission-denied",
        ),
    ),
)
