"""A corrector group: what a caller says about it, and the record that is kept of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from pydantic import Field, model_validator

from setright.identity import Label, PrincipalKind, Reviewer
from setright.kernel.errors import fault_at
from setright.kernel.fields import ITEMS, Fault, Faults, Id, Input, Name, optional, required
from setright.subjects import fold

MOST_WEIGHT = 1_000_000_000
ScopeKind = Literal["tenant", "project", "agent"]
Weight = Annotated[float, Field(ge=0, le=MOST_WEIGHT, allow_inf_nan=False)]


class GroupScope(Input):
    """Which runs a group covers: all of the tenant, those of a project, or those of an agent in a project."""

    kind: ScopeKind = required("What it covers: the whole tenant, one project, or one agent in one project.")
    project_id: Id | None = optional("With project and agent, and needed there: which project.")
    agent_id: Name | None = optional("With agent, and needed there: which agent, compared as on runs.")

    @model_validator(mode="after")
    def _fits_its_kind(self) -> "GroupScope":
        needed = {"tenant": (), "project": ("projectId",), "agent": ("projectId", "agentId")}[self.kind]
        given = {"projectId": self.project_id, "agentId": self.agent_id}
        faults = [
            fault_at(f"/{name}", f"is required with the kind {self.kind}")
            for name in needed
            if given[name] is None
        ]
        faults += [
            fault_at(f"/{name}", f"does not go with the kind {self.kind}", "leave it out")
            for name, value in given.items()
            if value is not None and name not in needed
        ]
        if self.agent_id is not None and not fold(self.agent_id):
            faults.append(fault_at("/agentId", "is blank", "at least one visible character"))
        if faults:
            raise Faults(faults)
        return self


class Assertable(Input):
    """Who may correct under a group: every part that is there must hold."""

    min_reviewer_role: Reviewer | None = optional(
        "The reviewer role that the caller must have as a member of the run's project, or a higher one: "
        "standard, senior, admin."
    )
    principal_kinds: Annotated[list[PrincipalKind], Field(min_length=1, max_length=2)] | None = optional(
        "Whether people, services or both may."
    )
    principal_ids: Annotated[list[Id], Field(min_length=1, max_length=ITEMS)] | None = optional(
        "The users, and the service tokens (whose ids begin with tok_), who may."
    )

    @model_validator(mode="after")
    def _restricts(self) -> "Assertable":
        if self.min_reviewer_role is None and self.principal_kinds is None and self.principal_ids is None:
            raise Fault(
                "",
                "restricts nothing",
                "at least one of minReviewerRole, principalKinds, principalIds; null for no restriction",
            )
        for name, values in (("principalKinds", self.principal_kinds), ("principalIds", self.principal_ids)):
            if values is not None and len(set(values)) < len(values):
                raise Fault(f"/{name}", "names one twice")
        return self


class NewCorrectorGroup(Input):
    """A corrector group to make."""

    name: Label = required("A name that no other group of the same scope has, however it is written.")
    weight: Weight | None = optional(
        "How much its corrections count where corrections are weighed, 0 or more; left out, 1, which is also the "
        "weight of corrections under no group."
    )
    scope: GroupScope = required("Which runs it covers; this never changes.")
    assertable_by: Assertable | None = optional(
        "Who may correct under it; left out, everybody who may correct the run. "
        "Corrections under a restricted group are marked as an expert's."
    )


class CorrectorGroupChange(Input):
    """The body of `PATCH /v1/corrector-groups/{id}`: what is left out stays, null lifts the restriction."""

    name: Label | None = optional("Another name.")
    weight: Weight | None = optional(
        "How much its corrections count from now on, those that are there included."
    )
    assertable_by: Assertable | None = optional(
        "Who may correct under it from now on; null: everybody who may correct the run. "
        "What was recorded before stays an expert's or not."
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """An empty change is refused, and only the restriction can be lifted."""
        if not body:
            yield fault_at("", "changes nothing", "at least one of name, weight, assertableBy")
        for name in ("name", "weight"):
            if name in body and body[name] is None:
                yield fault_at(f"/{name}", "is null, and a group always has one", "leave it out")

    def restricts(self) -> bool:
        """Whether assertableBy was given, null included."""
        return "assertable_by" in self.model_fields_set


@dataclass(frozen=True, slots=True)
class Scope:
    """Which runs a group covers; `agent_key` is the form in which agents' ids are compared."""

    kind: str
    project_id: str | None = None
    agent_id: str | None = None
    agent_key: str | None = None


@dataclass(frozen=True, slots=True)
class AssertableBy:
    """Who may assert a group; a part that is None asks nothing."""

    min_reviewer_role: str | None = None
    principal_kinds: tuple[str, ...] | None = None
    principal_ids: tuple[str, ...] | None = None

    def on_wire(self) -> dict[str, Any]:
        """The parts that are set, in wire form."""
        parts = {
            "minReviewerRole": self.min_reviewer_role,
            "principalKinds": self.principal_kinds,
            "principalIds": self.principal_ids,
        }
        return {
            name: list(part) if isinstance(part, tuple) else part
            for name, part in parts.items()
            if part is not None
        }

    @classmethod
    def from_wire(cls, parts: Mapping[str, Any]) -> "AssertableBy":
        """What `on_wire` gave."""
        kinds, ids = (
            cast("list[str] | None", parts.get(name)) for name in ("principalKinds", "principalIds")
        )
        return cls(
            parts.get("minReviewerRole"),
            None if kinds is None else tuple(kinds),
            None if ids is None else tuple(ids),
        )


@dataclass(frozen=True, slots=True)
class CorrectorGroup:
    """A corrector group; without `assertable_by` everybody who may correct a run that it covers may assert it."""

    id: str
    tenant_id: str
    name: str
    scope: Scope
    weight: float
    assertable_by: AssertableBy | None
    created_by_kind: str
    created_by_id: str
    created_at: int
    updated_at: int
    retired_at: int | None

    @property
    def status(self) -> str:
        """Where the group stands in its lifecycle."""
        return "active" if self.retired_at is None else "retired"


@dataclass(frozen=True, slots=True)
class GroupFilters:
    """What a list of groups is narrowed to."""

    project_id: str | None = None
    agent_id: str | None = None
    kind: str | None = None
    include_retired: bool = False
