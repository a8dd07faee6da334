"""The three questions that can be asked of knowledge; each answer is an interaction, which can be corrected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from setright import identity, runs
from setright.knowledge import annotation_store, interaction_store, store
from setright.knowledge.artifact_model import Line, Token, fold_label
from setright.knowledge.citing import Citation as Cited
from setright.knowledge.citing import Citations, summary_of
from setright.knowledge.errors import ArtifactNotFound, LineNotFound, TokenNotFound
from setright.knowledge.facts import facts_of
from setright.knowledge.folding import spelled
from setright.knowledge.hits import TYPES, Hit, TypeWord, hits_in, sentence
from setright.knowledge.interpreting import Interpretation, interpret
from setright.knowledge.meaning import Near
from setright.knowledge.model import About, Citation, Interaction, Principal
from setright.knowledge.outputs import summary_draft, summary_for
from setright.knowledge.queries import layers_of
from setright.knowledge.searching import WHOLE, Found, asked_words, best, corpora, find, fused
from setright.knowledge.telling import Told, reading_of, told, worded_as
from setright.knowledge.wording import Draft, Worded, draft_of
from setright.storage import Snapshot, Tx

ModeWord = Literal["hybrid", "lexical", "semantic"]
NOTHING_IMPORTED = "this ledger, into which no text was imported yet"
NOT_ALL_READ = "some texts came so recently that only their words were compared"
LEXICAL_ONLY = "semantic search is off here, so only words were compared (mode lexical)"
SUMMARIZE, INTERPRET, SEARCH = "summarize_artifact", "interpret_token", "semantic_search"


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and the number of its interaction."""

    interaction: int
    told: Told


@dataclass(frozen=True, slots=True)
class SearchAsked:
    """What is looked for: words however they are written, in things of these types."""

    q: str
    types: Sequence[TypeWord] = ()
    limit: int = 10
    mode: ModeWord = "hybrid"


@dataclass(frozen=True, slots=True)
class WordAsked:
    """Which word: by its target, or by its line's target (or label) and its position from 1."""

    token_id: str | None = None
    line: str | None = None
    position: int | None = None


def summarize_artifact(
    tx: Tx, artifact_id: str, focus: str = "", run_id: str | None = None, worded: Worded | None = None
) -> Answered:
    """What is known of an artifact, in sentences that cite it; the same again until something of it is corrected."""
    run_id = _run(tx, run_id)
    kept = summary_for(tx, artifact_id, focus, worded)
    asked = {"artifactId": artifact_id, **({"focus": focus} if focus else {})}
    cited = [Citation(one["n"], one["annotationId"]) for one in kept.answer["citations"]]
    return record(tx, SUMMARIZE, asked, kept.answer, cited, About(artifact_id, ""), run_id)


def interpret_token(
    tx: Tx, artifact_id: str, asked: WordAsked, run_id: str | None = None, worded: Worded | None = None
) -> Answered:
    """What a word is taken to be, from its form to its sense, with everything that is held of it."""
    run_id = _run(tx, run_id)
    line, token, found = _interpretation(tx, artifact_id, asked)
    answer = told(
        found.summary,
        _interpreted(artifact_id, line, token, found),
        found.citations,
        store.sources_of(tx, [artifact_id]),
        [f"Summarize the artifact with the focus {line.target} for the whole line."],
        tx.now,
    )
    answer = worded_as(answer, draft_of(token.target, found.summary, found.citations), worded)
    given = {"artifactId": artifact_id, "tokenId": token.target}
    return record(
        tx, INTERPRET, given, answer, ids_of(found.citations), About(artifact_id, token.target), run_id
    )


def semantic_search(
    tx: Tx,
    asked: SearchAsked,
    run_id: str | None = None,
    near: Near | None = None,
    worded: Worded | None = None,
) -> Answered:
    """Where words stand or are meant, the best first, each hit with what is said of it.

    `near` is what a model found nearest in meaning; without it only words are compared.
    """
    run_id = _run(tx, run_id)
    hits, citations, summary = _searched(tx, asked, near)
    given = {"q": asked.q, "types": list(_types(asked)), "limit": asked.limit, "mode": asked.mode}
    content = {**given, "hits": [_hit(hit, citations) for hit in hits]}
    sources = store.sources_of(tx, list(dict.fromkeys(hit.artifact_id for hit in hits)))
    answer = told(summary, content, citations.all, sources, _search_follow_ups(hits), tx.now)
    answer = worded_as(answer, draft_of(asked.q, summary, citations.all), worded)
    if not answer["sources"]:
        answer["sources"] = [{"name": name} for name in corpora(tx)] or [{"name": NOTHING_IMPORTED}]
    if asked.mode != "lexical" and (near is None or not near.complete):
        answer["degraded"] = LEXICAL_ONLY if near is None else NOT_ALL_READ
    return record(tx, SEARCH, given, answer, ids_of(citations.all), None, run_id)


def draft_summary(at: Snapshot, artifact_id: str, focus: str = "", run_id: str | None = None) -> Draft | None:
    """What a model may word of `summarize_artifact`: None where that was done, and nothing was corrected since."""
    _run(at, run_id)
    return summary_draft(at, artifact_id, focus)


def draft_interpretation(
    at: Snapshot, artifact_id: str, asked: WordAsked, run_id: str | None = None
) -> Draft | None:
    """What a model may word of `interpret_token`."""
    _run(at, run_id)
    _, token, found = _interpretation(at, artifact_id, asked)
    return draft_of(token.target, found.summary, found.citations)


def draft_search(
    at: Snapshot, asked: SearchAsked, run_id: str | None = None, near: Near | None = None
) -> Draft | None:
    """What a model may word of `semantic_search`."""
    _run(at, run_id)
    _, citations, summary = _searched(at, asked, near)
    return draft_of(asked.q, summary, citations.all)


