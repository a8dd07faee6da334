"""No file tells of the machine that it was written on."""

from pathlib import Path

import pytest

from tests.house import rules_of_tree as rules
from tests.house.tree import ROOT, files, listed

HERE = Path("/srv/somebody/setright")
MAY_BE_BYTES = {".db", ".gif", ".gz", ".ico", ".jpg", ".pb", ".png", ".sqlite", ".woff2"}


def test_no_file_names_a_machine_or_a_package_index() -> None:
    faults = [
        fault
        for path in files()
        if path.suffix not in MAY_BE_BYTES
        for fault in rules.machine_traces(
            path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"), ROOT
        )
    ]
    assert not faults, listed(faults)


@pytest.mark.parametrize(
    "line",
    [
        "see /srv/somebody/notes.md",
        'open("/ho' + 'me/ada/x")',
        "/Us" + "ers/ada/x",
        "cd /ro" + "ot/x",
        "https://files.python" + "hosted.org/packages/x",
        "https://pypi" + ".org/project/x",
        "--extra-index" + "-url x",
        "https://mirror.example/sim" + "ple/rich",
    ],
)
def test_a_trace_is_found(line: str) -> None:
    assert rules.machine_traces("x.md", f"first\n{line}\n", HERE)


@pytest.mark.parametrize(
    "line", ["../shared/data/x", "GET /v1/runs", "docs/ho" + "me/x", "https://setright.example/x", "simple"]
)
def test_what_is_no_trace_is_left_alone(line: str) -> None:
    assert not rules.machine_traces("x.md", line, HERE)
