"""What a version did in a case, held against every correction of the case that still stands."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from setright import corrections, matching, runs, subjects
from setright.corrections import Correction
from setright.proof.model import Case, HeldVerdict, TestRun
from setright.runs import RunContent, RunState
from setright.storage import Snapshot

BYTES_AT_ONCE = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Did:
    """What a version did in a case: as it was handed in, or the run that stands for it."""

    case: Case
    content: Mapping[str, Any] | None
    run_id: str | None


def hold(
    at: Snapshot, test_run: TestRun, did: Sequence[Did], states: Mapping[str, RunState]
) -> Iterator[HeldVerdict]:
    """The verdicts of every result, with the project's effects of now; large runs are read a few at a time."""
    effects = subjects.effects(at, test_run.project_id)
    said = corrections.corrections_by_id(
        at, sorted({one for each in did for one in each.case.correction_ids})
    )
    for some in _bounded(did, states):
        stored = _stored(at, [one.case for one in some], said)
        new = _new(at, some)
        for one in some:
            for correction_id in one.case.correction_ids:
                correction = said[correction_id]
                if correction.stands:
                    against = stored[one.case.run_id]
                    held = matching.hold(corrections.as_held(correction), against, new[one.case.id], effects)
                    yield _verdict(at.now, one.case, correction, held)


def _bounded(did: Sequence[Did], states: Mapping[str, RunState]) -> Iterator[Sequence[Did]]:
    """The results in parts whose runs have a bounded size together, at least one in each."""
    some: list[Did] = []
    size = 0
    for one in did:
        of_run = states[one.run_id].byte_count if one.run_id is not None else 0
        size += states[one.case.run_id].byte_count + of_run
        if some and size > BYTES_AT_ONCE:
            yield some
            some, size = [], states[one.case.run_id].byte_count + of_run
        some.append(one)
    yield some


def _stored(
    at: Snapshot, cases: Sequence[Case], said: Mapping[str, Correction]
) -> Mapping[str, Mapping[str, Any]]:
    """The corrected runs as matching takes them, by id; calls only where a correction compares with them."""
    run_ids = list(dict.fromkeys(case.run_id for case in cases))
    compared = [
        case.run_id for case in cases if any(said[one].decisions == "right" for one in case.correction_ids)
    ]
    contents = runs.contents_of(at, run_ids)
    calls = runs.calls_of(at, list(dict.fromkeys(compared)))
    return {run_id: _as_told(contents[run_id], calls.get(run_id, ())) for run_id in run_ids}


def _new(at: Snapshot, some: Sequence[Did]) -> Mapping[str, Mapping[str, Any]]:
    """What the version did, by case; a run that failed is an agent that failed."""
    run_ids = [one.run_id for one in some if one.run_id is not None]
    contents, calls = runs.contents_of(at, run_ids), runs.calls_of(at, run_ids)
    states = runs.run_states(at, run_ids)
    found: dict[str, Mapping[str, Any]] = {}
    for one in some:
        if one.run_id is None:
            found[one.case.id] = one.content or {}
            continue
        told = _as_told(contents[one.run_id], calls.get(one.run_id, ()))
        failed = states[one.run_id].status == "failed"
        found[one.case.id] = {**told, "error": f"run {one.run_id} failed"} if failed else told
    return found


def _as_told(content: RunContent, calls: Sequence[Any]) -> Mapping[str, Any]:
    told: dict[str, Any] = {"calls": calls}
    if content.has_output:
        told["output"] = content.output
    if content.answer is not None:
        told["answer"] = content.answer
    if content.messages is not None:
        told["messages"] = content.messages
    return told


def _verdict(now: int, case: Case, correction: Correction, held: matching.Verdict) -> HeldVerdict:
    reasons = (one.reason for one in held.aspects if one.verdict == held.verdict)
    wrong = (one.aspect for one in held.aspects if one.verdict == "wrong")
    return HeldVerdict(
        test_run_id=case.test_run_id,
        correction_id=correction.id,
        repetition=case.repetition,
        case_id=case.id,
        verdict=held.verdict,
        reason=next(reasons, None),
        wrong_aspect=next(wrong, None),
        rule=held.rule,
        aspects=[one.written() for one in held.aspects],
        corrector_group_id=correction.corrector_group_id,
        expert=correction.expert,
        at=now,
    )
