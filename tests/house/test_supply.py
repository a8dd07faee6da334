"""The bill of materials and the audit: what is read of what is locked, and that not knowing is never a good answer."""

import json
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

import pytest

from tests_slow.supply import audit, sbom
from tests_slow.supply.locked import Locked, locked, pinned

RICH = Locked("rich", "15.0.0", ("aa" * 32,), ("base",))


def advisory(**affected: Any) -> dict[str, Any]:
    return {"id": "OSV-1", "affected": [{"package": {"ecosystem": "PyPI", "name": "Rich"}, **affected}]}


def ranged(*events: dict[str, str]) -> dict[str, Any]:
    return advisory(ranges=[{"type": "ECOSYSTEM", "events": list(events)}])


def test_every_locked_package_is_read_with_its_hashes() -> None:
    every = locked()
    assert len(every) > 60
    assert all(package.hashes and package.sets for package in every)
    assert {package.name for package in every if "base" in package.sets} >= {"httpx2", "rich", "typer"}


def test_hashes_are_those_of_their_own_package() -> None:
    text = f"a==1 \\\n    --hash=sha256:{'a' * 64}\nb==2 ; x \\\n    --hash=sha256:{'b' * 64}\n"
    assert pinned(text) == {("a", "1"): ("a" * 64,), ("b", "2"): ("b" * 64,)}


def test_a_component_names_its_file_hashes_and_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sbom, "_licence", lambda text: {"license": {"id": text}})
    made = sbom.component(RICH, "MIT")
    assert made["purl"] == "pkg:pypi/rich@15.0.0"
    assert made["hashes"] == [{"alg": "SHA-256", "content": "aa" * 32}]
    assert made["licenses"] == [{"license": {"id": "MIT"}}]
    assert made["properties"] == [{"name": "setright:set", "value": "base"}]


def test_the_bill_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sbom, "_licence", lambda text: {"license": {"name": text}})
    known: dict[str, Distribution] = sbom.installed()
    first, again = sbom.bill(locked(), known), sbom.bill(locked(), known)
    assert first == again
    assert sbom.bill([RICH], known) != first
    assert "timestamp" not in json.loads(first)["metadata"]


@pytest.mark.parametrize(
    "told",
    [
        advisory(versions=["15.0.0"]),
        ranged({"introduced": "0"}, {"fixed": "15.0.1"}),
        ranged({"introduced": "14"}, {"last_affected": "15.0.0"}),
        ranged({"introduced": "1"}, {"fixed": "2"}, {"introduced": "15"}),
    ],
)
def test_an_advisory_about_the_version_is_found(told: dict[str, Any]) -> None:
    assert audit.findings([RICH], [told]) == ["rich 15.0.0: OSV-1"]


@pytest.mark.parametrize(
    "told",
    [
        advisory(versions=["14.0.0"]),
        ranged({"introduced": "0"}, {"fixed": "15.0.0"}),
        ranged({"introduced": "15.0.1"}),
        {**advisory(versions=["15.0.0"]), "withdrawn": "2026-01-01T00:00:00Z"},
        {
            "id": "OSV-2",
            "affected": [{"package": {"ecosystem": "npm", "name": "rich"}, "versions": ["15.0.0"]}],
        },
    ],
)
def test_one_about_something_else_is_not(told: dict[str, Any]) -> None:
    assert audit.findings([RICH], [told]) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '["a"]', "not json", '{"id": "x"}\n[]'])
def test_a_file_without_advisories_is_no_good_answer(tmp_path: Path, text: str) -> None:
    file = tmp_path / "advisories.json"
    file.write_text(text)
    assert audit.main(["--database", str(file)]) == 2


def test_a_file_of_advisories_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "advisories.jsonl"
    file.write_text(json.dumps(advisory(versions=["0.0.1"])))
    assert audit.main(["--database", str(file)]) == 0
    version = next(package.version for package in locked() if package.name == "rich")
    file.write_text(json.dumps([advisory(versions=[version])]))
    assert audit.main(["--database", str(file)]) == 1
    assert "OSV-1" in capsys.readouterr().out


def test_nobody_reached_is_no_good_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "of_service", lambda source: "no route")
    assert audit.main([]) == 2
    assert "nobody could tell" in capsys.readouterr().err


@pytest.mark.parametrize(
    "report", [{}, {"dependencies": []}, {"dependencies": [{"name": "a", "skip_reason": "x"}]}]
)
def test_a_report_that_leaves_something_out_is_no_answer(report: dict[str, Any]) -> None:
    assert isinstance(audit.told(report), str)
