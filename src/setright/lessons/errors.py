"""What the lessons room refuses."""

from collections.abc import Sequence

from setright.kernel.errors import Kind, Refusal
from setright.lessons.model import Similar


class LessonNotFound(Refusal):
    """There is no such lesson in the caller's tenant, or it was deleted."""

    kind, code = Kind.MISSING, "lesson-not-found"

    def __init__(self, lesson_id: str) -> None:
        super().__init__(f"There is no lesson {lesson_id}.", {"lessonId": lesson_id})


class LessonMoveRefused(Refusal):
    """The lesson cannot go to that status; `details.open` lists those to which the caller may move it."""

    kind, code = Kind.CONFLICT, "lesson-move-refused"

    def __init__(self, lesson_id: str, status: str, wanted: str, moves: Sequence[str]) -> None:
        to = ", ".join(moves) or "nothing"
        super().__init__(
            f"status: lesson {lesson_id} is {status}, and {wanted} is not open from there. Open are: {to}.",
            {"lessonId": lesson_id, "status": status, "wanted": wanted, "open": list(moves)},
        )


class PersonNeeded(Refusal):
    """An assistant wanted what only a person does; the message says how a person does it."""

    kind, code = Kind.FORBIDDEN, "person-needed"

    def __init__(self, lesson_id: str, verb: str, why: str, moves: Sequence[str]) -> None:
        to = ", ".join(moves) or "nothing"
        super().__init__(
            f"Only a person can {verb} lesson {lesson_id}: {why}. A person does it with a user's token, by "
            f"`setright lessons {verb} {lesson_id}` or PATCH /v1/lessons/{lesson_id}. Open to an assistant are: {to}.",
            {"lessonId": lesson_id, "needs": "person", "open": list(moves)},
        )


class RuleNeeded(Refusal):
    """A lesson without a rule cannot be adopted."""

    kind, code = Kind.CONFLICT, "rule-needed"

    def __init__(self, lesson_id: str) -> None:
        super().__init__(
            f"rule: lesson {lesson_id} has no rule yet, and adopting needs one; give it beside the status, as one line.",
            {"lessonId": lesson_id},
        )


class DuplicateCycle(Refusal):
    """The lesson would repeat itself, directly or by way of others."""

    kind, code = Kind.CONFLICT, "duplicate-cycle"

    def __init__(self, lesson_id: str, other_id: str) -> None:
        by_way = "itself" if lesson_id == other_id else f"{other_id}, which is a duplicate of it already"
        super().__init__(
            f"duplicateOf: lesson {lesson_id} cannot be a duplicate of {by_way}. Name another lesson, or reopen that "
            "one first.",
            {"lessonId": lesson_id, "duplicateOf": other_id},
        )


class SimilarRule(Refusal):
    """Two rules would be in force that differ only in a negation or a number; a person says what is meant."""

    kind, code = Kind.CONFLICT, "similar-rule"

    def __init__(self, lesson_id: str, similar: Sequence[Similar]) -> None:
        first = similar[0]
        more = f" (and {len(similar) - 1} more)" if len(similar) > 1 else ""
        super().__init__(
            f"The rule of lesson {lesson_id} differs only in a {first.difference.only} from one that is in force, that of "
            f"{first.id}: {first.rule!r}{more}. Say of each what is meant, in `over`: "
            f'{{"{first.id}": "replaces"}} retires that one, "both" keeps both, "same" makes this one a duplicate of it.',
            {
                "lessonId": lesson_id,
                "similar": [
                    {"lessonId": one.id, "rule": one.rule, "differsOnlyIn": one.difference.only}
                    for one in similar
                ],
                "allowed": ["replaces", "both", "same"],
            },
        )


class AccountWide(Refusal):
    """A rule of the whole account is put in force by a person, or by a token whose role is tenant-wide."""

    kind, code = Kind.FORBIDDEN, "permission-denied"

    def __init__(self, lesson_id: str) -> None:
        super().__init__(
            f"Lesson {lesson_id} counts in the whole account, so putting its rule in force needs a person, or a token "
            "whose role is tenant-wide. A person does it with a user's token.",
            {"lessonId": lesson_id, "needs": "person"},
        )


class LessonErased(Refusal):
    """An erasure took out what the lesson said; nobody decides on it any more."""

    kind, code = Kind.GONE, "lesson-erased"

    def __init__(self, lesson_id: str) -> None:
        super().__init__(
            f"What lesson {lesson_id} said was erased; it can be read, and not be changed.",
            {"lessonId": lesson_id},
        )
