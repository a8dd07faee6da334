"""Facts for tests of what is composed of them."""

from typing import Any

from hypothesis import strategies as st

from setright.knowledge.citing import Fact
from setright.knowledge.composing import PassageLine

FIELDS = ("reading", "lemma", "sense", "pos", "note")
TEXTS = st.one_of(
    st.text(min_size=1, max_size=30),
    st.sampled_from(
        [
            "[1]",
            "\\[2]",
            "king. [3]",
            "a\nb",
            "\u201d [1] \u201c",
            "**x** <b>",
            "[0012]",
            "\\\\[9]\\",
            "[1",
            "2]",
            "\u202e",
        ]
    ),
)


def fact(number: int, **more: Any) -> Fact:
    """A fact about the first word of the first line, unless it is said otherwise."""
    made: dict[str, Any] = {
        "annotation_id": f"ann_{number}",
        "artifact_id": "P1",
        "target": "o.1.1",
        "line": "o.1",
        "position": 1,
        "field": "sense",
        "value": "king",
        "source": "project/one",
        "made": number,
    }
    return Fact(**{**made, **more})


@st.composite
def many_facts(draw: st.DrawFn) -> tuple[list[Fact], list[PassageLine]]:
    """Facts with any texts on a few lines and on the artifact itself, and these lines."""
    found: list[Fact] = []
    for number in range(draw(st.integers(0, 12))):
        order = draw(st.integers(0, 3))
        position = draw(st.integers(0, 3)) if order else 0
        line = f"o.{order}" if order else ""
        found.append(
            fact(
                number,
                line=line,
                position=position,
                target=f"{line}.{position}" if position else line,
                field=draw(st.sampled_from(FIELDS)),
                value=draw(TEXTS),
                source=draw(TEXTS),
                standing=draw(st.sampled_from(["plain", "contested", "correction", "accepted", "rejected"])),
                scholar=draw(st.none() | TEXTS),
                evidence=draw(st.none() | TEXTS),
                decided=draw(st.none() | TEXTS),
                decided_by=draw(st.none() | TEXTS),
                extent=draw(st.none() | TEXTS),
                confidence=draw(st.none() | st.floats(0, 1)),
            )
        )
    return found, [PassageLine(f"o.{order}", draw(TEXTS)) for order in range(1, 4)]
