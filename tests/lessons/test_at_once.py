"""Several at once: one lesson, one recurrence each, one decision."""

from concurrent.futures import ThreadPoolExecutor

from setright.lessons import LessonMoveRefused
from tests.lessons.teaching import Teaching


def test_the_same_said_at_once_is_one_lesson(teaching: Teaching) -> None:
    by = teaching.assistant
    with ThreadPoolExecutor(8) as threads:
        said = [*threads.map(lambda _: teaching.said(by, session="s"), range(16))]
    assert len({one.lesson.id for one in said}) == 1
    assert sum(one.created for one in said) == 1
    assert len(teaching.listed()) == 1


def test_every_recurrence_at_once_counts(teaching: Teaching) -> None:
    earlier = teaching.adopted()
    with ThreadPoolExecutor(8) as threads:
        said = [*threads.map(lambda number: teaching.said(session=str(number)), range(16))]
    assert {one.lesson.duplicate_of for one in said} == {earlier.id}
    assert teaching.now(earlier).broken_again == 16


def test_of_two_decisions_at_once_the_second_meets_the_first(teaching: Teaching) -> None:
    def decide(number: int) -> str:
        lesson = teaching.lesson(session=str(number))

        def to(status: str) -> str:
            try:
                return teaching.moved(lesson, status).status
            except LessonMoveRefused:
                return "refused"

        with ThreadPoolExecutor(2) as threads:
            came = [*threads.map(to, ("adopted", "dismissed"))]
        now = teaching.now(lesson)
        assert now.status in came
        return now.status

    assert {decide(number) for number in range(5)} <= {"adopted", "dismissed"}
