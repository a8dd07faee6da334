"""The statements about artifacts, their sources, lines and words; every one filters by tenant."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import and_, bindparam, exists, select, update

from setright.kernel import json
from setright.kernel.paging import Place
from setright.knowledge.artifact_model import Artifact, Line, NewArtifact, Source, Token
from setright.knowledge.tables import artifact_lines, artifact_sources, artifact_tokens, artifacts
from setright.storage import Row, Snapshot, Sql, Tx, insert_many, insert_or_ignore, upsert
from setright.storage.lists import among, any_of, before, page_values

_A, _S, _L, _T = artifacts.c, artifact_sources.c, artifact_lines.c, artifact_tokens.c
_THIS = and_(_A.tenant_id == bindparam("of_tenant"), _A.id == bindparam("of_id"))
_ITS_LINES = and_(_L.tenant_id == bindparam("tenant_id"), _L.artifact_id == bindparam("artifact_id"))
_ITS_TOKENS = and_(_T.tenant_id == bindparam("tenant_id"), _T.artifact_id == bindparam("artifact_id"))
_ADD = insert_or_ignore(artifacts)
_FIND = Sql(select(artifacts).where(_THIS))
_HOLD = Sql(select(artifacts).where(_THIS).with_for_update(key_share=True))
_GROW = Sql(
    update(artifacts).where(_THIS).values(version=bindparam("new_version"), updated_at=bindparam("at"))
)
_PUT_SOURCE = upsert(
    artifact_sources,
    ("tenant_id", "artifact_id", "source"),
    overwrites=("licence", "attribution", "content_hash", "updated_at"),
)
_HASH = Sql(
    select(_S.content_hash).where(
        _S.tenant_id == bindparam("tenant_id"),
        _S.artifact_id == bindparam("artifact_id"),
        _S.source == bindparam("source"),
    )
)
_ADD_LINES, _ADD_TOKENS = insert_many(artifact_lines), insert_many(artifact_tokens)
_ALL_LINES = Sql(select(artifact_lines).where(_ITS_LINES).order_by(_L.line))
_LINES = Sql(
    select(artifact_lines)
    .where(_ITS_LINES, _L.line >= bindparam("first"))
    .order_by(_L.line)
    .limit(bindparam("count"))
)
_LINE = Sql(select(artifact_lines).where(_ITS_LINES, _L.target == bindparam("target")))
_ALL_TOKENS = Sql(select(artifact_tokens).where(_ITS_TOKENS).order_by(_T.line, _T.position))
_TOKENS = Sql(
    select(artifact_tokens)
    .where(_ITS_TOKENS, _T.line.between(bindparam("first"), bindparam("last")))
    .order_by(_T.line, _T.position)
)
_TOKEN = Sql(select(artifact_tokens).where(_ITS_TOKENS, _T.target == bindparam("target")))
_PAGE = select(artifacts).where(_A.tenant_id == bindparam("tenant_id"), before(_A.created_at, _A.id))


def _page(*where: Any) -> Sql:
    return Sql(_PAGE.where(*where).order_by(_A.created_at.desc(), _A.id.desc()).limit(bindparam("count")))


_PAGES = {
    False: _page(),
    True: _page(
        exists().where(
            _S.tenant_id == _A.tenant_id, _S.artifact_id == _A.id, _S.source == bindparam("source")
        )
    ),
}


@lru_cache(maxsize=16)
def _sources(count: int) -> Sql:
    return Sql(
        select(artifact_sources)
        .where(_S.tenant_id == bindparam("tenant_id"), any_of(_S.artifact_id, "artifact", count))
        .order_by(_S.created_at, _S.source)
    )


@lru_cache(maxsize=16)
def _forms(count: int) -> Sql:
    return Sql(select(artifact_tokens).where(_ITS_TOKENS, any_of(_T.target, "target", count)))


def begin(tx: Tx, artifact_id: str) -> tuple[Row, bool]:
    """The row of an artifact, held until the end of the transaction, and whether it is new."""
    tenant, by = tx.actor.tenant_id, tx.actor
    created = tx.run(
        _ADD,
        tenant_id=tenant,
        id=artifact_id,
        version=0,
        created_by_kind=by.kind,
        created_by_id=by.id,
        created_at=tx.now,
        updated_at=tx.now,
    )
    row = hold(tx, artifact_id)
    if row is None:
        raise LookupError(artifact_id)
    return row, bool(created)


def hold(tx: Tx, artifact_id: str) -> Row | None:
    """The row of an artifact, whose annotations nobody else changes until the end of the transaction."""
    row = tx.one(_HOLD, of_tenant=tx.actor.tenant_id, of_id=artifact_id)
    if row is not None and row["version"]:
        tx.happens_after(row["updated_at"])
    return row


def grow(tx: Tx, held: Row) -> int:
    """The next version of an artifact whose row is held."""
    version = int(held["version"]) + 1
    tx.add(_GROW, of_tenant=tx.actor.tenant_id, of_id=held["id"], new_version=version, at=tx.now)
    return version


def find(at: Snapshot, artifact_id: str) -> Row | None:
    """The row of an artifact of the caller's tenant."""
    return at.one(_FIND, of_tenant=at.actor.tenant_id, of_id=artifact_id)


def page(at: Snapshot, source: str | None, after: Place | None, limit: int) -> list[Row]:
    """The rows of a page of artifacts, newest first, of a source if asked, with one more than the limit."""
    more = {} if source is None else {"source": source}
    return at.all(
        _PAGES[source is not None], tenant_id=at.actor.tenant_id, **more, **page_values(after, limit)
    )


