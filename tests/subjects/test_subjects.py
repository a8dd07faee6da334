"""Agents and flows: seen on runs, known by one id however it is spelled, shown to those who may see their runs."""

import unicodedata
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from setright import events, subjects
from setright.identity import NewUser, create_user, disable_user
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import InvalidBody, PermissionDenied, UnknownField
from setright.kernel.fields import validate
from setright.kernel.paging import Place
from setright.storage import Sql, Tx
from setright.subjects import (
    AgentNotFound,
    FlowNotFound,
    Kind,
    Subject,
    SubjectChanges,
    SubjectInFull,
    SubjectRef,
    fold,
)
from tests.support.ledger import Ledger


def see(
    ledger: Ledger,
    actor: Actor,
    subject_id: str,
    version: str = "v1",
    project: str = "default",
    kind: Kind = "agent",
) -> SubjectRef:
    """Meet a subject on a run."""
    return ledger.write(lambda tx: subjects.see(tx, project, kind, subject_id, version), actor)


def get(ledger: Ledger, actor: Actor, subject_id: str, kind: Kind = "agent") -> SubjectInFull:
    """Read a subject."""
    return ledger.read(lambda at: subjects.get_subject(at, kind, subject_id), actor)


def patch(ledger: Ledger, actor: Actor, subject_id: str, **changes: Any) -> Subject:
    """Change an agent, and log that."""

    def write(tx: Tx) -> Subject:
        changed = subjects.patch_subject(tx, "agent", subject_id, validate(SubjectChanges, changes))
        events.append(tx)
        return changed

    return ledger.write(write, actor)


def listed(ledger: Ledger, actor: Actor, kind: Kind = "agent", limit: int = 2) -> list[str]:
    """The ids of a list, page by page."""
    found: list[str] = []
    after: Place | None = None
    while True:
        page = ledger.read(lambda at, after=after: subjects.list_subjects(at, kind, after, limit), actor)
        found += [subject.id for subject in page.data]
        after = page.next
        if after is None:
            return found


