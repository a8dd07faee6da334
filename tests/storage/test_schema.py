"""The migrations make exactly the schema that the rooms' tables describe."""

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from setright.app.schema import metadata
from setright.storage import migrate
from setright.storage.address import parse
from setright.storage.open import create_or_upgrade, schema_version
from setright.storage.version import HEAD
from tests.support.ledger import Ledger, sqlite_url
from tests.support.postgres import Postgres

SEARCH = "search_words"
"""The virtual table of SQLite's full-text search, which keeps tables of its own beside it."""
ONLY_ON_POSTGRESQL = "ix_search_entries_words"


def test_nothing_is_left_over_between_tables_and_migrations(ledger: Ledger) -> None:
    engine = migrate.engine_for(parse(ledger.url))
    with engine.connect() as connection:
        left_out = ONLY_ON_POSTGRESQL if ledger.store.engine == "sqlite" else None
        options = {
            "compare_type": True,
            "include_name": lambda name, *_: not str(name).startswith(SEARCH),
            "include_object": lambda _, name, *__: name != left_out,
        }
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []


def test_the_code_knows_the_newest_migration(ledger: Ledger) -> None:
    assert schema_version(parse(ledger.url)) == HEAD


def test_upgrading_again_changes_nothing(ledger: Ledger) -> None:
    assert create_or_upgrade(ledger.url) == HEAD


def test_every_text_column_of_an_ordering_index_compares_byte_by_byte(ledger: Ledger) -> None:
    if ledger.store.engine == "sqlite":
        return
    engine = migrate.engine_for(parse(ledger.url))
    with engine.connect() as connection:
        rows = connection.execute(
            text(
                "SELECT a.attrelid::regclass::text, a.attname, c.collname FROM pg_index i"
                " JOIN pg_class k ON k.oid = i.indrelid JOIN pg_namespace n ON n.oid = k.relnamespace"
                " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)"
                " JOIN pg_collation c ON c.oid = a.attcollation"
                " WHERE n.nspname = 'public' AND k.relname <> 'alembic_version'"
            )
        ).all()
        assert rows
        assert [row for row in rows if row[2] != "C"] == []
        assert inspect(connection).get_table_names()


def test_every_migration_goes_down_and_up_again(postgres: Postgres, tmp_path: Path) -> None:
    for url in (sqlite_url(tmp_path), postgres.new_database()):
        create_or_upgrade(url)
        migrate.downgrade(parse(url), "base")
        engine = migrate.engine_for(parse(url))
        with engine.connect() as connection:
            assert set(inspect(connection).get_table_names()) <= {"alembic_version", "sqlite_sequence"}
        engine.dispose()
        assert create_or_upgrade(url) is None
        assert schema_version(parse(url)) == HEAD
