"""One sentence, said wherever words can be said, and the search for it in every column of every table."""

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Select, select

from setright import corrections, erasure, exchange, identity, knowledge, lessons
from setright.app.schema import TABLES
from setright.corrections import Correction, NewCorrection
from setright.erasure import Erasure, NewErasure, NewLegalHold
from setright.exchange.otlp import Log, Received
from setright.exchange.otlp.vocabularies import EVALUATION
from setright.identity import ClaimDecision, NewScholar, NewScholarClaim, NewUser, create_user
from setright.kernel.actor import Actor, Role
from setright.kernel.fields import validate
from setright.knowledge import NewDecision, SearchAsked, SubmittedCorrection
from setright.lessons import Lesson, LessonChange, NewLesson
from setright.storage import Snapshot, Sql
from tests.knowledge.reading_room import ReadingRoom, a_text
from tests.proof.proving import AGENT, Proving, result

SENTENCE = "Marthe Quivering lives above the bakery"
ANN = "participant-ann"
WRONG: dict[str, Any] = {
    "decisions": "wrong",
    "shouldCall": [{"tool": "refund", "args": {"note": SENTENCE}}],
    "answer": "wrong",
    "shouldSay": SENTENCE,
    "why": SENTENCE,
    "evidence": [SENTENCE],
    "items": [{"key": "one", "pointer": "/list/0", "verdict": "wrong"}],
}


