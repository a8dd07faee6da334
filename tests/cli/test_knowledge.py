"""`setright knowledge import` brings texts in with what is said of each word, and tells what it could not read or keep."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from setright.demo.samples import corpus
from tests.cli.shell import Shell, Told
from tests.support.postgres import Postgres


@pytest.fixture
def files(ledger_shell: Shell, request: pytest.FixtureRequest) -> list[Path]:
    """The samples under ids of this test's own: a server has them only once."""
    name = re.sub(r"\W+", "-", request.node.name)
    found: list[Path] = []
    for file, text in corpus().items():
        found.append(ledger_shell.folder / file)
        found[-1].write_text(re.sub(r"(?m)^&", f"&{name}-", text), "utf-8")
    return found


def bring(shell: Shell, *arguments: object, form: str = "atf", **more: Any) -> Told:
    return shell("knowledge", "import", form, *arguments, **more)


def ids_in(file: Path) -> list[str]:
    return re.findall(r"(?m)^&(\S+)", file.read_text("utf-8"))


def test_texts_come_in_and_the_same_files_again_add_nothing(ledger_shell: Shell, files: list[Path]) -> None:
    first = bring(ledger_shell, *files).good()
    assert first.out == (
        "3 artifacts were read: 2 new, 1 extended, 0 already there.\n"
        "Added: 13 lines, 22 words and 116 annotations.\n"
    )
    again = bring(ledger_shell, *files).good()
    assert again.out == (
        "3 artifacts were read: 0 new, 0 extended, 3 already there.\n"
        "Added: 0 lines, 0 words and 0 annotations.\n"
    )


def test_a_text_is_shown_with_its_lines_and_where_it_is_from(ledger_shell: Shell, files: list[Path]) -> None:
    bring(ledger_shell, *files, "--licence", "CC0-1.0", "--attribution", "Made up for Setright").good()
    first = ids_in(files[0])[0]
    shown = ledger_shell("knowledge", "show", first).good().out
    assert shown.startswith(f"{first}: Storehouse 1, administrative, Ur III, Sumerian\n")
    assert "from setright/first (CC0-1.0, Made up for Setright)\nfrom setright/second" in shown
    assert "o.3        ki lu₂-gal-ta\n" in shown
    document = ledger_shell("knowledge", "show", first, "--json").good().json
    tokens = {token["id"]: token for line in document["lines"] for token in line["tokens"]}
    assert (tokens["o.2.3"]["form"], tokens["o.2.3"]["clean"]) == ("gal#", "gal")
    listed = (
        ledger_shell("knowledge", "list", "--source", "setright/second", "--all", "--json")
        .good()
        .json["data"]
    )
    assert first in {artifact["id"] for artifact in listed}
    assert first in ledger_shell("knowledge", "list", "--limit", 100).good().out


def test_the_report_is_one_document(ledger_shell: Shell, files: list[Path]) -> None:
    assert bring(ledger_shell, *files, "--json").good().json == {
        "artifacts": 3,
        "new": 2,
        "extended": 1,
        "alreadyThere": 0,
        "added": {"lines": 13, "tokens": 22, "annotations": 116},
        "notRead": 0,
        "notReadAt": [],
    }


def test_a_dry_run_checks_and_records_nothing(ledger_shell: Shell, files: list[Path]) -> None:
    told = bring(ledger_shell, files[0], "--dry-run").good()
    assert told.out == (
        "2 artifacts can be recorded: 13 lines, 22 words and 96 annotations. Nothing was recorded.\n"
    )
    assert ledger_shell("knowledge", "show", ids_in(files[0])[0]).code == 1
    bad = ledger_shell.folder / "bad.json"
    bad.write_text(
        '[{"id": "a", "source": "s"}, {"id": "b", "source": "s", "title": "B", "lines": [{"text": "x"}]}]'
    )
    refused = bring(ledger_shell, bad, "--dry-run", "--json", form="json")
    assert refused.code == 1
    assert [one["place"] for one in refused.json["notReadAt"]] == [
        "entry 0 at line 1, column 2",
        "entry 1 at line 1, column 30",
    ]
    assert ["/title" in refused.json["notReadAt"][0]["reason"], refused.json["dryRun"]] == [True, True]
    assert "/lines/0/label" in refused.json["notReadAt"][1]["reason"]


