"""ARCHITECTURE.md is complete, and rooms hold only the files of a room."""

import tomllib
from pathlib import Path

from tests.house import rules_of_tree as rules
from tests.house.tree import ROOT, SRC, listed


def architecture() -> str:
    return (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def rooms() -> list[Path]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    names = next(contract["rooms"] for contract in contracts if contract["id"] == "front-doors")
    return [path for name in names if (path := SRC / name.removeprefix("setright.")).is_dir()]


def tree(top: Path, *paths: str) -> Path:
    for path in paths:
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).touch()
    return top


def test_each_folder_has_one_line() -> None:
    faults = rules.unexplained_folders(SRC, architecture())
    assert not faults, listed(faults)


def test_no_line_speaks_of_a_folder_that_is_gone() -> None:
    faults = rules.told_folders_that_are_gone(SRC, architecture())
    assert not faults, listed(faults)


def test_rooms_hold_only_the_files_of_a_room() -> None:
    faults = rules.stray_room_files(rooms(), architecture())
    assert not faults, listed(faults)


def test_there_are_rooms() -> None:
    assert {"events", "identity", "subjects", "runs", "corrections"} <= {room.name for room in rooms()}


def test_a_folder_without_a_line_is_found(tmp_path: Path) -> None:
    top = tree(tmp_path, "runs/model.py", "faces/http/app.py")
    text = "- `runs/` finished runs\n| `faces/` | they translate |\n"
    assert rules.unexplained_folders(top, text) == [
        "faces/http/: 0 lines of ARCHITECTURE.md begin with it, there must be one"
    ]
    assert rules.unexplained_folders(top, text + "faces/http/    over HTTP\n") == []


def test_a_second_line_is_found(tmp_path: Path) -> None:
    assert rules.unexplained_folders(tree(tmp_path, "runs/model.py"), "`runs/` a\n`runs/` b\n")


def test_a_line_for_a_folder_that_is_gone_is_found(tmp_path: Path) -> None:
    top = tree(tmp_path, "runs/model.py")
    assert rules.told_folders_that_are_gone(top, "- `runs/` a\n- `walks/` b\n") == [
        "walks/: there is no such folder"
    ]


def test_a_stray_file_is_found(tmp_path: Path) -> None:
    room = tree(tmp_path, "runs/model.py", "runs/sums.py") / "runs"
    assert rules.stray_room_files([room], "nothing of it")
    assert not rules.stray_room_files([room], "- `runs/sums.py` adds up")
