"""What is nearest in meaning: kept in memory as long as it is used, brought up to date, and never loaded unasked."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from setright import knowledge
from setright.app import meaning
from setright.app.meaning import Meanings
from setright.app.work import KINDS
from setright.app.worker import in_the_name_of
from setright.jobs import Batch
from setright.knowledge import Near, SearchAsked
from setright.storage import Tx
from tests.knowledge.reading_room import KING, ReadingRoom, a_line, a_text
from tests.support.ledger import Ledger


class Lengths:
    """A model to which texts mean how long they are."""

    name = "lengths"

    def load(self) -> None:
        """Be ready."""

    def vectors(self, texts: Sequence[str]) -> list[bytes]:
        """How long each is."""
        return [len(text).to_bytes(2, "big") for text in texts]

    def vector(self, text: str) -> int:
        """How long it is."""
        return len(text)


class Numbers:
    """Numbers under their keys; the nearest differ least."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, int], int] = {}

    def __len__(self) -> int:
        return len(self.kept)

    def put(self, key: tuple[str, int], vector: bytes) -> None:
        """Keep a number."""
        self.kept[key] = int.from_bytes(vector, "big")

    def nearest(self, asked: int, most: int, least: float) -> list[tuple[tuple[str, int], float]]:
        """The keys whose numbers differ least."""
        found = sorted((abs(length - asked), key) for key, length in self.kept.items())
        return [(key, 1.0) for _, key in found[:most] if least <= 1]


@pytest.fixture
def room(ledger: Ledger) -> Iterator[ReadingRoom]:
    """A tenant with a text, in a ledger that a model of lengths has read nothing of."""
    made = ReadingRoom(ledger, ledger.tenant())
    made.keep(
        a_text(lines=[a_line("1", KING, translation="x" * 40), a_line("2", KING, translation="y" * 80)])
    )
    yield made
    made.do(lambda tx: knowledge.embed_some(tx, "nobody", lambda texts: [b""] * len(texts), None))


def meanings(room: ReadingRoom) -> Meanings:
    """What reads meanings in the ledger of a tenant, up to date at every question."""
    return Meanings(room.ledger.store, Lengths(), Numbers, fresh=0)


def read_all(of: Meanings, room: ReadingRoom) -> None:
    """Do the job as the worker does, to its end."""
    kind, cursor = of.kinds()[knowledge.EMBED], None
    while True:

        def work(tx: Tx, cursor: object = cursor) -> Batch:
            tx.actor = in_the_name_of("", "service", "ledger")
            return kind.batch(tx, {}, cursor)

        batch = room.ledger.store.write(work).result()
        if batch.is_last:
            return
        cursor = batch.cursor


def near(of: Meanings, room: ReadingRoom, text: str, **more: str) -> Near | None:
    """What is nearest to a text."""
    return asyncio.run(of.near(room.tenant.id, SearchAsked(text, **more)))  # pyright: ignore[reportArgumentType]


def lines(found: Near | None) -> list[int]:
    """The lines that were found, the nearest first."""
    assert found is not None
    return [one.line for one in found.found]


def test_the_nearest_come_first_and_what_is_not_read_yet_is_told(room: ReadingRoom) -> None:
    of = meanings(room)
    before = near(of, room, "z" * 50)
    assert before == Near((), False)
    read_all(of, room)
    after = near(of, room, "z" * 50)
    assert lines(after)[0] == 0
    assert lines(near(of, room, "z" * 90))[0] == 1
    assert after is not None
    assert after.complete


def test_a_line_that_changed_is_read_anew_in_its_place(room: ReadingRoom) -> None:
    of = meanings(room)
    read_all(of, room)
    assert lines(near(of, room, "z" * 90))[0] == 1
    said = "w" * 200
    room.corrected(room.summary("P1").interaction, "y" * 80, said)
    changed = near(of, room, "z" * 90)
    assert changed is not None
    assert not changed.complete
    read_all(of, room)
    assert lines(near(of, room, "z" * 290))[0] == 1
    assert len(of._kept[room.tenant.id].matrix) == 3


def test_words_alone_need_no_meaning(room: ReadingRoom) -> None:
    assert near(meanings(room), room, "z", mode="lexical") is None


def test_another_tenant_finds_nothing_of_it(room: ReadingRoom) -> None:
    of = meanings(room)
    read_all(of, room)
    other = ReadingRoom(room.ledger, room.ledger.tenant())
    assert near(of, other, "z" * 50) == Near((), True)


def test_so_many_are_kept_in_memory_and_no_more(room: ReadingRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "MOST_IN_ALL", 4)
    other = ReadingRoom(room.ledger, room.ledger.tenant())
    other.keep(a_text())
    of = meanings(room)
    read_all(of, room)
    near(of, room, "z")
    near(of, other, "z")
    assert list(of._kept) == [other.tenant.id]


def test_where_no_model_reads_the_job_does_nothing(room: ReadingRoom) -> None:
    batch = room.do(lambda tx: KINDS[knowledge.EMBED].batch(tx, {}, None))
    assert batch.is_last
    assert KINDS[knowledge.EMBED].every is None


def test_a_server_that_does_not_use_it_loads_nothing_of_it(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from setright.app.assemble import assemble\n"
        "from setright.app.settings import Settings\n"
        "from setright.storage.open import create_or_upgrade\n"
        f"url = 'sqlite:///{tmp_path / 'ledger.db'}'\n"
        "create_or_upgrade(url)\n"
        "assemble(Settings(database=url)).close()\n"
        "print(sorted(set(sys.modules) & {'numpy', 'tokenizers', 'safetensors', 'wordllama'}))\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
