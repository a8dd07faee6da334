"""What the storage floor refuses: keys that were used before, and key stores that cannot be read."""

from setright.kernel.errors import Kind, Refusal


class KeyBodyMismatch(Refusal):
    """The Idempotency-Key was used before with another body."""

    kind, code = Kind.CONFLICT, "idempotency-key-body-mismatch"

    def __init__(self) -> None:
        super().__init__(
            "This Idempotency-Key was used before on this route with another body; "
            "send the first body again, or take a new key."
        )


class KeyInFlight(Refusal):
    """The first request with this Idempotency-Key is still running."""

    kind, code = Kind.CONFLICT, "idempotency-key-in-flight"

    def __init__(self) -> None:
        super().__init__(
            "The first request with this Idempotency-Key is still running; retry.", retry_after=1
        )


class ReplayWithheld(Refusal):
    """The first answer carried a secret or showed what was erased since, so it is not given again."""

    kind, code = Kind.CONFLICT, "idempotency-key-replay-withheld"

    def __init__(self, status: int, succeeded_at: str) -> None:
        super().__init__(
            f"The first request with this Idempotency-Key succeeded at {succeeded_at}; "
            "its answer is not kept, because it carried a secret or showed what was erased since.",
            {"status": status, "succeededAt": succeeded_at},
        )


class KeyStoreUnavailable(Refusal):
    """The store of Idempotency-Keys could not be read before the request ran; nothing ran."""

    kind, code = Kind.UNAVAILABLE, "idempotency-store-unavailable"

    def __init__(self, reason: str, retry_after: int) -> None:
        super().__init__(
            f"The store of Idempotency-Keys cannot be read just now ({reason}); nothing ran. "
            "Retry with the same key.",
            {"reason": reason},
            retry_after=retry_after,
        )
