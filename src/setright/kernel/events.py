"""One thing that happened, as every room announces it."""

from dataclasses import dataclass

from setright.kernel.actor import Actor


@dataclass(frozen=True, slots=True)
class Event:
    """What happened to which subject: ids and names of changed fields, never a person's words.

    `kind` is a noun and a past verb (`correction.recorded`); `changed` names fields as on the wire; `by` is who did it
    where that is not the caller of the transaction. The feed shows a `blind` one only to who did it and to admins of
    its project.
    """

    kind: str
    subject_kind: str
    subject_id: str
    project_id: str | None = None
    changed: tuple[str, ...] = ()
    about: str | None = None
    by: Actor | None = None
    blind: bool = False
