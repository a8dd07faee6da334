"""Having a model word answers: each once, one try more, and left alone where it is down."""

import asyncio
import time
from collections.abc import Sequence

from setright.app.wording import AT_ONCE, REMEMBERED, REST_SECONDS, Wordings
from setright.knowledge import Draft
from setright.knowledge.citing import Citation
from setright.outside import ChatTrouble
from tests.knowledge.facts import fact

DRAFT = Draft("", "o.1.1: sense \u201cking\u201d [1].", (Citation(1, fact(1)),))
GOOD = "The word means \u201cking\u201d [1]."
BAD = "The word means much."


class Scripted:
    """A model that says one thing after another; None is that it is down, what is called is waited for."""

    model = "small"

    def __init__(self, *says: str | None, seconds: float = 10, takes: float = 0.01) -> None:
        self.seconds, self.takes = seconds, takes
        self.says = list(says)
        self.asked: list[Sequence[tuple[str, str]]] = []

    async def say(self, messages: Sequence[tuple[str, str]]) -> str:
        """The next of what it says; the last again and again."""
        self.asked.append(messages)
        await asyncio.sleep(self.takes)
        said = self.says.pop(0) if len(self.says) > 1 else self.says[0]
        if said is None:
            raise ChatTrouble("down")
        return said


def words(wordings: Wordings, draft: Draft = DRAFT, tenant: str = "ten_1") -> str | None:
    """What a draft is worded as."""
    made = asyncio.run(wordings.words(tenant, draft))
    return None if made is None else made.summary


def another(number: int) -> Draft:
    """Another draft."""
    return Draft(str(number), DRAFT.summary, DRAFT.citations)


def test_a_wording_is_remembered_for_the_tenant_that_asked() -> None:
    wordings = Wordings(chat := Scripted(GOOD))
    assert [words(wordings), words(wordings), words(wordings, tenant="ten_2")] == [GOOD] * 3
    assert len(chat.asked) == 2
    assert wordings.outcomes == {"worded": 2, "again": 1}


def test_what_is_wrong_is_told_once_and_then_given_up() -> None:
    wordings = Wordings(chat := Scripted(BAD, GOOD))
    assert words(wordings) == GOOD
    assert "Sentence 1 cites nothing" in chat.asked[1][-1][1]
    wordings = Wordings(chat := Scripted(BAD))
    assert [words(wordings), words(wordings)] == [None, None]
    assert len(chat.asked) == 2
    assert wordings.outcomes == {"refused": 2}


def test_all_who_ask_at_once_wait_for_one() -> None:
    wordings = Wordings(chat := Scripted(GOOD))

    async def twenty() -> list[str]:
        made = await asyncio.gather(*(wordings.words("ten_1", DRAFT) for _ in range(20)))
        return [one.summary for one in made if one is not None]

    assert asyncio.run(twenty()) == [GOOD] * 20
    assert len(chat.asked) == 1


def test_who_goes_away_does_not_take_the_words_from_the_others() -> None:
    wordings = Wordings(Scripted(GOOD))

    async def two() -> object:
        first = asyncio.create_task(wordings.words("ten_1", DRAFT))
        second = asyncio.create_task(wordings.words("ten_1", DRAFT))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(two()) is not None


def test_so_many_are_worded_at_once_and_no_more() -> None:
    wordings = Wordings(Scripted(GOOD))

    async def many() -> int:
        made = await asyncio.gather(*(wordings.words("ten_1", another(n)) for n in range(AT_ONCE + 3)))
        return sum(one is None for one in made)

    assert asyncio.run(many()) == 3
    assert wordings.outcomes["busy"] == 3


def test_a_model_that_is_down_is_left_alone_for_a_while() -> None:
    wordings = Wordings(Scripted(None, GOOD))
    assert not wordings.rests
    assert words(wordings) is None
    assert wordings.rests
    assert 0 < wordings._rests_until - time.monotonic() <= REST_SECONDS
    wordings._rests_until = time.monotonic()
    assert not wordings.rests
    assert words(wordings) == GOOD
    assert wordings.outcomes == {"down": 1, "resting": 1, "worded": 1}


def test_both_tries_have_one_time_together() -> None:
    wordings = Wordings(Scripted(BAD, GOOD, seconds=0.015))
    assert words(wordings) is None
    assert wordings.outcomes == {"slow": 1}


def test_so_many_are_remembered_and_no_more() -> None:
    wordings = Wordings(Scripted(GOOD, takes=0))

    async def all_of_them() -> None:
        for number in range(REMEMBERED + 1):
            wordings.outcomes.clear()
            await wordings.words("ten_1", another(number))

    asyncio.run(all_of_them())
    assert words(wordings, another(1)) == GOOD
    assert wordings.outcomes["again"] == 1
    assert words(wordings, another(0)) == GOOD
    assert wordings.outcomes["worded"] == 2
