"""What can be found of artifacts and their lines: entries of folded words, and the few that fit best what is asked."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from setright.kernel import json
from setright.knowledge import search_store as store
from setright.knowledge.folding import LONGEST_WORD, fold, spelled, words
from setright.storage import Row, Snapshot, Tx

KindWord = Literal["artifact", "line"]

MOST_WORDS = 16
OF_ALL = 300
OF_ONE_WORD = 100
FLATTEN = 60
"""How little the first places of a ranking count more than those after them (reciprocal rank fusion)."""
WHOLE = -1
"""The line of the entry of an artifact as a whole."""

_LEXEME = re.compile("[^\\W_]+")
_MARK = 9


@dataclass(frozen=True, slots=True)
class Found:
    """An entry that was found: `line` is the line's place in its artifact, or -1 for the whole.

    `words` are all that it holds; there are none where it was found by what it means.
    """

    artifact_id: str
    line: int
    words: frozenset[str]


def index(tx: Tx, artifact_id: str, targets: Iterable[str] | None = None) -> None:
    """Write anew what can be found of an artifact, or only of the lines in which these targets stand ("": the whole)."""
    texts = _every_text(tx, artifact_id) if targets is None else _texts_at(tx, artifact_id, targets)
    _write(tx, artifact_id, {line: _distinct(told) for line, told in texts.items()})


def find(at: Snapshot, kind: KindWord, text: str, enough: int) -> list[Found]:
    """Entries of a kind that hold words of a text, the best first: those with all of them, then those with some."""
    asked = asked_words(text)
    if not asked:
        return []
    found = _matching(at, kind, asked, OF_ALL)
    if len(found) < enough and len(asked) > 1:
        several = [one for word in asked for one in _matching(at, kind, [word], OF_ONE_WORD)]
        found = list({(one.artifact_id, one.line): one for one in [*found, *several]}.values())
    return best(found, asked, spelled(text))


def asked_words(text: str) -> list[str]:
    """The folded words that a text asks for, each once; of many the first."""
    return list(dict.fromkeys(word[:LONGEST_WORD] for word in fold(text).split()))[:MOST_WORDS]


def best(found: Sequence[Found], asked: Sequence[str], written: Sequence[str]) -> list[Found]:
    """Entries ranked: by how many words they hold, as they were written, by how rare these are, by how little else."""
    held = {word: sum(word in one.words for one in found) for word in asked}

    def rank(one: Found) -> tuple[float, float, float, int, str, int]:
        mine = [word for word in asked if word in one.words]
        exact = sum(word in one.words for word in written)
        rarity = sum(1 / held[word] for word in mine)
        return (-len(mine), -exact, -rarity, len(one.words), one.artifact_id, one.line)

    return sorted(found, key=rank)


def fused(by_words: Sequence[Found], by_meaning: Sequence[Found]) -> list[Found]:
    """Two rankings as one: what stands high in either comes first, what stands in both before that."""
    found: dict[tuple[str, int], Found] = {}
    weight: dict[tuple[str, int], float] = {}
    for ranking in (by_words, by_meaning):
        for place, one in enumerate(ranking):
            key = (one.artifact_id, one.line)
            found.setdefault(key, one)
            weight[key] = weight.get(key, 0.0) + 1 / (FLATTEN + place)
    return [found[key] for key in sorted(found, key=lambda key: (-weight[key], key))]


def corpora(at: Snapshot) -> list[str]:
    """The names of the sources of everything the tenant has; of many the first hundred."""
    return [row["source"] for row in at.all(store.CORPORA, tenant_id=at.actor.tenant_id)]


def mark(tenant_id: str, kind: KindWord) -> str:
    """What stands before every word of a tenant's entries of a kind, so that no other's entries are gone through."""
    return hashlib.sha256(tenant_id.encode()).hexdigest()[: _MARK - 1] + kind[0]


def _matching(at: Snapshot, kind: KindWord, asked: Sequence[str], most: int) -> list[Found]:
    tenant = at.actor.tenant_id
    before = mark(tenant, kind)
    terms = [before + word for word in asked]
    quoted, joint = ("'{}'", " & ") if at.engine == "postgresql" else ('"{}"', " ")
    query = joint.join(quoted.format(term) for term in terms)
    rows = at.all(store.MATCHING, tenant_id=tenant, query=query, most=most)
    return [_found(row) for row in rows]


def _found(row: Row) -> Found:
    held = frozenset(word[_MARK:] for word in _LEXEME.findall(row["words"]) if len(word) > _MARK)
    return Found(row["artifact_id"], row["line"], held)


def _every_text(tx: Tx, artifact_id: str) -> dict[int, list[str]]:
    """The texts of the whole and of each line: what is written, and what is said of it."""
    of = {"tenant_id": tx.actor.tenant_id, "artifact_id": artifact_id}
    texts = {WHOLE: [artifact_id, *(row["source"] for row in tx.all(store.SOURCES, **of))]}
    places = {"": WHOLE}
    for row in tx.all(store.LINES, **of):
        texts[row["line"]] = [row["text"]]
        if row["target"] is not None:
            places[row["target"]] = row["line"]
    for row in tx.all(store.TOKENS, **of):
        texts[row["line"]] += (row["form"], row["clean"])
        places[row["target"]] = row["line"]
    for row in tx.all(store.SAID, **of):
        texts[places[row["target"]]].append(row["value"])
    return texts


def _texts_at(tx: Tx, artifact_id: str, targets: Iterable[str]) -> dict[int, list[str]]:
    """The texts of the lines in which these targets stand."""
    of: dict[str, Any] = {"tenant_id": tx.actor.tenant_id, "artifact_id": artifact_id}
    texts: dict[int, list[str]] = {}
    for target in dict.fromkeys(targets):
        if not target:
            sources = [row["source"] for row in tx.all(store.SOURCES, **of)]
            said = [row["value"] for row in tx.all(store.SAID_OF_ALL, **of)]
            texts[WHOLE] = [artifact_id, *sources, *said]
            continue
        for line in {row["line"] for row in tx.all(store.LINE_OF, **of, target=target)} - set(texts):
            written = [row["text"] for row in tx.all(store.LINE, **of, line=line)]
            forms = [text for row in tx.all(store.TOKENS_OF, **of, line=line) for text in row.values()]
            said = [row["value"] for row in tx.all(store.SAID_OF, **of, line=line)]
            texts[line] = [*written, *forms, *said]
    return texts


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(word for text in texts for word in words(text)))


def _write(tx: Tx, artifact_id: str, found: Mapping[int, Sequence[str]]) -> None:
    tenant = tx.actor.tenant_id
    rows: list[dict[str, Any]] = []
    for line, held in found.items():
        before = mark(tenant, "artifact" if line == WHOLE else "line")
        apart = "'{}'".format if tx.engine == "postgresql" else str
        rows.append({"line": line, "words": " ".join(apart(before + word) for word in held)})
    given = json.write_text(rows)
    tx.run(store.WRITE, tenant_id=tenant, artifact_id=artifact_id, rows=given)
    tx.run(store.DROP_VECTORS, tenant_id=tenant, artifact_id=artifact_id, rows=given)
    if tx.engine == "sqlite":
        tx.run(store.WRITE_WORDS, tenant_id=tenant, artifact_id=artifact_id, rows=given)
