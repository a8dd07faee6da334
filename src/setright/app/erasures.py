"""What was erased is remembered in a file beside the ledger, so that no backup brings it back."""

import hashlib
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from setright import erasure
from setright.app.settings import Settings, data_folder, database_url
from setright.app.worker import Worker, of_ledger
from setright.erasure import Remembered
from setright.kernel import json
from setright.kernel.clock import from_wire, to_wire
from setright.storage import Snapshot, Store, Tx
from setright.storage.address import parse
from setright.storage.kept import read_mark

ENDING = ".erasures"
SECONDS = 60


@dataclass(frozen=True, slots=True)
class ErasedBefore:
    """The file: the key of its hashes, and the erasures."""

    secret: str
    erasures: Sequence[Remembered]


def file_of(settings: Settings) -> Path:
    """Where it is: beside an SQLite file, for a database of a server in the data folder of who works on it."""
    place = parse(database_url(settings))
    if place.path is not None:
        return place.path.with_name(place.path.name + ENDING)
    named = hashlib.sha256(place.shown.encode()).hexdigest()[:12]
    return data_folder(settings) / f"postgresql-{named}{ENDING}"


def remember(settings: Settings, store: Store) -> None:
    """Write down every erasure that the ledger knows; nothing of who was erased is in it but a keyed hash."""

    def read(at: Snapshot) -> ErasedBefore:
        return ErasedBefore(read_mark(at, erasure.SECRET) or "", erasure.remembered(at))

    known = store.read(read).result(SECONDS)
    if known.erasures:
        _write(file_of(settings), known)


def erase_again(settings: Settings, store: Store) -> int:
    """Erase what the file knows to be erased and a restored ledger holds once more; how many erasures that took.

    It is done when this returns, so that nobody reads any of it meanwhile.
    """
    known = read(file_of(settings))
    if known is None:
        return 0
    gone = store.read(lambda at: erasure.missing(at, known.erasures)).result(SECONDS)
    found = sum(_replayed(store, one, known.secret) for one in gone)
    worker = Worker(store)
    while found and worker.turn():
        pass
    return found


def read(path: Path) -> ErasedBefore | None:
    """What a file remembers, None where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    told = cast("Mapping[str, Any]", json.read_stored(text))
    return ErasedBefore(
        told["secret"],
        [
            Remembered(**{name: one[_WIRE[name]] for name in _WIRE}, created_at=from_wire(one["at"]))
            for one in told["erasures"]
        ],
    )


_WIRE = {
    "tenant_id": "tenantId",
    "id": "id",
    "kind": "kind",
    "target_hash": "hash",
    "words": "words",
    "reason": "reason",
}


def _write(path: Path, known: ErasedBefore) -> None:
    told = [
        {**{wire: getattr(one, name) for name, wire in _WIRE.items()}, "at": to_wire(one.created_at)}
        for one in known.erasures
    ]
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = path.with_name(f"{path.name}.partial-{secrets.token_hex(4)}")
    with os.fdopen(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(json.write({"secret": known.secret, "erasures": told}))
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def _replayed(store: Store, one: Remembered, secret: str) -> bool:
    def work(tx: Tx) -> bool:
        tx.actor = of_ledger(one.tenant_id)
        return erasure.replay(tx, one, secret)

    return store.write(work).result(SECONDS)
