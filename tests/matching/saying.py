"""Short ways to say a correction and what a new version did."""

from typing import Any

from setright.matching import Aspect, Verdict, hold

EFFECTS = {"look": "read", "find": "read", "refund": "write", "cancel": "write"}


def call(tool: str, /, **args: Any) -> dict[str, Any]:
    """A call that succeeded."""
    return {"tool": tool, "args": args}


def failing(tool: str, /, **args: Any) -> dict[str, Any]:
    """A call whose result was an error."""
    return {**call(tool, **args), "error": "no"}


def should(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A correction that names the calls that should have been made."""
    return {"decisions": "wrong", "shouldCall": list(entries), **more}


def must_not(*tools: str, **more: Any) -> dict[str, Any]:
    """A correction that names tools that must not be called."""
    return {"decisions": "wrong", "mustNotCall": list(tools), **more}


def decided(
    said: dict[str, Any], *calls: dict[str, Any], effects: dict[str, str] | None = None, **stored: Any
) -> Verdict:
    """What the calls of a new version come to."""
    return hold(said, stored, {"calls": list(calls)}, effects)


def word(verdict: Verdict) -> str:
    """The verdict, with its reason where it has one: `wrong missing-call`."""
    (aspect,) = verdict.aspects
    assert aspect.verdict == verdict.verdict
    return f"{aspect.verdict} {aspect.reason}" if aspect.reason else aspect.verdict


def only(verdict: Verdict) -> Aspect:
    """Its one aspect."""
    (aspect,) = verdict.aspects
    return aspect
