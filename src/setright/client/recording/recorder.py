"""The recorder: runs are recorded where they happen, and arrive when the server is there."""

import asyncio
import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

import httpx2

from setright.client.recording.outbox import Outbox
from setright.client.recording.run import RunRecording
from setright.client.recording.spool import Bounds, own_folder
from setright.client.recording.tools import Tool
from setright.client.recording.written import WrittenRun
from setright.client.retries import Retries
from setright.client.senders import Target
from setright.client.settings import target

TIMEOUT = 30.0


class BeginFields(TypedDict, total=False):
    """How a run begins: an `agent` or a `flow`, at a `version`; `project_id`, left out, is `default`.

    `run_id`, left out, is a fresh one; `input` is any value.
    """

    agent: str
    flow: str
    version: str
    input: Any
    project_id: str
    run_id: str | None
    participant_id: str | None
    tags: Sequence[str] | None


class Recorder:
    """Records runs: each is on this machine's disk when its block ends, and a thread sends it to the server.

    `url` and `token` default to SETRIGHT_URL and SETRIGHT_TOKEN; without both, runs are kept until a recorder has them.
    What every run has in common may be given here once (`agent`, `version`, `project_id`). `folder` is where runs
    wait, left out a folder among the user's data, and `bounds` says how much of them; with `sync` each is also safe
    from a power cut, for the price of a wait for the disk. Threads, tasks and forked processes may share one.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        folder: Path | str | None = None,
        bounds: Bounds | None = None,
        sync: bool = False,
        transport: httpx2.BaseTransport | None = None,
        **common: Unpack[BeginFields],
    ) -> None:
        self._common = common
        self._outbox = Outbox(
            _addressed(url, token),
            own_folder(os.environ) if folder is None else Path(folder).expanduser(),
            bounds or Bounds(),
            sync=sync,
            transport=transport,
        )
        self.tool = Tool()

    @classmethod
    def to(cls, target: Target, transport: httpx2.BaseTransport | None) -> Self:
        """The recorder of a client: it sends where that sends."""
        token = target.headers["Authorization"].removeprefix("Bearer ")
        return cls(target.url, token, transport=transport)

    def run(self, **begun: Unpack[BeginFields]) -> RunRecording:
        """A run that begins: use it in a `with` or `async with` block around what the agent does."""
        self._outbox.start()
        return begin({**self._common, **begun}, self._outbox.keep)

    @property
    def folder(self) -> Path:
        """Where the runs of this recorder wait."""
        return self._outbox.box.folder

    @property
    def waiting(self) -> int:
        """How many runs wait on this machine for this server, of every process."""
        return self._outbox.waiting

    @property
    def refused(self) -> int:
        """How many runs the server refused; each stands in `folder` with the answer."""
        return self._outbox.refused

    @property
    def damaged(self) -> int:
        """How many files in `folder` were found not to be whole."""
        return self._outbox.damaged

    @property
    def dropped(self) -> int:
        """How many runs of this process were not recorded, because there was no room or the disk refused."""
        return self._outbox.dropped

    @property
    def sent(self) -> int:
        """How many runs this process has sent."""
        return self._outbox.sent

    def flush(self, seconds: float = 10.0) -> int:
        """Wait until every run has arrived or was refused, at most so many seconds; how many still wait."""
        return self._outbox.flush(seconds)

    async def flush_async(self, seconds: float = 10.0) -> int:
        """`flush` for asyncio."""
        return await asyncio.to_thread(self._outbox.flush, seconds)

    def retry_refused(self) -> int:
        """Have the runs that were refused sent again, after what was wrong is right; how many there are."""
        taken = self._outbox.box.take_back()
        self._outbox.start()
        self._outbox.wake()
        return taken

    def close(self, seconds: float = 2.0) -> int:
        """Flush as far as that goes at once, and end the thread; how many runs still wait, for the next recorder.

        The end of the program does the same.
        """
        return self._outbox.close(seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def begin(fields: BeginFields, keep: Callable[[WrittenRun], None]) -> RunRecording:
    """A run that begins; at its end it is given to `keep`."""
    return RunRecording(fields.get("run_id") or f"rec-{secrets.token_hex(16)}", _begun(fields), keep)


def _addressed(url: str | None, token: str | None) -> Target | None:
    """Where runs go; None when nobody said, and half of it said in so many words is a mistake."""
    found = (
        os.environ.get("SETRIGHT_URL", "").strip() if url is None else url,
        os.environ.get("SETRIGHT_TOKEN", "").strip() if token is None else token,
    )
    if all(found) or url or token:
        return target(url, token, TIMEOUT, Retries(count=0))
    return None


def _begun(fields: BeginFields) -> dict[str, object]:
    """The beginning of a run by its names on the wire; ValueError when nobody can tell whose run it is."""
    agent, flow, version = fields.get("agent"), fields.get("flow"), fields.get("version")
    if bool(agent) == bool(flow):
        raise ValueError("a run is of an agent or of a flow: give agent='...' or flow='...', and not both.")
    if not version:
        raise ValueError("version is missing: corrections are fixed in versions, so give version='...'.")
    begun: dict[str, object] = {
        "projectId": fields.get("project_id") or "default",
        "subject": {"kind": "agent" if agent else "flow", "id": agent or flow, "version": version},
    }
    if "input" in fields:
        begun["input"] = fields["input"]
    if fields.get("participant_id") is not None:
        begun["participantId"] = fields.get("participant_id")
    return {**begun, "tags": list(fields.get("tags") or ())}
