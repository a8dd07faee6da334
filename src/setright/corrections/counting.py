"""Counting anew what is kept as counts, while the corrections of a tenant go by run after run; for who checks them."""

from collections.abc import Generator, Iterator
from hashlib import blake2b
from operator import add

from sqlalchemy import Table, bindparam, select

from setright.corrections import tallies
from setright.corrections.model import Correction
from setright.corrections.ratings import (
    MOST_PAIRED,
    NO_VOTES,
    Rating,
    Unit,
    Votes,
    pairs_among,
    rating_of,
)
from setright.corrections.recount import count_faults
from setright.corrections.tables import agreement_counts, agreement_pairs, agreement_units, correction_counts
from setright.storage import RowFault, Snapshot, Sql, SumKey
from setright.storage.soundness import next_piece, pieces

_U, _P = agreement_units.c, agreement_pairs.c
_UNIT = (_U.run_id, _U.item_key, _U.aspect)
_PAIR = tuple(column for column in agreement_pairs.primary_key.columns if column.name != "tenant_id")
UNITS = Sql(
    select(*_UNIT, _U.rights, _U.wrongs, _U.expert_rights, _U.expert_wrongs)
    .where(_U.tenant_id == bindparam("tenant_id"), next_piece(*_UNIT))
    .order_by(*_UNIT)
    .limit(bindparam("count"))
)
PAIRS = Sql(
    select(agreement_pairs)
    .where(_P.tenant_id == bindparam("tenant_id"), next_piece(*_PAIR))
    .order_by(*_PAIR)
    .limit(bindparam("count"))
)


def _of_tenant(table: Table) -> Sql:
    return Sql(select(table).where(table.c.tenant_id == bindparam("tenant_id")))


FEW = {table.name: _of_tenant(table) for table in (correction_counts, agreement_counts)}
"""Tables with a row for each version, status and the like: few, however many corrections there are."""

MOST = 10_000
KeptVotes = tuple[str, Unit, Votes]


