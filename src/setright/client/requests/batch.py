"""Many runs in as few requests as the limits allow, told run by run."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from setright.client.answers import Run
from setright.client.errors import BatchIncomplete, Refused, SetrightError, TooLarge, refused_from
from setright.client.inputs import AnyFields, RunFields
from setright.client.records import Receipt, Unreadable
from setright.client.request import Plan, Request, checked_key
from setright.client.requests.runs import run_body
from setright.client.values import encode

_MOST_RUNS = 100
_MOST_BYTES = 3_500_000


@dataclass(frozen=True)
class BatchResult:
    """What became of one run of a batch: `run` when it was recorded, else `error`, which is not raised."""

    index: int
    status: int
    run: Run | None = None
    error: Refused | None = None


@dataclass(frozen=True)
class Chunk:
    """The runs from index `start` up to `stop`, each as JSON."""

    start: int
    runs: tuple[bytes, ...]

    @property
    def stop(self) -> int:
        """The index after the last run."""
        return self.start + len(self.runs)

    def halves(self) -> tuple["Chunk", "Chunk"]:
        """The same runs in two chunks."""
        middle = len(self.runs) // 2
        return Chunk(self.start, self.runs[:middle]), Chunk(self.start + middle, self.runs[middle:])


def create_many(
    runs: Sequence[RunFields | AnyFields], *, key: str | None = None
) -> Plan[tuple[BatchResult, ...]]:
    """Record many runs; the answer has one result for each, in order, and a refused run stops no other.

    `key` stands for the whole: the same runs with the same key again record nothing twice, also after a
    `BatchIncomplete`, which is raised when the server is lost on the way.
    """
    whole = checked_key(key)
    waiting = deque(_chunks([encode(run_body(run), f"/runs/{place}") for place, run in enumerate(runs)]))
    results: list[BatchResult] = []
    while waiting:
        chunk = waiting.popleft()
        try:
            results += yield _request(chunk, whole)
        except TooLarge as error:
            if len(chunk.runs) > 1:
                waiting.extendleft(reversed(chunk.halves()))
            else:
                results.append(BatchResult(chunk.start, error.status, error=error))
        except SetrightError as error:
            error.key = whole
            if not results:
                raise
            raise BatchIncomplete(results, range(chunk.start, len(runs)), whole, error) from error
    return tuple(results)


def _chunks(runs: Sequence[bytes]) -> Iterator[Chunk]:
    start, size = 0, 0
    for place, run in enumerate(runs):
        if place > start and (place - start == _MOST_RUNS or size + len(run) > _MOST_BYTES):
            yield Chunk(start, tuple(runs[start:place]))
            start, size = place, 0
        size += len(run) + 1
    if start < len(runs):
        yield Chunk(start, tuple(runs[start:]))


def _request(chunk: Chunk, whole: str) -> Request[tuple[BatchResult, ...]]:
    def parse(value: object, _receipt: Receipt) -> tuple[BatchResult, ...]:
        told = cast("dict[str, object]", value).get("results") if isinstance(value, dict) else None
        if not isinstance(told, list):
            raise Unreadable(f"a batch is {value!r:.80} and not {{results}}")
        results = tuple(_result(chunk.start, entry) for entry in cast("list[object]", told))
        if [result.index for result in results] != list(range(chunk.start, chunk.stop)):
            raise Unreadable("the results of a batch are not one for each run, in order")
        return results

    body = b'{"runs":[' + b",".join(chunk.runs) + b"]}"
    key = f"{whole}.{chunk.start}-{chunk.stop}"
    return Request("POST", "/v1/runs/batch", parse, body=body, key=key)


def _result(start: int, value: object) -> BatchResult:
    entry = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    index, status = entry.get("index"), entry.get("status")
    if not isinstance(index, int) or not isinstance(status, int):
        raise Unreadable(f"a result of a batch is {value!r:.80} and has no index and status")
    if entry.get("run") is not None:
        return BatchResult(start + index, status, run=Run.read(entry["run"]))
    error = refused_from(status, entry)
    if error is None:
        raise Unreadable(f"a result of a batch is {value!r:.80}, neither a run nor an error")
    return BatchResult(start + index, status, error=error)
