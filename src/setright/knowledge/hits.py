"""What a search found, with the lines, words and facts in which it was found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from setright.knowledge import annotation_store, store
from setright.knowledge.artifact_model import Line, Token
from setright.knowledge.citing import Citations, Fact, shown
from setright.knowledge.composing import by_field, held, named
from setright.knowledge.facts import facts_of
from setright.knowledge.folding import words
from setright.knowledge.meaning import OF_A_LINE
from setright.knowledge.queries import layers_of, with_scholars
from setright.knowledge.searching import WHOLE, Found
from setright.storage import Snapshot

TypeWord = Literal["artifact", "line", "token"]
TYPES: tuple[TypeWord, ...] = ("artifact", "line", "token")
MOST_FIELDS = 4
"""How many fields of one hit are told; the rest is found by asking for the line."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An artifact, a line or a word that was found; `facts` are what is told of it, fields whole with all that compete."""

    type: TypeWord
    artifact_id: str
    title: str | None
    target: str
    text: str | None
    form: str | None
    facts: Sequence[Fact]


def hits_in(
    at: Snapshot, found: Sequence[Found], asked: Sequence[str], types: Sequence[TypeWord], limit: int
) -> list[Hit]:
    """The hits of a search, the best first: for each entry that was found what it is, then its words."""
    wanted, hits = frozenset(asked), list[Hit]()
    whole = _own_facts(at, list(dict.fromkeys(one.artifact_id for one in found[:limit])))
    for one in found:
        if len(hits) >= limit:
            break
        own = whole.get(one.artifact_id) or _own_facts(at, [one.artifact_id])[one.artifact_id]
        title = next((fact.value for fact in by_field(own).get("title", ())), None)
        made = [_whole(one.artifact_id, own, wanted)] if one.line == WHOLE else _in_line(at, one, wanted)
        hits += [replace(hit, title=title) for hit in made if hit.type in types]
    return hits[:limit]


def _own_facts(at: Snapshot, artifact_ids: Sequence[str]) -> dict[str, list[Fact]]:
    """What is said of each of some artifacts as a whole."""
    found = annotation_store.own_of(at, artifact_ids)
    return {artifact_id: facts_of(with_scholars(at, said), ()) for artifact_id, said in found.items()}


def sentence(hit: Hit, citations: Citations) -> str:
    """A hit in one sentence that cites what it tells."""
    where = " ".join([shown(hit.artifact_id), *([shown(hit.target)] if hit.target else [])])
    form = f" \u201c{shown(hit.form)}\u201d" if hit.form else ""
    parts: list[str] = []
    for target, facts in _by_target(hit.facts).items():
        place = f"{shown(target)} " if target != hit.target else ""
        for name, found in by_field(facts).items():
            parts.append(f"{place}{named(name)} {held(found, citations)}")
    return f"{where}{form}: {'; '.join(parts)}."


def _whole(artifact_id: str, own: Sequence[Fact], wanted: frozenset[str]) -> Hit:
    told = _matching(own, wanted) or _fields(own, {("", "title")})
    return Hit("artifact", artifact_id, None, "", None, None, told)


def _in_line(at: Snapshot, one: Found, wanted: frozenset[str]) -> list[Hit]:
    """A line that was found, and the words of it in which something was found."""
    line = next(iter(store.some_lines(at, one.artifact_id, one.line, 1)), None)
    if line is None or line.target is None:
        return []
    targets = [line.target, *(token.target for token in line.tokens)]
    facts = facts_of(layers_of(at, one.artifact_id, targets), [line.target])
    made = [_line(one.artifact_id, line, facts, wanted)]
    if not one.words:
        meant = [fact for fact in facts if fact.field in OF_A_LINE] or facts
        made[0] = replace(made[0], facts=_fields(facts, _keys(meant)))
    for token in line.tokens:
        mine = [fact for fact in facts if fact.target == token.target]
        told = _matching(mine, wanted)
        if told or _has(token, wanted):
            told = told or _fields(mine, _keys(mine))
            made.append(Hit("token", one.artifact_id, None, token.target, line.text, token.form, told))
    return made


def _line(artifact_id: str, line: Line, facts: Sequence[Fact], wanted: frozenset[str]) -> Hit:
    """A line, told by what was found in it; where only its signs were, by what these words are, or by its translation."""
    target = line.target or ""
    found = {token.target for token in line.tokens if _has(token, wanted)}
    of_words = [fact for fact in facts if fact.target in found]
    translation = [fact for fact in facts if fact.target == target]
    told = _matching(facts, wanted) or _fields(of_words, _keys(of_words)) or translation
    return Hit("line", artifact_id, None, target, line.text, None, told)


def _matching(facts: Sequence[Fact], wanted: frozenset[str]) -> list[Fact]:
    """The fields in which something was found, each with all that is held of it."""
    found = (fact for fact in facts if not wanted.isdisjoint(words(fact.value)))
    return _fields(facts, _keys(found))


def _keys(facts: Iterable[Fact]) -> set[tuple[str, str]]:
    keys = list(dict.fromkeys((fact.target, fact.field) for fact in facts))
    return set(keys[:MOST_FIELDS])


def _fields(facts: Sequence[Fact], keys: set[tuple[str, str]]) -> list[Fact]:
    """The facts of some targets and fields, in the order in which they are told."""
    chosen = [fact for fact in facts if (fact.target, fact.field) in keys]
    fields = [by_field(of_target) for of_target in _by_target(chosen).values()]
    return [fact for each in fields for competing in each.values() for fact in competing]


def _has(token: Token, wanted: frozenset[str]) -> bool:
    return not wanted.isdisjoint([*words(token.form), *words(token.clean)])


def _by_target(facts: Sequence[Fact]) -> Mapping[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in sorted(facts, key=lambda one: (one.position, one.target)):
        found.setdefault(fact.target, []).append(fact)
    return found
