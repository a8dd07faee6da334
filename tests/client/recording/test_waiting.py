"""What happens to runs while the server is away, says no, or asks to wait."""

import json
import logging
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from setright.client import Bounds, NotConfigured, Recorder, Setright
from setright.client.recording.spool import LEFT_ALONE_SECONDS
from tests.client.real_server import RealServer
from tests.client.samples import RUN
from tests.client.told_server import ToldServer

TOKEN = "srt_a_secret_that_stands_nowhere"
NOWHERE = "http://127.0.0.1:1"


def record(recorder: Recorder, *run_ids: str) -> None:
    for run_id in run_ids:
        with recorder.run(run_id=run_id) as run:
            run.call("look_up", {"order_id": 7}, {"total": 30})
            run.answer("done")


def taken(*statuses: int, code: str = "invalid-body", **more: Any) -> dict[str, Any]:
    """The answer to a batch, a status for each run."""
    error = {"code": code, "message": "No.", **more}
    told = [{"run": RUN} if status < 300 else {"error": error} for status in statuses]
    return {
        "results": [
            {"index": n, "status": status, **one}
            for n, (status, one) in enumerate(zip(statuses, told, strict=True))
        ]
    }


def ids(body: Any) -> list[str]:
    return [run["id"] for run in body["runs"]]


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_without_a_server_runs_are_kept_and_the_first_recorder_with_one_takes_them(
    recording: Callable[..., Recorder], real_server: RealServer, real_client: Setright
) -> None:
    nobody = recording()
    record(nobody, "kept-1", "kept-2")
    assert (nobody.waiting, nobody.flush(0.1), nobody.sent, nobody.folder.name) == (2, 2, 0, "no-server")
    somebody = recording(real_server.url, real_server.token)
    assert somebody.flush(10) == 0
    record(somebody, "kept-3")
    assert (somebody.flush(10), somebody.sent, nobody.waiting) == (0, 3, 0)
    assert [real_client.runs.get(f"kept-{n}").answer for n in (1, 2, 3)] == ["done"] * 3


def test_half_an_address_is_a_mistake() -> None:
    with pytest.raises(NotConfigured, match="token is missing"):
        Recorder(NOWHERE)


