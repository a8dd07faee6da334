"""Whatever several callers do to the same runs, in turn or at once, the ledger is what a small model says."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.concurrency.test_one_key import at_once
from tests.concurrency.wire import Serving, a_run

_NUMBERS = count(1)
VERDICTS: dict[str, tuple[dict[str, Any], str, str | None]] = {
    "decisions": ({"decisions": "wrong", "shouldCall": [{"tool": "refund"}]}, "with-owner", "owner"),
    "answer": ({"answer": "wrong", "shouldSay": "14 days"}, "open", "improve"),
    "right": ({"decisions": "right", "answer": "right"}, "fixed", None),
}
callers = st.integers(0, 3)
participants = st.sampled_from([None, "p-1", "p-2"])
verdicts = st.sampled_from(sorted(VERDICTS))


@dataclass
class Made:
    """What the model knows of one correction: its place, what it must look like, and what came after it."""

    place: tuple[str, str, str | None]
    status: str
    sorted_to: str | None
    superseded_by: str | None = None


@dataclass
class Sent:
    """A request that was answered, to be sent again."""

    caller: int
    body: dict[str, Any]
    key: str
    content: bytes


@dataclass
class Model:
    """The ledger as it should be."""

    made: dict[str, Made] = field(default_factory=dict[str, Made])
    current: dict[tuple[str, str, str | None], str] = field(
        default_factory=dict[tuple[str, str, str | None], str]
    )

    def add(self, correction: dict[str, Any], participant: str | None, verdict: str) -> None:
        """A correction was made: it supersedes what stood in its place."""
        place = (correction["runId"], correction["madeBy"]["id"], participant)
        _, status, sorted_to = VERDICTS[verdict]
        if participant is not None:
            status, sorted_to = "open", None
        if place in self.current:
            self.made[self.current[place]].superseded_by = correction["id"]
        self.made[correction["id"]] = Made(place, status, sorted_to)
        self.current[place] = correction["id"]


class Corrections(RuleBasedStateMachine):
    """Callers who correct the same runs, one after the other or at once."""

    servers: tuple[Serving, Serving]
    runs = Bundle[str]("runs")
    sent = Bundle[Sent]("sent")

    @initialize()
    def begin(self) -> None:
        """A tenant with two people, one of whom has two tokens, and a service; each speaks to both servers."""
        admin = self.servers[0].tenant(f"life-{next(_NUMBERS)}")
        secrets = [admin._token]
        secrets.append(admin.post("/v1/tokens", {"kind": "user", "name": "second"})["secret"])
        other = admin.post("/v1/users", {"name": "bo", "role": "write"})["id"]
        secrets.append(admin.post("/v1/tokens", {"kind": "user", "name": "own", "userId": other})["secret"])
        secrets.append(
            admin.post("/v1/tokens", {"kind": "service", "name": "app", "role": "write"})["secret"]
        )
        self.callers = [self.servers[n % 2].wire(secret) for n, secret in enumerate(secrets)]
        self.model = Model()

    @rule(target=runs)
    def run(self) -> str:
        """A finished run."""
        return self.callers[0].post("/v1/runs", a_run())["id"]

    @rule(target=sent, run_id=runs, caller=callers, participant=participants, verdict=verdicts)
    def correct(self, run_id: str, caller: int, participant: str | None, verdict: str) -> Sent:
        """One correction, with a key."""
        body, key = _body(run_id, participant, verdict), f"key-{next(_NUMBERS)}"
        told = self.callers[caller].send("POST", "/v1/corrections", body, key)
        assert told.status == 201, told.content
        self.model.add(told.json, participant, verdict)
        return Sent(caller, body, key, told.content)

    @rule(sent=sent)
    def send_again(self, sent: Sent) -> None:
        """The same request: the same bytes, however much has happened since, and nothing new."""
        told = self.callers[sent.caller].send("POST", "/v1/corrections", sent.body, sent.key)
        assert (told.status, told.content) == (201, sent.content)

    @rule(sent=sent, verdict=verdicts)
    def send_another_body(self, sent: Sent, verdict: str) -> None:
        """The same key with another body: refused, and nothing new."""
        told = self.callers[sent.caller].send(
            "POST", "/v1/corrections", {**sent.body, "why": "else"}, sent.key
        )
        assert told.code == "idempotency-key-body-mismatch"

    @rule(run_id=runs, several=st.lists(st.tuples(callers, participants, verdicts), min_size=2, max_size=5))
    def correct_at_once(self, run_id: str, several: list[tuple[int, str | None, str]]) -> None:
        """Several corrections at one moment: they count in the order that their supersessions tell."""
        told = at_once([self._sender(run_id, *one) for one in several])
        assert {one.status for one in told} == {201}
        made = {one.json["id"]: (one.json, said[1], said[2]) for one, said in zip(told, several, strict=True)}
        kept = {one["id"]: one for one in self._everything() if one["id"] in made}
        for correction_id in _in_order(kept):
            correction, participant, verdict = made[correction_id]
            self.model.add(correction, participant, verdict)

    def _sender(self, run_id: str, caller: int, participant: str | None, verdict: str) -> Any:
        body = _body(run_id, participant, verdict)
        return lambda: self.callers[caller].send("POST", "/v1/corrections", body)

    def _everything(self) -> list[dict[str, Any]]:
        return self.callers[0].all("/v1/corrections?includeUnregistered=true")

    @invariant()
    def the_ledger_is_the_model(self) -> None:
        """Every correction stands as it should, and only the current ones are listed."""
        kept = self._everything()
        assert {one["id"]: _as_made(one) for one in kept} == self.model.made
        assert [one["createdAt"] for one in kept] == sorted((one["createdAt"] for one in kept), reverse=True)
        current = self.callers[3].all("/v1/corrections")
        assert {one["id"] for one in current} == set(self.model.current.values())


def _body(run_id: str, participant: str | None, verdict: str) -> dict[str, Any]:
    more = {} if participant is None else {"participantId": participant}
    return {"runId": run_id, **VERDICTS[verdict][0], **more}


def _as_made(one: dict[str, Any]) -> Made:
    assert ("unregisteredAt" in one) == ("supersededBy" in one)
    place = (one["runId"], one["madeBy"]["id"], one.get("participantId"))
    return Made(place, one["status"], one.get("sortedTo"), one.get("supersededBy"))


def _in_order(kept: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Earlier ones first, as far as one supersedes the other."""
    left = dict(kept)
    while left:
        later = {one.get("supersededBy") for one in left.values()}
        first = [correction_id for correction_id in left if correction_id not in later]
        assert first, "supersessions go in a circle"
        for correction_id in first:
            yield correction_id
            del left[correction_id]


@pytest.mark.timeout(240)
def test_corrections_of_several_callers_are_what_the_model_says(servers: tuple[Serving, Serving]) -> None:
    Corrections.servers = servers
    run_state_machine_as_test(
        Corrections,
        settings=settings(
            max_examples=12,
            stateful_step_count=14,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
