"""`db check` on both engines, of corrections that versions moved: each move has its test run, its cause and its event."""

import shutil
from pathlib import Path

import pytest

from tests.backup.places import Places
from tests.backup.test_soundness import change, check
from tests.http.support import Caller


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def moved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger of each engine in which a version fixed a correction; nobody uses it any more."""
    folder = tmp_path_factory.mktemp("moved")
    new = request.getfixturevalue("postgres").new_database if request.param == "postgresql" else str
    places = Places(request.param, folder, new, folder)
    made = places.with_schema()
    fixed_by(places.open(made).tenant(), "v4")
    places.close()
    return made


def fixed_by(admin: Caller, version: str) -> None:
    """Pin a version that got a correction right."""
    said = admin.correction()
    path = f"/v1/test-runs/{admin.test_run(version)['id']}"
    claimed = admin.post(f"{path}/claim").json()
    did = {"caseId": claimed["cases"][0]["id"], "lease": claimed["lease"], "calls": [], "answer": "yes"}
    assert admin.post(f"{path}/results", {"results": [did]}).status_code == 200
    pin = {"subject": {"kind": "agent", "id": "refunds"}, "version": version}
    assert admin.post("/v1/projects/default/pins", pin).status_code == 201
    while admin.app.worker.turn():
        pass
    assert admin.get(f"/v1/corrections/{said['id']}").json()["status"] == "fixed"


@pytest.fixture
def url(moved: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A copy of that ledger, to be spoilt."""
    if moved.startswith("sqlite"):
        copy = tmp_path / "ledger.db"
        shutil.copy(moved.removeprefix("sqlite:///"), copy)
        return f"sqlite:///{copy}"
    return request.getfixturevalue("postgres").new_database(like=moved)


def test_a_ledger_in_which_versions_moved_corrections_is_sound(url: str) -> None:
    assert check(url).faults == ()


@pytest.mark.parametrize(
    ("statement", "table", "says"),
    [
        (
            "UPDATE newest_verdicts SET verdict = 'wrong'",
            "newest_verdicts",
            "no finished test run of the version says so",
        ),
        (
            "UPDATE newest_verdicts SET project_id = 'other'",
            "newest_verdicts",
            "no finished test run of the version says so",
        ),
        ("DELETE FROM evidence_moves", "events", "points to a row of evidence_moves that is not there"),
        (
            "UPDATE evidence_moves SET status = 'open'",
            "evidence_moves",
            "says that a correction moved, and its history does not",
        ),
    ],
)
def test_what_is_wrong_with_a_move_is_found(url: str, statement: str, table: str, says: str) -> None:
    change(url, statement)
    assert [fault for fault in check(url).faults if fault.table == table and says in fault.says]
