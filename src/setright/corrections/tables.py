"""The tables of corrections (what was said never changes, where it stands does), of groups, and of what waits."""

from sqlalchemy import ForeignKeyConstraint, Index, Table, and_

from setright.storage import json_text, metadata, moment, number, text

corrections = Table(
    "corrections",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("project_id"),
    text("run_id"),
    text("subject_kind"),
    text("subject_key"),
    text("subject_id"),
    text("subject_version"),
    text("decisions", null=True),
    text("answer", null=True),
    json_text("said"),
    text("corrector_group_id", null=True),
    number("expert", null=True),
    text("made_by_kind"),
    text("made_by_id"),
    text("participant_key"),
    moment("created_at"),
    text("status"),
    text("sorted_to", null=True),
    json_text("sorted", null=True),
    json_text("link", null=True),
    json_text("fixed_in", null=True),
    json_text("reopened_in", null=True),
    json_text("status_note", null=True),
    moment("updated_at"),
    moment("unregistered_at", null=True),
    text("superseded_by", null=True),
    text("place"),
    moment("content_erased_at", null=True),
    text("blind", null=True),
    json_text("adjudicates", null=True),
    text("adjudicated_by", null=True),
    moment("status_set_at", null=True),
    ForeignKeyConstraint(["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"]),
)
_C = corrections.c

correction_moves = Table(
    "correction_moves",
    metadata,
    text("tenant_id", primary_key=True),
    text("correction_id", primary_key=True),
    moment("at", primary_key=True),
    json_text("standing"),
    ForeignKeyConstraint(["correction_id"], ["corrections.id"]),
    sqlite_with_rowid=False,
)
"""What each move changed, as it stood after it (names and values as on the wire), with the words that were said of it."""
Index("ix_corrections_page", _C.tenant_id, _C.created_at, _C.id)
Index("ix_corrections_project", _C.tenant_id, _C.project_id, _C.created_at, _C.id)
Index("ix_corrections_status", _C.tenant_id, _C.project_id, _C.status, _C.created_at, _C.id)
Index("ix_corrections_subject", _C.tenant_id, _C.subject_kind, _C.subject_key, _C.created_at, _C.id)
Index("ix_corrections_maker", _C.tenant_id, _C.made_by_id, _C.created_at, _C.id)
Index(
    "uq_corrections_current",
    _C.tenant_id,
    _C.run_id,
    _C.place,
    _C.made_by_kind,
    _C.made_by_id,
    _C.participant_key,
    unique=True,
)
Index(
    "ix_corrections_participant",
    _C.tenant_id,
    _C.participant_key,
    _C.created_at,
    _C.id,
    sqlite_where=_C.participant_key != "",
    postgresql_where=_C.participant_key != "",
)
Index(
    "ix_corrections_group",
    _C.tenant_id,
    _C.corrector_group_id,
    _C.created_at,
    _C.id,
    sqlite_where=_C.corrector_group_id.is_not(None),
    postgresql_where=_C.corrector_group_id.is_not(None),
)

corrector_groups = Table(
    "corrector_groups",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("name"),
    text("name_key"),
    text("scope_kind"),
    text("project_id"),
    text("agent_key"),
    text("agent_id", null=True),
    json_text("weight"),
    json_text("assertable_by", null=True),
    text("created_by_kind"),
    text("created_by_id"),
    moment("created_at"),
    moment("updated_at"),
    moment("retired_at", null=True),
    ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
)
"""`project_id` and `agent_key` are empty where the scope has none, so that one index keeps names unique in each."""
_G = corrector_groups.c
Index("ix_corrector_groups_page", _G.tenant_id, _G.created_at, _G.id)
Index(
    "uq_corrector_groups_name",
    _G.tenant_id,
    _G.scope_kind,
    _G.project_id,
    _G.agent_key,
    _G.name_key,
    unique=True,
)

correction_counts = Table(
    "correction_counts",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    text("subject_kind", primary_key=True),
    text("subject_key", primary_key=True),
    text("subject_version", primary_key=True),
    text("status", primary_key=True),
    text("corrector_group_id", primary_key=True),
    number("expert", primary_key=True),
    number("corrections"),
    number("decisions_right"),
    number("decisions_wrong"),
    number("answer_right"),
    number("answer_wrong"),
    number("items_right"),
    number("items_wrong"),
    number("to_improve"),
    number("to_developer"),
    number("to_owner"),
    sqlite_with_rowid=False,
)
"""How many corrections stand so; `corrector_group_id` is empty without a group. Kept by `tallies`."""

