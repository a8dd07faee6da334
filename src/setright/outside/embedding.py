"""A small model that reads what texts mean, out of the package of the extra `embed`: nothing is fetched, ever."""

import threading
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from setright.kernel import json

PACKAGE = "wordllama"
WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
TENSOR = "embedding.weight"
SIZE = 256
SCALE = 127
ROWS_AT_ONCE = 16_384
GROWS_BY = 1.25


def folder() -> Path:
    """Where the package keeps its files; raises ModuleNotFoundError where it is not installed."""
    found = find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"No module named '{PACKAGE}'", name=PACKAGE)
    return Path(found.submodule_search_locations[0])


class StaticModel:
    """The mean of a text's word pieces, each with its learned numbers; the order of words does not count.

    A vector is 256 bytes: whole numbers from -127 to 127. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._folder = folder()
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, npt.NDArray[np.float16]] | None = None
        self.name = f"{PACKAGE}-{version(PACKAGE)}-{SIZE}"

    def load(self) -> tuple[Tokenizer, npt.NDArray[np.float16]]:
        """Read the files, once; takes about a second."""
        with self._lock:
            if self._loaded is None:
                tokenizer = Tokenizer.from_file(str(self._folder / TOKENIZER))
                self._loaded = (tokenizer, _weights(self._folder / WEIGHTS))
            return self._loaded

    def vectors(self, texts: Sequence[str]) -> list[bytes]:
        """The vector of each text; no bytes where a text has nothing in it."""
        return [_packed(one) for one in self._means(texts)]

    def vector(self, text: str) -> npt.NDArray[np.float32]:
        """What a question means, as numbers of length one, or all zero."""
        return self._means([text])[0]

    def _means(self, texts: Sequence[str]) -> list[npt.NDArray[np.float32]]:
        tokenizer, weights = self.load()
        read = tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [_mean(weights, one.ids) for one in read]


class Matrix:
    """Vectors under their keys, all compared at once. Not safe to change from two threads."""

    def __init__(self) -> None:
        self._rows: npt.NDArray[np.int8] = np.zeros((0, SIZE), np.int8)
        self._places: dict[tuple[str, int], int] = {}
        self._keys: list[tuple[str, int]] = []

    def __len__(self) -> int:
        return len(self._keys)

    def put(self, key: tuple[str, int], vector: bytes) -> None:
        """Keep a vector, in the place of the one that the key had before; no bytes mean nothing."""
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self._keys)
            self._keys.append(key)
            if place == len(self._rows):
                more = np.zeros((int(place * GROWS_BY) + 64, SIZE), np.int8)
                more[:place] = self._rows
                self._rows = more
        self._rows[place] = np.frombuffer(vector, np.int8) if len(vector) == SIZE else 0

    def nearest(
        self, asked: npt.NDArray[np.float32], most: int, least: float
    ) -> list[tuple[tuple[str, int], float]]:
        """The keys that are nearest, the nearest first, none that is less alike than `least` (1 is the same)."""
        count = len(self._keys)
        alike = np.empty(count, np.float32)
        for start in range(0, count, ROWS_AT_ONCE):
            end = min(start + ROWS_AT_ONCE, count)
            np.dot(self._rows[start:end].astype(np.float32), asked, out=alike[start:end])
        alike /= SCALE
        few = np.argpartition(-alike, most)[:most] if count > most else np.arange(count)
        found = [(self._keys[place], float(alike[place])) for place in few.tolist()]
        return sorted((one for one in found if one[1] >= least), key=lambda one: (-one[1], one[0]))


def _weights(path: Path) -> npt.NDArray[np.float16]:
    """The learned numbers, left in the file until they are needed: its head says in JSON where they stand."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        told = json.read_stored(file.read(length).decode())[TENSOR]
    rows, start = told["shape"][0], 8 + length + told["data_offsets"][0]
    return np.memmap(path, np.float16, "r", start, (rows, SIZE))


def _mean(weights: npt.NDArray[np.float16], pieces: Sequence[int]) -> npt.NDArray[np.float32]:
    if not pieces:
        return np.zeros(SIZE, np.float32)
    mean = weights[list(pieces)].astype(np.float32).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / length if length else mean


def _packed(mean: npt.NDArray[np.float32]) -> bytes:
    if not mean.any():
        return b""
    return np.rint(mean * SCALE).astype(np.int8).tobytes()
