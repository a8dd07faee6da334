"""The requests about agents and flows, which are alike but for their path."""

from typing import Unpack

from setright.client.accounts import KnownSubject
from setright.client.inputs import PageFilters, SubjectChanges
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.values import ours, query, segment


def agents_page(**filters: Unpack[PageFilters]) -> Request[Page[KnownSubject]]:
    """Read one page of the agents."""
    return Request[Page[KnownSubject]].get("/v1/agents", page_of(KnownSubject), query(**filters))


def get_agent(agent_id: str) -> Request[KnownSubject]:
    """Read an agent with its versions."""
    return Request[KnownSubject].get(f"/v1/agents/{segment('agent_id', agent_id)}", KnownSubject.read)


def patch_agent(
    agent_id: str, *, key: str | None = None, **changes: Unpack[SubjectChanges]
) -> Request[KnownSubject]:
    """Change what is said about an agent; None lifts a field."""
    path = f"/v1/agents/{segment('agent_id', agent_id)}"
    return Request[KnownSubject].write("PATCH", path, KnownSubject.read, ours(changes), key=key)


def flows_page(**filters: Unpack[PageFilters]) -> Request[Page[KnownSubject]]:
    """Read one page of the flows."""
    return Request[Page[KnownSubject]].get("/v1/flows", page_of(KnownSubject), query(**filters))


def get_flow(flow_id: str) -> Request[KnownSubject]:
    """Read a flow with its versions."""
    return Request[KnownSubject].get(f"/v1/flows/{segment('flow_id', flow_id)}", KnownSubject.read)


def patch_flow(
    flow_id: str, *, key: str | None = None, **changes: Unpack[SubjectChanges]
) -> Request[KnownSubject]:
    """Change what is said about a flow; None lifts a field."""
    path = f"/v1/flows/{segment('flow_id', flow_id)}"
    return Request[KnownSubject].write("PATCH", path, KnownSubject.read, ours(changes), key=key)
