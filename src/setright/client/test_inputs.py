"""The fields of what is sent about test runs, by our names, as those of `inputs`."""

from collections.abc import Sequence
from typing import Any, Literal, Required, TypedDict

from setright.client.answers import Subject, ToolCall
from setright.client.inputs import AnyFields, CallFields, MessageFields, Moment, PageFilters, SubjectFields

VerdictWord = Literal["right", "wrong", "not-evaluated"]


class TestFilterFields(TypedDict, total=False):
    """Which corrections are tested; `sample` is a share of the corrected runs, 0.1 for a tenth."""

    status: Sequence[str] | None
    sorted_to: Literal["improve", "developer", "owner"] | None
    corrector_group_id: str | None
    since: Moment | None
    ids: Sequence[str] | None
    sample: float | None


class TestRunFields(TypedDict, total=False):
    """A version that is held against the corrections of its subject in a project, each case tried `repeat` times."""

    project_id: Required[str]
    subject: Required[SubjectFields | Subject | AnyFields]
    filter: TestFilterFields | AnyFields | None
    repeat: int | None


class ResultFields(TypedDict, total=False):
    """What the tested version did in a case: its calls (`[]` is none) and answer, or `error`, or a run that stands for it.

    A call may say `diverged` beside the fields of a run's call.
    """

    case_id: Required[str]
    lease: str | None
    run_id: str | None
    calls: Sequence[CallFields | ToolCall | AnyFields] | None
    output: Any
    answer: str | None
    messages: Sequence[MessageFields | AnyFields] | None
    error: str | None


class TestRunFilters(PageFilters, total=False):
    """Which test runs: of a project, of an agent or a flow, of a version, in a status."""

    project_id: str | None
    agent_id: str | None
    flow_id: str | None
    version: str | None
    status: Literal["running", "finished", "failed", "cancelled"] | None


class VerdictFilters(PageFilters, total=False):
    """Which verdicts; with `aspect`, `verdict` is that on the aspect, and `was` how it came out in `against`."""

    verdict: VerdictWord | None
    aspect: Literal["decisions", "answer", "items"] | None
    correction_id: str | Sequence[str] | None
    expert: bool | None
    against: str | None
    was: VerdictWord | None
