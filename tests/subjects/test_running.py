"""Which version runs where: deploys, pins and unpins, who may, and the history of it."""

from dataclasses import replace
from typing import Any

import pytest

from setright import runs, subjects
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import PermissionDenied, Refusal
from setright.kernel.fields import validate
from setright.runs import NewRun
from setright.storage import Tx
from setright.subjects import Changed, NewDeploy, NewPin, Running, Unpin, VersionChange, VersionNotFound
from setright.subjects.errors import PinEnded
from tests.support.ledger import Ledger, Tenant

AGENT = {"kind": "agent", "id": "Refunds"}


@pytest.fixture
def tenant(ledger: Ledger) -> Tenant:
    """A tenant in whose project versions v1 and v2 of an agent were seen, in this order."""
    made = ledger.tenant()
    for version in ("v1", "v2"):
        seen(ledger, made, version)
    return made


def seen(ledger: Ledger, tenant: Tenant, version: str, project: str = "default") -> None:
    body = {"projectId": project, "subject": {**AGENT, "version": version}, "input": 1, "output": 2}
    ledger.write(lambda tx: runs.record_run(tx, validate(NewRun, body)), tenant.admin)


def deploy(ledger: Ledger, tenant: Tenant, version: str, actor: Actor | None = None, **more: Any) -> Changed:
    wanted = validate(NewDeploy, {"version": version, **more})
    return ledger.write(
        lambda tx: subjects.deploy_version(tx, "agent", "refunds", wanted), actor or tenant.admin
    )


def pin(ledger: Ledger, tenant: Tenant, version: str, actor: Actor | None = None, **more: Any) -> Changed:
    wanted = validate(NewPin, {"subject": AGENT, "version": version, **more})
    return ledger.write(lambda tx: subjects.pin_version(tx, "default", wanted), actor or tenant.admin)


def unpin(ledger: Ledger, tenant: Tenant, pin_id: str) -> VersionChange:
    def work(tx: Tx) -> Changed:
        return subjects.unpin_version(tx, "default", pin_id, Unpin())

    return ledger.write(work, tenant.admin).change


def running(ledger: Ledger, tenant: Tenant, project: str = "default") -> Running:
    (found,) = ledger.read(lambda at: subjects.list_running(at, project, None, 10).data, tenant.admin)
    return found


def test_a_version_that_was_only_seen_runs_nowhere(ledger: Ledger, tenant: Tenant) -> None:
    assert running(ledger, tenant).version is None


def test_a_deploy_moves_latest_and_says_who_and_why(ledger: Ledger, tenant: Tenant) -> None:
    made = deploy(ledger, tenant, "v2", why="It asks first.")
    assert (made.created, made.change.verb, made.change.before) == (True, "deploy", None)
    found = running(ledger, tenant)
    assert (found.version, found.verb, found.why, found.by_id) == (
        "v2",
        "deploy",
        "It asks first.",
        tenant.admin.id,
    )
    assert deploy(ledger, tenant, "v2") == replace(made, created=False)


def test_versions_are_ordered_by_first_deploy_not_by_name(ledger: Ledger, tenant: Tenant) -> None:
    for version in ("v10", "v9", "v1", "v10"):
        deploy(ledger, tenant, version)
    found = ledger.read(lambda at: subjects.get_subject(at, "agent", "refunds"), tenant.admin)
    assert [version.version for version in found.versions] == ["v2", "v10", "v9", "v1"]
    assert found.subject.latest_version == "v10"


def test_a_deploy_of_a_version_that_was_never_seen_makes_it_known(ledger: Ledger, tenant: Tenant) -> None:
    deploy(ledger, tenant, "v3")
    assert pin(ledger, tenant, "v3").created


def test_a_pinned_project_is_untouched_by_a_deploy(ledger: Ledger, tenant: Tenant) -> None:
    ledger.project(tenant, "other")
    seen(ledger, tenant, "v1", "other")
    pin(ledger, tenant, "v1")
    deploy(ledger, tenant, "v2")
    assert (running(ledger, tenant).version, running(ledger, tenant, "other").version) == ("v1", "v2")
    follow = ledger.read(lambda at: subjects.projects_that_follow(at, "agent", "refunds"), tenant.admin)
    assert follow == ["other"]


