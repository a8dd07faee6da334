"""Four real files of transliterated texts come in through the command, on each engine, and read back word by word."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell, Told
from tests.concurrency.wire import Serving
from tests.exchange.atf_samples import read, targets

NAMES = ("belsunu.atf", "brm_4_19.atf", "SAA17_03.atf", "SAA19_13.atf")


@pytest.fixture(scope="module")
def shell(server: Serving, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A terminal of the admin of a new tenant."""
    found = Shell(tmp_path_factory.mktemp("atf"))
    wire = server.tenant("atf")
    found.environment |= {"SETRIGHT_URL": f"http://127.0.0.1:{server.port}", "SETRIGHT_TOKEN": wire._token}
    return found


@pytest.fixture(scope="module")
def files(shared_data: Path) -> list[Path]:
    return [shared_data / "atf" / name for name in NAMES]


@pytest.fixture(scope="module")
def told(shell: Shell, files: list[Path]) -> tuple[Told, Told]:
    """What was told of importing them, and of importing them again."""
    command = ("knowledge", "import", "atf", *files, "--licence", "CC BY-SA 3.0", "--json")
    return shell(*command), shell(*command)


def test_every_text_comes_in_once(told: tuple[Told, Told]) -> None:
    first, again = told
    assert first.json["added"] == {"lines": 2_077, "tokens": 10_263, "annotations": 19_719}
    assert (first.json["new"], first.json["notRead"]) == (67, 3)
    assert {one["reason"] for one in first.json["notReadAt"]} == {"holds no words of a translation"}
    assert (again.json["new"], again.json["alreadyThere"]) == (0, 67)
    assert again.json["added"] == {"lines": 0, "tokens": 0, "annotations": 0}


def test_every_word_stands_where_its_file_has_it(
    told: tuple[Told, Told], shell: Shell, files: list[Path]
) -> None:
    assert told[0].code == 1
    for file in files:
        for artifact in read(file.read_bytes())[0][:3]:
            kept = shell("knowledge", "show", artifact["id"], "--json").good().json
            words = {token["id"]: token["form"] for line in kept["lines"] for token in line["tokens"]}
            assert words == {
                f"{target}.{position}": token["form"]
                for target, line in targets(artifact).items()
                for position, token in enumerate(line["tokens"], 1)
            }
            assert kept["sources"] == [{"source": artifact["source"], "licence": "CC BY-SA 3.0"}]
