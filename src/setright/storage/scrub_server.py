"""Having the tables of a PostgreSQL database hold nothing of what was deleted from them."""

from collections.abc import Sequence

import psycopg
from psycopg import sql


def scrub_server(url: str, tables: Sequence[str]) -> None:
    """Write these tables of a PostgreSQL database anew; each is locked meanwhile.

    The server's own log holds what was deleted until it is recycled, which is its operator's to see to.
    """
    with psycopg.connect(url, autocommit=True, options="-c lock_timeout=30000") as connection:
        for table in tables:
            connection.execute(sql.SQL("VACUUM (FULL) {}").format(sql.Identifier(table)))
