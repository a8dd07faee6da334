"""What the tools of a project do: declared by a person, and nothing until then."""

import pytest

from setright import subjects
from setright.kernel.actor import Actor
from setright.kernel.errors import PermissionDenied, Refusal
from setright.subjects import NewToolEffect, ToolEffect
from setright.subjects.errors import EffectNotFound
from tests.support.ledger import Ledger, Tenant


@pytest.fixture
def tenant(ledger: Ledger) -> Tenant:
    """A new tenant."""
    return ledger.tenant()


def declare(ledger: Ledger, tenant: Tenant, tool: str, effect: str, actor: Actor | None = None) -> ToolEffect:
    wanted = NewToolEffect.model_validate({"effect": effect})
    return ledger.write(
        lambda tx: subjects.set_tool_effect(tx, "default", tool, wanted), actor or tenant.admin
    )


def effects(ledger: Ledger, tenant: Tenant) -> object:
    return ledger.read(lambda at: subjects.effects(at, "default"), tenant.admin)


def test_nothing_is_known_until_something_is_declared(ledger: Ledger, tenant: Tenant) -> None:
    assert effects(ledger, tenant) is None
    declare(ledger, tenant, "look up/é", "read")
    declare(ledger, tenant, "refund", "write")
    assert effects(ledger, tenant) == {"look up/é": "read", "refund": "write"}


def test_declared_again_only_what_differs_changes(ledger: Ledger, tenant: Tenant) -> None:
    first = declare(ledger, tenant, "refund", "write")
    assert declare(ledger, tenant, "refund", "write") == first
    assert declare(ledger, tenant, "refund", "read").at > first.at


def test_what_was_declared_can_be_taken_back_once(ledger: Ledger, tenant: Tenant) -> None:
    declare(ledger, tenant, "refund", "write")
    ledger.write(lambda tx: subjects.drop_tool_effect(tx, "default", "refund"), tenant.admin)
    assert effects(ledger, tenant) is None
    with pytest.raises(EffectNotFound):
        ledger.write(lambda tx: subjects.drop_tool_effect(tx, "default", "refund"), tenant.admin)


def test_an_assistant_declares_nothing(ledger: Ledger, tenant: Tenant) -> None:
    agent = Actor(
        tenant.id, "service", "tok_x", "tok_x", frozenset({"corrections:write"}), {}, tenant.admin.tenant_role
    )
    with pytest.raises(PermissionDenied):
        declare(ledger, tenant, "refund", "read", agent)


@pytest.mark.parametrize("tool", ["", "t" * 201])
def test_a_name_that_no_tool_can_have_is_refused(ledger: Ledger, tenant: Tenant, tool: str) -> None:
    with pytest.raises(Refusal, match="1 to 200"):
        declare(ledger, tenant, tool, "read")
