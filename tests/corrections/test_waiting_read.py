"""Reading held corrections, and taking them back, on both engines."""

import pytest

from setright import corrections
from setright.corrections import WaitingFilters
from setright.corrections.errors import CorrectionNotFound, WaitingCorrectionNotFound
from setright.kernel.actor import Role
from setright.kernel.clock import SECOND
from setright.kernel.errors import PermissionDenied, Refusal
from setright.storage import Snapshot
from tests.corrections.holding import Holding, new_id
from tests.support.ledger import Ledger


@pytest.fixture
def room(ledger: Ledger) -> Holding:
    return Holding(ledger, ledger.tenant())


def refused_one(room: Holding) -> str:
    run_id = new_id()
    held = room.held(run_id, items=[{"key": "a", "pointer": "/nothing", "verdict": "wrong"}])
    room.run(run_id)
    return held.id


def test_the_list_has_what_waits_and_what_was_refused_and_can_be_narrowed(room: Holding) -> None:
    second, run_id, maria = (
        room.ledger.project(room.tenant, "second"),
        new_id(),
        room.person("maria", "write"),
    )
    first, other = room.held(run_id), room.held(new_id(), project=second)
    by_maria, refused, gone = room.held(run_id, by=maria), refused_one(room), room.held(new_id())
    room.do(corrections.withdraw, gone.id)
    assert room.waiting() == [first.id, other.id, by_maria.id, refused]
    assert room.waiting(run_id=run_id) == [first.id, by_maria.id]
    assert room.waiting(project_id=second) == [other.id]
    assert room.waiting(state=("refused",)) == [refused]
    assert room.waiting(state=("withdrawn", "refused")) == [refused, gone.id]
    assert room.waiting(made_by=maria.id.removeprefix("usr_")) == [by_maria.id]
    assert room.waiting(run_id=run_id, project_id=second) == []


def test_pages_hold_each_once(room: Holding) -> None:
    held = [room.held(new_id()).id for _ in range(7)]
    seen, after = list[str](), None
    while True:
        page = room.ask(corrections.list_waiting, WaitingFilters(), after, 3)
        seen += [one.correction.id for one in page.data]
        after = page.next
        if after is None:
            break
    assert seen == held[::-1]


def test_only_projects_that_the_caller_may_read_are_shown(room: Holding, ledger: Ledger) -> None:
    second = room.ledger.project(room.tenant, "second")
    held, other = room.held(new_id()), room.held(new_id(), project=second)
    reader, stranger = ledger.actor(room.tenant, Role.READ), ledger.actor(room.tenant)
    assert room.waiting(by=reader) == [held.id]
    assert room.waiting(by=stranger) == []
    for who, what in ((reader, other), (stranger, held)):
        with pytest.raises(PermissionDenied):
            room.ask(corrections.get_waiting, what.id, by=who)
        with pytest.raises(PermissionDenied):
            room.ask(corrections.get_correction, what.id, by=who)
    with pytest.raises(PermissionDenied):
        room.waiting(by=reader, project_id=second)


def test_its_age_counts_from_when_it_was_held(room: Holding) -> None:
    held = room.held(new_id())

    def later(at: Snapshot) -> tuple[int, float]:
        at.now = held.held_at + 90 * SECOND + 1
        return corrections.get_waiting(at, held.id).age_seconds, corrections.backlog(at).oldest_seconds

    age, oldest = room.ledger.read(later, room.admin)
    assert age == 90
    assert oldest >= 90


def test_the_backlog_counts_only_what_waits(room: Holding) -> None:
    before = room.ask(corrections.backlog).count
    run_id = new_id()
    for held in [room.held(run_id) for _ in range(3)][:1]:
        room.do(corrections.withdraw, held.id)
    refused_one(room)
    assert room.ask(corrections.backlog).count == before + 2
    room.run(run_id)
    assert room.ask(corrections.backlog).count == before


def told(room: Holding, read: object, correction_id: str) -> dict[str, object]:
    with pytest.raises(Refusal) as caught:
        room.ask(read, correction_id)  # type: ignore[arg-type]
    assert caught.value.kind == "missing"
    return {name: value for name, value in caught.value.details.items() if name != "correctionId"}


def test_each_side_says_that_it_is_on_the_other(room: Holding) -> None:
    run_id = new_id()
    held, refused, gone = room.held(run_id), refused_one(room), room.held(new_id())
    room.do(corrections.withdraw, gone.id)
    for read in (corrections.get_correction, corrections.correction_history):
        assert told(room, read, held.id) == {"waiting": True, "state": "waiting"}
        assert told(room, read, held.id.removeprefix("cor_"))["waiting"] is True
        assert told(room, read, refused) == {"waiting": False, "state": "refused"}
        assert told(room, read, gone.id) == {"waiting": False, "state": "withdrawn"}
        assert told(room, read, "cor_01KE5MCQ800000000000000009") == {}
    with pytest.raises(CorrectionNotFound):
        room.do(corrections.unregister_correction, held.id)
    room.run(run_id)
    assert told(room, corrections.get_waiting, held.id) == {"recorded": True}
    assert told(room, corrections.get_waiting, "cor_01KE5MCQ800000000000000009") == {}


def test_another_tenants_is_not_there(room: Holding, ledger: Ledger) -> None:
    elsewhere, held = Holding(ledger, ledger.tenant()), room.held(new_id())
    assert elsewhere.waiting() == []
    assert told(elsewhere, corrections.get_waiting, held.id) == {}
    assert told(elsewhere, corrections.get_correction, held.id) == {}
    with pytest.raises(WaitingCorrectionNotFound):
        elsewhere.do(corrections.withdraw, held.id)


def test_its_maker_takes_it_back_and_it_is_never_recorded(room: Holding) -> None:
    run_id, maria = new_id(), room.person("maria", "write")
    held, kept = room.held(run_id, by=maria), room.held(run_id)
    first = room.whole(corrections.withdraw, held.id, by=maria)
    assert (first.correction.state, first.run_state) == ("withdrawn", None)
    assert room.whole(corrections.withdraw, held.id, by=maria).correction == first.correction
    assert room.story(held.id) == [("correction.held", maria.id), ("correction.withdrawn", maria.id)]
    room.run(run_id)
    assert [one.id for one in room.recorded(run_id=run_id)] == [kept.id]
    assert room.now(held).correction == first.correction
    assert dict(first.correction.request)["shouldSay"] == "14 days"


def test_a_refused_one_can_be_put_away_and_a_recorded_one_is_unregistered_instead(room: Holding) -> None:
    refused, run_id = refused_one(room), new_id()
    assert room.do(corrections.withdraw, refused).correction.state == "withdrawn"
    assert room.waiting() == []
    held = room.held(run_id)
    room.run(run_id)
    with pytest.raises(WaitingCorrectionNotFound):
        room.do(corrections.withdraw, held.id)


def test_who_may_take_back_anothers(room: Holding) -> None:
    held, reader = room.held(new_id()), room.person("rita", "read")
    service = room.bearer(room.token().secret).actor
    for who in (reader, service):
        with pytest.raises(PermissionDenied):
            room.do(corrections.withdraw, held.id, by=who)
    own = room.held(new_id(), by=service)
    assert room.do(corrections.withdraw, own.id, by=service).correction.state == "withdrawn"
    assert (
        room.do(corrections.withdraw, held.id, by=room.person("wim", "write")).correction.state == "withdrawn"
    )
