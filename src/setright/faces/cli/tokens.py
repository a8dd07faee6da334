"""The commands about tokens: what lets users and services in."""

from pathlib import Path
from typing import Annotated, Any

import typer

from setright.client import Token
from setright.faces.cli import lists, names, token_scan
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot, No
from setright.faces.cli.options import Project, RoleName, ahead
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import AS_JSON, OF_LEDGER, command, group

app = group("What lets users and services in.")
LOOKS = lists.Looks(
    ("ID", "KIND", "NAME", "MAY", "MADE", "ENDS", "REVOKED"),
    lambda token: (
        token.id,
        token.kind,
        token.name,
        _may(token),
        moment(token.created_at),
        moment(token.expires_at),
        moment(token.revoked_at),
    ),
    "There are no tokens that you may see.",
)
TokenName = Annotated[str, typer.Argument(metavar="TOKEN", help="Name or id of the token.")]
ONCE = "The secret is shown this once; keep it now."


@command(app, "list", OF_LEDGER)
def list_tokens(
    desk: Desk,
    wanted: lists.Wanted,
) -> None:
    """List the tokens that you may see, without their secrets, newest first."""
    lists.show(desk.out, desk.client.tokens.page, LOOKS, wanted)


@command(app, "create", OF_LEDGER)
def create(
    desk: Desk,
    user: Annotated[
        str | None, typer.Option(metavar="USER", help="A person's token, with the rights of that user.")
    ] = None,
    service: Annotated[
        str | None, typer.Option(metavar="NAME", help="An assistant's token: a name for the service.")
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="TEXT", help="What the token is called.")] = None,
    project: Project = None,
    role: Annotated[
        RoleName | None,
        typer.Option(help="What a service may do, in --project (write, if left out) or everywhere."),
    ] = None,
    scopes: Annotated[
        str | None, typer.Option(metavar="A,B", help="Only these scopes, such as corrections:read.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it ends: an RFC 3339 time, or 30d, 12h.")
    ] = None,
) -> None:
    """Make a token for a user or for a service; its secret is shown this once."""
    if (user is None) == (service is None):
        raise Cannot("Say whose token: --user NAME or --service NAME, one of them.", kind="usage")
    until = ahead("--expires", expires)
    whose = (
        _of_user(desk, user, project, role)
        if user is not None
        else _of_service(desk, service or "", project, role)
    )
    if name is not None:
        whose["name"] = name
    if scopes is not None:
        whose["scopes"] = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    _show_secret(desk, desk.client.tokens.create(**whose, expires_at=until))


def _of_service(desk: Desk, name: str, project: str | None, role: str | None) -> dict[str, Any]:
    if role is None and project is None:
        raise Cannot(
            "Say what the service may do: --project PROJECT to write there, or --role ROLE for every project.",
            kind="usage",
        )
    where = {} if project is None else {"project_id": names.project(desk.client, project)}
    return {"kind": "service", "name": name, "role": role or "write", **where}


def _of_user(desk: Desk, user: str, project: str | None, role: str | None) -> dict[str, Any]:
    if project is not None or role is not None:
        raise Cannot(
            "A user's token has the rights of that user: --project and --role do not go with --user.",
            advice=["setright project member put PROJECT --user NAME --role ROLE changes what a user may do"],
            kind="usage",
        )
    return {"kind": "user", "name": "command line", "user_id": names.user(desk.client, user)}


@command(app, "revoke", OF_LEDGER)
def revoke(desk: Desk, token: TokenName) -> None:
    """End a token at once and for good."""
    token_id = names.token(desk.client, token)
    ended = desk.client.tokens.revoke(token_id)
    if desk.out.as_json:
        desk.out.document({"id": token_id, "revoked": True} if ended is None else ended.raw)
    else:
        desk.out.line(f"{token_id} lets nobody in any more.")


@command(app, "rotate", OF_LEDGER)
def rotate(
    desk: Desk,
    token: TokenName,
    keep_old_minutes: Annotated[
        int | None, typer.Option(min=0, metavar="NUMBER", help="For how long the old secret still works.")
    ] = None,
) -> None:
    """Give a token a new secret under the same id; the old one stops now, or after --keep-old-minutes."""
    _show_secret(
        desk,
        desk.client.tokens.rotate(names.token(desk.client, token), keep_old_minutes=keep_old_minutes),
    )


def _show_secret(desk: Desk, token: Token) -> None:
    if desk.out.as_json:
        desk.out.document(token.raw)
        return
    desk.out.fields(
        {
            "id": token.id,
            "kind": token.kind,
            "name": token.name,
            "may": _may(token),
            "ends": moment(token.expires_at) or None,
            "token": token.secret,
        }
    )
    desk.out.note(ONCE)


def _may(token: Token) -> str:
    if token.scopes:
        what = " ".join(token.scopes)
    elif token.kind == "user":
        what = "what the user may"
    else:
        what = token.role or ""
    return f"{what} in {token.project_id}" if token.project_id else what


@command(app, "scan", AS_JSON)
def scan(
    desk: Desk,
    paths: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files, or folders of files.")],
) -> None:
    """Find tokens of Setright in files, as a secret scanner would; exit 1 when there is one. Nothing is sent anywhere."""
    leaks: list[token_scan.Leak] = []
    for file in token_scan.files_in(paths):
        try:
            leaks += token_scan.scan(file)
        except OSError as trouble:
            raise Cannot(f"{file} could not be read: {trouble.strerror}.", kind="unreadable") from None
    if desk.out.as_json:
        desk.out.document(
            {"tokens": [{"file": str(leak.file), "line": leak.line, "id": leak.token_id} for leak in leaks]}
        )
    else:
        for leak in leaks:
            desk.out.line(f"{leak.file}:{leak.line}: token {leak.token_id}")
        desk.out.note(
            "Revoke tokens: setright token revoke ID; end sessions: setright sessions end ID"
            if leaks
            else "No token of Setright is in there."
        )
    if leaks:
        raise typer.Exit(No.code)