def test_the_first_spelling_of_an_id_is_shown_for_all_of_them(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    first = see(ledger, admin, " \uff22illing Straße")
    assert first == SubjectRef("agent", "billing strasse", " \uff22illing Straße", "v1")
    assert see(ledger, admin, "BILLING STRASSE ", "v2") == replace(first, version="v2")
    found = get(ledger, admin, "billing straße")
    assert (found.subject.id, found.subject.key) == (first.id, first.key)
    assert [version.version for version in found.versions] == ["v1", "v2"]
    assert listed(ledger, admin) == [first.id]


def test_a_version_that_was_seen_is_known_and_not_deployed(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    for version in ("v2", "v10", "v1", "v2"):
        see(ledger, admin, "a", version)
    found = get(ledger, admin, "a")
    assert [version.version for version in found.versions] == ["v2", "v10", "v1"]
    assert {version.deployed_at for version in found.versions} == {None}
    assert found.subject.latest_version is None
    assert found.subject.created_at == found.versions[0].first_seen_at


def test_an_agent_and_a_flow_of_one_name_are_two_subjects(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    see(ledger, admin, "Same", kind="flow")
    see(ledger, admin, "same", "v2")
    assert (listed(ledger, admin), listed(ledger, admin, "flow")) == (["same"], ["Same"])
    assert get(ledger, admin, "SAME", "flow").versions[0].version == "v1"
    with pytest.raises(FlowNotFound):
        get(ledger, admin, "other", "flow")


def test_what_is_known_costs_one_statement(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = ledger.tenant().admin
    see(ledger, admin, "a")
    run: list[Sql] = []
    one = Tx.one

    def counted(tx: Tx, sql: Sql, **values: Any) -> Any:
        run.append(sql)
        return one(tx, sql, **values)

    def refused(_tx: Tx, _sql: Sql, **_values: Any) -> Any:
        raise AssertionError("nothing is new")

    monkeypatch.setattr(Tx, "one", counted)
    monkeypatch.setattr(Tx, "run", refused)
    monkeypatch.setattr(Tx, "add", refused)
    see(ledger, admin, "A")
    assert len(run) == 1


def test_many_at_once_meet_one_subject(ledger: Ledger) -> None:
    tenant = ledger.tenant()

    def write(tx: Tx, number: int) -> SubjectRef:
        tx.actor = tenant.admin
        return subjects.see(tx, "default", "agent", "A" if number % 2 else "a", f"v{number % 3}")

    waiting: list[Future[SubjectRef]] = [
        ledger.store.write(lambda tx, number=number: write(tx, number)) for number in range(24)
    ]
    assert len({future.result(30).id for future in waiting}) == 1
    assert len(get(ledger, tenant.admin, "a").versions) == 3


def test_a_caller_sees_the_subjects_of_the_projects_it_may_read(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    other, third = ledger.project(tenant, "other"), ledger.project(tenant, "third")
    for subject_id, project in [("a", "default"), ("b", other), ("c", third), ("d", other), ("d", "default")]:
        see(ledger, tenant.admin, subject_id, project=project)
    reader = ledger.actor(tenant, Role.READ)
    both = replace(reader, roles=reader.roles | {other: Role.READ})
    assert listed(ledger, tenant.admin) == ["d", "c", "b", "a"]
    assert listed(ledger, reader) == ["d", "a"]
    assert listed(ledger, both, limit=1) == ["d", "b", "a"]
    for nobody in (ledger.actor(tenant), ledger.tenant().admin):
        assert listed(ledger, nobody) == []
        with pytest.raises(AgentNotFound):
            get(ledger, nobody, "a")
    with pytest.raises(AgentNotFound):
        get(ledger, reader, "b")
    assert get(ledger, both, "b").subject.id == "b"


def test_a_patch_changes_what_it_names_and_null_lifts_it(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    see(ledger, admin, "A")
    named = patch(ledger, admin, " a", name="Billing", ownerId=admin.id.removeprefix("usr_"))
    assert (named.name, named.description, named.owner_id) == ("Billing", None, admin.id)
    told = patch(ledger, admin, "a", description="Answers questions about bills", name=None)
    assert (told.name, told.description, told.owner_id) == (None, "Answers questions about bills", admin.id)
    assert get(ledger, admin, "a").subject == told
    assert told.updated_at > told.created_at
    assert patch(ledger, admin, "a", name=None, ownerId=admin.id) == told
    page = ledger.read(lambda at: events.history(at, "A"), admin)
    assert [(event.kind, event.changed) for event in page.data] == [
        ("agent.changed", ("name", "ownerId")),
        ("agent.changed", ("name", "description")),
    ]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({}, ""),
        ({"name": ""}, "/name"),
        ({"name": "x" * 201}, "/name"),
        ({"description": "x" * 4001}, "/description"),
        ({"description": 1}, "/description"),
        ({"ownerId": "usr_nobody"}, "/ownerId"),
    ],
)
def test_a_patch_that_breaks_a_rule_is_refused_by_place(
    ledger: Ledger, changes: dict[str, Any], pointer: str
) -> None:
    admin = ledger.tenant().admin
    see(ledger, admin, "a")
    with pytest.raises(InvalidBody) as refused:
        patch(ledger, admin, "a", **changes)
    assert [fault["pointer"] for fault in refused.value.details["faults"]] == [pointer]
    with pytest.raises(UnknownField):
        patch(ledger, admin, "a", latestVersion="v1")


def test_an_owner_is_a_user_of_the_tenant_who_was_not_disabled(ledger: Ledger) -> None:
    tenant, stranger = ledger.tenant(), ledger.tenant().admin
    see(ledger, tenant.admin, "a")
    bob = ledger.write(lambda tx: create_user(tx, validate(NewUser, {"name": "bob"})), tenant.admin)
    assert patch(ledger, tenant.admin, "a", ownerId=bob.id).owner_id == bob.id
    ledger.write(lambda tx: disable_user(tx, bob.id), tenant.admin)
    see(ledger, tenant.admin, "b")
    for owner_id in (bob.id, stranger.id):
        with pytest.raises(InvalidBody, match="/ownerId"):
            patch(ledger, tenant.admin, "b", ownerId=owner_id)


def test_a_patch_needs_write_where_the_subject_was_seen(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    other = ledger.project(tenant, "other")
    see(ledger, tenant.admin, "a")
    see(ledger, tenant.admin, "b", project=other)
    reader = ledger.actor(tenant, Role.READ)
    writer = replace(reader, roles={"default": Role.WRITE})
    assert patch(ledger, writer, "a", name="A").name == "A"
    with pytest.raises(PermissionDenied):
        patch(ledger, reader, "a", name="B")
    with pytest.raises(PermissionDenied):
        patch(ledger, replace(writer, roles=writer.roles | {other: Role.READ}), "b", name="B")
    for actor, subject_id in [(writer, "b"), (writer, "c"), (ledger.tenant().admin, "a")]:
        with pytest.raises(AgentNotFound):
            patch(ledger, actor, subject_id, name="B")


@given(st.text(max_size=30))
@example("ﬃ İ ΐ ͅ")
@example("\u3000ｱ゛\u00a0")
@example("\u1f80\u0301")
@example("ẞ \u017f \u212a")
@settings(max_examples=400)
def test_folding_is_stable_and_blind_to_case_form_and_space_around(text: str) -> None:
    key = fold(text)
    assert fold(key) == key
    assert fold(f" {text}\t\u00a0") == key
    assert {fold(unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")} == {key}
    assert fold(unicodedata.normalize("NFD", text).casefold()) == key
