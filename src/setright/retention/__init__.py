"""Retention: how long each kind of content is kept, and cutting it when that is over."""

from setright.retention.errors import PassingNotFound
from setright.retention.jobs import CUT, cut_some
from setright.retention.lifecycle import PASSING_LIFE
from setright.retention.model import (
    MOST_DAYS,
    Cut,
    NewProjectRetention,
    NewTenantRetention,
    Passing,
    Retention,
)
from setright.retention.operations import begin_passing, set_project_retention, set_tenant_retention
from setright.retention.queries import (
    get_passing,
    get_project_retention,
    get_tenant_retention,
    list_passings,
    read_due,
)

__all__ = [
    "CUT",
    "MOST_DAYS",
    "PASSING_LIFE",
    "Cut",
    "NewProjectRetention",
    "NewTenantRetention",
    "Passing",
    "PassingNotFound",
    "Retention",
    "begin_passing",
    "cut_some",
    "get_passing",
    "get_project_retention",
    "get_tenant_retention",
    "list_passings",
    "read_due",
    "set_project_retention",
    "set_tenant_retention",
]
