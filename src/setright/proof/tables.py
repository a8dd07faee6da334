"""The tables of test runs: their cases, the results, the verdicts, and what came of these."""

from sqlalchemy import ForeignKeyConstraint, Index, Table

from setright.storage import json_text, metadata, moment, number, text

test_runs = Table(
    "test_runs",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("project_id"),
    text("subject_kind"),
    text("subject_key"),
    text("subject_id"),
    text("subject_version"),
    json_text("filter"),
    number("repeat"),
    text("status"),
    json_text("next_place", null=True),
    number("case_count"),
    number("done_count"),
    number("erased_count"),
    number("correction_count"),
    number("right_count"),
    number("wrong_count"),
    number("not_evaluated_count"),
    text("made_by_kind"),
    text("made_by_id"),
    moment("created_at"),
    moment("updated_at"),
    moment("ended_at", null=True),
    ForeignKeyConstraint(["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"]),
)
"""`next_place` is where the making of cases goes on, null once all are made."""
_T = test_runs.c
Index("ix_test_runs_page", _T.tenant_id, _T.created_at, _T.id)
Index("ix_test_runs_project", _T.tenant_id, _T.project_id, _T.created_at, _T.id)
Index(
    "ix_test_runs_subject",
    _T.tenant_id,
    _T.project_id,
    _T.subject_kind,
    _T.subject_key,
    _T.ended_at,
    _T.id,
)

test_cases = Table(
    "test_cases",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("test_run_id"),
    text("run_id"),
    number("repetition"),
    number("position"),
    json_text("correction_ids"),
    text("state"),
    moment("next_at", null=True),
    text("lease", null=True),
    moment("done_at", null=True),
    ForeignKeyConstraint(
        ["tenant_id", "test_run_id"],
        ["test_runs.tenant_id", "test_runs.id"],
        name="fk_test_cases_tenant_id_test_run_id",
    ),
    ForeignKeyConstraint(
        ["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], name="fk_test_cases_tenant_id_run_id"
    ),
)
"""`next_at` is when somebody may claim it: 0 while nobody did, then the end of the lease; null once it needs no result."""
_C = test_cases.c
Index("uq_test_cases_run", _C.tenant_id, _C.test_run_id, _C.run_id, _C.repetition, unique=True)
Index("ix_test_cases_of_run", _C.tenant_id, _C.run_id)
Index(
    "ix_test_cases_next",
    _C.tenant_id,
    _C.test_run_id,
    _C.next_at,
    _C.repetition,
    _C.position,
    sqlite_where=_C.next_at.is_not(None),
    postgresql_where=_C.next_at.is_not(None),
)

case_results = Table(
    "case_results",
    metadata,
    text("tenant_id", primary_key=True),
    text("case_id", primary_key=True),
    text("run_id", null=True),
    json_text("content", null=True),
    text("hash"),
    text("by_kind"),
    text("by_id"),
    moment("at"),
    ForeignKeyConstraint(["tenant_id", "case_id"], ["test_cases.tenant_id", "test_cases.id"]),
)
"""What the new version did: `content` as it was sent, or the run that stands for it; `hash` tells an equal one."""
Index(
    "ix_case_results_run",
    case_results.c.tenant_id,
    case_results.c.run_id,
    sqlite_where=case_results.c.run_id.is_not(None),
    postgresql_where=case_results.c.run_id.is_not(None),
)

verdicts = Table(
    "verdicts",
    metadata,
    text("tenant_id", primary_key=True),
    text("test_run_id", primary_key=True),
    text("correction_id", primary_key=True),
    number("repetition", primary_key=True, autoincrement=False),
    text("case_id"),
    text("verdict"),
    text("reason", null=True),
    text("wrong_aspect", null=True),
    *(text(aspect, null=True) for aspect in ("decisions", "answer", "items")),
    text("rule"),
    json_text("aspects"),
    text("corrector_group_id"),
    number("expert"),
    moment("at"),
    ForeignKeyConstraint(["tenant_id", "case_id"], ["test_cases.tenant_id", "test_cases.id"]),
)
"""`wrong_aspect` is the first aspect that is wrong; `decisions`, `answer` and `items` hold the verdict on each aspect,
null where the correction does not speak of it; `corrector_group_id` is empty without a group."""
_V = verdicts.c
Index(
    "ix_verdicts_not_right",
    _V.tenant_id,
    _V.test_run_id,
    _V.verdict,
    _V.correction_id,
    _V.repetition,
    sqlite_where=_V.verdict != "right",
    postgresql_where=_V.verdict != "right",
)

newest_verdicts = Table(
    "newest_verdicts",
    metadata,
    text("tenant_id", primary_key=True),
    text("subject_kind", primary_key=True),
    text("subject_key", primary_key=True),
    text("subject_version", primary_key=True),
    text("project_id", primary_key=True),
    text("correction_id", primary_key=True),
    text("verdict"),
    text("wrong_aspect", null=True),
    text("test_run_id"),
    moment("ended_at"),
    ForeignKeyConstraint(
        ["tenant_id", "test_run_id"],
        ["test_runs.tenant_id", "test_runs.id"],
        name="fk_newest_verdicts_tenant_id_test_run_id",
    ),
    sqlite_with_rowid=False,
)
"""What a version made of a correction, right or wrong: the newest word of the finished test runs in a project."""

evidence_moves = Table(
    "evidence_moves",
    metadata,
    text("tenant_id", primary_key=True),
    text("cause_id", primary_key=True),
    text("correction_id", primary_key=True),
    text("test_run_id"),
    text("subject_version"),
    text("verdict"),
    text("status"),
    moment("at"),
    ForeignKeyConstraint(["correction_id"], ["corrections.id"]),
    ForeignKeyConstraint(
        ["tenant_id", "test_run_id"],
        ["test_runs.tenant_id", "test_runs.id"],
        name="fk_evidence_moves_tenant_id_test_run_id",
    ),
    sqlite_with_rowid=False,
)
"""Which corrections a cause (a deploy, pin, unpin or test run) moved, each at most once, and where to."""
Index("ix_evidence_moves_correction", evidence_moves.c.correction_id, evidence_moves.c.at)
