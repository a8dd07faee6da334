"""Questions, kept answers and told sessions go when they were kept for long enough; what was said of them stays."""

from typing import Any

import pytest
from sqlalchemy import select

from setright import corrections, knowledge, lessons
from setright.app.schema import metadata
from setright.kernel.fields import validate
from setright.knowledge import SubmittedCorrection, WordAsked
from setright.storage import Sql
from tests.erasure.said import SENTENCE
from tests.knowledge.reading_room import ReadingRoom, a_text
from tests.proof.proving import Proving
from tests.retention.keeping import Keeping

WRONG = {"claim": "king", "correction": "owner"}


@pytest.fixture
def room(keeping: Keeping) -> ReadingRoom:
    """The reading room of the tenant, with a text in it."""
    made = ReadingRoom(keeping.proving.ledger, keeping.proving.tenant)
    made.keep(a_text())
    return made


def corrected(room: ReadingRoom, number: int, **more: Any) -> knowledge.Corrected:
    """A correction of an answer."""
    said = validate(SubmittedCorrection, {**WRONG, **more})
    return room.do(lambda tx: knowledge.submit_correction(tx, number, said))


def test_an_old_question_and_its_answer_go_and_what_was_said_of_it_stays(
    keeping: Keeping, room: ReadingRoom
) -> None:
    asked = room.word("o.1.1").interaction
    corrected(room, asked)
    keeping.grows_old(10, table="interactions")
    young = room.word("o.1.1").interaction
    keeping.keep_all(interactions=5)
    assert keeping.due() == {"interactions": 1}
    cut = keeping.cut()
    assert (cut.project_id, cut.kind, cut.cut) == (None, "interactions", 1)
    old = keeping.proving.ask(lambda at: knowledge.get_interaction(at, asked))
    assert (old.arguments, old.answer, old.content_expired_at is None) == ({}, {}, False)
    assert ([one.correction for one in old.feedback], len(old.citations) > 0) == (["owner"], True)
    assert keeping.proving.ask(lambda at: knowledge.get_interaction(at, young)).answer


def test_an_expired_answer_is_still_corrected_by_what_it_cited(keeping: Keeping, room: ReadingRoom) -> None:
    asked = room.word("o.1.1").interaction
    keeping.grows_old(10, table="interactions")
    keeping.keep_all(interactions=5)
    keeping.passed()
    assert [one.value for one in corrected(room, asked).made] == ["owner"]
    assert "owner" in str(room.summary().told)


def test_an_expired_answer_becomes_no_run_and_the_message_says_so(
    keeping: Keeping, room: ReadingRoom
) -> None:
    run_id = keeping.run()
    asked = room.do(lambda tx: knowledge.interpret_token(tx, "P1", WordAsked("o.1.1"), run_id)).interaction
    keeping.grows_old(10, table="interactions")
    keeping.keep_all(interactions=5)
    keeping.passed()
    message = corrected(room, asked).feedback.message
    assert f"There is no run 'interaction-{asked}'" in str(message)


def test_an_answer_that_became_a_run_is_corrected_there_again(keeping: Keeping, room: ReadingRoom) -> None:
    run_id = keeping.run()
    asked = room.do(lambda tx: knowledge.interpret_token(tx, "P1", WordAsked("o.1.1"), run_id)).interaction
    corrected(room, asked)
    keeping.grows_old(10)
    keeping.grows_old(10, table="interactions")
    keeping.keep(runs=5)
    keeping.keep_all(interactions=5)
    keeping.passed()
    corrected(room, asked, correction="lord")
    of_run = corrections.CorrectionFilters(run_id=f"interaction-{asked}")
    found = keeping.proving.ask(lambda at: corrections.list_corrections(at, of_run, None, 10)).data
    assert [one.said["shouldSay"] for one in found] == ["lord"]


def test_a_question_of_a_held_run_or_user_is_kept(keeping: Keeping, room: ReadingRoom) -> None:
    user, run_id = keeping.user(), keeping.run()
    room.do(lambda tx: knowledge.interpret_token(tx, "P1", WordAsked("o.1.1"), run_id))
    room.do(lambda tx: knowledge.interpret_token(tx, "P1", WordAsked("o.1.1")), user)
    room.word("o.1.1")
    keeping.kept(runId=run_id)
    keeping.kept(userId=user.id)
    keeping.grows_old(10, table="interactions")
    keeping.keep_all(interactions=5)
    assert keeping.due() == {"interactions": 1}
    cut = keeping.cut()
    assert (cut.cut, cut.held) == (1, 2)


def test_an_old_kept_answer_is_composed_anew(keeping: Keeping, room: ReadingRoom) -> None:
    first = room.summary()
    room.do(lambda tx: knowledge.summarize_artifact(tx, "P1", SENTENCE))
    keeping.grows_old(10, table="outputs")
    keeping.keep_all(outputs=5, interactions=5)
    keeping.grows_old(10, table="interactions")
    assert keeping.due() == {"interactions": 2, "outputs": 2}
    assert keeping.passed().counts == {"interactions": 2, "outputs": 2}
    assert keeping.places(SENTENCE) == []
    again = room.summary()
    assert again.told["summary"] == first.told["summary"]
    outputs = keeping.proving.ask(knowledge.list_outputs).data
    assert [(one.content_expired_at is None, one.superseded_by is None) for one in outputs] == [
        (True, True),
        (False, False),
        (False, False),
    ]


def test_sessions_are_forgotten_sooner_than_after_ninety_days(keeping: Keeping) -> None:
    lesson = keeping.taught()
    for session in ("old", "young"):
        told = keeping.proving.ask(
            lambda at, session=session: lessons.read_briefing(at, lessons.Asked("Refunds", session=session))
        )
        note = lessons.note_session(told)
        assert note is not None
        keeping.proving.do(note)
    keeping.grows_old(10, "old", table="lesson_sessions")
    keeping.keep_all(briefings=7)
    assert keeping.passed().counts == {"briefings": 1}
    change = validate(lessons.LessonChange, {"status": "retired"})
    gone = keeping.proving.do(lambda tx: lessons.update_lesson(tx, lesson.id, change))
    assert gone.still_had_by == 1


def test_nothing_of_another_tenant_is_cut(keeping: Keeping, room: ReadingRoom) -> None:
    room.word("o.1.1")
    keeping.grows_old(10, table="interactions")
    other = Keeping(Proving(keeping.proving.ledger, keeping.proving.ledger.tenant()))
    other.keep_all(interactions=1, outputs=1, briefings=1)
    other.keep(runs=1)
    assert other.passed().counts == {}
    rows = Sql(select(metadata.tables["interactions"].c.content_expired_at))
    assert None in [row["content_expired_at"] for row in keeping.proving.ask(lambda at: at.all(rows))]