def test_what_could_not_be_read_is_told_and_the_rest_comes_in(ledger_shell: Shell, files: list[Path]) -> None:
    broken = files[0].with_name("broken.atf")
    text = files[0].read_text("utf-8")
    broken.write_text(
        text.replace("#lem: n; udu[sheep]N; niga", "#lem: udu[sheep]N; niga") + "\n1. lost\n", "utf-8"
    )
    told = bring(ledger_shell, broken)
    assert told.code == 1
    assert told.out.startswith("2 artifacts were read: 2 new, 0 extended, 0 already there.\n")
    assert f"  {broken}, line 12: its 2 entries are placed nowhere: line 1 has 3 words\n" in told.err


@pytest.mark.parametrize("indent", [None, 2])
def test_artifacts_of_any_domain_come_in_from_json(ledger_shell: Shell, indent: int | None) -> None:
    said = [{"field": "sense", "value": "torque", "confidence": 0.5}]
    artifact = {
        "id": f"manual-{indent}-{ledger_shell.folder.name}",
        "title": "Manual",
        "lines": [
            {"label": "p7", "text": "tighten to 9 Nm", "tokens": [{"form": "9 Nm", "annotations": said}]}
        ],
        "annotations": [{"field": "note", "value": "second edition"}],
    }
    told = bring(
        ledger_shell, "-", "--source", "manuals", form="json", stdin=json.dumps(artifact, indent=indent)
    ).good()
    assert told.out == (
        "1 artifacts were read: 1 new, 0 extended, 0 already there.\n"
        "Added: 1 lines, 1 words and 3 annotations.\n"
    )
    document = ledger_shell("knowledge", "show", artifact["id"], "--json").good().json
    assert [one["source"] for one in document["sources"]] == ["manuals"]
    assert document["lines"][0]["tokens"][0]["id"] == "o.p7.1"


def test_what_the_ledger_refuses_is_told_with_its_place_and_stops_no_other(ledger_shell: Shell) -> None:
    lines = [
        {"id": "x" * 201, "title": "T", "key": "no field of ours"},
        {"id": f"good-{ledger_shell.folder.name}", "title": "T"},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    told = bring(ledger_shell, "-", "--source", "s", "--json", form="json", stdin=text)
    assert told.code == 1
    assert (told.json["new"], told.json["notRead"]) == (1, 1)
    (one,) = told.json["notReadAt"]
    assert (one["file"], one["place"]) == ("stdin", "line 1")
    assert "/id" in one["reason"]
    assert "/key" in one["reason"]


def test_a_form_or_a_file_that_is_not_there_is_told_before_anything_is_recorded(ledger_shell: Shell) -> None:
    told = bring(ledger_shell, "a.atf", form="tei")
    assert (told.code, told.err) == (2, "There is no form 'tei'; one of: atf, json.\n")
    good = ledger_shell.folder / "good.atf"
    good.write_text("&never = N\n#project: s\n1. a\n", "utf-8")
    for file, why in (("none.atf", "There is no file none.atf."), (".", ". is a folder, not a file.")):
        told = bring(ledger_shell, good, file)
        assert (told.code, told.err) == (2, f"{why}\n")
    assert ledger_shell("knowledge", "show", "never").code == 1


def test_a_server_that_is_not_there_stops_the_import_and_says_what_was_done(shell: Shell) -> None:
    (shell.folder / "a.atf").write_text("&a = A\n#project: s\n1. a\n", "utf-8")
    nobody = {"SETRIGHT_URL": "http://127.0.0.1:1", "SETRIGHT_TOKEN": "srt_x"}
    told = bring(shell, "a.atf", **nobody)
    assert told.code == 2
    assert "> 0 artifacts were recorded and stay\n" in told.err
    assert "> The same command again goes on from there\n" in told.err


def test_texts_come_in_on_a_database_server_as_on_a_file(shell: Shell, postgres: Postgres) -> None:
    database = ("--database", postgres.new_database())
    shell("db", "upgrade", *database).good()
    shell("bootstrap", *database).good()
    for name, text in corpus().items():
        (shell.folder / name).write_text(text, "utf-8")
    first = bring(shell, *corpus(), *database, "--json").good().json
    again = bring(shell, *corpus(), *database, "--json").good().json
    assert (first["added"], first["new"]) == ({"lines": 13, "tokens": 22, "annotations": 116}, 2)
    assert (again["added"], again["alreadyThere"]) == ({"lines": 0, "tokens": 0, "annotations": 0}, 3)
