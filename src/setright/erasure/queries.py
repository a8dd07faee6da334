"""What can be asked about erasures and legal holds: by admins of the tenant."""

from setright.erasure import store
from setright.erasure.errors import ErasureNotFound
from setright.erasure.model import Erasure, LegalHold
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place
from setright.storage import Snapshot


def get_erasure(at: Snapshot, erasure_id: str) -> Erasure:
    """How far an erasure is, and what it took out."""
    at.actor.require_admin()
    found = store.find(at, with_prefix("ers", erasure_id))
    if found is None:
        raise ErasureNotFound(erasure_id)
    return found


def list_erasures(at: Snapshot, after: Place | None, limit: int) -> Page[Erasure]:
    """A page of the tenant's erasures, newest first."""
    at.actor.require_admin()
    return store.page(at, after, limit)


def list_legal_holds(at: Snapshot, after: Place | None, limit: int) -> Page[LegalHold]:
    """A page of the tenant's legal holds, newest first, released ones too."""
    at.actor.require_admin()
    return store.holds(at, after, limit)
