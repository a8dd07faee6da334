"""Imports, questions, corrections and decisions about the same texts at once: each is done, and the ledger stays sound."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from setright import knowledge
from setright.app import soundness
from setright.app.settings import Settings
from setright.kernel.actor import Actor
from setright.knowledge import RunFilters, SearchAsked
from tests.knowledge.reading import Reading, a_text, a_word
from tests.support.ledger import Ledger

TEXTS = ("T1", "T2")


def once(reading: Reading, speakers: Sequence[tuple[Actor, int]], chance: random.Random) -> None:
    """Something that may happen to one of the texts."""
    text, (speaker, scholar) = chance.choice(TEXTS), chance.choice(speakers)
    act = chance.randrange(5)
    if act == 0:
        body = a_text(id=text, source=f"sample/{chance.randrange(5)}")
        body["lines"][0]["tokens"][0] = a_word("lu2-gal", sense=f"sense {chance.randrange(4)}")
        reading.brought(body)
    elif act == 1:
        number = reading.answered(text, chance.choice(["o.1.1", None]))
        reading.corrected(number, "It is no king.", f"{chance.randrange(9)}", speaker, scholarId=scholar)
    elif act == 2:
        open_ones = [one for one in reading.layers(text) if knowledge.standing(one) != "plain"]
        if open_ones:
            reading.decided(
                chance.choice(["accept", "reject"]), chance.choice(open_ones).annotation.id, speaker
            )
    elif act == 3:
        reading.do(lambda tx: knowledge.summarize_artifact(tx, text))
    else:
        reading.do(lambda tx: knowledge.semantic_search(tx, SearchAsked("lugal")))


def test_much_at_once_leaves_a_sound_ledger(ledger: Ledger) -> None:
    reading = Reading(ledger, ledger.tenant())
    for text in TEXTS:
        reading.brought(a_text(id=text))
    made = [reading.speaker(f"Scholar {number}") for number in range(3)]
    speakers = [(speaker, scholar) for speaker, (scholar,) in made]

    def much(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(10):
            once(reading, speakers, chance)

    with ThreadPoolExecutor(8) as many:
        list(many.map(much, range(8)))
    found = soundness.check(Settings(database=ledger.url), lambda *_: None)
    of_knowledge = [finding for finding in found.findings if finding.name in ("knowledge", "identity")]
    assert [finding.ok for finding in of_knowledge] == [True, True], of_knowledge
    runs = reading.ask(lambda at: knowledge.list_annotation_runs(at, RunFilters(), None, 100)).data
    assert [run.number for run in runs] == list(range(len(runs), 0, -1))
