"""Holding the event log of every tenant against its seals."""

from collections.abc import Callable

from setright import erasure, events, identity
from setright.app.assemble import RunningApp
from setright.events import Verified
from setright.storage import Snapshot


def verify(app: RunningApp, seen: Callable[[int], object]) -> list[tuple[str, Verified]]:
    """What came out for each tenant, with its name, in one consistent state of the ledger."""

    def look(at: Snapshot) -> list[tuple[str, Verified]]:
        return [
            (tenant.name, events.verify(at, tenant.id, erasure.pseudonyms(at, tenant.id), seen))
            for tenant in identity.list_tenants(at)
        ]

    return app.store.read(look).result()
