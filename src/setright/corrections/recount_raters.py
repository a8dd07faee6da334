"""The figures of agreement made anew from the corrections, in SQL: an account of its own beside `raters`."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    FromClause,
    Select,
    Table,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    select,
    union_all,
)
from sqlalchemy.dialects.postgresql import JSONB

from setright.corrections.ratings import ASPECTS, MOST_PAIRED
from setright.corrections.tables import agreement_counts, agreement_pairs, agreement_units, corrections
from setright.storage import EngineName
from setright.storage.lists import narrows

_C = corrections.c
_IN_TENANT = _C.tenant_id == bindparam("tenant_id")
_STANDS = and_(_C.place == literal_column("''"), _C.blind.is_(None))
_PLACE = ("tenant_id", "project_id", "subject_kind", "subject_key", "subject_version")
_Items = tuple[FromClause, ColumnElement[Any], ColumnElement[Any]]


def units_of(engine: EngineName) -> Select[Any]:
    """The rows of `agreement_units` of a tenant, in the order of its columns."""
    return _in_order(agreement_units, _units(_judged(engine, _IN_TENANT)))


def figures_of(engine: EngineName) -> Select[Any]:
    """The rows of `agreement_counts` of a project, in the order of its columns."""
    unit = _units(_judged(engine, in_project(engine))).subquery().c
    key: dict[str, ColumnElement[Any]] = {
        **{name: unit[name] for name in (*_PLACE, "aspect")},
        "raters": unit.rights + unit.wrongs,
        "experts": unit.expert_rights + unit.expert_wrongs,
    }
    views = {
        "": (unit.rights, unit.wrongs),
        "expert_": (unit.expert_rights, unit.expert_wrongs),
        "other_": (unit.rights - unit.expert_rights, unit.wrongs - unit.expert_wrongs),
    }
    amounts: dict[str, ColumnElement[Any]] = {"units": func.count()}
    for view, (rights, wrongs) in views.items():
        amounts[f"{view}agreeing"] = so_many(rights * wrongs == _sql("0"))
        amounts[f"{view}rights"] = func.sum(rights)
        amounts[f"{view}apart"] = func.sum(rights * wrongs)
    found = _named(key | amounts).where(key["raters"] > _sql("1")).group_by(*key.values())
    return _in_order(agreement_counts, found)


def pairs_of(engine: EngineName) -> Select[Any]:
    """The rows of `agreement_pairs` of a project, in the order of its columns."""
    judged = _judged(engine, in_project(engine))
    one, other = judged.alias("one").c, judged.alias("other").c
    same = [one[name] == other[name] for name in ("tenant_id", "run_id", "item_key", "aspect")]
    key: dict[str, ColumnElement[Any]] = {
        **{name: one[name] for name in _PLACE},
        "rater_a": one.rater,
        "rater_b": other.rater,
        "experts": one.expert + _sql("2") * other.expert,
    }
    words = {"r": _sql("'right'"), "w": _sql("'wrong'")}
    amounts = {
        f"{aspect}_{a}{b}": so_many(
            and_(one.aspect == _sql(f"'{aspect}'"), one.verdict == words[a], other.verdict == words[b])
        )
        for aspect in ASPECTS
        for a in words
        for b in words
    }
    few = one.raters <= _sql(str(MOST_PAIRED))
    found = _named(key | amounts).where(*same, one.rater < other.rater, few).group_by(*key.values())
    return _in_order(agreement_pairs, found)


def in_project(engine: EngineName) -> ColumnElement[bool]:
    """That a correction is in a project, which is read by the index that has it; SQLite must be told."""
    project = _C.project_id == bindparam("project_id")
    return and_(_IN_TENANT, narrows(project) if engine == "sqlite" else project)


def so_many(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """How many rows meet a condition."""
    return func.sum(case((condition, _sql("1")), else_=_sql("0")))


def _units(judged: CTE) -> Select[Any]:
    row = judged.c
    key = {name: row[name] for name in ("tenant_id", "run_id", "item_key", "aspect")}
    right, expert = row.verdict == _sql("'right'"), row.expert == _sql("1")
    more: dict[str, ColumnElement[Any]] = {
        **{name: func.min(row[name]) for name in _PLACE[1:]},
        "rights": so_many(right),
        "wrongs": so_many(~right),
        "expert_rights": so_many(and_(right, expert)),
        "expert_wrongs": so_many(and_(~right, expert)),
        "changed_at": func.max(row.created_at),
    }
    return _named(key | more).group_by(*key.values())


def _judged(engine: EngineName, where: ColumnElement[bool]) -> CTE:
    """Every verdict on a run that several raters judged."""
    rated = _rated(and_(where, _STANDS))
    row = rated.c
    spoken = [
        _verdicts(rated, _sql("''"), aspect, row[aspect]).where(row[aspect].is_not(None))
        for aspect in ("decisions", "answer")
    ]
    items, key, verdict = _ITEMS[engine](row.said)
    judged = _verdicts(rated, key, "items", verdict).select_from(rated).join(items, _sql("1 = 1"))
    return union_all(*spoken, judged).cte("judged")


def _rated(stands: ColumnElement[bool]) -> CTE:
    """The corrections that stand, each with the number of raters of its run, and the words of those with items."""
    alone = _C.participant_key == _sql("''")
    participant = case((alone, _sql("''")), else_=_sql("'/'") + _C.participant_key)
    named: dict[str, ColumnElement[Any]] = {
        **{name: _C[name] for name in _KEPT},
        "said": case((_has_items(_C.said), _C.said)),
        "rater": _C.made_by_kind + _sql("':'") + _C.made_by_id + participant,
        "expert": func.coalesce(_C.expert, _sql("0")),
        "raters": func.count().over(partition_by=(_C.tenant_id, _C.run_id)),
    }
    return _named(named).where(stands).cte("rated")


_KEPT = (*_PLACE, "run_id", "created_at", "decisions", "answer")
_HANDED_ON = (*_PLACE, "run_id", "rater", "expert", "raters", "created_at")


def _verdicts(rated: CTE, key: ColumnElement[Any], aspect: str, verdict: ColumnElement[Any]) -> Select[Any]:
    named = {name: rated.c[name] for name in _HANDED_ON}
    found = _named({**named, "item_key": key, "aspect": _sql(f"'{aspect}'"), "verdict": verdict})
    return found.where(rated.c.raters > _sql("1"))


def _items_in_sqlite(said: ColumnElement[Any]) -> _Items:
    items = func.json_each(func.coalesce(said, _sql("'{}'")), _sql("'$.items'")).table_valued("value")
    parts = [func.json_extract(items.c.value, _sql(f"'$.{name}'")) for name in ("key", "verdict")]
    return items, parts[0], parts[1]


def _items_in_postgresql(said: ColumnElement[Any]) -> _Items:
    items = (
        func.jsonb_array_elements(cast(said, JSONB).op("->")(_sql("'items'")))
        .table_valued("value")
        .render_derived()
        .lateral()
    )
    parts = [items.c.value.op("->>")(_sql(f"'{name}'")) for name in ("key", "verdict")]
    return items, parts[0], parts[1]


_ITEMS: Mapping[EngineName, Callable[[ColumnElement[Any]], _Items]] = {
    "sqlite": _items_in_sqlite,
    "postgresql": _items_in_postgresql,
}


def _has_items(said: ColumnElement[Any]) -> ColumnElement[bool]:
    return said.like(_sql("""'%"items":%'"""))


def _named(columns: Mapping[str, ColumnElement[Any]]) -> Select[Any]:
    return select(*(column.label(name) for name, column in columns.items()))


def _in_order(table: Table, found: Select[Any]) -> Select[Any]:
    row = found.subquery().c
    return select(*(row[column.name] for column in table.columns))


def _sql(text: str) -> ColumnElement[Any]:
    """What stands in the statement itself."""
    return literal_column(text)
