"""The life of a claim to speak as a scholar, every pair of it; ORCIDs by their check digit; two who ask at once."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright import identity
from setright.identity import CLAIM_LIFE, ClaimDecision, NewScholar, NewScholarClaim
from setright.identity.scholar_model import check_digit
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from tests.knowledge.reading import Reading
from tests.support.ledger import Ledger

VERBS = ("approve", "reject", "withdraw")
PATHS = {"asked": (), "approved": ("approve",), "rejected": ("reject",), "withdrawn": ("withdraw",)}
ENDS = {"approve": "approved", "reject": "rejected", "withdraw": "withdrawn"}


@pytest.mark.parametrize(("status", "verb"), [*product(PATHS, VERBS)])
def test_every_pair_of_a_status_and_a_verb(ledger: Ledger, status: str, verb: str) -> None:
    room = Reading(ledger, ledger.tenant())
    scholar, bearer = room.scholar(), room.user()
    ask = validate(NewScholarClaim, {})
    claim, _ = room.do(lambda tx: identity.ask_to_speak(tx, scholar, ask), bearer)

    def move(verb: str) -> str:
        if verb == "withdraw":
            return room.do(lambda tx: identity.withdraw_claim(tx, scholar, claim.id), bearer).status
        decide = identity.approve_claim if verb == "approve" else identity.reject_claim
        return room.do(lambda tx: decide(tx, scholar, claim.id, validate(ClaimDecision, {}))).status

    for earlier in PATHS[status]:
        move(earlier)
    if CLAIM_LIFE.find(verb, status) or ENDS[verb] == status:
        assert move(verb) == ENDS[verb]
    else:
        with pytest.raises(Refusal) as refused:
            move(verb)
        assert refused.value.code == "scholar-claim-move-refused"
        assert refused.value.details["open"] == [one.verb for one in CLAIM_LIFE.open_from(status)]


def test_who_was_rejected_may_ask_again(ledger: Ledger) -> None:
    room = Reading(ledger, ledger.tenant())
    bearer, (scholar,) = room.speaker()
    ask = validate(NewScholarClaim, {})
    there, new = room.do(lambda tx: identity.ask_to_speak(tx, scholar, ask), bearer)
    assert not new
    room.do(lambda tx: identity.reject_claim(tx, scholar, there.id, validate(ClaimDecision, {})))
    again, new = room.do(lambda tx: identity.ask_to_speak(tx, scholar, ask), bearer)
    assert (new, again.status, again.id == there.id) == (True, "asked", False)


def test_of_many_who_ask_at_once_each_gets_one_claim(ledger: Ledger) -> None:
    room = Reading(ledger, ledger.tenant())
    scholar, bearer = room.scholar(), room.user()
    ask = validate(NewScholarClaim, {})

    def once(_: int) -> tuple[str, bool]:
        claim, new = room.do(lambda tx: identity.ask_to_speak(tx, scholar, ask), bearer)
        return claim.id, new

    with ThreadPoolExecutor(8) as many:
        found = list(many.map(once, range(16)))
    assert len({claim for claim, _ in found}) == 1
    assert sum(new for _, new in found) == 1


def test_numbers_have_no_gap_and_stand_once(ledger: Ledger) -> None:
    room, other = Reading(ledger, ledger.tenant()), Reading(ledger, ledger.tenant())
    with ThreadPoolExecutor(8) as many:
        found = list(many.map(lambda _: room.scholar(), range(20)))
    assert sorted(found) == list(range(1, 21))
    assert other.scholar() == 1


@given(st.text("0123456789", min_size=15, max_size=15))
def test_an_orcid_has_the_check_digit_of_its_digits(digits: str) -> None:
    whole = digits + check_digit(digits)
    orcid = "-".join(whole[at : at + 4] for at in range(0, 16, 4))
    assert validate(NewScholar, {"name": "A", "orcid": orcid}).orcid == orcid
    other = "0" if whole[-1] != "0" else "1"
    with pytest.raises(Refusal):
        validate(NewScholar, {"name": "A", "orcid": orcid[:-1] + other})


def test_the_check_digit_is_that_of_known_orcids() -> None:
    assert [check_digit(digits) for digits in ("000000021825009", "000000021694233")] == ["7", "X"]
