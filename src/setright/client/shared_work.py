"""What a client can do with work that is shared out, in review queues to people and in jobs to workers."""

from setright.client.requests import erasures, jobs, retention, review_queues, run_reads, traces
from setright.client.verbs import (
    AsyncResource,
    Resource,
    follows,
    follows_async,
    sends,
    sends_async,
    walks,
    walks_async,
)


class ReviewQueues(Resource):
    """Runs that people judge, each without seeing what the others say."""

    create = sends(review_queues.create)
    get = sends(review_queues.get)
    page = sends(review_queues.page)
    list = walks(review_queues.page)
    change = sends(review_queues.change)
    close = sends(review_queues.close)
    claim = follows(review_queues.claim)
    answer = sends(review_queues.answer)
    release = sends(review_queues.release)
    skip = sends(review_queues.skip)
    items_page = sends(review_queues.items_page)
    items = walks(review_queues.items_page)
    adjudicate = sends(review_queues.adjudicate)


class AsyncReviewQueues(AsyncResource):
    """Runs that people judge, each without seeing what the others say."""

    create = sends_async(review_queues.create)
    get = sends_async(review_queues.get)
    page = sends_async(review_queues.page)
    list = walks_async(review_queues.page)
    change = sends_async(review_queues.change)
    close = sends_async(review_queues.close)
    claim = follows_async(review_queues.claim)
    answer = sends_async(review_queues.answer)
    release = sends_async(review_queues.release)
    skip = sends_async(review_queues.skip)
    items_page = sends_async(review_queues.items_page)
    items = walks_async(review_queues.items_page)
    adjudicate = sends_async(review_queues.adjudicate)


class Jobs(Resource):
    """Work that goes on after the request that asked for it."""

    get = sends(jobs.get)
    page = sends(jobs.page)
    list = walks(jobs.page)
    cancel = sends(jobs.cancel)
    retry = sends(jobs.retry)


class AsyncJobs(AsyncResource):
    """Work that goes on after the request that asked for it."""

    get = sends_async(jobs.get)
    page = sends_async(jobs.page)
    list = walks_async(jobs.page)
    cancel = sends_async(jobs.cancel)
    retry = sends_async(jobs.retry)


class Traces(Resource):
    """Traces that exporters of OpenTelemetry sent."""

    get = sends(traces.get)
    page = sends(traces.page)
    list = walks(traces.page)


class AsyncTraces(AsyncResource):
    """Traces that exporters of OpenTelemetry sent."""

    get = sends_async(traces.get)
    page = sends_async(traces.page)
    list = walks_async(traces.page)


class Erasures(Resource):
    """Somebody's words leave every room, and what is held back."""

    create = sends(erasures.create)
    get = sends(erasures.get)
    page = sends(erasures.page)
    list = walks(erasures.page)
    place_hold = sends(erasures.place_hold)
    release_hold = sends(erasures.release_hold)
    holds_page = sends(erasures.holds_page)
    holds = walks(erasures.holds_page)


class AsyncErasures(AsyncResource):
    """Somebody's words leave every room, and what is held back."""

    create = sends_async(erasures.create)
    get = sends_async(erasures.get)
    page = sends_async(erasures.page)
    list = walks_async(erasures.page)
    place_hold = sends_async(erasures.place_hold)
    release_hold = sends_async(erasures.release_hold)
    holds_page = sends_async(erasures.holds_page)
    holds = walks_async(erasures.holds_page)


class Retentions(Resource):
    """How long content is kept, and what was cut of it."""

    of_project = sends(retention.of_project)
    change_project = sends(retention.change_project)
    of_account = sends(retention.of_account)
    change_account = sends(retention.change_account)
    due = sends(retention.due)
    begin = sends(retention.begin)
    page = sends(retention.page)
    list = walks(retention.page)
    get = sends(retention.get)


class AsyncRetentions(AsyncResource):
    """How long content is kept, and what was cut of it."""

    of_project = sends_async(retention.of_project)
    change_project = sends_async(retention.change_project)
    of_account = sends_async(retention.of_account)
    change_account = sends_async(retention.change_account)
    due = sends_async(retention.due)
    begin = sends_async(retention.begin)
    page = sends_async(retention.page)
    list = walks_async(retention.page)
    get = sends_async(retention.get)


class RunReads(Resource):
    """Who was shown what runs said, in projects that keep a log of it."""

    log = sends(run_reads.log)
    keep_log = sends(run_reads.keep_log)
    page = sends(run_reads.page)
    list = walks(run_reads.page)


class AsyncRunReads(AsyncResource):
    """Who was shown what runs said, in projects that keep a log of it."""

    log = sends_async(run_reads.log)
    keep_log = sends_async(run_reads.keep_log)
    page = sends_async(run_reads.page)
    list = walks_async(run_reads.page)