@dataclass(frozen=True, slots=True)
class Said:
    """A tenant of Proving, in which the sentence is said."""

    proving: Proving

    @property
    def admin(self) -> Actor:
        """The admin of the tenant."""
        return self.proving.tenant.admin

    def run(self, participant: str | None = ANN, version: str = "v1", **more: Any) -> str:
        """A run of a participant that says the sentence wherever a run can."""
        words = {
            "input": {"question": SENTENCE},
            "messages": [{"role": "user", "content": SENTENCE}],
            "calls": [{"tool": "look_up", "args": {"who": SENTENCE}, "result": SENTENCE}],
            "output": {"list": [SENTENCE]},
            "answer": SENTENCE,
            "tags": [SENTENCE],
            "participantId": participant,
        }
        return self.proving.run(version, **(words | more))

    def corrected(self, run_id: str, by: Actor | None = None, **more: Any) -> Correction:
        """A correction of a run that says the sentence, with a reason and a note that say it too."""
        made = self.proving.corrected(run_id, by, **(WRONG | more))
        return self.proving.set(made, sortedTo="developer", reason=SENTENCE, statusNote=SENTENCE)

    def tested(self, correction: Correction) -> str:
        """The id of a case in which another version said the sentence, and was judged."""
        test_run = self.proving.begun("v2", filter={"ids": [correction.id]})
        claimed = self.proving.claimed(test_run)
        case = claimed.cases[0].case.id
        self.proving.submit(test_run, result(case, claimed.lease, answer=f"{SENTENCE}!", output=[SENTENCE]))
        return case

    def taught(self, by: Actor | None = None, **more: Any) -> Lesson:
        """A lesson that says the sentence, with its rule in force."""
        body = {
            "projectId": "default",
            "agent": AGENT["id"],
            "kind": "quality",
            "noticedBy": "person",
            "whatHappened": SENTENCE,
            "expected": SENTENCE,
            "rule": SENTENCE,
            "evidence": [SENTENCE],
            "session": SENTENCE,
            "mustNotCall": [{"tool": "refund", "args": {"note": SENTENCE}}],
        }
        new = validate(NewLesson, body | more)
        made = self.proving.do(lambda tx: lessons.record_lesson(tx, new), by).lesson
        change = validate(LessonChange, {"status": "adopted"})
        return self.proving.do(lambda tx: lessons.update_lesson(tx, made.id, change), by).lesson

    def held(self, run_id: str, by: Actor | None = None, **more: Any) -> str:
        """A correction that says the sentence and waits for a run."""
        wanted = validate(NewCorrection, {"runId": run_id, "answer": "wrong", "why": SENTENCE, **more})
        return self.proving.do(lambda tx: corrections.record_or_hold(tx, wanted, "default"), by).id

    def read(self, by: Actor, run_id: str | None = None) -> int:
        """The number of a question about a text, whose answer somebody corrects as a scholar, and decides on."""
        room = ReadingRoom(self.proving.ledger, self.proving.tenant)
        room.keep(a_text())
        new = validate(NewScholar, {"name": "Ada Sum"})
        scholar = room.do(lambda tx: identity.create_scholar(tx, new)).number
        claim = validate(NewScholarClaim, {"note": SENTENCE})
        asked, _ = room.do(lambda tx: identity.ask_to_speak(tx, scholar, claim), by)
        yes = validate(ClaimDecision, {})
        room.do(lambda tx: identity.approve_claim(tx, scholar, asked.id, yes))
        question = room.do(lambda tx: knowledge.semantic_search(tx, SearchAsked(SENTENCE), run_id), by)
        answer = room.word("o.1.1")
        wrong = {
            "claim": f"{SENTENCE} king",
            "correction": SENTENCE,
            "evidence": SENTENCE,
            "scholarId": scholar,
        }
        said = validate(SubmittedCorrection, wrong)
        made = room.do(lambda tx: knowledge.submit_correction(tx, answer.interaction, said), by).made[0]
        why = validate(NewDecision, {"reason": SENTENCE, "scholarId": scholar})
        room.do(lambda tx: knowledge.accept_annotation(tx, made.id, why), by)
        room.summary()
        room.do(lambda tx: knowledge.summarize_artifact(tx, "P1", SENTENCE), by)
        return question.interaction

    def traced(self) -> str:
        """The run of a trace that says the sentence, with a span that came late and a judgement that say it too."""
        said: dict[str, Any] = {"gen_ai.prompt": SENTENCE, "gen_ai.operation.name": "chat", "user.id": ANN}
        span = Received("a" * 32, "b" * 16, None, SENTENCE, 1, 2, said, {"service.name": "refunds"})
        self._take(span)
        self.proving.work()
        judged = {"gen_ai.evaluation.name": SENTENCE, "gen_ai.evaluation.explanation": SENTENCE}
        self._take(replace(span, span_id="c" * 16), Log("a" * 32, "b" * 16, EVALUATION, judged, SENTENCE, 1))
        found = self.proving.ask(lambda at: exchange.get_trace(at, "a" * 32, None))
        assert (len(found.late), len(found.evaluations)) == (1, 1)
        return str(found.trace.run_id)

    def _take(self, *parts: Received | Log) -> None:
        self.proving.do(lambda tx: exchange.take_parts(tx, "default", parts, 0))

    def user(self, role: Role = Role.ADMIN) -> Actor:
        """A further user of the tenant, who is really there."""
        body = {"name": f"Marthe {role.word}", "email": "marthe@example.org", "role": role.word}
        made = self.proving.do(lambda tx: create_user(tx, validate(NewUser, body)))
        return replace(self.admin, id=made.id)

    def erased(self, by: Actor | None = None, **wish: Any) -> Erasure:
        """An erasure, carried out."""
        new = validate(NewErasure, {"reason": "asked for", **wish})
        made: Erasure = self.proving.do(lambda tx: erasure.ask_for_erasure(tx, new), by)
        self.proving.work()
        return self.proving.ask(lambda at: erasure.get_erasure(at, made.id)) if made.id else made

    def kept(self, **wish: Any) -> str:
        """The id of a legal hold."""
        new = validate(NewLegalHold, {"reason": "lawsuit", **wish})
        return self.proving.do(lambda tx: erasure.place_legal_hold(tx, new)).id

    def places(self, *words: str) -> list[str]:
        """The columns of the tenant's rows in which any of these words stands."""

        def look(at: Snapshot) -> list[str]:
            return sorted({place for table in _MINE for place in self._in(at, table, words)})

        return self.proving.ask(look)

    def _in(self, at: Snapshot, table: Any, words: tuple[str, ...]) -> list[str]:
        mine: Select[Any] = select(table)
        if "tenant_id" in table.c:
            mine = mine.where(table.c.tenant_id == self.proving.tenant.id)
        return [
            f"{table.name}.{name}"
            for row in at.all(Sql(mine))
            for name, value in row.items()
            if any(word in _text(value) for word in words)
        ]


_MINE = [table for table in TABLES if table.name != "marks"]


def _text(value: Any) -> str:
    return bytes(value).decode(errors="replace") if isinstance(value, bytes | memoryview) else str(value)