waiting_corrections = Table(
    "waiting_corrections",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("project_id"),
    text("run_id"),
    json_text("request"),
    text("made_by_kind"),
    text("made_by_id"),
    moment("held_at"),
    text("state"),
    json_text("refusal", null=True),
    moment("withdrawn_at", null=True),
    ForeignKeyConstraint(["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"]),
)
_W = waiting_corrections.c
Index("ix_waiting_corrections_state", _W.tenant_id, _W.state, _W.held_at, _W.id)
Index("ix_waiting_corrections_project", _W.tenant_id, _W.project_id, _W.state, _W.held_at, _W.id)
Index("ix_waiting_corrections_run", _W.tenant_id, _W.run_id, _W.state, _W.held_at, _W.id)
Index(
    "ix_waiting_corrections_oldest",
    _W.held_at,
    sqlite_where=_W.state == "waiting",
    postgresql_where=_W.state == "waiting",
)

agreement_units = Table(
    "agreement_units",
    metadata,
    text("tenant_id", primary_key=True),
    text("run_id", primary_key=True),
    text("item_key", primary_key=True),
    text("aspect", primary_key=True),
    text("project_id"),
    text("subject_kind"),
    text("subject_key"),
    text("subject_version"),
    number("rights"),
    number("wrongs"),
    number("expert_rights"),
    number("expert_wrongs"),
    moment("changed_at"),
    sqlite_with_rowid=False,
)
"""The votes on each unit of a run that several raters judged; `item_key` is empty but for items. Kept by `raters`."""
_U = agreement_units.c
_NEWEST = (_U.aspect, _U.changed_at, _U.run_id, _U.item_key)
_DISPUTED = and_(_U.rights > 0, _U.wrongs > 0)
_BY_EXPERTS = and_(_U.expert_rights > 0, _U.expert_wrongs > 0)
for _name, _narrower, _where in (
    ("page", (), _DISPUTED),
    ("project", (_U.project_id,), _DISPUTED),
    ("subject", (_U.subject_kind, _U.subject_key), _DISPUTED),
    ("version", (_U.subject_kind, _U.subject_key, _U.subject_version), _DISPUTED),
    ("experts", (), _BY_EXPERTS),
):
    Index(
        f"ix_agreement_units_{_name}",
        _U.tenant_id,
        *_narrower,
        *_NEWEST,
        sqlite_where=_where,
        postgresql_where=_where,
    )

agreement_counts = Table(
    "agreement_counts",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    text("subject_kind", primary_key=True),
    text("subject_key", primary_key=True),
    text("subject_version", primary_key=True),
    text("aspect", primary_key=True),
    number("raters", primary_key=True),
    number("experts", primary_key=True),
    number("units"),
    *(
        number(f"{view}{amount}")
        for view in ("", "expert_", "other_")
        for amount in ("agreeing", "rights", "apart")
    ),
    sqlite_with_rowid=False,
)
"""The units that so many raters judged, so many experts among them: how many of the units they agree on, how many
verdicts say right, and how many pairs of verdicts stand apart; of all raters, of the experts, of the others."""

agreement_pairs = Table(
    "agreement_pairs",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    text("subject_kind", primary_key=True),
    text("subject_key", primary_key=True),
    text("subject_version", primary_key=True),
    text("rater_a", primary_key=True),
    text("rater_b", primary_key=True),
    number("experts", primary_key=True),
    *(
        number(f"{aspect}_{verdicts}")
        for aspect in ("decisions", "answer", "items")
        for verdicts in ("rr", "rw", "wr", "ww")
    ),
    sqlite_with_rowid=False,
)
"""What two raters said of the units that both judged, right or wrong, a's verdict first; `experts` is 1 where a
judged as an expert, and 2 more where b did."""
Index(
    "ix_agreement_pairs_raters",
    agreement_pairs.c.tenant_id,
    agreement_pairs.c.rater_a,
    agreement_pairs.c.rater_b,
)
