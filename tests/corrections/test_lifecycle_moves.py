"""The whole lives of corrections, groups and held corrections, move by move."""

from setright.corrections.lifecycle import BY_EVIDENCE, GROUP_LIFE, LIFECYCLE, WAITING_LIFE, WHO
from tests.support.lives import told

CORRECTION = """\
correction: open, being-fixed, with-owner, fixed, wont-fix, removed
final: removed
record: correction.recorded
    nothing > open, nothing > with-owner, nothing > fixed
set open: correction.moved
    open
set being-fixed: correction.moved, clears fixedIn reopenedIn
    open > being-fixed, with-owner > being-fixed, fixed > being-fixed, wont-fix > being-fixed
set with-owner: correction.moved, clears fixedIn reopenedIn
    open > with-owner, being-fixed > with-owner, fixed > with-owner, wont-fix > with-owner
set wont-fix: correction.moved, clears fixedIn reopenedIn
    open > wont-fix, being-fixed > wont-fix, with-owner > wont-fix, fixed > wont-fix
sort to owner: correction.moved
    open > with-owner, being-fixed > with-owner, with-owner, fixed, wont-fix
sort to improve or developer, or to nobody: correction.moved
    open, being-fixed, with-owner > open, fixed, wont-fix
note: correction.moved
    open, being-fixed, with-owner, fixed, wont-fix
unregister: correction.unregistered
    open > removed, being-fixed > removed, with-owner > removed, fixed > removed, wont-fix > removed
supersede: correction.superseded
    open, being-fixed, with-owner, fixed, wont-fix
show: correction.shown
    open, being-fixed, with-owner, fixed, wont-fix
adjudicate: correction.adjudicated
    open, being-fixed, with-owner, fixed, wont-fix
lift adjudication: correction.adjudication-lifted
    open, being-fixed, with-owner, fixed, wont-fix
fix: correction.fixed, clears reopenedIn
    open > fixed, being-fixed > fixed, with-owner > fixed
set open: correction.moved, clears fixedIn reopenedIn
    being-fixed > open, with-owner > open, fixed > open, wont-fix > open
set being-fixed: correction.moved
    being-fixed
set with-owner: correction.moved
    with-owner
reopen: correction.reopened
    fixed > open
reopen with the owner: correction.reopened
    fixed > with-owner
set wont-fix: correction.moved
    wont-fix"""

GROUP = """\
corrector group: active, retired
final:
create: group.created
    nothing > active
change: group.changed
    active, retired
retire: group.retired
    active > retired"""

WAITING = """\
held correction: waiting, refused, withdrawn, recorded
final: withdrawn, recorded
hold: correction.held
    nothing > waiting
attach: correction.recorded
    waiting > recorded
refuse: correction.refused
    waiting > refused
withdraw: correction.withdrawn
    waiting > withdrawn, refused > withdrawn"""


def test_every_move_of_a_correction() -> None:
    assert told(LIFECYCLE) == CORRECTION


def test_what_versions_move_no_hand_moves() -> None:
    by_evidence = {move.verb for move in LIFECYCLE.moves if move.who == BY_EVIDENCE}
    by_hand = {move.verb for move in LIFECYCLE.moves if move.who == WHO}
    assert by_evidence == {"fix", "reopen", "reopen with the owner"}
    assert by_hand == {
        "set open",
        "set being-fixed",
        "set with-owner",
        "set wont-fix",
        "sort to owner",
        "sort to improve or developer, or to nobody",
        "note",
        "unregister",
    }


def test_every_move_of_a_group() -> None:
    assert told(GROUP_LIFE) == GROUP


def test_every_move_of_a_held_correction() -> None:
    assert told(WAITING_LIFE) == WAITING
