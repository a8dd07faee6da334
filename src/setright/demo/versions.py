"""The second half of the story: new versions of the agent, held against everything that was said, and let loose."""

import time
from typing import Literal

from setright.client import Correction, FinishedTestRun, ResultFields, TestVerdict
from setright.demo.people import PROJECT, People
from setright.demo.samples import answers
from setright.demo.telling import Teller, table

AGENT = "bike-desk"
EFFECTS: dict[str, Literal["read", "write"]] = {
    "find_booking": "read",
    "read_rules": "read",
    "cancel_booking": "write",
    "refund_payment": "write",
}
PATIENCE_SECONDS = 20.0


def play_versions(people: People, day_pass: str, teller: Teller) -> None:
    """v2 fixes what was corrected, v3 gets the answer about the day pass, a correction's id, wrong again."""
    _tried(people, teller)
    _deployed(people, day_pass, teller)
    _wrong_again(people, day_pass, teller)


def _tried(people: People, teller: Teller) -> None:
    teller.part("Version v2 is held against everything that was said.")
    teller.say(
        "The rental has a new version of its agent. It gets the same questions again, and what it does is held "
        "against each correction. Which tools change something is declared once."
    )
    for tool, effect in EFFECTS.items():
        people.mara.projects.tools.put(PROJECT, tool, effect)
    verdicts, finished = _test(people, "v2")
    teller.show(*table([(one.correction_id, one.verdict) for one in verdicts]))
    teller.say(f"The ledger says: {finished.says}")


def _deployed(people: People, day_pass: str, teller: Teller) -> None:
    teller.part("Mara deploys v2.")
    people.mara.agents.deploy(AGENT, "v2", why="It cancels, and it knows the rule about day passes.")
    _settled(people)
    fixed = people.mara.corrections.get(day_pass)
    teller.show(f"{fixed.id}  {where(fixed)}")
    teller.say("Fixed is a claim with evidence: a version, and the test run in which it was right.")


def _wrong_again(people: People, day_pass: str, teller: Teller) -> None:
    teller.part("Version v3 gets it wrong again.")
    verdicts, _ = _test(people, "v3")
    teller.say(
        "A later version is quicker: it does not look up the rule. It is tested and deployed all the same."
    )
    teller.show(*table([(one.correction_id, one.verdict) for one in verdicts]))
    wrong = [one.explanation for one in verdicts if one.verdict == "wrong"]
    teller.say(f"Why: {' '.join(wrong)}")
    people.mara.agents.deploy(AGENT, "v3", why="It answers in half the time.")
    _settled(people)
    again = people.mara.corrections.get(day_pass)
    teller.show(f"{again.id}  {where(again)}")
    teller.say(
        "The same correction is open again, with both facts on it. Nobody had to notice, and nobody has to write it "
        "down a second time. What happened to it:"
    )
    events = people.mara.corrections.history(day_pass)
    teller.show(*table([(event.at.strftime("%H:%M:%S.%f"), event.kind) for event in events]))


def _test(people: People, version: str) -> tuple[list[TestVerdict], FinishedTestRun]:
    """Let a version do every case, as a runner does: claim, do, hand in, finish."""
    runs = people.app.test_runs
    test_run = runs.create(project_id=PROJECT, subject={"kind": "agent", "id": AGENT, "version": version})
    claimed = runs.claim(test_run.id, n=100)
    results: list[ResultFields] = [
        {
            "case_id": case.id,
            "lease": claimed.lease,
            "calls": answers()[version][case.run_id]["calls"],
            "output": answers()[version][case.run_id]["output"],
        }
        for case in claimed.cases
    ]
    told = runs.submit(test_run.id, results).results
    return [verdict for one in told for verdict in one.verdicts or ()], runs.finish(test_run.id)


def _settled(people: People) -> None:
    """Wait until every correction is moved that moves because of what runs now; a worker does it right away."""
    until = time.monotonic() + PATIENCE_SECONDS
    while any(one.settling for one in people.mara.projects.running(PROJECT)):
        if time.monotonic() > until:
            raise AssertionError("the corrections are not settled")
        time.sleep(0.02)


def where(correction: Correction) -> str:
    """Where a correction stands, with the version that fixed it and the one that got it wrong again."""
    fixed, reopened = correction.fixed_in, correction.reopened_in
    facts = [
        f"fixedIn {fixed.version} ({fixed.how})" if fixed else "",
        f"reopenedIn {reopened.version} ({reopened.how})" if reopened else "",
    ]
    return ", ".join([f"status {correction.status}", *(fact for fact in facts if fact)])
