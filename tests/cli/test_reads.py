"""The log of reads on the command line: begun, filled by a person's reading, listed."""

import json

from tests.cli.shell import Shell
from tests.http.support import a_run


def test_a_log_is_begun_and_lists_who_read_what(shell: Shell) -> None:
    assert "nothing" in shell("reads", "log", "default").good().out
    assert shell("reads", "log", "default", "--on", "--json").good().json["kept"] is True
    assert "Nothing was logged" in shell("reads", "list", "default").good().err
    run_id = "ours"
    shell("runs", "add", "-", stdin=json.dumps(a_run(id=run_id))).good()
    shell("runs", "show", run_id).good()
    (read,) = shell("reads", "list", "default", "--json").good().json["data"]
    assert (read["runId"], read["via"]) == (run_id, "GET /v1/runs/{runId}")
    assert run_id in shell("reads", "list", "default", "--run", run_id).good().out
    assert "every read" in shell("reads", "log", "default").good().out
