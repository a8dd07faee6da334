"""Twenty who ask at the same moment after a correction: one composes the answer, and nobody is told the old one."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from setright import knowledge
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.fields import validate
from setright.knowledge import NewArtifact, SubmittedCorrection
from setright.storage import Tx
from tests.concurrency.conftest import Serving
from tests.concurrency.test_one_key import at_once
from tests.concurrency.wire import Wire
from tests.knowledge.reading_room import a_text

MANY = 20
ROUNDS = 4
SUMMARY = "/v1/artifacts/P1/summary"


class Desk:
    """An admin who writes straight into the ledger that the servers serve."""

    def __init__(self, server: Serving, caller: Wire) -> None:
        me = caller.get("/v1/me")
        self._server = server
        self._actor = Actor(me["tenantId"], "user", me["id"], "", frozenset(SCOPES), {}, Role.ADMIN)

    def write(self, work: Any) -> Any:
        """Write as the admin."""

        def as_admin(tx: Tx) -> Any:
            tx.actor = self._actor
            return work(tx)

        return self._server.app.store.write(as_admin).result(30)

    def keep(self) -> None:
        """A text of two words."""
        self.write(lambda tx: knowledge.record_artifact(tx, validate(NewArtifact, a_text())))

    def correct(self, number: int, claim: str, correction: str) -> None:
        """Say that an answer is wrong."""
        said = validate(SubmittedCorrection, {"claim": claim, "correction": correction})
        self.write(lambda tx: knowledge.submit_correction(tx, number, said))


def outputs_of(desk: Desk) -> int:
    """How many answers were ever composed."""
    return desk.write(lambda tx: len(knowledge.list_outputs(tx, limit=100).data))


def test_one_composes_and_none_is_told_the_old_answer(
    servers: tuple[Serving, Serving], callers: tuple[Wire, Wire]
) -> None:
    desk = Desk(servers[0], callers[0])
    desk.keep()
    value = "king"
    for number in range(ROUNDS):
        before = callers[0].get(SUMMARY)
        composed = outputs_of(desk)
        correction = f"owner {number}"
        desk.correct(before["interactionId"], f"it means {value}", correction)
        asks = [partial(callers[one % 2].send, "GET", SUMMARY) for one in range(MANY)]
        told = [one.json for one in at_once(asks)]
        assert all(f"\u201c{correction}\u201d" in one["summary"] for one in told)
        assert len({one["generatedAt"] for one in told}) == 1
        assert told[0]["generatedAt"] > before["generatedAt"]
        assert len({one["interactionId"] for one in told}) == MANY
        assert outputs_of(desk) == composed + 1
        value = correction


def test_while_corrections_come_no_answer_is_older_than_the_last_one_acknowledged(
    servers: tuple[Serving, Serving], callers: tuple[Wire, Wire]
) -> None:
    desk = Desk(servers[0], callers[0])
    desk.keep()
    asked = callers[0].get(SUMMARY)["interactionId"]
    done: list[int] = []

    seen: list[tuple[int, str]] = []

    def correct() -> None:
        for number in range(ROUNDS * 3):
            desk.correct(asked, "it means king", f"reading {number}.")
            done.append(number)

    def read(one: int) -> None:
        for _ in range(ROUNDS * 2):
            acknowledged = len(done)
            seen.append((acknowledged, callers[one % 2].get(SUMMARY)["summary"]))

    with ThreadPoolExecutor(7) as threads:
        works = [threads.submit(correct), *(threads.submit(read, one) for one in range(6))]
    assert [work.exception() for work in works] == [None] * 7
    for acknowledged, summary in seen:
        missing = [n for n in range(acknowledged) if f"reading {n}." not in summary]
        assert missing == []
