"""Tokens that leaked into files are found by prefix and checksum, wherever they stand, and their secrets are not shown."""

import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from setright.faces.cli import token_scan
from setright.identity.token_text import new_secret
from setright.kernel.ids import Ids
from tests.cli.shell import Shell

TOKEN_ID = Ids()("tok", 1_700_000_000_000_000)
SECRET = new_secret(TOKEN_ID)


def test_a_token_is_found_with_its_place_and_without_its_secret(shell: Shell, tmp_path: Path) -> None:
    leaky = tmp_path / "notes" / "a.txt"
    leaky.parent.mkdir()
    leaky.write_text(f"one\ntwo {SECRET}\n")
    (tmp_path / "notes" / ".git").mkdir()
    (tmp_path / "notes" / ".git" / "b").write_text(SECRET)
    ran = shell("token", "scan", str(tmp_path / "notes"))
    assert ran.code == 1
    assert f"{leaky}:2: token {TOKEN_ID}" in ran.out
    assert SECRET not in ran.out + ran.err
    assert shell("token", "scan", str(leaky), "--json").json == {
        "tokens": [{"file": str(leaky), "line": 2, "id": TOKEN_ID}]
    }


def test_what_is_no_token_is_not_found(shell: Shell, tmp_path: Path) -> None:
    clean = tmp_path / "clean.txt"
    clean.write_text(f"srt_nothing {SECRET[:-1]} {SECRET[:-1]}~ {'srt_' + 'A' * 75}")
    assert shell("token", "scan", str(clean)).code == 0


def test_a_file_that_is_not_there_is_named(shell: Shell, tmp_path: Path) -> None:
    ran = shell("token", "scan", str(tmp_path / "none"))
    assert ran.code == 2
    assert "could not be read" in ran.err


@given(st.integers(0, 400), st.integers(1, 200), st.integers(0, 5))
def test_no_place_between_two_pieces_hides_a_token(before: int, chunk: int, lines: int) -> None:
    held, token_scan.CHUNK = token_scan.CHUNK, chunk
    try:
        text = b"x" * before + b"\n" * lines + SECRET.encode() + b"\n" + SECRET.encode()
        found = list(token_scan.found_in(io.BytesIO(text)))
    finally:
        token_scan.CHUNK = held
    assert found == [(lines + 1, TOKEN_ID), (lines + 2, TOKEN_ID)]
