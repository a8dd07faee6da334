"""One call from start to commit: the caller, the key, the operation, its reactions, its events and its kept answer."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from setright import events
from setright.app.callers import Caller, Callers
from setright.app.catalog import Operation, Query
from setright.app.meaning import Meanings
from setright.app.reactions import react
from setright.app.wording import Wordings
from setright.kernel.actor import Actor
from setright.kernel.answer import Answer
from setright.kernel.clock import Clock
from setright.kernel.errors import Refusal, StorageUnavailable
from setright.kernel.limits import QuotaExceeded
from setright.knowledge import Draft
from setright.storage import Key, KeyInFlight, KeyStoreUnavailable, Snapshot, Store, Tx
from setright.storage.kept import claim, identity_version, keep, look_up

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One request to write: `arguments` validates the body when it is called, `answer` turns the result into bytes.

    A `heavy` body is validated in a thread, so that others are served meanwhile. `via` is the route or the tool.
    """

    operation: Operation
    arguments: Callable[[], Arguments]
    caller: Caller
    answer: Callable[[Any], Answer]
    key: Key | None = None
    heavy: bool = False
    via: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One request to read; `via` is the route or the tool."""

    query: Query
    arguments: Callable[[], Arguments]
    caller: Caller
    via: str = ""


class Performer:
    """Runs calls and questions on a store, each in one transaction.

    `failed_to_write` is how its last write ended, `over_quota` how often each quota or cap refused something. With
    `wordings`, answers that have a draft are worded by a model before the transaction; with `meanings`, searches are
    given what is nearest in meaning.
    """

    def __init__(
        self,
        store: Store,
        callers: Callers,
        clock: Clock,
        wordings: Wordings | None = None,
        meanings: Meanings | None = None,
    ) -> None:
        self._store = store
        self._callers = callers
        self._clock = clock
        self._running: set[bytes] = set()
        self.wordings = wordings
        self.meanings = meanings
        self.failed_to_write = False
        self.over_quota: Counter[str] = Counter()

    async def perform(self, call: Call) -> Answer:
        """The answer to a call, after its commit; a kept answer comes before any fault of the body or of rights."""
        if call.key is None:
            return await self._write(await self._with_words(await self._with_near(call)))
        if call.key.fingerprint in self._running:
            raise KeyInFlight
        self._running.add(call.key.fingerprint)
        try:
            return await self._write(call)
        finally:
            self._running.discard(call.key.fingerprint)

    async def _with_near(self, call: Call) -> Call:
        """A search with what is nearest in meaning, as it came where nothing here reads meanings."""
        if self.meanings is None or not call.operation.seeks:
            return call
        try:
            arguments = call.arguments()
        except Refusal:
            return call
        near = await self.meanings.near(call.caller.actor.tenant_id, arguments["asked"])
        return replace(call, arguments=lambda: {**arguments, "near": near})

    async def _with_words(self, call: Call) -> Call:
        """A question whose answer a model worded, as of what is known now; as it came where that cannot be had.

        Whether the caller may ask is decided here, too, so that no model works for who may not; what is refused is
        left to the call itself.
        """
        draft, wordings = call.operation.draft, self.wordings
        if draft is None or wordings is None or wordings.rests:
            return call

        def read(at: Snapshot) -> tuple[str, Draft | None]:
            confirmed = self._callers.confirm(at, call.caller, identity_version(at))
            at.actor, at.limits = confirmed.actor, confirmed.limits
            at.actor.require_scope(call.operation.scope)
            return at.actor.tenant_id, draft(at, **arguments)

        try:
            arguments = call.arguments()
            tenant_id, found = await asyncio.wrap_future(self._store.read(read))
        except Refusal:
            return call
        worded = None if found is None else await wordings.words(tenant_id, found)
        return replace(call, arguments=lambda: {**arguments, "worded": worded})

    async def _write(self, call: Call) -> Answer:
        try:
            arguments = await asyncio.to_thread(call.arguments) if call.heavy else call.arguments()
        except Refusal as refusal:
            return await self._refused(call, refusal)
        claimed, refused = False, list[Refusal]()

        def work(tx: Tx) -> Answer:
            nonlocal claimed, refused
            refused = tx.undone
            found = claim(tx, call.key)
            claimed = True
            confirmed = self._callers.confirm(tx, call.caller, found.version)
            tx.actor, tx.limits, tx.via = confirmed.actor, confirmed.limits, call.via
            return found.answer() or self._in_transaction(tx, call, arguments)

        try:
            answer = await self._store.write_in_loop(work, asyncio.get_running_loop())
        except QuotaExceeded as refusal:
            self._note([refusal])
            raise
        except StorageUnavailable as trouble:
            self.failed_to_write = True
            if call.key is None or claimed:
                raise
            raise KeyStoreUnavailable(trouble.details["reason"], trouble.retry_after or 1) from trouble
        self.failed_to_write = False
        self._note(refused)
        return answer

    def _note(self, refused: Sequence[Refusal]) -> None:
        """Count what was refused for a quota: a whole call, or parts of one that went on without them."""
        for refusal in refused:
            if isinstance(refusal, QuotaExceeded):
                self.over_quota[refusal.details["quota"]] += 1

    def _in_transaction(self, tx: Tx, call: Call, arguments: Arguments) -> Answer:
        tx.actor.require_scope(call.operation.scope)
        made = call.operation.verb(tx, **arguments)
        if self.wordings is not None and call.operation.draft is not None:
            self.wordings.note(arguments, made)
        answer = call.answer(made)
        react(tx)
        events.append(tx)
        if call.key is not None:
            keep(tx, call.key, answer)
        return answer

    async def _refused(self, call: Call, refusal: Refusal) -> Answer:
        """A body that cannot be used: first a revoked token, then a kept answer, then the fault itself."""

        def before(at: Snapshot) -> Answer | None:
            found = look_up(at, call.key)
            self._callers.confirm(at, call.caller, found.version)
            return found.answer()

        try:
            kept = await asyncio.wrap_future(self._store.read(before))
        except StorageUnavailable as trouble:
            if call.key is None:
                raise
            raise KeyStoreUnavailable(trouble.details["reason"], trouble.retry_after or 1) from trouble
        if kept is None:
            raise refusal
        return kept

    async def confirm(self, caller: Caller) -> Caller:
        """The caller as the ledger knows it now; refuses one whose token does not let it in any more."""
        read = self._store.read(lambda at: self._callers.confirm(at, caller, identity_version(at)))
        return await asyncio.wrap_future(read)

    async def ask(self, question: Question) -> Any:
        """The answer to a question, after the commit of what is to be written before it is told."""
        try:
            arguments = question.arguments()
        except Refusal:
            await asyncio.wrap_future(self._store.read(lambda at: self._confirm(at, question)))
            raise

        def read(at: Snapshot) -> tuple[Any, Sequence[Callable[[Tx], None]]]:
            confirmed = self._confirm(at, question)
            at.actor, at.limits, at.via = confirmed.actor, confirmed.limits, question.via
            at.actor.require_scope(question.query.scope)
            result = question.query.read(at, **arguments)
            self._note_read(question.query, result, at.actor)
            return result, at.owed

        result, owed = await asyncio.wrap_future(self._store.read(read))
        if owed:
            await self._pay(owed, question.caller.actor)
        return result

    async def _pay(self, owed: Sequence[Callable[[Tx], None]], actor: Actor) -> None:
        """Write what is to be written before an answer is told, with whatever else is written now."""

        def work(tx: Tx) -> None:
            tx.actor = actor
            for write in owed:
                write(tx)

        await self._store.write_in_loop(work, asyncio.get_running_loop())

    def _note_read(self, query: Query, result: Any, actor: Actor) -> None:
        """Put what is to be written because of a read with whatever is written next; nobody waits for it."""
        note = None if query.note is None else query.note(result)
        if note is None:
            return

        def write(tx: Tx) -> None:
            tx.actor = actor
            note(tx)

        self._store.write(write)

    def _confirm(self, at: Snapshot, question: Question) -> Caller:
        return self._callers.confirm(at, question.caller, identity_version(at))
