"""An SQLite that can corrupt a write-ahead log is never used: sqlite.org/wal.html#walresetbug."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.storage import sqlite
from setright.storage.sqlite import UnsuitableSqlite, driver, drivers, is_safe


@pytest.mark.parametrize(
    "version", [(3, 51, 3), (3, 51, 4), (3, 52, 0), (3, 53, 1), (3, 60, 0), (4, 0, 0), (3, 50, 7), (3, 50, 8), (3, 44, 6), (3, 44, 9)]
)  # fmt: skip
def test_these_versions_are_safe(version: tuple[int, ...]) -> None:
    assert is_safe(version)


@pytest.mark.parametrize(
    "version",
    [(3, 51, 2), (3, 51, 0), (3, 50, 6), (3, 50, 0), (3, 49, 9), (3, 45, 0), (3, 44, 5), (3, 44, 0), (3, 43, 9),
     (3, 40, 1), (3, 7, 0), (3, 6, 23), (2, 99, 99)],
)  # fmt: skip
def test_these_versions_are_not(version: tuple[int, ...]) -> None:
    assert not is_safe(version)


@given(st.tuples(st.integers(0, 5), st.integers(0, 60), st.integers(0, 12)), st.integers(1, 12))
def test_a_later_patch_of_a_safe_version_is_safe(version: tuple[int, int, int], later: int) -> None:
    major, minor, patch = version
    if is_safe(version):
        assert is_safe((major, minor, patch + later))
    if version >= (3, 51, 3):
        assert is_safe((major, minor + later, 0))


@given(st.integers(0, 50), st.integers(0, 12))
def test_of_the_versions_before_3_51_3_only_the_two_repaired_lines_are_safe(minor: int, patch: int) -> None:
    assert is_safe((3, minor, patch)) == ((minor == 50 and patch >= 7) or (minor == 44 and patch >= 6))


def installed(monkeypatch: pytest.MonkeyPatch, **versions: str | None) -> None:
    """As if these drivers with these libraries were installed."""

    def import_module(name: str) -> Any:
        version = versions[name.partition(".")[0]]
        if version is None:
            raise ImportError(name)
        return SimpleNamespace(name=name, sqlite_version_info=tuple(map(int, version.split("."))))

    monkeypatch.setattr(sqlite, "importlib", SimpleNamespace(import_module=import_module))


@pytest.mark.parametrize(
    ("ours", "standard", "taken"),
    [
        ("3.53.0", "3.40.1", "pysqlite3.dbapi2"),
        ("3.53.0", "3.54.0", "pysqlite3.dbapi2"),
        ("3.45.0", "3.51.3", "sqlite3"),
        (None, "3.50.7", "sqlite3"),
    ],
)
def test_the_first_safe_driver_is_taken(
    monkeypatch: pytest.MonkeyPatch, ours: str | None, standard: str, taken: str
) -> None:
    installed(monkeypatch, pysqlite3=ours, sqlite3=standard)
    assert driver().name == taken


def test_where_none_is_safe_the_refusal_says_what_is_there_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed(monkeypatch, pysqlite3="3.51.2", sqlite3="3.40.1")
    with pytest.raises(UnsuitableSqlite) as refused:
        driver()
    message = str(refused.value)
    assert "pysqlite3 has 3.51.2, sqlite3 has 3.40.1" in message
    assert "pip install pysqlite3" in message


def test_the_driver_here_is_safe() -> None:
    assert is_safe(tuple(driver().sqlite_version_info))
    assert [name for name, _, _ in drivers()][-1] == "sqlite3"