class Sum:
    """Any number of amounts under keys as one number, by which two such collections are told apart in no space."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, key: SumKey, amounts: list[int]) -> None:
        """Count amounts under a key in."""
        for place, amount in enumerate(amounts):
            if amount:
                named = blake2b(repr((key, place)).encode(), digest_size=16).digest()
                self.total += int.from_bytes(named) * amount

    def equals(self, other: "Sum") -> bool:
        """Whether both hold the same amounts, but for a chance of one in 2^128."""
        return self.total == other.total


class Count:
    """What a tenant's corrections come to; each is counted in once, those of one run after those of another."""

    def __init__(self, at: Snapshot) -> None:
        self._at = at
        self._tenant = {"tenant_id": at.actor.tenant_id}
        self._few: dict[str, dict[SumKey, list[int]]] = {name: {} for name in FEW}
        self._pairs = Sum()
        self._units = _kept_units(at)
        self._next: KeptVotes | None = next(self._units, None)
        self._run: Correction | None = None
        self._raters = 0
        self._ratings: list[Rating] = []
        self._votes: dict[Unit, Votes] = {}

    def add(self, made: Correction) -> Iterator[RowFault]:
        """Count one in; what is wrong with the votes kept of the runs before comes out."""
        if self._run is not None and self._run.run_id != made.run_id:
            yield from self._end_run(self._run)
        self._run = made
        counted, rating = tallies.counted(made), rating_of(made)
        if counted is not None:
            self._add_few(correction_counts, *counted)
        if rating is None:
            return
        self._raters += 1
        if self._raters <= MOST_PAIRED:
            self._ratings.append(rating)
        for unit, right in rating.verdicts.items():
            self._votes[unit] = self._votes.get(unit, NO_VOTES).with_vote(right, rating.expert, 1)

    def end(self) -> Iterator[RowFault]:
        """What is wrong with the votes kept of the last run, and with every sum."""
        if self._run is not None:
            yield from self._end_run(self._run)
        while self._next is not None:
            run, unit, votes = self._next
            self._next = next(self._units, None)
            yield _wrong_votes(run, unit, votes, None)
        for name, counted in self._few.items():
            yield from self._few_faults(name, counted)
        kept = Sum()
        for piece in pieces(self._at, PAIRS, _PAIR, **self._tenant):
            for row in piece:
                key = tuple(row.pop(column.name) for column in agreement_pairs.primary_key.columns)
                kept.add(key, list(row.values()))
        if not kept.equals(self._pairs):
            yield from self._pair_faults()

    def _end_run(self, run: Correction) -> Iterator[RowFault]:
        """Count in what a run's raters come to, and hold the votes that are kept of it against that."""
        place = (run.tenant_id, run.project_id, run.subject.kind, run.subject.key, run.subject.version)
        votes = self._votes if self._raters > 1 else {}
        for (_, aspect), one in votes.items():
            figures = one.figures()
            if figures is not None:
                self._add_few(agreement_counts, (*place, aspect, *figures[0]), figures[1])
        if self._raters <= MOST_PAIRED:
            for pair, amounts in pairs_among(self._ratings):
                self._pairs.add((*place, *pair), amounts)
        kept = yield from self._kept_of(run.run_id)
        for unit in sorted(votes.keys() | kept.keys()):
            if votes.get(unit) != kept.get(unit):
                yield _wrong_votes(run.run_id, unit, kept.get(unit), votes.get(unit))
        self._raters, self._ratings, self._votes = 0, [], {}

    def _kept_of(self, run_id: str) -> Generator[RowFault, None, dict[Unit, Votes]]:
        """The votes that are kept of a run; those kept of runs before, of which nothing stands, come out as faults."""
        found: dict[Unit, Votes] = {}
        while self._next is not None and self._next[0] <= run_id:
            run, unit, votes = self._next
            self._next = next(self._units, None)
            if run == run_id:
                found[unit] = votes
            else:
                yield _wrong_votes(run, unit, votes, None)
        return found

    def _few_faults(self, name: str, counted: dict[SumKey, list[int]]) -> Iterator[RowFault]:
        keys = [column.name for column in correction_counts.metadata.tables[name].primary_key.columns]
        for row in self._at.all(FEW[name], **self._tenant):
            key = tuple(row.pop(column) for column in keys)
            there = dict(zip(row, counted.pop(key, [0] * len(row)), strict=True))
            wrong = [
                f"{each} is {row[each]} instead of {there[each]}" for each in row if row[each] != there[each]
            ]
            if wrong:
                yield RowFault(name, _shown(key), ", ".join(wrong))
        for key in sorted(counted):
            yield RowFault(name, _shown(key), "is not kept, and must be")

    def _pair_faults(self) -> Iterator[RowFault]:
        """Which pairs are wrong, once it is known that some are: that takes the whole table's space."""
        tenant = self._at.actor.tenant_id
        found = [fault for fault in count_faults(self._at, MOST) if fault.table == agreement_pairs.name]
        for fault in found:
            if fault.key["tenant_id"] == tenant:
                says = f"is kept as {fault.kept and dict(fault.kept)}, and is {fault.counted and dict(fault.counted)}"
                yield RowFault(fault.table, _shown(tuple(fault.key.values())), says)

    def _add_few(self, table: Table, key: SumKey, amounts: list[int]) -> None:
        sums = self._few[table.name].setdefault(key, [0] * len(amounts))
        sums[:] = map(add, sums, amounts)


def _kept_units(at: Snapshot) -> Iterator[KeptVotes]:
    for piece in pieces(at, UNITS, _UNIT, tenant_id=at.actor.tenant_id):
        for row in piece:
            votes = Votes(row["rights"], row["wrongs"], row["expert_rights"], row["expert_wrongs"])
            yield row["run_id"], (row["item_key"], row["aspect"]), votes


def _wrong_votes(run_id: str, unit: Unit, kept: Votes | None, counted: Votes | None) -> RowFault:
    says = f"is kept as {_told(kept)}, and is {_told(counted)}"
    return RowFault(agreement_units.name, f"{run_id}/{'/'.join(unit)}", says)


def _told(votes: Votes | None) -> str:
    return "no votes" if votes is None else f"{votes.rights} right, {votes.wrongs} wrong"


def _shown(key: SumKey) -> str:
    return "/".join(map(str, key[1:]))
