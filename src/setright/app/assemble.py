"""From settings to a running app: the only place that names which pieces are used."""

import secrets
from dataclasses import dataclass
from functools import partial

from setright.app.callers import Callers
from setright.app.erasures import remember
from setright.app.limits import limits_of
from setright.app.perform import Performer
from setright.app.settings import Settings, database_url, llm_key
from setright.app.signing_in import SigningIn
from setright.app.wording import Wordings
from setright.app.worker import Worker
from setright.events import last_moment
from setright.kernel.clock import Clock
from setright.kernel.ids import Ids, NewId
from setright.kernel.paging import Cursors
from setright.outside import ChatEndpoint
from setright.storage import Store, Tx
from setright.storage.kept import CURSOR_SECRET, mark
from setright.storage.open import open_store


@dataclass(frozen=True, slots=True)
class RunningApp:
    """An app on an open database; `close` finishes what was accepted."""

    settings: Settings
    store: Store
    performer: Performer
    callers: Callers
    clock: Clock
    new_id: NewId
    cursors: Cursors
    worker: Worker
    signing_in: SigningIn

    def close(self) -> None:
        """End the worker after its batch, finish every accepted write and release the database."""
        self.signing_in.close()
        self.worker.stop()
        self.store.close()


def assemble(settings: Settings, clock: Clock | None = None, new_id: NewId | None = None) -> RunningApp:
    """Open the database of `settings`, whose schema must fit, and put the app together on it."""
    clock = clock or Clock()
    new_id = new_id or Ids()
    connections, writers = settings.postgres_connections, settings.postgres_writers
    store = open_store(database_url(settings), clock, new_id, connections, writers)
    fresh = secrets.token_hex(32)

    def begin(tx: Tx) -> tuple[str, int]:
        return mark(tx, CURSOR_SECRET, fresh), last_moment(tx)

    try:
        secret, last = store.write(begin).result(30)
    except BaseException:
        store.close()
        raise
    clock.not_before(last)
    callers = Callers(limits_of(settings))
    performer = Performer(store, callers, clock, _wordings(settings))
    cursors = Cursors(bytes.fromhex(secret))
    worker = Worker(store, forgot=partial(remember, settings, store))
    signing_in = SigningIn(store, settings)
    return RunningApp(settings, store, performer, callers, clock, new_id, cursors, worker, signing_in)


def _wordings(settings: Settings) -> Wordings | None:
    """The model that words answers, where one is named."""
    if not settings.llm_url:
        return None
    seconds = float(settings.llm_timeout_seconds)
    return Wordings(ChatEndpoint(settings.llm_url, settings.llm_model, llm_key(), seconds))
