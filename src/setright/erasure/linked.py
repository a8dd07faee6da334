"""Everything that hangs on runs: what was said of them, what versions did in their cases, what was learned of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from setright import corrections, exchange, knowledge, lessons, proof, runs
from setright.storage import Snapshot, Tx


@dataclass(frozen=True, slots=True)
class Linked:
    """Ids of runs and of what hangs on them."""

    run_ids: Sequence[str]
    correction_ids: Sequence[str]
    lesson_ids: Sequence[str]
    questions: Sequence[int]


def linked(at: Snapshot, run_ids: Sequence[str]) -> Linked:
    """These runs and what hangs on them all.

    So do the runs that stand as results in their cases, which got the same input, and those that questions asked in
    them became.
    """
    found, questions = set(run_ids), set[int]()
    new = sorted(found)
    while new:
        asked = knowledge.questions_of_runs(at, new)
        became = map(knowledge.run_of_question, asked)
        new = sorted({*proof.runs_that_stand(at, new), *became} - found)
        found.update(new)
        questions.update(asked)
    correction_ids = sorted(corrections.corrections_of_runs(at, sorted(found)))
    return Linked(
        sorted(found), correction_ids, sorted(lessons.lessons_from(at, correction_ids)), sorted(questions)
    )


def erase_linked(tx: Tx, these: Linked) -> Counter[str]:
    """Take out what all of it says; how much of each kind."""
    exchange.erase_traces(tx, these.run_ids)
    return Counter(
        runs=runs.erase_runs(tx, these.run_ids),
        waitingCorrections=corrections.erase_waiting(tx, these.run_ids),
        corrections=corrections.erase_corrections(tx, these.correction_ids),
        cases=proof.erase_cases(tx, these.run_ids),
        lessons=lessons.erase_lessons(tx, these.lesson_ids),
        questions=knowledge.erase_questions(tx, these.questions),
    )


def erase_said(tx: Tx, correction_ids: Sequence[str]) -> Counter[str]:
    """Take out what corrections say and what hangs on them, and leave their runs alone."""
    lesson_ids = lessons.lessons_from(tx, correction_ids)
    proof.erase_verdicts(tx, corrections.runs_of_corrections(tx, correction_ids))
    return Counter(
        corrections=corrections.erase_corrections(tx, correction_ids),
        lessons=lessons.erase_lessons(tx, lesson_ids),
    )
