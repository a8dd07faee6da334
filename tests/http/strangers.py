"""Three tenants: one whose ids the other two know, or ids that nobody has; and how two answers are compared."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import bindparam, update

from setright.identity.tables import tenant_numbers
from setright.storage import Snapshot, Sql, Tx
from tests.http.support import Api, Caller
from tests.http.writes import made_things

SECRET = "Marthe Quivering lives above the bakery"
THEIRS = {
    "agent": "x-theirs-agent",
    "artifact": "x-theirs-text",
    "flow": "x-theirs-flow",
    "participant": "x-theirs-participant",
    "project": "x-theirs-project",
    "run": "x-theirs-run",
    "sitting": "x-theirs-sitting",
    "tool": "x-theirs-tool",
    "userName": "x-theirs-user",
}
ULID = re.compile(r"(?<=_)[0-7][0-9A-HJKMNP-TV-Z]{25}")
NOT_THE_SAME = (
    (re.compile(r"srt_\w+"), "TOKEN"),
    (re.compile(r"\b[0-9a-f]{16,32}\b"), "HASH"),
    (re.compile(r"[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "TIME"),
    (re.compile(r"(nobody|theirs)-"), ""),
    (re.compile(r"\b47\d\d\b"), "NUMBER"),
    (re.compile(r'"ageSeconds": ?\d+'), ""),
    (re.compile(r"--cursor \S+"), "CURSOR"),
    (re.compile(r'"(seq|secret|nextCursor|etag|requestId)": ?("[^"]*"|\d+)'), r'"\1":'),
    (re.compile(r"tenant-\d+-\d+"), "TENANT"),
)
"""What differs from one request to the next, whoever asks."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """The admin of a tenant with things of its own, and what it knows: another tenant's ids, or nobody's."""

    caller: Caller
    own: dict[str, str]
    knows: dict[str, str]


@dataclass(frozen=True, slots=True)
class Strangers:
    """Two tenants in which the same was done; one knows ids of the `known` one, the other ids that nobody has.

    `sent` is what the first has said itself, which it may hear again.
    """

    known: Caller
    first: Stranger
    second: Stranger
    sent: list[str] = field(default_factory=list[str])

    @property
    def secrets(self) -> list[str]:
        """The ids of the known tenant that are nobody else's."""
        return [value for value in self.first.knows.values() if ULID.search(value)]

    def check(self, sent: str, answer: str, twin: str) -> None:
        """The first, who sent this, is told what the second is, and nothing of the known tenant's."""
        assert told(answer) == told(twin), f"{told(answer)}\nand not\n{told(twin)}"
        assert SECRET not in answer
        self.sent.append(sent)
        assert [one for one in self.secrets if one in answer and one not in "".join(self.sent)] == []


def strangers(api: Api) -> Strangers:
    """A tenant in which there is something of every kind, and two strangers to it."""
    known = api.tenant()
    theirs = _theirs(known)
    nobodys = {name: _of_nobody(value) for name, value in theirs.items()}
    first, second = api.tenant(), api.tenant()
    return Strangers(
        known,
        Stranger(first, made_things(first), theirs),
        Stranger(second, made_things(second), nobodys),
    )


def _theirs(owner: Caller) -> dict[str, str]:
    """What a tenant made, under names that it chose and nobody else does; numbers that others do not reach."""
    made = made_things(owner)
    words = {"participantId": "x-theirs-participant", "input": SECRET, "output": SECRET, "answer": SECRET}
    owner.post("/v1/projects", {"id": "x-theirs-project", "name": SECRET})
    subject = {"kind": "agent", "id": "x-theirs-agent", "version": "v1"}
    owner.run("x-theirs-run", projectId="x-theirs-project", subject=subject, **words)
    owner.run("x-theirs-flow-run", subject={"kind": "flow", "id": "x-theirs-flow", "version": "1"}, **words)
    owner.correction("x-theirs-run", why=SECRET, shouldSay=SECRET)
    owner.lesson(whatHappened=SECRET, rule=SECRET, session="x-theirs-sitting")
    owner.text("x-theirs-text")
    owner.send("PUT", "/v1/projects/x-theirs-project/tools/x-theirs-tool", {"effect": "read"})
    owner.user("x-theirs-user")
    cursor = owner.get("/v1/runs?limit=1").json()["nextCursor"]
    return {**made, **THEIRS, "cursor": cursor, "tenant": owner.tenant_id, **_numbers(owner)}


def _numbers(owner: Caller) -> dict[str, str]:
    """Things that are counted in each tenant for itself, under numbers that the strangers do not reach."""
    ahead = Sql(
        update(tenant_numbers).where(tenant_numbers.c.tenant_id == bindparam("tenant")).values(last=4700)
    )
    owner.app.store.write(lambda tx: tx.run(ahead, tenant=owner.tenant_id)).result(20)
    scholar = owner.post("/v1/scholars", {"name": SECRET}).json()["id"]
    asked = owner.get("/v1/artifacts/P7/summary").json()["interactionId"]
    wrong = {"claim": "It is no king.", "correction": SECRET}
    assert owner.post(f"/v1/interactions/{asked}/corrections", wrong).status_code == 201
    made = owner.get("/v1/annotation-runs?limit=1").json()["data"][0]["id"]
    return {"scholar": str(scholar), "interaction": str(asked), "annotationRun": str(made)}


def _of_nobody(value: str) -> str:
    """An id of the same shape that nobody has."""
    if value.isdigit():
        return "4790"
    return ULID.sub("01KE5MCQ8000000000000000ZZ", value).replace("theirs-", "nobody-")


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that are run meanwhile, by the kind of call."""
    run: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for of, name in ((Snapshot, "all"), (Snapshot, "one"), (Tx, "run"), (Tx, "add")):
            patch.setattr(of, name, _counting(getattr(of, name), name, run))
        yield run


def _counting(call: Any, name: str, run: list[str]) -> Any:
    def counting(at: Any, /, *given: Any, **values: Any) -> Any:
        run.append(name)
        return call(at, *given, **values)

    return counting


def told(text: str) -> str:
    """What an answer tells, without what differs from one request to the next."""
    for pattern, instead in NOT_THE_SAME:
        text = pattern.sub(instead, text)
    return text
