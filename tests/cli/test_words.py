"""How values become text for a terminal, and text becomes values."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from setright.app.settings import Settings
from setright.faces.cli import content, local_token, options, out
from setright.faces.cli.failures import Cannot
from setright.faces.cli.saying import Said, body_of
from tests.cli.shell import Shell


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("naïve 日本 🙂", "naïve 日本 🙂"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\x1b[2J\x07", "\\u001b[2J\\u0007"),
        ("right\u202eleft", "right\\u202eleft"),
        ("\x9b31m", "\\u009b31m"),
        ("[red]markup[/red]", "[red]markup[/red]"),
        (None, "None"),
    ],
)
def test_no_text_acts_on_the_terminal(text: str, shown: str) -> None:
    assert out.plain(text) == shown


def test_markup_and_escapes_of_others_are_only_shown(ledger_shell: Shell) -> None:
    run = (
        '{"id": "m\\u001b[2Jk", "projectId": "default", "subject": {"kind": "agent", "id": "[red]x", "version": "1"},'
        ' "input": 1, "output": "a", "status": "completed"}'
    )
    told = ledger_shell("runs", "add", "-", stdin=run)
    assert "\x1b" not in told.out + told.err
    other = ledger_shell("runs", "add", "-", stdin=run.replace("\\u001b", "")).good()
    assert "m[2Jk" in other.out
    assert "[red]x" in ledger_shell("runs", "list").good().out


def test_a_terminal_that_is_not_utf8_gets_escapes(shell: Shell) -> None:
    shell("project", "create", "日本", "--id", "jp").good()
    told = shell.outside("project", "list", PYTHONIOENCODING="ascii").good()
    assert "\\u65e5" in told.out
    as_json = shell.outside("project", "list", "--json", PYTHONIOENCODING="ascii").good()
    assert as_json.json["data"][0]["name"] == "日本"


def test_a_bar_is_only_on_a_terminal_and_never_in_the_answer(shell: Shell) -> None:
    line = '{"projectId": "default", "subject": {"kind": "agent", "id": "a", "version": "1"}, "input": 1}\n'
    (shell.folder / "many.jsonl").write_text(line * 250)
    assert "Recording" not in shell.outside("runs", "add", "many.jsonl").good().err
    told = shell.at_a_terminal("runs", "add", "many.jsonl", "--json")
    assert len(told.json["results"]) == 250
    assert "Recording runs" in told.err


def test_compact_fits_one_line() -> None:
    assert out.compact({"a": [1, "é"]}) == '{"a": [1, "é"]}'
    assert out.compact("x" * 50, 10) == "x" * 9 + "…"
    assert out.moment(None) == ""


def test_spans_count_from_now() -> None:
    now = datetime.now(UTC)
    for text, span in (
        ("30d", timedelta(days=30)),
        ("12h", timedelta(hours=12)),
        ("45m", timedelta(minutes=45)),
    ):
        ahead, ago = options.ahead("--expires", text), options.ago("--since", text)
        assert ahead is not None
        assert ago is not None
        assert timedelta(0) <= ahead - (now + span) < timedelta(seconds=5)
        assert timedelta(0) <= ago - (now - span) < timedelta(seconds=5)
    assert options.ahead("--expires", "2030-01-31T12:00:00Z") == datetime(2030, 1, 31, 12, tzinfo=UTC)
    assert options.ahead("--expires", None) is None


def test_what_was_not_said_is_not_sent() -> None:
    assert body_of(Said()) == {}
    assert body_of(Said(answer="wrong", should_call=["pay"])) == {
        "answer": "wrong",
        "shouldCall": [{"tool": "pay"}],
    }


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("pay", {"tool": "pay"}),
        ('pay {"id": 7}', {"tool": "pay", "args": {"id": 7}}),
        ('math.sum  {"a": {"b": [1]}}', {"tool": "math.sum", "args": {"a": {"b": [1]}}}),
        ("a tool with spaces", {"tool": "a tool with spaces"}),
        (
            '{"tool": "pay", "match": {"id": {"ignore": true}}}',
            {"tool": "pay", "match": {"id": {"ignore": True}}},
        ),
    ],
)
def test_calls_are_written_as_people_write_them(text: str, call: object) -> None:
    assert body_of(Said(should_call=[text]))["shouldCall"] == [call]


def test_an_item_may_hold_an_equals_sign() -> None:
    assert body_of(Said(item=["a=b=wrong"]))["items"] == [{"key": "a=b", "verdict": "wrong"}]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('{"id": 1}', 1),
        ('[{"id": 1}, {"id": 2}]', 2),
        ('{"runs": [{"id": 1}, {"id": 2}]}', 2),
        ('{"id": 1}\n\n{"id": 2}\r\n{"id": 3}\n', 3),
        ('{\n  "id": 1\n}\n', 1),
        ('\ufeff{"id": 1}', 1),
    ],
)
def test_runs_come_in_every_form(tmp_path: Path, text: str, count: int) -> None:
    (tmp_path / "runs").write_text(text, "utf-8")
    assert len(content.many_objects(str(tmp_path / "runs"), "a run", "runs")) == count


def test_an_object_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("null")
    with pytest.raises(Cannot, match="is not a correction: it holds null"):
        content.one_object(str(tmp_path / "x"), "a correction")


def test_the_token_of_each_database_is_its_own(tmp_path: Path) -> None:
    folder = str(tmp_path)

    def name(database: str) -> str:
        return local_token.token_file(Settings(database=database, data_folder=folder)).name

    assert name("") == "local-token"
    assert name("sqlite:///x.db") == name(str(Path("x.db").absolute())) != "local-token"
    assert (
        name("postgresql://me:one@host/db")
        == name("postgres://me:two@host/db")
        != name("postgresql://host/db")
    )


def test_the_token_file_is_replaced_whole_and_stays_private(tmp_path: Path) -> None:
    file = tmp_path / "new" / "local-token"
    assert local_token.kept(file) is None
    for secret in ("one", "two"):
        local_token.keep(file, secret)
        assert local_token.kept(file) == secret
        assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["local-token"]