def record(
    tx: Tx,
    tool: str,
    asked: Mapping[str, Any],
    answer: Told,
    cited: Sequence[Citation],
    about: About | None,
    run_id: str | None,
) -> Answered:
    """Keep an answer as an interaction; its number is taken last, because others wait for it until the commit."""
    newest = annotation_store.last_run(tx)
    number = identity.next_number(tx, "interaction")
    interaction_store.add(
        tx,
        Interaction(
            number=number,
            tool=tool,
            arguments=dict(asked),
            answer=answer,
            about=about,
            citations=cited,
            corpus_version=f"corpus-{newest}",
            run_id=run_id,
            by=Principal(tx.actor.kind, tx.actor.id),
            created_at=tx.now,
        ),
    )
    return Answered(number, answer)


def ids_of(citations: Sequence[Cited]) -> list[Citation]:
    """The citations of an answer as they are kept with it."""
    return [Citation(one.n, one.fact.annotation_id) for one in citations]


def _run(at: Snapshot, run_id: str | None) -> str | None:
    """The id of the run in which is asked; refuses one that is not there, or that the caller cannot read."""
    return None if run_id is None else runs.get_run(at, run_id, calls_limit=1).run.id


def _interpretation(at: Snapshot, artifact_id: str, asked: WordAsked) -> tuple[Line, Token, Interpretation]:
    """The word that was asked for with its line, and what it is taken to be."""
    if store.find(at, artifact_id) is None:
        raise ArtifactNotFound(artifact_id)
    line, token = _word(at, artifact_id, asked)
    targets = [token.target, *([line.target] if line.target else [])]
    facts = facts_of(layers_of(at, artifact_id, targets), targets[1:])
    mine = [fact for fact in facts if fact.position]
    around = [fact for fact in facts if not fact.position and fact.field == "translation"]
    return line, token, interpret(token.target, token.form, mine, around)


def _searched(at: Snapshot, asked: SearchAsked, near: Near | None) -> tuple[list[Hit], Citations, str]:
    """The hits of a search, the best first, the citations of what is told of them, and the sentences."""
    wanted = asked_words(asked.q)
    hits = hits_in(at, _found(at, asked, near), wanted, _types(asked), asked.limit)
    citations = Citations()
    sentences = [sentence(hit, citations) for hit in hits if hit.facts]
    return hits, citations, summary_of(sentences, citations.all)


def _found(at: Snapshot, asked: SearchAsked, near: Near | None) -> list[Found]:
    """The entries that a search finds, by words, by meaning or by both, the best first."""
    types, by_words, by_meaning = _types(asked), list[Found](), list[Found]()
    if near is not None and asked.mode != "lexical":
        kinds = ("artifact" in types, "line" in types)
        by_meaning = [one for one in near.found if kinds[one.line != WHOLE]]
    if near is None or asked.mode != "semantic":
        if "artifact" in types:
            by_words += find(at, "artifact", asked.q, asked.limit)
        if "line" in types or "token" in types:
            by_words += find(at, "line", asked.q, asked.limit)
    ranked = best(by_words, asked_words(asked.q), spelled(asked.q))
    return fused(ranked, by_meaning) if by_meaning else ranked


def _types(asked: SearchAsked) -> tuple[TypeWord, ...]:
    return tuple(dict.fromkeys(asked.types)) or TYPES


def _word(at: Snapshot, artifact_id: str, asked: WordAsked) -> tuple[Line, Token]:
    """The word that was asked for, with its line."""
    if asked.token_id is not None:
        target = fold_label(asked.token_id)
        at_line, _, position = target.rpartition(".")
    else:
        at_line, position = fold_label(asked.line or ""), str(asked.position)
        target = f"{at_line}.{position}"
    line = store.find_line(at, artifact_id, at_line) or store.find_line(at, artifact_id, f"o.{at_line}")
    if line is None:
        raise LineNotFound(at_line) if asked.line else TokenNotFound(target)
    word = next((one for one in line.tokens if str(one.position) == position), None)
    if word is None:
        raise TokenNotFound(target, f"line {line.target} has {len(line.tokens)} words, counted from 1")
    return line, word


def _interpreted(artifact_id: str, line: Line, token: Token, found: Interpretation) -> dict[str, Any]:
    return {
        "artifactId": artifact_id,
        "target": token.target,
        "form": token.form,
        "clean": token.clean,
        "line": {"target": line.target, "text": line.text},
        "chain": [
            {"field": name, "value": step.fact.value, "n": step.n} for name, step in found.chain.items()
        ],
        "hypotheses": [
            {"field": name, "readings": [reading_of(one.n, one.fact) for one in held]}
            for name, held in found.hypotheses.items()
        ],
    }


def _hit(hit: Hit, citations: Citations) -> dict[str, Any]:
    """A hit with the values that were found in it and the numbers of their citations."""
    matched = [{"field": fact.field, "value": fact.value, "n": citations.cite(fact)} for fact in hit.facts]
    whole = {
        "type": hit.type,
        "artifactId": hit.artifact_id,
        "title": hit.title,
        "target": hit.target or None,
        "text": hit.text,
        "form": hit.form,
        "matched": matched,
    }
    return {name: value for name, value in whole.items() if value is not None}


def _search_follow_ups(hits: Sequence[Hit]) -> list[str]:
    if not hits:
        return ["Search for fewer words, or for one word alone; accents, case and sign indices do not count."]
    word = next((hit for hit in hits if hit.type == "token"), None)
    told = [f"Interpret the word {word.target} of {word.artifact_id}."] if word else []
    return [f"Summarize the artifact {hits[0].artifact_id}.", *told]
