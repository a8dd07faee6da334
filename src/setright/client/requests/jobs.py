"""The requests about jobs."""

from typing import Unpack

from setright.client.accounts import Job
from setright.client.inputs import JobFilters
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.values import query, segment


def page(**filters: Unpack[JobFilters]) -> Request[Page[Job]]:
    """Read one page of the account's jobs, newest first."""
    return Request[Page[Job]].get("/v1/jobs", page_of(Job), query(**filters))


def get(job_id: str) -> Request[Job]:
    """Read a job."""
    return Request[Job].get(_job(job_id), Job.read)


def cancel(job_id: str, *, key: str | None = None) -> Request[Job]:
    """Stop a job after the batch that runs."""
    return Request[Job].write("POST", f"{_job(job_id)}/cancel", Job.read, key=key)


def retry(job_id: str, *, key: str | None = None) -> Request[Job]:
    """Have a job that was given up or cancelled go on."""
    return Request[Job].write("POST", f"{_job(job_id)}/retry", Job.read, key=key)


def _job(job_id: str) -> str:
    return f"/v1/jobs/{segment('job_id', job_id)}"
