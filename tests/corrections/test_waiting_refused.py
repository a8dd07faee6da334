"""What is checked when the run finishes: whoever may not correct it then is refused, and the run finishes all the same."""

from typing import Any

import pytest
from sqlalchemy import bindparam, update

from setright import corrections, identity
from setright.corrections import CorrectorGroup, CorrectorGroupChange, NewCorrectorGroup
from setright.corrections.tables import waiting_corrections
from setright.identity import NewMember
from setright.identity.tables import tokens
from setright.kernel.actor import Actor
from setright.kernel.clock import SECOND, to_wire
from setright.kernel.fields import validate
from setright.storage import Sql
from tests.corrections.holding import Holding, new_id
from tests.support.ledger import Ledger

EXPIRE = Sql(update(tokens).where(tokens.c.id == bindparam("of")).values(expires_at=1))
_SPOILT = {"request": '{"runId":"x","nonsense":1}'}
SPOIL = Sql(update(waiting_corrections).where(waiting_corrections.c.id == bindparam("of")).values(_SPOILT))


@pytest.fixture
def room(ledger: Ledger) -> Holding:
    return Holding(ledger, ledger.tenant())


def group(room: Holding, **body: Any) -> CorrectorGroup:
    new = validate(NewCorrectorGroup, {"name": "Experts", "scope": {"kind": "tenant"}, **body})
    return room.whole(corrections.create_group, new)


def give(room: Holding, to: Actor, role: str) -> None:
    body = {"kind": to.kind, "id": to.id, "role": role}
    room.do(identity.put_member, "default", validate(NewMember, body))


def test_a_maker_who_may_not_write_any_more_is_refused(room: Holding) -> None:
    run_id, reader, gone = new_id(), room.person("rita", "write"), room.person("gus", "write")
    held = [room.held(run_id, by=one) for one in (reader, gone, room.admin)]
    give(room, reader, "read")
    room.do(identity.remove_member, "default", "user", gone.id)
    assert room.run(run_id).status == "completed"
    for one in held[:2]:
        assert room.refusal(one) == ("permission-denied", {"projectId": "default", "needs": "write"})
    assert room.became(held[2]).id == held[2].id
    assert room.waiting() == [one.id for one in held[:2]]
    assert [one.id for one in room.recorded(run_id=run_id)] == [held[2].id]


def test_a_maker_who_was_shut_out_is_refused_with_the_reason(room: Holding) -> None:
    run_id, user = new_id(), room.person("dora", "write")
    revoked = room.bearer(room.token().secret).actor
    expires = room.bearer(room.token(expiresAt=to_wire(room.ledger.clock.now() + 3600 * SECOND)).secret).actor
    held = [room.held(run_id, by=one) for one in (user, revoked, expires)]
    room.do(identity.disable_user, user.id)
    room.do(identity.revoke_token, revoked.id)
    room.ledger.write(lambda tx: tx.run(EXPIRE, of=expires.id), room.admin)
    room.run(run_id)
    assert [room.refusal(one)[0] for one in held] == ["auth-revoked", "auth-revoked", "auth-expired"]
    assert "disabled" in (room.now(held[0]).correction.refusal or {})["message"]


def test_a_role_that_was_given_meanwhile_counts(room: Holding) -> None:
    run_id, maker = new_id(), room.person("mona", "write")
    held = room.held(run_id, by=maker)
    room.do(identity.remove_member, "default", "user", maker.id)
    give(room, maker, "admin")
    room.run(run_id)
    assert room.became(held).made_by_id == maker.id


def test_the_group_is_judged_when_the_run_finishes(room: Holding) -> None:
    run_id, experts = new_id(), group(room)
    retired, unknown = group(room, name="Old"), "grp_01KE5MCQ800000000000000009"
    held = [
        room.held(run_id, answer="right", correctorGroupId=one, participantId=one)
        for one in (experts.id, retired.id, unknown)
    ]
    room.whole(corrections.retire_group, retired.id)
    restriction = {"assertableBy": {"principalKinds": ["user"]}}
    room.whole(corrections.change_group, experts.id, validate(CorrectorGroupChange, restriction))
    room.run(run_id)
    made = room.became(held[0])
    assert (made.corrector_group_id, made.expert) == (experts.id, True)
    assert [room.refusal(one)[0] for one in held[1:]] == ["corrector-group-not-applicable"] * 2


def test_a_group_that_its_maker_may_not_assert_any_more_is_refused(room: Holding) -> None:
    run_id, maker, experts = new_id(), room.person("mona", "write"), group(room)
    held = room.held(run_id, by=maker, answer="right", correctorGroupId=experts.id)
    restriction = {"assertableBy": {"principalIds": [room.admin.id]}}
    room.whole(corrections.change_group, experts.id, validate(CorrectorGroupChange, restriction))
    room.run(run_id)
    assert room.refusal(held)[0] == "corrector-group-not-allowed"


def test_pointers_are_followed_in_the_output_that_came(room: Holding) -> None:
    run_id = new_id()
    items = [
        {"key": key, "pointer": pointer, "verdict": "wrong"}
        for key, pointer in (("a", "/hits/0"), ("b", "/hits/7"))
    ]
    good, bad = room.held(run_id, items=items[:1]), room.held(run_id, items=items, participantId="p")
    room.run(run_id)
    code, details = room.refusal(bad)
    assert code == "item-not-found"
    assert [fault["pointer"] for fault in details["faults"]] == ["/items/1/pointer"]
    assert room.ask(corrections.get_correction, good.id).values == {"a": "a"}


def test_a_refused_one_supersedes_nothing_and_leaves_no_trace_but_its_refusal(room: Holding) -> None:
    run_id = new_id()
    items = [{"key": "a", "pointer": "/nothing", "verdict": "wrong"}]
    first, second = room.held(run_id), room.held(run_id, items=items)
    run = room.run(run_id)
    assert room.became(first).superseded_by is None
    assert [kind for kind, _ in room.story(second.id)] == ["correction.held", "correction.refused"]
    assert [kind for kind, _ in room.story(run.id)] == ["run.finished"]


def test_one_that_cannot_be_read_any_more_is_refused_and_stops_nothing(room: Holding) -> None:
    run_id = new_id()
    held, good = room.held(run_id), room.held(run_id, participantId="p", answer="right")
    room.ledger.write(lambda tx: tx.run(SPOIL, of=held.id), room.admin)
    assert room.run(run_id).status == "completed"
    assert (room.now(held).correction.refusal or {})["code"] == "invalid-body"
    assert room.became(good).id == good.id
