"""A whole life in words, two lines a verb, and words as they come out of a ledger."""

from setright.kernel.lifecycle import Lifecycle


def told(life: Lifecycle) -> str:
    """The statuses of a thing, the final ones, and of each verb what it says and clears, and from where to where."""
    moves: dict[str, list[str]] = {}
    for move in life.moves:
        clears = f", clears {' '.join(move.clears)}" if move.clears else ""
        leads = move.end if move.start == move.end else f"{move.start or 'nothing'} > {move.end}"
        moves.setdefault(f"{move.verb}: {move.event}{clears}", []).append(leads)
    lines = [f"{life.thing}: {', '.join(life.statuses)}", f"final: {', '.join(life.final)}".rstrip()]
    for verb, leads in moves.items():
        lines += [verb, f"    {', '.join(leads)}"]
    return "\n".join(lines)


def fresh(word: str | None) -> str | None:
    """A word that is equal to the one in the code, and not the very same object."""
    return None if word is None else "".join(list(word))
