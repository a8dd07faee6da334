"""When a request is sent again: which failures pass, how long to wait, and when to give up."""

import random
import time
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

from setright.client.errors import Refused, SetrightError, Unavailable, refused_from
from setright.client.request import Answer, Request

_PASSING = (429, 502, 503, 504)


@dataclass(frozen=True)
class Retries:
    """How often and how long a call is tried again; one client uses one such rule for every call.

    `count` is the number of tries after the first; none of them starts more than `seconds` after the first. Without
    a Retry-After the waits double from `first` to at most `most` seconds, each shortened by chance by up to half.
    """

    count: int = 5
    seconds: float = 60.0
    first: float = 0.2
    most: float = 8.0


@dataclass(frozen=True)
class Lost:
    """No answer came: the connection failed or the time ran out; `passing` says that another try may help."""

    cause: Exception
    passing: bool = True


@dataclass
class Attempts:
    """The tries of one request; it decides and never sleeps, so both senders share it."""

    request: Request[Any]
    rule: Retries
    url: str
    tries: int = 0
    began: float = field(default_factory=time.monotonic)

    def settle(self, outcome: Answer | Lost) -> Answer | float:
        """The answer when it is one, else the seconds to wait before the next try; raises on giving up."""
        self.tries += 1
        if isinstance(outcome, Answer) and 200 <= outcome.status < 300:
            return outcome
        error, wait = self._judge(outcome)
        if wait is None or self.tries > self.rule.count:
            raise error
        if time.monotonic() - self.began + wait > self.rule.seconds:
            raise error
        return wait

    def _judge(self, outcome: Answer | Lost) -> tuple[SetrightError, float | None]:
        """What to raise if this was the last try, and how long to wait if it need not be."""
        if isinstance(outcome, Lost):
            error = Unavailable(self.url, outcome.cause, self.tries, _in_words(outcome.cause))
            error.__cause__ = outcome.cause
            wait = self._backoff() if outcome.passing else None
        else:
            error, wait = self._judge_answer(outcome)
        error.key = self.request.key
        return error, wait

    def _judge_answer(self, answer: Answer) -> tuple[SetrightError, float | None]:
        asked = retry_after(answer)
        refused = refused_from(answer.status, _envelope(answer), retry_after=asked)
        wait = None
        if _passes(answer.status, refused, asked):
            wait = self._backoff() if not asked else asked + random.uniform(0, self.rule.first)
        if refused is not None:
            refused.tries = self.tries
            if wait is None or answer.status in (409, 429):
                return refused, wait
        cause = refused or answer.unexpected("without a reason in our form")
        if wait is None:
            return cause, None
        return self._gave_up(cause, answer.status), wait

    def _gave_up(self, cause: Exception, status: int) -> Unavailable:
        why = cause.message if isinstance(cause, Refused) else f"status {status} from something before it"
        error = Unavailable(self.url, cause, self.tries, why.rstrip("."))
        error.__cause__ = cause
        return error

    def _backoff(self) -> float:
        longest = min(self.rule.most, self.rule.first * 2 ** min(self.tries - 1, 30))
        return random.uniform(longest / 2, longest)


def _passes(status: int, refused: Refused | None, asked: float | None) -> bool:
    """Whether the same request can succeed a little later; a quota does not refill by waiting, a rate does."""
    code = refused.code if refused else ""
    if code == "quota-exceeded":
        return asked is not None
    return status in _PASSING or (status == 409 and code == "idempotency-key-in-flight")


def retry_after(answer: Answer) -> float | None:
    """The seconds that an answer asks to wait, from seconds or from a date; None when it asks for nothing readable."""
    text = answer.headers.get("retry-after", "").strip()
    if text.isdecimal() and text.isascii():
        return float(text)
    try:
        until = parsedate_to_datetime(text)
        now = (
            parsedate_to_datetime(answer.headers["date"]).timestamp()
            if "date" in answer.headers
            else time.time()
        )
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, until.replace(tzinfo=until.tzinfo or UTC).timestamp() - now)


def _envelope(answer: Answer) -> object:
    try:
        return answer.json()
    except SetrightError:
        return None


def _in_words(cause: Exception) -> str:
    return str(cause).rstrip(".") or type(cause).__name__
