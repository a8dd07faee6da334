"""Whether a rule may come beside those in force: where it differs from one only in a negation or a number, a person says so."""

from collections.abc import Mapping, Sequence

from setright.kernel.ids import with_prefix
from setright.lessons.errors import PersonNeeded, SimilarRule
from setright.lessons.lifecycle import open_to
from setright.lessons.model import Lesson, Similar
from setright.lessons.similar import Audience, nearest
from setright.storage import Tx


def is_to_be_held(now: Lesson, moved: Lesson) -> bool:
    """Whether a change puts a rule in force, or one that is in force in other words."""
    return moved.is_in_force and (not now.is_in_force or moved.rule != now.rule)


def near(tx: Tx, now: Lesson, moved: Lesson) -> Sequence[Similar]:
    """The rules in force that are like the one that is to come beside them, the nearest first."""
    return nearest(tx, moved.rule, Audience(moved.agent_key, moved.project_id), but=[now.id])


def may_stand(tx: Tx, moved: Lesson, found: Sequence[Similar], over: Mapping[str, str] | None) -> bool:
    """Whether a rule may come beside those that were found; refuses a person who does not say what is meant of each.

    False for an assistant whose rule waits for a person.
    """
    contrary = [one for one in found if one.difference.only is not None]
    if tx.actor.is_person:
        said = {with_prefix("les", other) for other in over or ()}
        unsaid = [one for one in contrary if one.id not in said]
        if unsaid:
            raise SimilarRule(moved.id, unsaid)
        return True
    if over:
        why = "what is meant where two rules are alike is a person's to say"
        raise PersonNeeded(moved.id, "adopt", why, open_to(moved.standing, is_person=False))
    return not contrary
