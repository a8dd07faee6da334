"""A real text is interpreted, corrected by a scholar over a real MCP client, and told anew."""

from pathlib import Path

import pytest

from setright.demo import samples
from setright.knowledge.citing import is_supported
from tests.http.conftest import api, caller, database_url
from tests.http.support import Caller
from tests.mcp.asking import ERAS, Asking
from tests.mcp.scholars_desk import Desk, Said, corrected

__all__ = ["api", "caller", "database_url"]

SAID = Said(
    artifact="X001001",
    target="o.2.2",
    old="\u201cborn\u201d",
    claim="alid[born]AJ in line 2",
    correction="alid[begotten]AJ, of his father",
    evidence="A made-up note, p. 1",
)


@pytest.mark.parametrize("era", ERAS)
def test_a_horoscope_is_corrected(caller: Caller, shared_data: Path, era: str) -> None:
    desk = Desk(Asking(caller))
    desk.keep((shared_data / "atf" / "belsunu.atf").read_text("utf-8"))
    desk.keep(samples.corpus()["storehouse.atf"])
    corrected(desk, era, SAID, ["P900001", "P900002"])


def test_every_file_is_told_with_what_supports_it(caller: Caller, shared_data: Path) -> None:
    desk = Desk(Asking(caller))
    for file in sorted((shared_data / "atf").glob("*.atf")):
        desk.keep(file.read_text("utf-8"))
    asked = 0
    for artifact in caller.get("/v1/artifacts?limit=100").json()["data"]:
        told = caller.get(f"/v1/artifacts/{artifact['id']}/summary").json()
        values = {one["n"]: one["value"] for one in told["citations"]}
        assert all(is_supported(sentence, values) for sentence in told["summary"].splitlines())
        asked += len(values)
    assert asked > 5_000
