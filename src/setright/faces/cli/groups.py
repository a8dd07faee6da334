"""The commands about corrector groups: names to correct under, and how much that counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import typer

from setright.client import CorrectorGroup
from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.options import Key, Project
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Corrector groups: names to correct under, and how much that counts.")
GroupName = Annotated[str, typer.Argument(metavar="GROUP", help="Id or name of the group.")]
Weight = Annotated[
    float | None, typer.Option(metavar="NUMBER", help="How much its corrections count: 0 or more.")
]


def _row(found: CorrectorGroup) -> Sequence[object]:
    return (
        found.id,
        found.name,
        _number(found.weight),
        _scope(found),
        _assertable_by(found),
        found.status,
        moment(found.created_at),
    )


LOOKS = lists.Looks(
    ("ID", "NAME", "WEIGHT", "COVERS", "WHO MAY", "STATUS", "MADE"),
    _row,
    "There are no corrector groups like that; setright group create makes one.",
)


@dataclass(frozen=True, slots=True)
class Restriction:
    """Who may correct under a group; what is given replaces the whole restriction that was there."""

    min_reviewer_role: Annotated[
        Literal["standard", "senior", "admin"] | None,
        typer.Option(help="Only members of the run's project with this reviewer role or a higher one."),
    ] = None
    principal_kind: Annotated[
        Literal["user", "service"] | None, typer.Option(help="Only people, or only services.")
    ] = None
    user: Annotated[
        list[str] | None,
        typer.Option(metavar="USER", help="Only this user, by name or id. May be given several times."),
    ] = None
    service: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TOKEN", help="Only this service token, by name or id. May be given several times."
        ),
    ] = None


@command(app, "list", OF_LEDGER)
def list_groups(
    desk: Desk,
    wanted: lists.Wanted,
    project: Project = None,
    agent: Annotated[str | None, typer.Option(metavar="ID", help="Only groups of this agent.")] = None,
    scope: Annotated[
        Literal["tenant", "project", "agent"] | None, typer.Option(help="Only groups that cover this.")
    ] = None,
    retired: Annotated[bool, typer.Option("--retired", help="Also those that are retired.")] = False,
) -> None:
    """List the corrector groups of the tenant and of the projects that you may read, newest first."""
    lists.show(
        desk.out,
        desk.client.corrector_groups.page,
        LOOKS,
        wanted,
        project_id=names.project_or_all(desk.client, project),
        agent_id=agent,
        scope=scope,
        include_retired=True if retired else None,
    )


@command(app, "create", OF_LEDGER)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The group's name.")],
    restriction: Restriction,
    project: Annotated[
        str | None,
        typer.Option(
            metavar="PROJECT", help="It covers the runs of this project; without, of the whole tenant."
        ),
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="ID", help="With --project: it covers the runs of this agent there.")
    ] = None,
    weight: Weight = None,
    key: Key = None,
) -> None:
    """Make a corrector group of the tenant, of a project, or of an agent in a project.

    setright group create lawyers --project refunds --weight 3 --min-reviewer-role senior
    """
    if agent is not None and project is None:
        raise Cannot("--agent goes with --project: in which project?", kind="usage")
    scope: dict[str, Any] = {"kind": "tenant"}
    if project is not None:
        scope = {"kind": "project", "projectId": names.project(desk.client, project)}
    if agent is not None:
        scope |= {"kind": "agent", "agentId": agent}
    made = desk.client.corrector_groups.create(
        key=key, name=name, scope=scope, weight=weight, assertable_by=_restricted(desk, restriction)
    )
    _show(desk, made)


@command(app, "show", OF_LEDGER)
def show(desk: Desk, group_name: GroupName) -> None:
    """Show a corrector group."""
    _show(desk, desk.client.corrector_groups.get(names.corrector_group(desk.client, group_name)))


@command(app, "change", OF_LEDGER)
def change(
    desk: Desk,
    group_name: GroupName,
    restriction: Restriction,
    name: Annotated[str | None, typer.Option(metavar="TEXT", help="Another name.")] = None,
    weight: Weight = None,
    anybody: Annotated[
        bool, typer.Option("--anybody", help="From now on everybody may who may correct the run.")
    ] = False,
    if_match: Annotated[
        str | None,
        typer.Option(metavar="ETAG", help="Only this state of it; without, whatever state it is in."),
    ] = None,
    key: Key = None,
) -> None:
    """Give a corrector group another name, weight or restriction; options of a restriction replace the whole one."""
    by = _restricted(desk, restriction)
    if anybody and by is not None:
        raise Cannot("--anybody lifts the restriction; give it without one.", kind="usage")
    said: dict[str, Any] = {"name": name, "weight": weight, "assertable_by": by}
    changes = {field: value for field, value in said.items() if value is not None}
    if anybody:
        changes["assertable_by"] = None
    if not changes:
        raise Cannot(
            "Say what changes.", advice=[f"setright group change {group_name!r} --weight 2"], kind="usage"
        )
    group_id = names.corrector_group(desk.client, group_name)
    _show(desk, desk.client.corrector_groups.change(group_id, if_match=if_match, key=key, **changes))


@command(app, "retire", OF_LEDGER)
def retire(desk: Desk, group_name: GroupName, key: Key = None) -> None:
    """End a corrector group: nobody corrects under it any more, and what was recorded under it still counts."""
    group_id = names.corrector_group(desk.client, group_name)
    _show(desk, desk.client.corrector_groups.retire(group_id, key=key))


def _restricted(desk: Desk, restriction: Restriction) -> dict[str, Any] | None:
    """The restriction as it is sent, None when no option speaks of one."""
    principals = [names.user(desk.client, user) for user in restriction.user or ()]
    principals += [names.token(desk.client, token) for token in restriction.service or ()]
    parts: dict[str, Any] = {
        "minReviewerRole": restriction.min_reviewer_role,
        "principalKinds": None if restriction.principal_kind is None else [restriction.principal_kind],
        "principalIds": principals or None,
    }
    return {name: part for name, part in parts.items() if part is not None} or None


def _show(desk: Desk, found: CorrectorGroup) -> None:
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    desk.out.fields(
        {
            "id": found.id,
            "name": found.name,
            "weight": _number(found.weight),
            "covers": _scope(found),
            "who may": _assertable_by(found),
            "status": found.status,
            "made": moment(found.created_at),
            "retired": moment(found.retired_at) or None,
        }
    )


def _number(weight: float) -> str:
    return f"{weight:.12g}"


def _scope(found: CorrectorGroup) -> str:
    scope = found.scope
    if scope.project_id is None:
        return "the tenant"
    whole = f"project {scope.project_id}"
    return whole if scope.agent_id is None else f"agent {scope.agent_id} in {whole}"


def _assertable_by(found: CorrectorGroup) -> str:
    by = found.assertable_by
    if by is None:
        return "who may correct the run"
    parts = [f"reviewers from {by.min_reviewer_role}"] if by.min_reviewer_role else []
    parts += [" and ".join(f"{kind}s" for kind in by.principal_kinds)] if by.principal_kinds else []
    parts += [", ".join(by.principal_ids)] if by.principal_ids else []
    return "; ".join(parts)