def test_a_server_that_is_away_gets_every_run_once_when_it_is_there(
    recording: Callable[..., Recorder], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = recording(NOWHERE, TOKEN)
    record(recorder, *(f"late-{n}" for n in range(250)))
    assert (recorder.flush(0.3), recorder.refused, recorder.dropped) == (250, 0, 0)
    assert caplog.text.count("Runs wait on this machine") == 1
    recorder.close()
    serving = RealServer(tmp_path / "ledger")
    try:
        moved = recording(serving.url, serving.token)
        assert "wait for another server" not in caplog.text
        recorder.folder.rename(moved.folder)
        assert (moved.flush(20), moved.sent) == (0, 250)
        with Setright(serving.url, serving.token) as client:
            assert sum(1 for _ in client.runs.list(limit=100)) == 250
    finally:
        serving.close()


def test_a_run_that_is_refused_is_set_aside_with_the_answer_and_the_others_go_on(
    recording: Callable[..., Recorder], server: ToldServer, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = recording(NOWHERE, TOKEN)
    record(recorder, "a", "b", "c")
    recorder = moved_to(server, recorder, recording)
    server.says(200, taken(201, 400, 200, details={"faults": []}))
    assert (recorder.flush(5), recorder.refused, recorder.sent) == (0, 1, 2)
    (answer,) = (recorder.folder / "refused").glob("*.json")
    told = {"runId": "b", "status": 400, "code": "invalid-body", "message": "No.", "details": {"faults": []}}
    assert json.loads(answer.read_text()) == told
    assert "Run b was refused and set aside" in caplog.text
    server.says(200, taken(201))
    assert (recorder.retry_refused(), recorder.flush(5), recorder.refused) == (1, 0, 0)
    assert [ids(asked.json) for asked in server.asked] == [["a", "b", "c"], ["b"]]


def moved_to(server: ToldServer, recorder: Recorder, recording: Callable[..., Recorder]) -> Recorder:
    """A recorder for another address with what waits for the first."""
    recorder.close(0)
    there = recording(server.url, TOKEN)
    recorder.folder.rename(there.folder)
    return there


def test_a_request_that_one_run_spoils_is_halved_until_that_run_stands_alone(
    recording: Callable[..., Recorder], server: ToldServer
) -> None:
    recorder = recording(NOWHERE, TOKEN)
    record(recorder, "a", "b", "c", "d")
    recorder = moved_to(server, recorder, recording)
    server.refuses(400, "invalid-json")
    server.says(200, taken(201, 201))
    server.refuses(400, "invalid-json")
    server.refuses(400, "invalid-json")
    server.says(200, taken(201))
    assert (recorder.flush(5), recorder.refused, recorder.sent) == (0, 1, 3)
    assert [ids(asked.json) for asked in server.asked] == [
        ["a", "b", "c", "d"],
        ["a", "b"],
        ["c", "d"],
        ["c"],
        ["d"],
    ]


@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_that_a_server_asks_for_is_kept(
    recording: Callable[..., Recorder], server: ToldServer, status: int
) -> None:
    server.refuses(status, "wait", retry_after="1")
    server.says(200, taken(201))
    recorder = recording(server.url, TOKEN)
    began = time.monotonic()
    record(recorder, "a")
    assert recorder.flush(10) == 0
    assert time.monotonic() - began >= 1
    assert len(server.asked) == 2


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_what_is_no_fault_of_the_runs_lets_them_wait(
    recording: Callable[..., Recorder], server: ToldServer, status: int
) -> None:
    server.refuses(status, "not-now")
    server.says(200, taken(201))
    recorder = recording(server.url, TOKEN)
    record(recorder, "a")
    assert (recorder.flush(10), recorder.refused, len(server.asked)) == (0, 0, 2)


def test_a_run_that_can_be_taken_later_holds_up_no_other(
    recording: Callable[..., Recorder], server: ToldServer
) -> None:
    recorder = recording(NOWHERE, TOKEN)
    record(recorder, "a", "b")
    recorder = moved_to(server, recorder, recording)
    server.says(200, taken(429, 201, code="quota-exceeded"))
    server.says(200, taken(201))
    assert recorder.flush(10) == 0
    assert [ids(asked.json) for asked in server.asked] == [["a", "b"], ["a"]]


def test_a_full_folder_takes_no_more_and_says_so_once(
    recording: Callable[..., Recorder], caplog: pytest.LogCaptureFixture
) -> None:
    recorder = recording(NOWHERE, TOKEN, bounds=Bounds(runs=3))
    record(recorder, *"abcdef")
    assert (recorder.waiting, recorder.dropped) == (3, 3)
    assert [line.message[:22] for line in caplog.records if "not recorded" in line.message] == [
        "Run d is not recorded:"
    ]
    small = recording(NOWHERE, TOKEN, bounds=Bounds(size=100), folder=recorder.folder.parent / "other")
    record(small, "g")
    assert (small.waiting, small.dropped) == (0, 1)


def test_a_disk_that_refuses_does_not_stop_the_agent(
    recording: Callable[..., Recorder], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    recorder = recording(folder=tmp_path / "file")
    record(recorder, "a")
    assert (recorder.dropped, recorder.waiting) == (1, 0)
    assert "it cannot be written" in caplog.text


def test_damaged_and_half_files_are_set_aside_and_told(
    recording: Callable[..., Recorder], server: ToldServer, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = recording(NOWHERE, TOKEN)
    record(recorder, *"abcde")
    waiting = recorder.folder / "waiting"
    cut, emptied, changed, alien, _ = sorted(waiting.iterdir())
    cut.write_bytes(cut.read_bytes()[:-10])
    emptied.write_bytes(b"")
    changed.write_bytes(changed.read_bytes().replace(b"done", b"gone"))
    alien.write_bytes(b"[1]\n")
    half = waiting / "0-1-1-1.run.part"
    half.write_bytes(b"{")
    writing = waiting / "0-1-1-2.run.part"
    writing.write_bytes(b"{")
    long_ago = time.time() - LEFT_ALONE_SECONDS - 1
    os.utime(half, (long_ago, long_ago))
    recorder = moved_to(server, recorder, recording)
    server.says(200, taken(201))
    assert (recorder.flush(5), recorder.sent, recorder.damaged) == (0, 1, 5)
    assert caplog.text.count("set aside in") == 5
    assert (recorder.folder / "waiting" / writing.name).exists()


def test_files_are_their_owners_and_hold_no_token(recording: Callable[..., Recorder]) -> None:
    recorder = recording(NOWHERE, TOKEN)
    record(recorder, "a")
    recorder.flush(0.1)
    found = files(recorder.folder.parent)
    assert {stat.S_IMODE(path.stat().st_mode) for path in found} == {0o600}
    folders = [recorder.folder.parent, recorder.folder, recorder.folder / "waiting"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}
    assert not [path for path in found if TOKEN.encode() in path.read_bytes() or TOKEN in str(path)]


def test_another_token_may_be_of_another_account_so_its_runs_are_left_and_told(
    recording: Callable[..., Recorder], server: ToldServer, caplog: pytest.LogCaptureFixture
) -> None:
    first = recording(server.url, TOKEN)
    server.refuses(401, "auth-revoked", retry_after="60")
    record(first, "a")
    first.close(0.2)
    other = recording(server.url, f"{TOKEN}_2")
    server.says(200, taken(201))
    record(other, "b")
    assert other.flush(5) == 0
    assert ids(server.asked[-1].json) == ["b"]
    assert f"In {first.folder} runs wait for another server or under another token" in caplog.text


PROGRAM = """
import os, sys, time
from setright import Recorder
recorder = Recorder(sys.argv[1], sys.argv[2], folder=sys.argv[3], agent="refunds", version="v1")
for n in range(int(sys.argv[5])):
    with recorder.run(run_id=f"{sys.argv[4]}-{n}") as run:
        run.answer("done")
"""


def run_program(*arguments: str, last: str = "", wait: bool = True) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM + last, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if wait:
        assert process.wait(30) in (0, -signal.SIGKILL), process.stderr and process.stderr.read()
    return process


def test_a_process_that_is_killed_after_the_block_has_lost_nothing(
    recording: Callable[..., Recorder], tmp_path: Path
) -> None:
    folder = str(tmp_path / "spool")
    killed = run_program(NOWHERE, TOKEN, folder, "k", "5", last="os.kill(os.getpid(), 9)")
    assert killed.returncode == -signal.SIGKILL
    assert recording(NOWHERE, TOKEN, folder=folder).waiting == 5


def test_the_end_of_a_program_sends_what_waits_and_waits_for_no_server_that_is_away(
    tmp_path: Path, real_server: RealServer, real_client: Setright
) -> None:
    run_program(real_server.url, real_server.token, str(tmp_path / "spool"), "end", "20")
    assert {real_client.runs.get(f"end-{n}").answer for n in range(20)} == {"done"}
    began = time.monotonic()
    run_program(NOWHERE, TOKEN, str(tmp_path / "spool"), "gone", "5")
    assert time.monotonic() - began < 10


def test_processes_share_a_folder_and_every_run_arrives(
    tmp_path: Path, recording: Callable[..., Recorder], real_server: RealServer, real_client: Setright
) -> None:
    folder = tmp_path / "spool"
    programs = [
        run_program(real_server.url, real_server.token, str(folder), f"p{n}", "40", wait=False)
        for n in range(3)
    ]
    assert [program.wait(60) for program in programs] == [0, 0, 0]
    recorder = recording(real_server.url, real_server.token, folder=folder)
    assert (recorder.flush(20), recorder.refused, recorder.damaged) == (0, 0, 0)
    for n in range(3):
        assert {real_client.runs.get(f"p{n}-{k}").answer for k in range(40)} == {"done"}


FORK = """
recorder.flush(5)
child = os.fork()
with recorder.run(run_id=f"{sys.argv[4]}-{'parent' if child else 'child'}") as run:
    run.answer("done")
left = recorder.flush(10)
if child:
    assert os.waitpid(child, 0)[1] == 0
    sys.exit(left)
os._exit(left)
"""


def test_a_forked_process_has_a_thread_and_connections_of_its_own(
    tmp_path: Path, real_server: RealServer, real_client: Setright
) -> None:
    run_program(real_server.url, real_server.token, str(tmp_path / "spool"), "fork", "3", last=FORK)
    assert real_client.runs.get("fork-parent").answer == real_client.runs.get("fork-child").answer == "done"


def test_each_write_can_be_safe_from_a_power_cut(
    recording: Callable[..., Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    record(recording(), "a")
    assert synced == []
    record(recording(sync=True), "b")
    assert len(synced) == 2


def test_closing_twice_is_harmless_and_what_comes_later_still_is_kept(
    recording: Callable[..., Recorder],
) -> None:
    recorder = recording(NOWHERE, TOKEN)
    record(recorder, "a")
    assert (recorder.close(0.1), recorder.close(0.1)) == (1, 1)
    record(recorder, "b")
    assert (recorder.waiting, recorder.flush(1)) == (2, 2)


def test_the_log_is_told_of_what_goes_wrong_inside_and_the_thread_goes_on(
    recording: Callable[..., Recorder], server: ToldServer, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    recorder = recording(server.url, TOKEN)
    box = recorder._outbox.box
    faults = [ValueError("unforeseen")]
    monkeypatch.setattr(box, "set_aside_parts", lambda: [(_ for _ in ()).throw(one) for one in faults[:1]])
    server.says(200, taken(201))
    with caplog.at_level(logging.ERROR):
        record(recorder, "a")
        recorder.flush(0.3)
        faults.clear()
        assert recorder.flush(5) == 0
    assert "unforeseen" in caplog.text
