"""The tables of lessons: what was said, the wordings of their rules, and how many rules are in force where."""

from sqlalchemy import ForeignKeyConstraint, Index, Table

from setright.storage import json_text, metadata, moment, number, text

lessons = Table(
    "lessons",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("project_id", null=True),
    text("space_key"),
    text("agent"),
    text("agent_key"),
    text("kind"),
    text("severity"),
    number("weight"),
    text("noticed_by"),
    text("what_happened"),
    text("expected", null=True),
    text("rule", null=True),
    text("rule_key", null=True),
    text("skeleton_key", null=True),
    text("status"),
    number("in_force", null=True),
    json_text("evidence", null=True),
    text("session", null=True),
    number("broken_again"),
    text("duplicate_of", null=True),
    number("occurrence", null=True),
    json_text("supersedes", null=True),
    moment("until", null=True),
    json_text("must_not_call", null=True),
    text("from_correction_id", null=True),
    text("recorded_by_kind"),
    text("recorded_by_id"),
    text("adopted_by_kind", null=True),
    text("adopted_by_id", null=True),
    moment("adopted_at", null=True),
    text("verified_by_kind", null=True),
    text("verified_by_id", null=True),
    moment("verified_at", null=True),
    number("ended", null=True),
    moment("created_at"),
    moment("updated_at"),
    moment("deleted_at", null=True),
    moment("content_erased_at", null=True),
    ForeignKeyConstraint(["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"]),
)
"""`space_key` and `agent_key` are empty for the whole account and every agent; `weight` orders by severity.

`in_force` is 1 while agents read the rule. `rule_key` is equal for rules that say the same, `skeleton_key` for those that
differ only in negations and numbers.
"""
_L = lessons.c
_LISTED = _L.deleted_at.is_(None) & (_L.status != "duplicate")
_FORCED = _L.in_force == 1
_OPEN = _L.deleted_at.is_(None) & (_L.status == "open")
_ENDING = _FORCED & _L.until.is_not(None)
_GUARDING = _FORCED & _L.must_not_call.is_not(None)
_ORDER = (_L.weight, _L.broken_again, _L.created_at, _L.id)
Index(
    "ix_lessons_page",
    _L.tenant_id,
    _L.created_at,
    _L.id,
    sqlite_where=_LISTED,
    postgresql_where=_LISTED,
)
Index("ix_lessons_space", _L.tenant_id, _L.space_key, _L.created_at, _L.id)
Index("ix_lessons_agent", _L.tenant_id, _L.agent_key, _L.created_at, _L.id)
Index("ix_lessons_status", _L.tenant_id, _L.status, _L.created_at, _L.id)
Index("ix_lessons_root", _L.tenant_id, _L.duplicate_of, _L.created_at, _L.id)
Index("ix_lessons_source", _L.tenant_id, _L.from_correction_id, _L.created_at, _L.id)
Index(
    "ix_lessons_in_force",
    _L.tenant_id,
    _L.agent_key,
    _L.space_key,
    *_ORDER,
    sqlite_where=_FORCED,
    postgresql_where=_FORCED,
)
Index(
    "ix_lessons_in_force_anywhere",
    _L.tenant_id,
    _L.agent_key,
    *_ORDER,
    sqlite_where=_FORCED,
    postgresql_where=_FORCED,
)
Index(
    "ix_lessons_rule",
    _L.tenant_id,
    _L.rule_key,
    sqlite_where=_FORCED,
    postgresql_where=_FORCED,
)

