"""Finding what is nearest in meaning: outside of every transaction, in vectors that are kept in memory while they are used."""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from setright import knowledge
from setright.app.work import KINDS, MINUTE, Kind
from setright.jobs import Batch
from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.errors import StorageUnavailable
from setright.knowledge import EMBED, Found, Near, SearchAsked, Vector
from setright.storage import Snapshot, Store, Tx

MOST_NEAR = 100
LEAST_ALIKE = 0.2
"""Below this texts have nothing to do with one another."""
MOST_OF_TENANT = 250_000
MOST_IN_ALL = 500_000
"""How many vectors are kept in memory, 256 bytes and a key each; of more, those used last."""
FRESH_SECONDS = 2.0
ANEW_SECONDS = 3600.0


class Matrix(Protocol):
    """Vectors under their keys."""

    def __len__(self) -> int: ...

    def put(self, key: tuple[str, int], vector: bytes) -> None:
        """Keep a vector."""
        ...

    def nearest(self, asked: Any, most: int, least: float) -> Sequence[tuple[tuple[str, int], float]]:
        """The keys that are nearest, the nearest first."""
        ...


class Model(Protocol):
    """What reads texts: the vectors of several, and what one question means."""

    name: str

    def load(self) -> object:
        """Be ready; takes a while once."""
        ...

    def vectors(self, texts: Sequence[str]) -> Sequence[bytes]:
        """The vector of each text."""
        ...

    def vector(self, text: str) -> Any:
        """What a question means."""
        ...


@dataclass(slots=True)
class _Kept:
    """The vectors of one tenant, up to a number, as of a moment; `read_at` is when all were read anew."""

    matrix: Matrix
    last: int = 0
    complete: bool = False
    fresh_at: float = float("-inf")
    read_at: float = field(default_factory=time.monotonic)


class Meanings:
    """What entries of the search mean, as one model reads them."""

    def __init__(
        self, store: Store, model: Model, new_matrix: type[Matrix], fresh: float = FRESH_SECONDS
    ) -> None:
        self._store = store
        self._model = model
        self._new_matrix = new_matrix
        self._fresh = fresh
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    async def near(self, tenant_id: str, asked: SearchAsked) -> Near | None:
        """What is nearest to a question, None where only words count or the database does not answer."""
        if asked.mode == "lexical":
            return None
        try:
            return await asyncio.to_thread(self._near, tenant_id, asked.q)
        except StorageUnavailable:
            return None

    def kinds(self) -> Mapping[str, Kind]:
        """Every kind of job, the one that has the model read texts among them."""
        kind = Kind(EMBED, self._embed, every=MINUTE, before=self._model.load)
        return {**KINDS, EMBED: kind}

    def _embed(self, tx: Tx, _arguments: Mapping[str, Any], cursor: Any) -> Batch:
        return knowledge.embed_some(tx, self._model.name, self._model.vectors, cursor)

    def _near(self, tenant_id: str, text: str) -> Near:
        meant = self._model.vector(text)
        with self._lock:
            kept = self._up_to_date(tenant_id)
            found = kept.matrix.nearest(meant, MOST_NEAR, LEAST_ALIKE)
            complete = kept.complete
        return Near(tuple(Found(key[0], key[1], frozenset()) for key, _ in found), complete)

    def _up_to_date(self, tenant_id: str) -> _Kept:
        now = time.monotonic()
        kept = self._kept.get(tenant_id)
        if kept is None or now - kept.read_at > ANEW_SECONDS:
            kept = self._kept[tenant_id] = _Kept(self._new_matrix())
        self._kept.move_to_end(tenant_id)
        if now - kept.fresh_at >= self._fresh:
            self._read(tenant_id, kept)
            kept.fresh_at = now
        while len(self._kept) > 1 and sum(len(one.matrix) for one in self._kept.values()) > MOST_IN_ALL:
            self._kept.popitem(last=False)
        return kept

    def _read(self, tenant_id: str, kept: _Kept) -> None:
        """Read the vectors that came since, a stretch at a time."""

        def since(at: Snapshot) -> Sequence[Vector]:
            return knowledge.vectors_since(_of_tenant(at, tenant_id), self._model.name, kept.last)

        def whether_all(at: Snapshot) -> bool:
            return knowledge.all_read(_of_tenant(at, tenant_id), self._model.name)

        while len(kept.matrix) < MOST_OF_TENANT:
            rows = self._store.read(since).result()
            for row in rows:
                kept.matrix.put((row.artifact_id, row.line), row.vector)
                kept.last = row.number
            if not rows:
                break
        read = self._store.read(whether_all).result()
        kept.complete = read and len(kept.matrix) < MOST_OF_TENANT


def _of_tenant(at: Snapshot, tenant_id: str) -> Snapshot:
    """The same, to be read for a tenant; who asks is looked at by the search itself."""
    at.actor = Actor(tenant_id, "service", "ledger", "", frozenset(SCOPES), {}, Role.ADMIN)
    return at
