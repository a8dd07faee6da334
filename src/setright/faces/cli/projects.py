"""The commands about projects and their members."""

from typing import Annotated, Literal

import typer

from setright.client import Member, Project
from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.options import RoleName
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Projects and their members.")
members = group("Who may do what in a project.")
app.add_typer(members, name="member")

PROJECTS = lists.Looks(
    ("ID", "NAME", "MADE"),
    lambda project: (project.id, project.name, moment(project.created_at)),
    "There are no projects that you may read.",
)
MEMBERS = lists.Looks(
    ("ID", "KIND", "NAME", "ROLE", "REVIEWS AS", "SINCE"),
    lambda member: (
        member.id,
        member.kind,
        member.name,
        member.role,
        member.reviewer_role,
        moment(member.added_at),
    ),
    "Nobody has a role in this project alone; those with a role in the tenant have it here too.",
)
ProjectName = Annotated[str, typer.Argument(metavar="PROJECT", help="Id or name of the project.")]
UserName = Annotated[str | None, typer.Option("--user", metavar="USER", help="A user, by name or id.")]
ServiceName = Annotated[
    str | None, typer.Option("--service", metavar="TOKEN", help="A service token, by name or id.")
]


@command(app, "list", OF_LEDGER)
def list_projects(
    desk: Desk,
    wanted: lists.Wanted,
) -> None:
    """List the projects that you may read, newest first."""
    lists.show(desk.out, desk.client.projects.page, PROJECTS, wanted)


@command(app, "create", OF_LEDGER)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The project's name.")],
    project_id: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="An id of your own: 1 to 64 of A-Z a-z 0-9 _ and -."),
    ] = None,
) -> None:
    """Make a project; the same id and name again is the project that is there."""
    _show_project(desk, desk.client.projects.create(name=name, id=project_id))


@command(members, "list", OF_LEDGER)
def list_members(
    desk: Desk,
    project: ProjectName,
    wanted: lists.Wanted,
) -> None:
    """List who has a role in a project."""
    project_id = names.project(desk.client, project)

    def ask(limit: int, cursor: str | None) -> lists.Page[Member]:
        return desk.client.projects.members.page(project_id, limit=limit, cursor=cursor)

    lists.show(desk.out, ask, MEMBERS, wanted)


@command(members, "put", OF_LEDGER)
def put(
    desk: Desk,
    project: ProjectName,
    role: Annotated[RoleName, typer.Option(help="What the member may do.")],
    user: UserName = None,
    service: ServiceName = None,
    reviewer_role: Annotated[
        Literal["standard", "senior", "admin"] | None, typer.Option(help="What the member reviews as.")
    ] = None,
) -> None:
    """Give a user or a service token a role in a project, or another than before."""
    kind, principal = _principal(desk, user, service)
    project_id = names.project(desk.client, project)
    member = desk.client.projects.members.put(
        project_id, principal, kind=kind, role=role, reviewer_role=reviewer_role
    )
    _show_member(desk, member)


@command(members, "remove", OF_LEDGER)
def remove(desk: Desk, project: ProjectName, user: UserName = None, service: ServiceName = None) -> None:
    """Take a user's or a service token's role in a project away."""
    kind, principal = _principal(desk, user, service)
    project_id = names.project(desk.client, project)
    desk.client.projects.members.remove(project_id, principal, kind=kind)
    if desk.out.as_json:
        desk.out.document({"removed": True, "projectId": project_id, "kind": kind, "id": principal})
    else:
        desk.out.line(f"{principal} has no role of its own in {project_id} any more.")


def _principal(desk: Desk, user: str | None, service: str | None) -> tuple[Literal["user", "service"], str]:
    if user is not None and service is None:
        return "user", names.user(desk.client, user)
    if service is not None and user is None:
        return "service", names.token(desk.client, service)
    raise Cannot("Say who: --user NAME or --service NAME, one of them.", kind="usage")


def _show_project(desk: Desk, project: Project) -> None:
    if desk.out.as_json:
        desk.out.document(project.raw)
        return
    desk.out.fields({"id": project.id, "name": project.name, "made": moment(project.created_at)})


def _show_member(desk: Desk, member: Member) -> None:
    if desk.out.as_json:
        desk.out.document(member.raw)
        return
    desk.out.fields(
        {
            "id": member.id,
            "kind": member.kind,
            "name": member.name,
            "role": member.role,
            "reviews as": member.reviewer_role,
        }
    )
