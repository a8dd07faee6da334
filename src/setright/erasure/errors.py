"""What the erasure room refuses."""

from setright.kernel.errors import Kind, Refusal


class ErasureNotFound(Refusal):
    """There is no such erasure in the caller's tenant."""

    kind, code = Kind.MISSING, "erasure-not-found"

    def __init__(self, erasure_id: str) -> None:
        super().__init__(f"There is no erasure {erasure_id}.", {"erasureId": erasure_id})


class LegalHoldNotFound(Refusal):
    """There is no such legal hold in the caller's tenant."""

    kind, code = Kind.MISSING, "legal-hold-not-found"

    def __init__(self, hold_id: str) -> None:
        super().__init__(f"There is no legal hold {hold_id}.", {"legalHoldId": hold_id})


class HeldByLaw(Refusal):
    """A legal hold keeps what would be erased; `details.legalHoldId` names it."""

    kind, code = Kind.CONFLICT, "legal-hold"

    def __init__(self, hold_id: str, what: str) -> None:
        super().__init__(
            f"Legal hold {hold_id} keeps {what}; nothing of it is erased before an admin releases the hold.",
            {"legalHoldId": hold_id},
        )
