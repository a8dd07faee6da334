"""Which version runs where: deploys, pins and unpins, each one row of history and one event; and what tools do."""

from collections.abc import Sequence

from setright.identity import find_project
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied, invalid
from setright.kernel.events import Event
from setright.kernel.fields import NAME
from setright.storage import Row, Tx
from setright.subjects import version_store
from setright.subjects.errors import EffectNotFound, PinEnded, PinNotFound, VersionNotFound
from setright.subjects.lifecycle import VerbWord, pin_verb
from setright.subjects.model import (
    Changed,
    Kind,
    NewDeploy,
    NewPin,
    NewToolEffect,
    Subject,
    ToolEffect,
    Unpin,
    VersionChange,
)
from setright.subjects.operations import hold
from setright.subjects.running_queries import get_change, projects_that_follow

_EVENTS = {"deploy": "version.deployed", "pin": "version.pinned", "went-back": "version.pinned"}
_PREFIXES = {"deploy": "dep", "unpin": "unp"}


def deploy_version(tx: Tx, kind: Kind, subject_id: str, deploy: NewDeploy) -> Changed:
    """Make a version Latest: every project in which nothing is pinned runs it; the Latest again changes nothing."""
    _require_answerable(tx)
    subject, seen = _held(tx, kind, subject_id)
    this = _this(tx, subject)
    _require_write_everywhere(tx, subject, projects_that_follow(tx, subject.kind, subject.key), seen)
    if subject.latest_version == deploy.version:
        return Changed(_latest_change(tx, this), created=False)
    tx.run(
        version_store.ADD_VERSION, **this, version=deploy.version, first_seen_at=tx.now, deployed_at=tx.now
    )
    tx.run(version_store.FIRST_DEPLOY, **this, version=deploy.version, now=tx.now)
    change = _change(tx, "deploy", subject, "", deploy.version, subject.latest_version, deploy.why)
    tx.run(version_store.SET_LATEST, **this, new_version=deploy.version, new_change=change.id, now=tx.now)
    return Changed(change)


def pin_version(tx: Tx, project_id: str, pin: NewPin) -> Changed:
    """Have a project run this version until it is unpinned or another is pinned; the same pin again changes nothing."""
    project = _project_to_decide(tx, project_id)
    subject, _ = _held(tx, pin.subject.kind, pin.subject.id)
    this = _this(tx, subject)
    order = [row["version"] for row in tx.all(version_store.ORDER, **this)]
    if pin.version not in order:
        raise VersionNotFound(pin.version, order)
    pinned = tx.one(version_store.PINNED, **this, project_id=project)
    if pinned is not None and pinned["version"] == pin.version:
        return Changed(get_change(tx, pinned["change_id"]), created=False)
    ran = subject.latest_version if pinned is None else pinned["version"]
    change = _change(tx, pin_verb(pin.version, ran, order), subject, project, pin.version, ran, pin.why)
    tx.run(version_store.SEE_PROJECT, **this, project_id=project, first_seen_at=tx.now)
    tx.run(version_store.PIN, **this, project_id=project, version=pin.version, change_id=change.id)
    return Changed(change)


def unpin_version(tx: Tx, project_id: str, pin_id: str, unpin: Unpin) -> Changed:
    """Have a project follow Latest again; only the pin that holds it can be lifted."""
    project = _project_to_decide(tx, project_id)
    row = tx.one(version_store.GET_CHANGE, tenant_id=tx.actor.tenant_id, id=pin_id)
    if row is None or row["project_id"] != project or row["verb"] == "unpin":
        raise PinNotFound(pin_id)
    subject, _ = _held(tx, row["kind"], row["subject_id"])
    this = _this(tx, subject)
    pinned = tx.one(version_store.PINNED, **this, project_id=project)
    if pinned is None or pinned["change_id"] != pin_id:
        raise PinEnded(pin_id, None if pinned is None else pinned["change_id"])
    change = _change(tx, "unpin", subject, project, subject.latest_version, pinned["version"], unpin.why)
    tx.run(version_store.UNPIN, **this, project_id=project)
    return Changed(change)


