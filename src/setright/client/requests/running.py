"""The requests about versions that run, and about what the tools of a project do."""

from typing import Literal, Unpack

from setright.client.inputs import PageFilters, PinFields
from setright.client.paging import Page, page_of
from setright.client.request import Request, nothing
from setright.client.running import RunningVersion, ToolEffect, VersionChange
from setright.client.values import ours, query, segment

Kind = Literal["agent", "flow"]


def deploy_agent(
    agent_id: str, version: str, *, why: str | None = None, key: str | None = None
) -> Request[VersionChange]:
    """Deploy a version of an agent: every project without a pin runs it."""
    return _deploy("agent", agent_id, version, why, key)


def deploy_flow(
    flow_id: str, version: str, *, why: str | None = None, key: str | None = None
) -> Request[VersionChange]:
    """Deploy a version of a flow: every project without a pin runs it."""
    return _deploy("flow", flow_id, version, why, key)


def agent_deploys(agent_id: str, **filters: Unpack[PageFilters]) -> Request[Page[VersionChange]]:
    """Read one page of an agent's deploys, newest first."""
    return _deploys("agent", agent_id, **filters)


def flow_deploys(flow_id: str, **filters: Unpack[PageFilters]) -> Request[Page[VersionChange]]:
    """Read one page of a flow's deploys, newest first."""
    return _deploys("flow", flow_id, **filters)


def pin(project_id: str, *, key: str | None = None, **pinned: Unpack[PinFields]) -> Request[VersionChange]:
    """Have a project run a version, whatever is deployed."""
    return Request[VersionChange].write(
        "POST", _project(project_id, "pins"), VersionChange.read, ours(pinned), key=key
    )


def pins_page(project_id: str, **filters: Unpack[PageFilters]) -> Request[Page[VersionChange]]:
    """Read one page of a project's pins and unpins, newest first."""
    return Request[Page[VersionChange]].get(
        _project(project_id, "pins"), page_of(VersionChange), query(**filters)
    )


def unpin(
    project_id: str, pin_id: str, *, why: str | None = None, key: str | None = None
) -> Request[VersionChange]:
    """Lift the pin that holds: the project follows Latest again."""
    path = f"{_project(project_id, 'pins')}/{segment('pin_id', pin_id)}/unpin"
    return Request[VersionChange].write("POST", path, VersionChange.read, ours({"why": why}), key=key)


def running_page(project_id: str, **filters: Unpack[PageFilters]) -> Request[Page[RunningVersion]]:
    """Read one page of what a project runs, and why."""
    return Request[Page[RunningVersion]].get(
        _project(project_id, "running"), page_of(RunningVersion), query(**filters)
    )


def tools_page(project_id: str, **filters: Unpack[PageFilters]) -> Request[Page[ToolEffect]]:
    """Read one page of what was declared of a project's tools."""
    return Request[Page[ToolEffect]].get(_project(project_id, "tools"), page_of(ToolEffect), query(**filters))


def set_tool(
    project_id: str, tool: str, effect: Literal["read", "write"], *, key: str | None = None
) -> Request[ToolEffect]:
    """Declare what a tool does in a project."""
    path = _tool(project_id, tool)
    return Request[ToolEffect].write("PUT", path, ToolEffect.read, {"effect": effect}, key=key)


def drop_tool(project_id: str, tool: str, *, key: str | None = None) -> Request[None]:
    """Take back what was declared of a tool."""
    return Request[None].write("DELETE", _tool(project_id, tool), nothing, key=key)


def _deploy(
    kind: Kind, subject_id: str, version: str, why: str | None, key: str | None
) -> Request[VersionChange]:
    path = _subject(kind, subject_id, "versions")
    body = ours({"version": version, "why": why})
    return Request[VersionChange].write("POST", path, VersionChange.read, body, key=key)


def _deploys(kind: Kind, subject_id: str, **filters: Unpack[PageFilters]) -> Request[Page[VersionChange]]:
    path = _subject(kind, subject_id, "deploys")
    return Request[Page[VersionChange]].get(path, page_of(VersionChange), query(**filters))


def _subject(kind: Kind, subject_id: str, part: str) -> str:
    return f"/v1/{kind}s/{segment(f'{kind}_id', subject_id)}/{part}"


def _project(project_id: str, part: str) -> str:
    return f"/v1/projects/{segment('project_id', project_id)}/{part}"


def _tool(project_id: str, tool: str) -> str:
    return f"{_project(project_id, 'tools')}/{segment('tool', tool)}"
