"""The statements of the search: what entries are made of, writing them, and finding those that hold words."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnCollection,
    ColumnElement,
    Text,
    bindparam,
    column,
    literal_column,
    select,
    text,
    union_all,
)

from setright.knowledge.tables import annotations, artifact_lines, artifact_sources, artifact_tokens
from setright.storage import Sql

_L, _T, _N, _S = artifact_lines.c, artifact_tokens.c, annotations.c, artifact_sources.c


def _of_artifact(columns: ColumnCollection[str, ColumnElement[Any]]) -> tuple[ColumnElement[bool], ...]:
    return columns.tenant_id == bindparam("tenant_id"), columns.artifact_id == bindparam("artifact_id")


_AT_LINE = select(_L.target).where(*_of_artifact(_L), _L.line == bindparam("line"))
_IN_LINE = select(_T.target).where(*_of_artifact(_T), _T.line == bindparam("line"))
SOURCES = Sql(select(_S.source).where(*_of_artifact(_S)))
LINES = Sql(select(_L.line, _L.target, _L.text).where(*_of_artifact(_L)))
TOKENS = Sql(select(_T.line, _T.target, _T.form, _T.clean).where(*_of_artifact(_T)))
SAID = Sql(select(_N.target, _N.value).where(*_of_artifact(_N)))
LINE_OF = Sql(
    union_all(
        select(_L.line).where(*_of_artifact(_L), _L.target == bindparam("target")),
        select(_T.line).where(*_of_artifact(_T), _T.target == bindparam("target")),
    )
)
"""The line that a target is, or in which it stands."""
LINE = Sql(select(_L.text).where(*_of_artifact(_L), _L.line == bindparam("line")))
TOKENS_OF = Sql(select(_T.form, _T.clean).where(*_of_artifact(_T), _T.line == bindparam("line")))
SAID_OF = Sql(select(_N.value).where(*_of_artifact(_N), _N.target.in_(_AT_LINE.union_all(_IN_LINE))))
"""What is said of a line and of its words."""
SAID_OF_ALL = Sql(select(_N.value).where(*_of_artifact(_N), _N.target == literal_column("''")))
"""What is said of an artifact as a whole."""

WRITE = Sql(
    text(
        "INSERT INTO search_entries (tenant_id, artifact_id, line, words)"
        " SELECT :tenant_id, :artifact_id, value ->> 'line', value ->> 'words' FROM json_each(:rows)"
        " WHERE true ON CONFLICT (tenant_id, artifact_id, line) DO UPDATE SET words = excluded.words"
    ),
    postgresql=text(
        "INSERT INTO search_entries (tenant_id, artifact_id, line, words)"
        " SELECT :tenant_id, :artifact_id, line, CAST(words AS tsvector)"
        " FROM json_to_recordset(CAST(:rows AS json)) AS given(line bigint, words text)"
        " ON CONFLICT (tenant_id, artifact_id, line) DO UPDATE SET words = excluded.words"
    ),
)
"""Entries of an artifact, new or anew: `rows` is JSON text, `[{line, words}]`; words as the engine wants them."""
WRITE_WORDS = Sql(
    text(
        "INSERT OR REPLACE INTO search_words (rowid, words)"
        " SELECT number, words FROM search_entries WHERE tenant_id = :tenant_id AND artifact_id = :artifact_id"
        " AND line IN (SELECT value ->> 'line' FROM json_each(:rows))"
    )
)
"""The same words in the virtual table that SQLite searches."""

DROP_VECTORS = Sql(
    text(
        "DELETE FROM search_vectors WHERE tenant_id = :tenant_id AND artifact_id = :artifact_id"
        " AND line IN (SELECT value ->> 'line' FROM json_each(:rows))"
    ),
    postgresql=text(
        "DELETE FROM search_vectors WHERE tenant_id = :tenant_id AND artifact_id = :artifact_id"
        " AND line IN (SELECT line FROM json_to_recordset(CAST(:rows AS json)) AS given(line bigint))"
    ),
)
"""What entries meant whose words are written anew; `rows` as above."""

_ENTRY = (
    column("artifact_id", Text()),
    column("line", BigInteger()),
    column("words", Text()),
)
MATCHING = Sql(
    text(
        "SELECT e.artifact_id, e.line, e.words FROM search_words"
        " JOIN search_entries AS e ON e.number = search_words.rowid"
        " WHERE search_words MATCH :query AND e.tenant_id = :tenant_id LIMIT :most"
    ).columns(*_ENTRY),
    postgresql=text(
        "SELECT artifact_id, line, CAST(words AS text) AS words FROM search_entries"
        " WHERE words @@ CAST(:query AS tsquery) AND tenant_id = :tenant_id LIMIT :most"
    ).columns(*_ENTRY),
)
"""Entries that hold the words of a query, as many as are looked at; which ones of more than these is not said."""
CORPORA = Sql(
    select(_S.source)
    .where(_S.tenant_id == bindparam("tenant_id"))
    .distinct()
    .order_by(_S.source)
    .limit(literal_column("100"))
)
"""The sources of everything a tenant has; of many the first hundred."""
