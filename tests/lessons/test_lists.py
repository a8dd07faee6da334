"""Lists of lessons: what they are narrowed to, who sees what, and pages."""

import pytest

from setright import lessons
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied
from setright.lessons import LessonFilters
from tests.lessons.teaching import Teaching


def test_filters_combine(teaching: Teaching) -> None:
    teaching.ledger.project(teaching.tenant, "other")
    plain = teaching.lesson(session="1").id
    safety = teaching.lesson(kind="safety", session="2").id
    own = teaching.lesson(noticedBy="self", kind="safety", session="3").id
    other = teaching.lesson(projectId="other", session="4").id
    everybody = teaching.lesson(agent=None, projectId=None, session="5").id
    adopted = teaching.adopted(agent="Reader", session="6").id
    assert teaching.listed() == [adopted, everybody, other, own, safety, plain]
    assert teaching.listed(kind="safety") == [own, safety]
    assert teaching.listed(kind="safety", noticed_by="self") == [own]
    assert teaching.listed(agent="WRITER") == [other, own, safety, plain]
    assert teaching.listed(project_id="other") == [other]
    assert teaching.listed(project_id="default", status=("adopted",)) == [adopted]
    assert teaching.listed(status=("adopted", "open"), agent="reader") == [adopted]
    assert teaching.listed(agent="nobody") == []


def test_occurrences_are_listed_only_as_duplicates(teaching: Teaching) -> None:
    earlier = teaching.adopted()
    again = teaching.lesson(session="again").id
    assert teaching.listed() == [earlier.id]
    assert teaching.listed(status=("duplicate",)) == [again]
    assert teaching.listed(status=("duplicate", "recurred")) == [again, earlier.id]


def test_everybody_sees_what_counts_in_the_account_and_in_their_projects(teaching: Teaching) -> None:
    teaching.ledger.project(teaching.tenant, "other")
    here = teaching.lesson().id
    there = teaching.lesson(projectId="other").id
    account = teaching.lesson(projectId=None).id
    reader = teaching.ledger.actor(teaching.tenant, Role.READ)
    assert teaching.listed(reader) == [account, here]
    assert there in teaching.listed()
    with pytest.raises(PermissionDenied):
        teaching.listed(reader, project_id="other")
    with pytest.raises(PermissionDenied):
        teaching.ask(lambda at: lessons.get_lesson(at, there), reader)
    assert Teaching(teaching.ledger, teaching.ledger.tenant()).listed() == []


def test_pages_neither_skip_nor_repeat_while_lessons_come(teaching: Teaching) -> None:
    made = [teaching.lesson(session=str(number)).id for number in range(7)]
    seen: list[str] = []
    after = None
    while True:
        page = teaching.ask(lambda at, after=after: lessons.list_lessons(at, LessonFilters(), after, 3))
        seen += [one.id for one in page.data]
        after = page.next
        teaching.lesson(session=f"more {len(seen)}")
        if after is None:
            break
    assert seen == made[::-1]


def test_a_page_may_hold_two_hundred(teaching: Teaching) -> None:
    for number in range(201):
        teaching.lesson(session=str(number))
    page = teaching.ask(lambda at: lessons.list_lessons(at, LessonFilters(), None, 200))
    assert len(page.data) == 200
    assert page.next is not None
