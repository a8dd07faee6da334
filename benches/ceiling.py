"""The ceiling: our server and our store without our domain. One POST reads JSON, inserts one row and answers 201.

`python -m benches.ceiling URL PORT` serves it; the database at URL must be empty. The row is what the raw limits of the
databases were measured with: 2 KiB of JSON (the body twice), a primary key in order of time, three secondary indexes.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from sqlalchemy import Index, MetaData, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from setright.app.settings import Settings
from setright.faces.http.protocol import Protocol
from setright.faces.http.serve import BACKLOG, SWITCH_SECONDS
from setright.kernel import json
from setright.kernel.clock import Clock
from setright.kernel.ids import Ids
from setright.storage import Store, Tx, insert, json_text, moment, text
from setright.storage.address import parse
from setright.storage.embedded import EmbeddedStore
from setright.storage.open import make_file
from setright.storage.server import ServerStore

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

rows = Table(
    "bare_rows",
    MetaData(),
    text("id", primary_key=True),
    text("run_id"),
    text("agent"),
    text("status"),
    moment("created_at"),
    json_text("body"),
)
Index("ix_bare_page", rows.c.agent, rows.c.status, rows.c.created_at)
Index("ix_bare_run", rows.c.run_id)
Index("ix_bare_time", rows.c.created_at)
_ADD = insert(rows)


class Bare:
    """A whole ASGI application with one route."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Any POST inserts its body; anything else says that the server is up."""
        body = b""
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        status, answer = 200, b"{}"
        if scope["method"] == "POST":
            value = json.read(body)
            status, answer = (
                201,
                await self._store.write_in_loop(lambda tx: _add(tx, value), asyncio.get_running_loop()),
            )
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": answer})


def _add(tx: Tx, value: Any) -> bytes:
    made = tx.new_id("cor")
    stored = json.write_text([value, value])
    run_id = value["runId"]
    tx.add(_ADD, id=made, run_id=run_id, agent="agent-1", status="open", created_at=tx.now, body=stored)
    return json.write({"id": made})


def open_bare(url: str) -> Store:
    """The store at `url`, with the one table made in it."""
    address = parse(url)
    store: Store
    if address.path is not None:
        make_file(address.path)
        store = EmbeddedStore(address.path, Clock(), Ids())
        dialect: Any = sqlite.dialect()
    else:
        settings = Settings()
        store = ServerStore(
            address.url, Clock(), Ids(), settings.postgres_connections, settings.postgres_writers
        )
        dialect = postgresql.dialect()
    made = [
        CreateTable(rows),
        *(CreateIndex(index) for index in sorted(rows.indexes, key=lambda one: one.name or "")),
    ]
    for statement in made:
        ddl = str(statement.compile(dialect=dialect))
        store.write(lambda tx, ddl=ddl: tx._session.plain(ddl)).result(30)
    return store


def main() -> None:
    """Serve until the process is told to stop."""
    url, port = sys.argv[1], int(sys.argv[2])
    store = open_bare(url)
    try:
        sys.setswitchinterval(SWITCH_SECONDS)
        config = uvicorn.Config(
            Bare(store),
            host="127.0.0.1",
            port=port,
            loop="uvloop",
            http=Protocol,
            lifespan="off",
            log_level="warning",
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
        )
        uvicorn.Server(config).run()
    finally:
        store.close()


if __name__ == "__main__":
    main()
