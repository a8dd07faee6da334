"""A tenant with corrector groups: making and changing them, and correcting under them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from setright import corrections, events, identity, runs
from setright.corrections import (
    Correction,
    CorrectorGroup,
    CorrectorGroupChange,
    NewCorrection,
    NewCorrectorGroup,
)
from setright.identity import NewMember
from setright.kernel.actor import Actor, Role
from setright.kernel.fields import validate
from setright.runs import NewRun
from setright.storage import Tx
from tests.support.ledger import Ledger, Tenant

T = TypeVar("T")

TENANT = {"kind": "tenant"}
PROJECT = {"kind": "project", "projectId": "default"}
AGENT = {"kind": "agent", "projectId": "default", "agentId": "Support"}


@dataclass(frozen=True, slots=True)
class Groups:
    """One tenant of a ledger; whoever is not named acts as its admin."""

    ledger: Ledger
    tenant: Tenant

    def do(self, work: Callable[[Tx], T], by: Actor | None = None) -> T:
        """The result of a transaction whose events are written."""

        def and_tell(tx: Tx) -> T:
            result = work(tx)
            events.append(tx)
            return result

        return self.ledger.write(and_tell, by or self.tenant.admin)

    def make(self, scope: Any = None, by: Actor | None = None, **body: Any) -> CorrectorGroup:
        """A new group of the tenant, called `Experts` unless told otherwise."""
        new = validate(NewCorrectorGroup, {"name": "Experts", "scope": scope or TENANT, **body})
        return self.do(lambda tx: corrections.create_group(tx, new), by)

    def change(
        self, of: CorrectorGroup, known: Any = None, by: Actor | None = None, **body: Any
    ) -> CorrectorGroup:
        """The group after a change."""
        wanted = validate(CorrectorGroupChange, body)
        return self.do(lambda tx: corrections.change_group(tx, of.id, wanted, known), by)

    def retire(self, of: CorrectorGroup, by: Actor | None = None) -> CorrectorGroup:
        """The group, retired."""
        return self.do(lambda tx: corrections.retire_group(tx, of.id), by)

    def get(self, group_id: str, by: Actor | None = None) -> CorrectorGroup:
        """The group as it is kept."""
        return self.ledger.read(lambda at: corrections.get_group(at, group_id), by or self.tenant.admin)

    def run(self, project: str = "default", **subject: str) -> str:
        """A finished run, of version v1 of the agent `support` unless told otherwise."""
        ran = {"kind": "agent", "id": "support", "version": "v1", **subject}
        body = {"projectId": project, "subject": ran, "input": 1, "output": {"hits": ["a"]}}
        return self.do(lambda tx: runs.record_run(tx, validate(NewRun, body)).run.id)

    def correct(
        self, under: str | None, by: Actor | None = None, run_id: str | None = None, **body: Any
    ) -> Correction:
        """A correction under a group."""
        said = {"runId": run_id or self.run(), "answer": "wrong", "shouldSay": "14 days", **body}
        wanted = validate(NewCorrection, {**said, "correctorGroupId": under})
        return self.do(lambda tx: corrections.record_correction(tx, wanted), by)

    def reviewer(self, role: str | None, project: str = "default") -> Actor:
        """Another person, a member with write of a project, who is this among its reviewers."""
        name = f"mara-{self.do(lambda tx: tx.new_id('usr'))}"
        user = self.do(lambda tx: identity.create_user(tx, validate(identity.NewUser, {"name": name})))
        member = {"kind": "user", "id": user.id, "role": "write", "reviewerRole": role}
        new = validate(NewMember, member)
        self.do(lambda tx: identity.put_member(tx, project, new))
        return self.ledger.actor(self.tenant, id=user.id, roles={project: Role.WRITE})

    def told(self, about: CorrectorGroup) -> list[tuple[str, tuple[str, ...]]]:
        """The kinds of a group's events, each with what changed."""
        history = self.ledger.read(lambda at: events.history(at, about.id), self.tenant.admin)
        return [(event.kind, tuple(event.changed)) for event in history.data]
