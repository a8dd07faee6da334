"""What a tool works with: the app, and the caller on whose behalf it asks and writes."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from setright.app.assemble import RunningApp
from setright.app.callers import Caller
from setright.app.catalog import Operation, Query
from setright.app.keys import MOST_KEY, Key, key_of
from setright.app.perform import Call, Question
from setright.faces.mcp.arguments import ToolFault
from setright.kernel import json
from setright.kernel.answer import Answer
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place

Wire = dict[str, Any]
Arguments = Callable[[], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger as one caller may use it, by the tool that was called."""

    app: RunningApp
    caller: Caller
    tool: str = ""

    async def ask(self, query: Query, arguments: Arguments) -> Any:
        """What a query finds."""
        return await self.app.performer.ask(Question(query, arguments, self.caller, self.tool))

    async def write(
        self,
        operation: Operation,
        arguments: Arguments,
        shown: Callable[[Any], Wire],
        *,
        key: Key | None = None,
        about: Callable[[Any], tuple[str, ...]] = lambda _: (),
    ) -> Wire:
        """What an operation made, after its commit; with a key the same call again gets the first answer."""

        def answer(result: Any) -> Answer:
            return Answer(200, json.write(shown(result)), about=about(result))

        made = await self.app.performer.perform(
            Call(operation, arguments, self.caller, answer, key, via=self.tool)
        )
        return json.read_stored(made.body.decode())

    def key(self, tool: str, given: Mapping[str, Any]) -> Key | None:
        """The call's idempotency_key as it is stored, None without one; refuses what is no key."""
        text = given.get("idempotency_key")
        if text is None:
            return None
        if not (1 <= len(text) <= MOST_KEY and text.isascii() and text.isprintable()):
            raise ToolFault(f"idempotency_key: must be 1 to {MOST_KEY} visible ASCII characters.")
        rest = {name: value for name, value in sorted(given.items()) if name != "idempotency_key"}
        return key_of(self.caller.actor, "MCP", tool.encode(), b"", text.encode(), json.write(rest))

    def place(self, tool: str, token: str | None) -> Place | None:
        """The place in a page token of this tool's list."""
        return None if token is None else self.app.cursors.read(self._about(tool), token)

    def page(self, tool: str, name: str, found: Page[Any], shape: Callable[[Any], Wire]) -> Wire:
        """A page of a list under its name, and the token of the next one where there is one."""
        whole: Wire = {name: [shape(entry) for entry in found.data]}
        if found.next is not None:
            whole["next_page_token"] = self.token(tool, found.next)
        return whole

    def token(self, tool: str, place: Place) -> str:
        """The page token of this tool's list that goes on after a place."""
        return self.app.cursors.make(self._about(tool), place)

    def check_account(self, given: Mapping[str, Any]) -> None:
        """Refuse another account than the caller's own, as if it were not there."""
        account = given.get("account_id")
        if account is not None and with_prefix("ten", account) != self.caller.actor.tenant_id:
            raise ToolFault(f"account_id: no account '{account[:60]}'. Leave it out for your own account.")

    def _about(self, tool: str) -> str:
        return f"{self.caller.actor.tenant_id}mcp:{tool}"


Does = Callable[[Ledger, Mapping[str, Any]], Awaitable[Wire]]
"""What a tool does with its arguments, which are read already; the answer is its structured content."""
