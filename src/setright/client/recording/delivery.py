"""How what waits is sent: many runs at once, a large one in pieces, and what each answer means for each run."""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, cast

from setright.client.errors import Refused, SetrightError, Unavailable, refused_from
from setright.client.recording.spool import Box
from setright.client.recording.written import WrittenRun
from setright.client.records import Receipt, Unreadable
from setright.client.request import Request, nothing
from setright.client.values import segment

Send = Callable[[Request[Any]], Any]
Waiting = tuple[str, WrittenRun]
MOST_RUNS = 100
MOST_BYTES = 3_500_000
_OF_A_REQUEST = (400, 413, 422)
"""The statuses with which a request of many runs is refused for what is in it."""
_OF_A_RUN = (*_OF_A_REQUEST, 403, 404, 409, 410)
"""The statuses with which one run is refused for what it is."""
LOG = logging.getLogger("setright.recorder")


class Later(Exception):
    """The server takes nothing now: `why`, and the seconds that it asks to wait, None when it did not say."""

    def __init__(self, why: str, seconds: float | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.seconds = seconds


class Delivery:
    """Sends what waits in a folder; `sent` counts the runs that arrived."""

    def __init__(self, box: Box, send: Send) -> None:
        self._box = box
        self._send = send
        self._put_off: Later | None = None
        self.sent = 0

    def deliver(self) -> None:
        """Send all that waits now, oldest first; `Later` when something of it has to wait on."""
        self._put_off = None
        for several in self._batches():
            self._batch(several)
        if self._put_off is not None:
            raise self._put_off

    def _batches(self) -> Iterator[list[Waiting]]:
        batch: list[Waiting] = []
        size = 0
        for name in self._box.names():
            run = self._box.read(name)
            if run is None:
                continue
            if batch and (len(batch) == MOST_RUNS or size + run.size > MOST_BYTES):
                yield batch
                batch, size = [], 0
            batch.append((name, run))
            size += run.size
        if batch:
            yield batch

    def _batch(self, several: Sequence[Waiting]) -> None:
        if len(several) == 1 and several[0][1].size > MOST_BYTES:
            self._in_pieces(several[0], MOST_BYTES)
            return
        body = b'{"runs":[' + b",".join(run.whole() for _, run in several) + b"]}"
        request = Request("POST", "/v1/runs/batch", _told_of(len(several)), body=body)
        try:
            told: Sequence[Refused | None] = self._send(request)
        except SetrightError as error:
            self._whole_refused(several, _about(error, _OF_A_REQUEST))
            return
        for (name, run), refusal in zip(several, told, strict=True):
            self._settle(name, run, refusal)

    def _whole_refused(self, several: Sequence[Waiting], error: Refused) -> None:
        """One run can spoil a request for all: halves find it."""
        if len(several) > 1:
            middle = len(several) // 2
            self._batch(several[:middle])
            self._batch(several[middle:])
        elif error.status == 413 and several[0][1].calls:
            most = _told_most(error) or several[0][1].size
            self._in_pieces(several[0], most // 2)
        else:
            self._settle(*several[0], error)

    def _in_pieces(self, waiting: Waiting, most: int) -> None:
        """Begin the run, add its calls, end it: every step may be done again, so it may end anywhere."""
        name, run = waiting
        try:
            for request in _steps(run, most):
                self._send(request)
        except SetrightError as error:
            self._settle(name, run, _about(error, _OF_A_RUN))
        else:
            self._settle(name, run, None)

    def _settle(self, name: str, run: WrittenRun, error: Refused | None) -> None:
        if error is None:
            self._box.drop(name)
            self.sent += 1
        elif _passes(error):
            self._put_off = self._put_off or Later(error.message, error.retry_after)
        else:
            answer = {
                "status": error.status,
                "code": error.code,
                "message": error.message,
                "details": error.details,
            }
            self._box.refuse(name, {"runId": run.id, **answer})
            LOG.warning(
                "Run %s was refused and set aside in %s: %s [%s %s]",
                run.id,
                self._box.folder / "refused",
                error.message,
                error.status,
                error.code,
            )


def _told_of(count: int) -> Callable[[object, Receipt], list[Refused | None]]:
    """Reads what became of each run of a batch; what the server says of a run that it took is not looked at."""

    def parse(value: object, _receipt: Receipt) -> list[Refused | None]:
        results = cast("dict[str, object]", value).get("results") if isinstance(value, dict) else None
        if not isinstance(results, list) or len(cast("list[object]", results)) != count:
            raise Unreadable(f"a batch is {value!r:.80} and not the results of {count} runs")
        return [_refusal(entry) for entry in cast("list[object]", results)]

    return parse


def _refusal(entry: object) -> Refused | None:
    told = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
    status = told.get("status")
    if isinstance(status, int) and 200 <= status < 300:
        return None
    refused = refused_from(status, told) if isinstance(status, int) else None
    if refused is None:
        raise Unreadable(f"a result of a batch is {entry!r:.80}, neither good nor an error")
    return refused


def _steps(run: WrittenRun, most: int) -> Iterator[Request[None]]:
    place = f"/v1/runs/{segment('run_id', run.id)}"
    yield _post("/v1/runs", run.began)
    for piece in run.pieces(most):
        yield _post(f"{place}/calls", piece)
    yield _post(f"{place}/finish", run.ended)


def _post(path: str, body: bytes) -> Request[None]:
    """Without a key: the run's id does what a key does, and longer."""
    return Request[None]("POST", path, nothing, body=body)


def _about(error: SetrightError, statuses: Collection[int]) -> Refused:
    """The refusal when it is about what was sent; else the server takes nothing now, which is `Later`."""
    if isinstance(error, Refused) and error.status in statuses and not _passes(error):
        return error
    asked = error.cause if isinstance(error, Unavailable) else error
    raise Later(str(error), asked.retry_after if isinstance(asked, Refused) else None) from error


def _passes(error: Refused) -> bool:
    """Whether the same run can be taken later."""
    return error.status in (401, 429) or error.status >= 500 or error.code == "idempotency-key-in-flight"


def _told_most(error: Refused) -> int | None:
    most = error.details.get("maxBytes")
    return most if isinstance(most, int) and most > 0 else None