Index(
    "ix_lessons_skeleton",
    _L.tenant_id,
    _L.skeleton_key,
    sqlite_where=_FORCED,
    postgresql_where=_FORCED,
)
Index(
    "ix_lessons_open",
    _L.tenant_id,
    _L.agent_key,
    _L.space_key,
    _L.created_at,
    _L.id,
    sqlite_where=_OPEN,
    postgresql_where=_OPEN,
)
Index(
    "ix_lessons_open_anywhere",
    _L.tenant_id,
    _L.agent_key,
    _L.created_at,
    _L.id,
    sqlite_where=_OPEN,
    postgresql_where=_OPEN,
)
Index(
    "ix_lessons_ending",
    _L.tenant_id,
    _L.agent_key,
    _L.until,
    _L.space_key,
    sqlite_where=_ENDING,
    postgresql_where=_ENDING,
)
Index(
    "ix_lessons_guard",
    _L.tenant_id,
    _L.agent_key,
    _L.space_key,
    _L.id,
    sqlite_where=_GUARDING,
    postgresql_where=_GUARDING,
)

lesson_wordings = Table(
    "lesson_wordings",
    metadata,
    text("tenant_id", primary_key=True),
    text("lesson_id", primary_key=True),
    moment("at", primary_key=True),
    text("rule", null=True),
    moment("until", null=True),
    json_text("must_not_call", null=True),
    text("by_kind"),
    text("by_id"),
    ForeignKeyConstraint(["tenant_id", "lesson_id"], ["lessons.tenant_id", "lessons.id"]),
)
"""Every wording that a rule ever had; `at` is the moment of the event that put it so."""

lesson_firsts = Table(
    "lesson_firsts",
    metadata,
    text("tenant_id", primary_key=True),
    text("said_key", primary_key=True),
    text("lesson_id"),
    moment("at"),
)
"""What a caller said first, by a hash of it, so that the same again is answered with the same lesson."""

lesson_turns = Table("lesson_turns", metadata, text("tenant_id", primary_key=True), moment("at"))
"""Who puts a rule in force holds its tenant's row, so that two of them see each other."""

lesson_counts = Table(
    "lesson_counts",
    metadata,
    text("tenant_id", primary_key=True),
    text("agent_key", primary_key=True),
    text("space_key", primary_key=True),
    number("rules"),
    number("open_lessons"),
    number("changes"),
)
"""How many rules are in force, and how many lessons open, for an agent in a space.

`changes` is another number after every change of any of them, by which a briefing tells whether it is still the same.
"""

lesson_sessions = Table(
    "lesson_sessions",
    metadata,
    text("tenant_id", primary_key=True),
    text("agent_key", primary_key=True),
    text("session", primary_key=True),
    text("hash"),
    moment("at"),
)
"""What a session was told last, as the hash of the rules in its briefing."""
_S = lesson_sessions.c
Index("ix_lesson_sessions_hash", _S.tenant_id, _S.hash)
Index("ix_lesson_sessions_old", _S.tenant_id, _S.at)
Index("ix_lesson_sessions_at", _S.at, _S.tenant_id, _S.agent_key, _S.session)

lesson_served = Table(
    "lesson_served",
    metadata,
    text("tenant_id", primary_key=True),
    text("lesson_id", primary_key=True),
    text("hash", primary_key=True),
)
"""Which rules the hash of a briefing stands for."""
Index("ix_lesson_served_hash", lesson_served.c.tenant_id, lesson_served.c.hash)

lesson_stops = Table(
    "lesson_stops",
    metadata,
    text("tenant_id", primary_key=True),
    text("lesson_id", primary_key=True),
    number("stops"),
)
"""How many calls the rule of a lesson has stopped."""

rule_words = Table(
    "rule_words",
    metadata,
    text("tenant_id", primary_key=True),
    text("word", primary_key=True),
    text("lesson_id", primary_key=True),
)
"""The words of every rule in force, by which rules are found that are alike."""
Index("ix_rule_words_lesson", rule_words.c.tenant_id, rule_words.c.lesson_id)

rule_word_counts = Table(
    "rule_word_counts",
    metadata,
    text("tenant_id", primary_key=True),
    text("word", primary_key=True),
    number("rules"),
)
"""How many rules in force have a word; under the empty one, how many there are."""
