"""Having a model word answers: outside of every transaction, each once, within a time; what fails leaves the composed form."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from setright import knowledge
from setright.knowledge import Draft, Worded
from setright.outside import ChatTrouble

OutcomeWord = Literal[
    "worded", "again", "refused", "down", "slow", "huge", "garbage", "resting", "busy", "changed"
]
OUTCOMES: tuple[OutcomeWord, ...] = (
    "worded",
    "again",
    "refused",
    "down",
    "slow",
    "huge",
    "garbage",
    "resting",
    "busy",
    "changed",
)
"""What became of answers that a model was to word; all but the first two were told as they are composed."""
TRIES = 2
AT_ONCE = 8
REMEMBERED = 256
REST_SECONDS = 30
_Key = tuple[asyncio.AbstractEventLoop, str, Draft]


class Chat(Protocol):
    """A model: its name, how long it has for all tries at one answer, and what it says (or ChatTrouble)."""

    model: str
    seconds: float

    async def say(self, messages: Sequence[tuple[str, str]]) -> str:
        """What it says to messages, each a role and a text."""
        ...


class Wordings:
    """Answers in a model's words. All who ask for the same at once wait for one; what was worded before is remembered.

    A model that is down or slow is left alone for half a minute. `outcomes` counts what became of each.
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._going: dict[_Key, asyncio.Task[str | None]] = {}
        self._done: OrderedDict[tuple[str, Draft], str | None] = OrderedDict()
        self._rests_until = 0.0
        self.outcomes: Counter[str] = Counter()

    @property
    def rests(self) -> bool:
        """Whether the model is left alone now, which is counted."""
        resting = time.monotonic() < self._rests_until
        self.outcomes["resting"] += resting
        return resting

    async def words(self, tenant_id: str, draft: Draft) -> Worded | None:
        """A draft in the model's words, None where these cannot be had or are not supported."""
        known = (tenant_id, draft)
        if known in self._done:
            self._done.move_to_end(known)
            said = self._done[known]
            self.outcomes["refused" if said is None else "again"] += 1
        else:
            said = await self._once(tenant_id, draft)
        return None if said is None else Worded(draft, said, self._chat.model)

    def note(self, arguments: Mapping[str, Any], made: knowledge.Answered) -> None:
        """Count words that came too late: what they rest on had changed."""
        if arguments.get("worded") is not None and "wordedBy" not in made.told:
            self.outcomes["changed"] += 1

    async def _once(self, tenant_id: str, draft: Draft) -> str | None:
        loop = asyncio.get_running_loop()
        key = (loop, tenant_id, draft)
        going = self._going.get(key)
        if going is None:
            if len(self._going) >= AT_ONCE:
                self.outcomes["busy"] += 1
                return None
            going = loop.create_task(self._word(tenant_id, draft))
            self._going[key] = going
            going.add_done_callback(lambda _: self._going.pop(key, None))
        # Who goes away does not take the words from those who wait with it.
        return await asyncio.shield(going)

    async def _word(self, tenant_id: str, draft: Draft) -> str | None:
        try:
            async with asyncio.timeout(self._chat.seconds):
                said = await self._tried(draft)
        except (TimeoutError, ChatTrouble) as trouble:
            word = trouble.word if isinstance(trouble, ChatTrouble) else "slow"
            self.outcomes[word] += 1
            if word in ("down", "slow"):
                self._rests_until = time.monotonic() + REST_SECONDS
                return None
            said = None
        else:
            self.outcomes["refused" if said is None else "worded"] += 1
        self._done[tenant_id, draft] = said
        if len(self._done) > REMEMBERED:
            self._done.popitem(last=False)
        return said

    async def _tried(self, draft: Draft) -> str | None:
        """What the model says that is supported; what was wrong with the first try it is told once."""
        asked = knowledge.messages(draft)
        for _ in range(TRIES):
            said = await self._chat.say(asked)
            worded = knowledge.sentences(said)
            found = knowledge.faults_of_wording(draft, worded)
            if not found:
                return worded
            asked = knowledge.told_again(asked, said, found)
        return None
