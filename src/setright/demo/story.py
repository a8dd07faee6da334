"""The story of one correction, played through the real HTTP API by two clients of ours."""

from contextlib import ExitStack
from typing import Any

from setright.client import Correction, CorrectionFields
from setright.demo.people import PROJECT, People
from setright.demo.people import people as arrive
from setright.demo.samples import runs
from setright.demo.telling import Teller, table
from setright.demo.versions import play_versions

CANCEL: CorrectionFields = {
    "run_id": "cancel-booking-218",
    "decisions": "wrong",
    "should_call": [{"tool": "cancel_booking", "args": {"booking": "B-218"}}],
    "must_not_call": ["refund_payment"],
    "why": "The booking still stands and nobody else can have the bike.",
}
DAY_PASS: CorrectionFields = {"run_id": "return-a-day-pass", "answer": "wrong", "should_say": "14 days"}
DAY_PASS_BETTER: CorrectionFields = {
    "run_id": "return-a-day-pass",
    "answer": "wrong",
    "should_say": "You can return an unused day pass within 14 days of purchase.",
    "why": "It read the right rule and said another number.",
    "answer_match": {"how": "contains", "values": ["14 days"]},
}
TALL_RIDER: CorrectionFields = {
    "run_id": "bike-for-a-tall-rider",
    "items": [
        {"key": "city-m", "pointer": "/matches/0", "rank": 0, "verdict": "wrong"},
        {"key": "touring-xl", "pointer": "/matches/1", "rank": 1, "verdict": "right"},
    ],
    "why": "Somebody of 192 cm needs a frame XL.",
}
LOST_KEY: CorrectionFields = {"run_id": "lost-lock-key", "decisions": "right", "answer": "right"}


def play(url: str, admin_token: str, teller: Teller) -> str:
    """Play the whole story on the server at `url`; the token of the reviewer, for the reader's own tries."""
    with ExitStack() as open_clients:
        people = arrive(url, admin_token, open_clients)
        _runs_come_in(people, teller)
        _wrong_tool(people, teller)
        first = _wrong_answer(people, teller)
        second = _better_words(people, first, teller)
        _sent_again(people, second, teller)
        _list_and_right_one(people, teller)
        _what_is_kept(people, first, teller)
        play_versions(people, second[0].id, teller)
        return people.mara_token


def _runs_come_in(people: People, teller: Teller) -> None:
    teller.part("Runs come in.")
    teller.say(
        "A bicycle rental has an agent that answers customers and a flow that finds bikes. "
        "Its app sends each run: what came in, which tools were called, what came out."
    )
    for result in people.app.runs.create_many(runs()):
        if result.error is not None:
            raise result.error
    teller.show(*table([_run_line(run) for run in runs()]))


def _wrong_tool(people: People, teller: Teller) -> None:
    teller.part("A wrong tool call is corrected.")
    teller.say(
        "A customer asked to cancel booking B-218. The agent paid the money back and left the booking standing. "
        "Mara reviews: it should have called cancel_booking for B-218, and must not call refund_payment."
    )
    correction = people.mara.corrections.create(**CANCEL)
    teller.show(f"{correction.id}  {_standing(correction)}")
    teller.say("What an agent does is its owner's to decide, so it waits with the owner.")


def _wrong_answer(people: People, teller: Teller) -> Correction:
    teller.part("A wrong answer is corrected.")
    teller.say(
        'A day pass can be returned for 14 days. The agent read that rule and said "30 days". '
        'Mara writes what is right: "14 days".'
    )
    correction = people.mara.corrections.create(**DAY_PASS)
    teller.show(f"{correction.id}  {_standing(correction)}")
    teller.say("A wrong answer is open and sorted to be improved.")
    return correction


def _better_words(people: People, first: Correction, teller: Teller) -> tuple[Correction, bytes]:
    teller.part("Mara finds better words.")
    teller.say("She corrects the same run again, with a whole sentence and the reason.")
    correction = people.mara.corrections.create(**DAY_PASS_BETTER, key="mara-better-words")
    sent_back = people.mara_wire.last_body
    replaced = people.mara.corrections.get(first.id)
    teller.show(
        f"{correction.id}  {_standing(correction)}",
        f"{replaced.id}  replaced by {replaced.superseded_by}",
    )
    teller.say("The new one counts from now on. The old one is kept as it was said, and names its successor.")
    return correction, sent_back


def _sent_again(people: People, sent: tuple[Correction, bytes], teller: Teller) -> None:
    first, first_bytes = sent
    teller.part("It is sent once more.")
    teller.say(
        "Networks lose answers, so a client sends a request again. Both requests carry the same key "
        "(the header Idempotency-Key), so the server knows that it is one and the same."
    )
    again = people.mara.corrections.create(**DAY_PASS_BETTER, key="mara-better-words")
    same = people.mara_wire.last_body == first_bytes and again.id == first.id
    if not same or again.receipt is None or not again.receipt.replayed:
        raise AssertionError(f"the answer to a request that was sent again differs: {again.id}, {first.id}")
    teller.show(f"{again.id}  the same answer, all {len(first_bytes)} bytes of it")
    teller.say("Nothing was recorded twice.")


def _list_and_right_one(people: People, teller: Teller) -> None:
    teller.part("A ranked list is corrected, and one run was right.")
    teller.say(
        "The flow put a city bike first for somebody of 192 cm; the second bike is the right one. "
        "The answer about the lost key was good, and Mara says that too."
    )
    ranked = people.mara.corrections.create(**TALL_RIDER)
    right = people.mara.corrections.create(**LOST_KEY)
    teller.show(f"{ranked.id}  {_standing(ranked)}", f"{right.id}  {_standing(right)}")
    teller.say("Where nothing is wrong, nothing has to be fixed: that correction is fixed from the start.")


def _what_is_kept(people: People, first: Correction, teller: Teller) -> None:
    teller.part("What the ledger holds now, newest first.")
    listed = list(people.mara.corrections.list(project_id=PROJECT, include_unregistered=True))
    teller.show(*table([(one.id, one.run_id, _verdict(one), _place(one)) for one in listed]))
    events = list(people.mara.corrections.history(first.id))
    teller.say(f"And what happened to {first.id}:")
    teller.show(*table([(event.at.strftime("%H:%M:%S.%f"), event.kind) for event in events]))
    teller.say(
        "Who corrected is taken from the token, never from the request. "
        "What was said is never changed; only where it stands moves, and every move is an event."
    )


def _run_line(run: dict[str, Any]) -> tuple[str, str, str]:
    """A run of the samples: its id, which version ran, which tools it called."""
    called = ", ".join(call["tool"] for call in run.get("calls", ()))
    subject = run["subject"]
    return (
        run["id"],
        f"{subject['id']} {subject['version']}",
        f"called {called}" if called else "called no tool",
    )


def _standing(correction: Correction) -> str:
    """Where a new correction stands, in words."""
    sorted_to = f", sorted to {correction.sorted_to}" if correction.sorted_to else ""
    return f"status {correction.status}{sorted_to}"


def _place(correction: Correction) -> str:
    """Where a correction stands in a list, in a word."""
    return "replaced" if correction.superseded_by else correction.status


def _verdict(correction: Correction) -> str:
    """What a correction says, in a few words."""
    items = correction.items or ()
    said = [("decisions", correction.decisions), ("answer", correction.answer)]
    wrong = [f"{aspect} wrong" for aspect, verdict in said if verdict == "wrong"]
    wrong_items = sum(item.verdict == "wrong" for item in items)
    if wrong_items:
        wrong.append(f"{wrong_items} of {len(items)} items wrong")
    return ", ".join(wrong) or "all right"
