"""docs/reference says what the code says."""

import json
import re
from pathlib import Path

import pytest

from setright.faces.cli import reference
from setright.faces.cli.main import COMMANDS
from tests.house.tree import ROOT

FOLDER = ROOT / "docs" / "reference"


def test_every_page_is_fresh() -> None:
    assert reference.stale(FOLDER) == [], "run: ./dev docs"


def test_nothing_else_is_in_the_folder() -> None:
    by_hand = {"seed-correct-a-run.md", "seed-submit-correction.md"}
    assert {path.name for path in FOLDER.iterdir()} == set(reference.PAGES) | by_hand


def test_a_stale_page_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert reference.main([]) == 0
    assert reference.main(["--check"]) == 0
    (tmp_path / "docs/reference/errors.md").write_text("old")
    (tmp_path / "docs/reference/cli.md").unlink()
    assert reference.main(["--check"]) == 1
    assert "cli.md, errors.md" in capsys.readouterr().err
    assert reference.main(["--chek"]) == 2


def test_every_code_of_the_document_is_explained() -> None:
    errors = (FOLDER / "errors.md").read_text()
    codes = set(
        re.findall(
            r"`([a-z-]+)`",
            " ".join(
                re.findall(r"Codes: [^\"]+", json.dumps(json.loads((FOLDER / "openapi.json").read_text())))
            ),
        )
    )
    assert codes
    assert not {code for code in codes if f"| `{code}` |" not in errors}


def test_every_command_has_its_section() -> None:
    told = (FOLDER / "cli.md").read_text()
    assert all(f"## setright {name}" in told for name in COMMANDS)
    for section in told.split("\n## ")[1:]:
        assert "| `--json` |" in section, section[:80]


def test_every_life_is_drawn() -> None:
    told = (FOLDER / "lifecycles.md").read_text()
    for thing in ("correction", "corrector group", "run", "token", "user"):
        assert f"## {thing}\n\n```mermaid\nstateDiagram-v2\n" in told
