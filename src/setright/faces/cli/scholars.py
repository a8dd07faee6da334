"""The commands about scholars: to whom readings are attributed, and who may speak as one."""

from typing import Annotated, Any

import typer

from setright.client import Scholar, ScholarClaim
from setright.faces.cli import lists, names
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.options import Key
from setright.faces.cli.out import moment
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Scholars: to whom readings are attributed, and who may speak as one.")
Number = Annotated[int, typer.Argument(metavar="SCHOLAR", help="The scholar's number.")]
Claim = Annotated[str, typer.Argument(metavar="CLAIM", help="Id of the claim.")]
Reason = Annotated[str | None, typer.Option(metavar="WORDS", help="Why.")]
Orcid = Annotated[str | None, typer.Option(metavar="ORCID", help="As in 0000-0002-1825-0097.")]
Institution = Annotated[str | None, typer.Option(metavar="NAME", help="Where the scholar works.")]
LOOKS = lists.Looks(
    ("NUMBER", "NAME", "ORCID", "INSTITUTION", "MADE"),
    lambda scholar: (
        scholar.id,
        scholar.name,
        scholar.orcid,
        scholar.institution,
        moment(scholar.created_at),
    ),
    "There are no scholars like that; setright scholars add NAME makes one.",
)
CLAIM_LOOKS = lists.Looks(
    ("ID", "WHO", "STATUS", "NOTE", "REASON", "ASKED"),
    lambda claim: (
        claim.id,
        f"{claim.principal.kind} {claim.principal.id}",
        claim.status,
        claim.note,
        claim.reason,
        moment(claim.created_at),
    ),
    "Nobody asked to speak as this scholar; setright scholars claim NUMBER asks.",
)


@command(app, "list", OF_LEDGER)
def list_scholars(desk: Desk, wanted: lists.Wanted, orcid: Orcid = None) -> None:
    """List scholars, newest first."""
    lists.show(desk.out, desk.client.scholars.page, LOOKS, wanted, orcid=orcid)


@command(app, "show", OF_LEDGER)
def show(desk: Desk, scholar: Number) -> None:
    """Show a scholar."""
    _show(desk, desk.client.scholars.get(scholar))


@command(app, "add", OF_LEDGER)
def add(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The scholar's name.")],
    orcid: Orcid = None,
    institution: Institution = None,
    key: Key = None,
) -> None:
    """Make a scholar, to whom readings can be attributed."""
    made = desk.client.scholars.create(key=key, name=name, orcid=orcid, institution=institution)
    _show(desk, made)
    desk.out.note(f"Ask to speak as this scholar: setright scholars claim {made.id}")


@command(app, "change", OF_LEDGER)
def change(
    desk: Desk,
    scholar: Number,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Another name.")] = None,
    orcid: Orcid = None,
    institution: Institution = None,
    key: Key = None,
) -> None:
    """Give a scholar another name, ORCID or institution; an empty ORCID or institution is taken away."""
    said: dict[str, Any] = {"name": name, "orcid": orcid, "institution": institution}
    changes: dict[str, Any] = {field: value or None for field, value in said.items() if value is not None}
    if not changes:
        raise Cannot("Say what becomes different: --name, --orcid or --institution.", kind="usage")
    _show(desk, desk.client.scholars.change(scholar, key=key, **changes))


@command(app, "claim", OF_LEDGER)
def claim(
    desk: Desk,
    scholar: Number,
    note: Annotated[str | None, typer.Option(metavar="WORDS", help="What the admin should know.")] = None,
    user: Annotated[
        str | None, typer.Option(metavar="USER", help="As an admin: let this user speak as the scholar.")
    ] = None,
    service: Annotated[
        str | None, typer.Option(metavar="TOKEN", help="As an admin: let this service token.")
    ] = None,
    key: Key = None,
) -> None:
    """Ask to speak as a scholar; an admin of the tenant approves, or lets another do so at once."""
    made = desk.client.scholars.claim(
        scholar,
        note=note,
        user_id=None if user is None else names.user(desk.client, user),
        service_id=None if service is None else names.token(desk.client, service),
        key=key,
    )
    _show_claim(desk, made)
    if made.status == "asked":
        desk.out.note(f"An admin approves: setright scholars approve {scholar} {made.id}")


@command(app, "claims", OF_LEDGER)
def claims(desk: Desk, scholar: Number, wanted: lists.Wanted) -> None:
    """List who asked to speak as a scholar: everybody for an admin of the tenant, your own claims else."""

    def page(**place: Any) -> Any:
        return desk.client.scholars.claims_page(scholar, **place)

    lists.show(desk.out, page, CLAIM_LOOKS, wanted)


@command(app, "approve", OF_LEDGER)
def approve(desk: Desk, scholar: Number, claim: Claim, reason: Reason = None, key: Key = None) -> None:
    """Let who asked speak as the scholar from now on."""
    _show_claim(desk, desk.client.scholars.approve(scholar, claim, reason=reason, key=key))


@command(app, "reject", OF_LEDGER)
def reject(desk: Desk, scholar: Number, claim: Claim, reason: Reason = None, key: Key = None) -> None:
    """Do not, or no longer, let somebody speak as the scholar; what was said stays."""
    _show_claim(desk, desk.client.scholars.reject(scholar, claim, reason=reason, key=key))


@command(app, "withdraw", OF_LEDGER)
def withdraw(desk: Desk, scholar: Number, claim: Claim, key: Key = None) -> None:
    """Give up a claim of your own."""
    _show_claim(desk, desk.client.scholars.withdraw(scholar, claim, key=key))


def _show(desk: Desk, found: Scholar) -> None:
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    desk.out.fields(
        {
            "number": str(found.id),
            "name": found.name,
            "ORCID": found.orcid,
            "institution": found.institution,
            "made": moment(found.created_at),
        }
    )


def _show_claim(desk: Desk, found: ScholarClaim) -> None:
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    desk.out.fields(
        {
            "id": found.id,
            "scholar": str(found.scholar_id),
            "who": f"{found.principal.kind} {found.principal.id}",
            "status": found.status,
            "note": found.note,
            "reason": found.reason,
        }
    )
