"""From settings to a running app: the only place that names which pieces are used."""

import secrets
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Protocol

from setright.app.callers import Callers
from setright.app.erasures import remember
from setright.app.limits import limits_of
from setright.app.meaning import Meanings
from setright.app.perform import Performer
from setright.app.settings import Settings, database_url, llm_key
from setright.app.signing_in import SigningIn
from setright.app.wording import Wordings
from setright.app.work import KINDS
from setright.app.worker import Worker
from setright.events import last_moment
from setright.identity import Presented
from setright.kernel.clock import Clock
from setright.kernel.ids import Ids, NewId
from setright.kernel.paging import Cursors
from setright.storage import Store, Tx
from setright.storage.kept import CURSOR_SECRET, mark
from setright.storage.open import open_store


class Vouching(Protocol):
    """Who checks the access tokens of an issuer: `setright.app.issuer.Issuer`."""

    @property
    def name(self) -> str:
        """The issuer, letter for letter as it calls itself."""
        ...

    def could_be(self, text: str) -> bool:
        """Whether a text looks like a token of an issuer."""
        ...

    def called(self, scopes: tuple[str, ...]) -> tuple[str, ...]:
        """Our scopes by the names that the issuer has for them; none where its tokens are not narrowed by any."""
        ...

    async def vouch(self, text: str) -> Presented:
        """What a token says; refuses one that must not be believed."""
        ...

    def start_fault(self) -> tuple[bool, str] | None:
        """Whether a server must not start with it, and why; None where nothing is wrong."""
        ...

    def close(self) -> None:
        """Finish what is being checked."""
        ...


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
    issuer: Vouching | None = None

    def close(self) -> None:
        """End the worker after its batch, finish every accepted write and release the database."""
        self.signing_in.close()
        if self.issuer is not None:
            self.issuer.close()
        self.worker.stop()
        self.store.close()


def assemble(settings: Settings, clock: Clock | None = None, new_id: NewId | None = None) -> RunningApp:
    """Open the database of `settings`, whose schema must fit, and put the app together on it."""
    issuer = _issuer_of(settings)
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
    meanings = _meanings(settings, store)
    performer = Performer(store, callers, clock, _wordings(settings), meanings)
    cursors = Cursors(bytes.fromhex(secret))
    kinds = KINDS if meanings is None else meanings.kinds()
    worker = Worker(store, kinds, forgot=partial(remember, settings, store))
    signing_in = SigningIn(store, settings)
    return RunningApp(settings, store, performer, callers, clock, new_id, cursors, worker, signing_in, issuer)


def _issuer_of(settings: Settings) -> Vouching | None:
    """Who checks tokens of an issuer, loaded only where there is one: cryptography takes its time."""
    if not settings.oidc_issuer:
        return None
    outside = import_module("setright.outside.documents")
    return import_module("setright.app.issuer").Issuer(settings, outside.read_document)


def _meanings(settings: Settings, store: Store) -> Meanings | None:
    """The model that reads meanings, where the settings ask for one; only then is its package loaded."""
    if settings.semantic_search == "off":
        return None
    package = import_module("setright.outside.embedding")
    return Meanings(store, package.StaticModel(), package.Matrix)


def _wordings(settings: Settings) -> Wordings | None:
    """The model that words answers, where one is named; only then is an HTTP client loaded."""
    if not settings.llm_url:
        return None
    seconds = float(settings.llm_timeout_seconds)
    return Wordings(
        import_module("setright.outside.chat").ChatEndpoint(
            settings.llm_url, settings.llm_model, llm_key(), seconds
        )
    )
