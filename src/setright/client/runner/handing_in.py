"""Handing in what came out of cases, in requests that are not too large, whatever becomes of each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from setright.client.client import Setright
from setright.client.errors import Conflict, Gone, InvalidRequest, Refused, TooLarge, refused_from
from setright.client.test_runs import TestRun
from setright.client.values import encode

Result = dict[str, Any]
MOST_SENT = 50
_MOST_BYTES = 1_500_000


@dataclass(frozen=True)
class Sent:
    """The test run afterwards, and what is to be handed in again: that these cases failed, and why."""

    test_run: TestRun
    again: Sequence[Result] = ()


def chunks(results: Sequence[Result]) -> Iterator[Sequence[Result]]:
    """The results in parts that fit into a request each; one that is larger stands alone."""
    some: list[Result] = []
    size = 0
    for result in results:
        more = len(encode(result))
        if some and (len(some) == MOST_SENT or size + more > _MOST_BYTES):
            yield some
            some, size = [], 0
        some.append(result)
        size += more
    if some:
        yield some


def hand_in(client: Setright, test_run: TestRun, results: Sequence[Result]) -> Sent:
    """Hand in results; a case that somebody else did meanwhile, or that is erased, is left alone."""
    try:
        submitted = client.test_runs.submit(test_run.id, results=results)
    except (InvalidRequest, TooLarge, Conflict, Gone) as error:
        if len(results) > 1:
            return _each(client, test_run, results)
        return Sent(client.test_runs.get(test_run.id), _again(results[0], error))
    again: list[Result] = []
    for told in submitted.results:
        refused = refused_from(told.status, told.raw)
        again += [] if refused is None else _again(results[told.index], refused)
    return Sent(submitted.test_run, again)


def _each(client: Setright, test_run: TestRun, results: Sequence[Result]) -> Sent:
    again: list[Result] = []
    for result in results:
        sent = hand_in(client, test_run, [result])
        test_run = sent.test_run
        again += sent.again
    return Sent(test_run, again)


def _again(result: Result, error: Refused) -> Sequence[Result]:
    """The result that is handed in instead, where what the agent said is the reason; raises where it cannot be."""
    if isinstance(error, (Conflict, Gone)):
        return ()
    is_mere_failure = "error" in result and not result["calls"]
    if is_mere_failure or not isinstance(error, (InvalidRequest, TooLarge)):
        raise error
    why = "; ".join(str(fault) for fault in error.faults) or error.message
    failure = f"what it gave back cannot be kept: {why}"
    return [{"caseId": result["caseId"], "lease": result["lease"], "calls": [], "error": failure[:2_000]}]
