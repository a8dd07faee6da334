"""What the retention room refuses."""

from setright.kernel.errors import Kind, Refusal


class PassingNotFound(Refusal):
    """There is no such passing of retention in the caller's tenant."""

    kind, code = Kind.MISSING, "retention-passing-not-found"

    def __init__(self, passing_id: str) -> None:
        super().__init__(f"There is no retention passing {passing_id}.", {"passingId": passing_id})