def test_a_pin_of_an_earlier_version_went_back(ledger: Ledger, tenant: Tenant) -> None:
    deploy(ledger, tenant, "v2")
    assert pin(ledger, tenant, "v1").change.verb == "went-back", "v1 was seen before v2 was deployed"


def test_the_same_pin_again_changes_nothing(ledger: Ledger, tenant: Tenant) -> None:
    first = pin(ledger, tenant, "v1")
    assert pin(ledger, tenant, "v1") == replace(first, created=False)


def test_a_pin_of_an_unknown_version_names_the_known_ones(ledger: Ledger, tenant: Tenant) -> None:
    with pytest.raises(VersionNotFound) as refused:
        pin(ledger, tenant, "v7")
    assert refused.value.details["known"] == ["v2", "v1"]


def test_an_unpin_follows_latest_again_and_a_pin_is_lifted_once(ledger: Ledger, tenant: Tenant) -> None:
    deploy(ledger, tenant, "v2")
    held = pin(ledger, tenant, "v1").change
    lifted = unpin(ledger, tenant, held.id)
    assert (lifted.version, lifted.before, running(ledger, tenant).pin_id) == ("v2", "v1", None)
    assert (running(ledger, tenant).version, running(ledger, tenant).verb) == ("v2", "unpin")
    deploy(ledger, tenant, "v3")
    assert (running(ledger, tenant).version, running(ledger, tenant).verb) == ("v3", "deploy")
    with pytest.raises(PinEnded):
        unpin(ledger, tenant, held.id)


def test_the_history_of_a_project_is_newest_first(ledger: Ledger, tenant: Tenant) -> None:
    first = pin(ledger, tenant, "v1").change
    second = pin(ledger, tenant, "v2").change
    third = unpin(ledger, tenant, second.id)
    found = ledger.read(lambda at: subjects.list_pins(at, "default", None, 10).data, tenant.admin)
    assert [change.id for change in found] == [third.id, second.id, first.id]


def service(tenant: Tenant, scopes: set[str], role: Role = Role.WRITE) -> Actor:
    return Actor(tenant.id, "service", "tok_x", "tok_x", frozenset(scopes), {"default": role})


def test_an_assistant_cannot_move_versions_unless_its_token_administers(
    ledger: Ledger, tenant: Tenant
) -> None:
    for verb in (deploy, pin):
        with pytest.raises(PermissionDenied, match="A person does it"):
            verb(ledger, tenant, "v1", service(tenant, {"corrections:write"}))
    assert deploy(ledger, tenant, "v1", service(tenant, {"admin"})).created


def test_a_deploy_needs_write_wherever_it_takes_effect(ledger: Ledger, tenant: Tenant) -> None:
    ledger.project(tenant, "other")
    seen(ledger, tenant, "v1", "other")
    person = ledger.actor(tenant, Role.WRITE)
    with pytest.raises(PermissionDenied) as refused:
        deploy(ledger, tenant, "v1", person)
    assert refused.value.details["missing"] == [], "a project that the caller may not read is not named"
    pin(ledger, tenant, "v2", person)


def test_who_may_only_read_moves_nothing(ledger: Ledger, tenant: Tenant) -> None:
    reader = ledger.actor(tenant, Role.READ)
    for verb in (deploy, pin):
        with pytest.raises(PermissionDenied):
            verb(ledger, tenant, "v1", reader)
    pin(ledger, tenant, "v1")
    with pytest.raises(PermissionDenied):
        deploy(ledger, tenant, "v1", reader)


def test_versions_of_another_tenant_are_not_there(ledger: Ledger, tenant: Tenant) -> None:
    held, other = pin(ledger, tenant, "v1").change, ledger.tenant()
    with pytest.raises(Refusal, match="There is no agent"):
        deploy(ledger, other, "v1")
    with pytest.raises(Refusal, match="There is no pin"):
        unpin(ledger, other, held.id)
