"""How many tokens, users and projects a tenant may have at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from setright import identity
from setright.identity import NewProject, NewToken, NewUser, Rotation, require_below_cap
from setright.kernel.clock import SECOND, to_wire
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.kernel.limits import Limits, QuotaExceeded
from setright.storage import Tx
from tests.identity.conftest import Room


def user(name: str) -> Callable[[Tx], Any]:
    return lambda tx: identity.create_user(tx, validate(NewUser, {"name": name}))


def project(name: str) -> Callable[[Tx], Any]:
    return lambda tx: identity.create_project(tx, validate(NewProject, {"id": name, "name": name}))


def token(**more: Any) -> Callable[[Tx], Any]:
    body = {"kind": "service", "name": "agent", "role": "read", **more}
    return lambda tx: identity.create_token(tx, validate(NewToken, body))


def within(room: Room, limits: Limits, verb: Callable[[Tx], Any]) -> Any:
    """The result of a verb of the tenant's admin, in a tenant with these limits."""

    def work(tx: Tx) -> Any:
        tx.limits = limits
        return verb(tx)

    return room.ledger.write(work, room.admin)


def refusal(room: Room, limits: Limits, verb: Callable[[Tx], Any]) -> Refusal:
    with pytest.raises(QuotaExceeded) as caught:
        within(room, limits, verb)
    return caught.value


@pytest.mark.parametrize(
    ("limits", "word", "verb"),
    [(Limits(users=2), "users", user), (Limits(projects=2), "projects", project)],
)
def test_one_more_than_the_cap_is_refused_with_what_there_is(
    room: Room, limits: Limits, word: str, verb: Callable[[str], Callable[[Tx], Any]]
) -> None:
    within(room, limits, verb("b"))
    refused = refusal(room, limits, verb("c"))
    assert refused.details == {"quota": word, "limit": 2, "used": 2}
    assert refused.retry_after is None
    within(room, Limits(), verb("c"))


def test_a_user_who_was_disabled_makes_room(room: Room) -> None:
    limits = Limits(users=2)
    gone = within(room, limits, user("b"))
    refusal(room, limits, user("c"))
    within(room, limits, lambda tx: identity.disable_user(tx, gone.id))
    within(room, limits, user("c"))


def test_a_project_that_is_there_already_needs_no_room(room: Room) -> None:
    limits = Limits(projects=2)
    made = within(room, limits, project("b"))
    assert within(room, limits, project("b")) == (made[0], False)


def test_a_token_that_was_revoked_makes_room_and_rotating_needs_none(room: Room) -> None:
    limits = Limits(tokens=2)
    first, second = within(room, limits, token()), within(room, limits, token())
    assert refusal(room, limits, token()).details == {"quota": "tokens", "limit": 2, "used": 2}
    within(room, limits, lambda tx: identity.rotate_token(tx, second.token.id, Rotation.model_validate({})))
    within(room, limits, lambda tx: identity.revoke_token(tx, first.token.id))
    within(room, limits, token())


def test_a_token_that_has_expired_makes_room(room: Room) -> None:
    def an_hour_ago(tx: Tx) -> Any:
        tx.now -= 3600 * SECOND
        return token(expiresAt=to_wire(tx.now + SECOND))(tx)

    within(room, Limits(), an_hour_ago)
    within(room, Limits(tokens=1), token())


def test_another_tenants_things_do_not_count(room: Room, elsewhere: Room) -> None:
    limits = Limits(tokens=1, users=2, projects=2)
    for verb in (token(), user("b"), project("b")):
        within(elsewhere, Limits(), verb)
        within(room, limits, verb)


def test_a_room_above_may_say_how_many_there_are(room: Room) -> None:
    limits = Limits(corrector_groups=3)
    within(room, limits, lambda tx: require_below_cap(tx, "corrector-groups", lambda: 2))
    refused = refusal(room, limits, lambda tx: require_below_cap(tx, "corrector-groups", lambda: 3))
    assert refused.details == {"quota": "corrector-groups", "limit": 3, "used": 3}
    within(room, Limits(), lambda tx: require_below_cap(tx, "corrector-groups", lambda: 1 // 0))


def test_of_two_at_once_only_one_gets_the_last_place(room: Room) -> None:
    limits, there = Limits(users=4, tokens=3), [user("b"), user("c")]
    for verb in there:
        within(room, limits, verb)

    def attempt(number: int) -> str:
        try:
            within(room, limits, user(f"at-once-{number}"))
        except QuotaExceeded:
            return "refused"
        return "made"

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(attempt, range(8))) == ["made", *["refused"] * 7]


def own(room: Room, changes: dict[str, int | None]) -> dict[str, int]:
    return room.do(identity.set_own_limits, changes)


def test_a_tenants_own_limits_go_before_those_of_every_tenant(room: Room, elsewhere: Room) -> None:
    assert own(room, {"users": 1, "runs-per-day": 7, "tokens": 0}) == {
        "users": 1,
        "runs-per-day": 7,
        "tokens": 0,
    }
    assert own(room, {"runs-per-day": None}) == {"users": 1, "tokens": 0}
    assert room.ask(identity.own_limits) == {"users": 1, "tokens": 0}
    assert elsewhere.ask(identity.own_limits) == {}
    everybody = Limits(users=9, tokens=9, projects=9)
    assert everybody.with_own(room.ask(identity.own_limits)) == Limits(users=1, tokens=0, projects=9)
    assert everybody.with_own({}) is everybody


def test_own_limits_come_with_the_token_and_are_read_again_when_they_change(room: Room) -> None:
    secret, before = room.token().secret, room.version()
    own(room, {"corrections-per-day": 3})
    assert room.bearer(secret).own_limits == {"corrections-per-day": 3}
    assert room.version() != before


def test_setting_a_limit_is_told_with_its_name_once(room: Room) -> None:
    (event,) = room.told(identity.set_own_limits, {"users": 5, "tokens": 6})
    assert (event.kind, event.subject_id, event.changed) == (
        "tenant.limited",
        room.tenant.id,
        ("tokens", "users"),
    )
    assert room.told(identity.set_own_limits, {"users": 5}) == []