def set_tool_effect(tx: Tx, project_id: str, tool: str, wanted: NewToolEffect) -> ToolEffect:
    """Declare what a tool does in a project; once any is declared, tools that are not count as write."""
    project = _project_to_decide(tx, project_id)
    if not 1 <= len(tool) <= NAME:
        raise invalid("/tool", f"has {len(tool)} characters", f"1 to {NAME}")
    there = tx.one(version_store.GET_EFFECT, tenant_id=tx.actor.tenant_id, project_id=project, tool=tool)
    if there is not None and there["effect"] == wanted.effect:
        return version_store.effect_in(there)
    made = ToolEffect(tool, wanted.effect, tx.actor.kind, tx.actor.id, tx.now)
    tx.run(
        version_store.SET_EFFECT,
        tenant_id=tx.actor.tenant_id,
        project_id=project,
        tool=tool,
        effect=made.effect,
        by_kind=made.by_kind,
        by_id=made.by_id,
        at=made.at,
    )
    tx.announce(Event("tool.declared", "tool", tool, project, ("effect",)))
    return made


def drop_tool_effect(tx: Tx, project_id: str, tool: str) -> None:
    """Take back what was declared of a tool."""
    project = _project_to_decide(tx, project_id)
    if not tx.run(version_store.DROP_EFFECT, tenant_id=tx.actor.tenant_id, project_id=project, tool=tool):
        raise EffectNotFound(tool)
    tx.announce(Event("tool.undeclared", "tool", tool, project, ("effect",)))


def _project_to_decide(tx: Tx, project_id: str) -> str:
    _require_answerable(tx)
    project = find_project(tx, project_id).id
    tx.actor.require(Role.WRITE, project)
    return project


def _require_answerable(tx: Tx) -> None:
    """Refuse an assistant: what counts as fixed follows from this, so a person, or who administers, answers for it."""
    if not (tx.actor.is_person or "admin" in tx.actor.scopes):
        raise PermissionDenied(
            "Deploys, pins and tool effects decide what counts as fixed, so an assistant cannot set them. "
            "A person does it with a user's token, or a service whose token has the scope admin.",
            {"needs": "user"},
        )


def _require_write_everywhere(
    tx: Tx, subject: Subject, following: Sequence[str], seen: Sequence[str]
) -> None:
    missing = [project for project in following if not tx.actor.may(Role.WRITE, project)]
    if missing or not any(tx.actor.may(Role.WRITE, project) for project in following or seen):
        raise PermissionDenied(
            f"A deploy takes effect in each of the {len(following)} projects that follow the Latest of this "
            f"{subject.kind}, and needs write in each; pin a version in a project to decide for it alone.",
            {"needs": "write", "missing": [one for one in missing if tx.actor.may(Role.READ, one)]},
        )


def _held(tx: Tx, kind: Kind, subject_id: str) -> tuple[Subject, list[str]]:
    """The subject and the projects it was seen in; what is said of it now comes after everything said before."""
    subject, seen = hold(tx, kind, subject_id)
    newest = tx.one(version_store.NEWEST_CHANGE, **_this(tx, subject))
    changed_at: int = newest["at"] or 0 if newest else 0
    tx.happens_after(max(subject.updated_at, changed_at))
    return subject, seen


def _change(
    tx: Tx,
    verb: VerbWord,
    subject: Subject,
    project: str,
    version: str | None,
    before: str | None,
    why: str | None,
) -> VersionChange:
    """Keep that somebody changed what runs, and say so."""
    change = VersionChange(
        id=tx.new_id(_PREFIXES.get(verb, "pin")),
        verb=verb,
        project_id=project or None,
        kind=subject.kind,
        key=subject.key,
        subject_id=subject.id,
        version=version,
        before=before,
        why=why,
        by_kind=tx.actor.kind,
        by_id=tx.actor.id,
        at=tx.now,
    )
    tx.run(version_store.ADD_CHANGE, **_row_of(tx, change))
    kind = _EVENTS.get(verb, "version.unpinned")
    tx.announce(Event(kind, subject.kind, subject.id, change.project_id, ("version",), about=change.id))
    return change


def _row_of(tx: Tx, change: VersionChange) -> Row:
    return {
        "id": change.id,
        "tenant_id": tx.actor.tenant_id,
        "verb": change.verb,
        "project_id": change.project_id or "",
        "kind": change.kind,
        "key": change.key,
        "version": change.version,
        "before": change.before,
        "why": change.why,
        "by_kind": change.by_kind,
        "by_id": change.by_id,
        "at": change.at,
    }


def _latest_change(tx: Tx, this: dict[str, str]) -> VersionChange:
    row = tx.one(version_store.LATEST_CHANGE, **this)
    return get_change(tx, row["latest_change_id"] if row else "")


def _this(tx: Tx, subject: Subject) -> dict[str, str]:
    return {"tenant_id": tx.actor.tenant_id, "kind": subject.kind, "key": subject.key}