def put_source(tx: Tx, new: NewArtifact, content_hash: str) -> None:
    """Keep from where an artifact came, and what came last from there."""
    tx.add(
        _PUT_SOURCE,
        tenant_id=tx.actor.tenant_id,
        artifact_id=new.id,
        source=new.source,
        licence=new.licence,
        attribution=new.attribution,
        content_hash=content_hash,
        created_at=tx.now,
        updated_at=tx.now,
    )


def last_hash(at: Snapshot, artifact_id: str, source: str) -> str | None:
    """The hash of what came last from a source."""
    row = at.one(_HASH, tenant_id=at.actor.tenant_id, artifact_id=artifact_id, source=source)
    return None if row is None else row["content_hash"]


def sources_of(at: Snapshot, artifact_ids: Sequence[str]) -> dict[str, list[Source]]:
    """The sources of artifacts, by artifact, the oldest first."""
    found: dict[str, list[Source]] = {artifact_id: [] for artifact_id in artifact_ids}
    if found:
        count, chosen = among("artifact", list(found))
        for row in at.all(_sources(count), tenant_id=at.actor.tenant_id, **chosen):
            found[row["artifact_id"]].append(Source(row["source"], row["licence"], row["attribution"]))
    return found


def add_lines(tx: Tx, artifact_id: str, lines: Sequence[Line]) -> None:
    """Store lines of an artifact, and their words."""
    tenant = {"tenant_id": tx.actor.tenant_id, "artifact_id": artifact_id}
    rows = [
        {
            **tenant,
            "line": line.line,
            "target": line.target,
            "surface": line.surface,
            "label": line.label,
            "kind": line.kind,
            "text": line.text,
            "source": line.source,
        }
        for line in lines
    ]
    _add_many(tx, _ADD_LINES, rows)


def add_tokens(tx: Tx, artifact_id: str, tokens: Sequence[Token]) -> None:
    """Store words of lines that are there."""
    tenant = {"tenant_id": tx.actor.tenant_id, "artifact_id": artifact_id}
    rows = [
        {
            **tenant,
            "line": token.line,
            "position": token.position,
            "target": token.target,
            "form": token.form,
            "clean": token.clean,
            "source": token.source,
        }
        for token in tokens
    ]
    _add_many(tx, _ADD_TOKENS, rows)


def _add_many(tx: Tx, statement: Sql, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        tx.run(statement, rows=json.write_text(rows))


def lines_of(at: Snapshot, artifact_id: str) -> list[Line]:
    """Every line of an artifact with its words, in order."""
    this = {"tenant_id": at.actor.tenant_id, "artifact_id": artifact_id}
    return _with_words(at.all(_ALL_LINES, **this), at.all(_ALL_TOKENS, **this))


def some_lines(at: Snapshot, artifact_id: str, first: int, count: int) -> list[Line]:
    """So many lines from one on, with their words."""
    this = {"tenant_id": at.actor.tenant_id, "artifact_id": artifact_id}
    rows = at.all(_LINES, first=first, count=count, **this)
    if not rows:
        return []
    return _with_words(rows, at.all(_TOKENS, first=rows[0]["line"], last=rows[-1]["line"], **this))


def find_line(at: Snapshot, artifact_id: str, target: str) -> Line | None:
    """The line with a target, with its words."""
    this = {"tenant_id": at.actor.tenant_id, "artifact_id": artifact_id}
    row = at.one(_LINE, target=target, **this)
    if row is None:
        return None
    return _with_words([row], at.all(_TOKENS, first=row["line"], last=row["line"], **this))[0]


def find_token(at: Snapshot, artifact_id: str, target: str) -> Token | None:
    """The word with a target."""
    row = at.one(_TOKEN, tenant_id=at.actor.tenant_id, artifact_id=artifact_id, target=target)
    return None if row is None else _token(row)


def tokens_at(at: Snapshot, artifact_id: str, targets: Sequence[str]) -> dict[str, Token]:
    """The words among some targets of an artifact, by target."""
    if not targets:
        return {}
    count, chosen = among("target", targets)
    rows = at.all(_forms(count), tenant_id=at.actor.tenant_id, artifact_id=artifact_id, **chosen)
    return {row["target"]: _token(row) for row in rows}


def _with_words(lines: Sequence[Row], tokens: Sequence[Row]) -> list[Line]:
    words: dict[int, list[Token]] = {row["line"]: [] for row in lines}
    for row in tokens:
        words[row["line"]].append(_token(row))
    return [
        Line(
            row["line"],
            row["target"],
            row["surface"],
            row["label"],
            row["kind"],
            row["text"],
            row["source"],
            words[row["line"]],
        )
        for row in lines
    ]


def _token(row: Row) -> Token:
    return Token(row["target"], row["line"], row["position"], row["form"], row["clean"], row["source"])


def record(row: Row, own: Mapping[str, str], sources: Sequence[Source]) -> Artifact:
    """A row as a record, with its own facts as they stand."""
    return Artifact(
        id=row["id"],
        version=row["version"],
        title=own.get("title"),
        genre=own.get("genre"),
        period=own.get("period"),
        language=own.get("language"),
        sources=sources,
        created_by_kind=row["created_by_kind"],
        created_by_id=row["created_by_id"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def place_of(row: Row) -> Place:
    """Where an artifact stands in a list."""
    return Place(row["created_at"], row["id"])
