"""What a client can do with artifacts, plain and asynchronous: one line per verb, described in `requests`."""

from setright.client.requests import artifacts
from setright.client.verbs import AsyncResource, Resource, sends, sends_async, walks, walks_async


class Artifacts(Resource):
    """Texts, with what their sources say of each word."""

    record = sends(artifacts.record)
    record_document = sends(artifacts.record_document)
    get = sends(artifacts.get)
    page = sends(artifacts.page)
    list = walks(artifacts.page)
    lines_page = sends(artifacts.lines_page)
    lines = walks(artifacts.lines_page)


class AsyncArtifacts(AsyncResource):
    """Texts, with what their sources say of each word."""

    record = sends_async(artifacts.record)
    record_document = sends_async(artifacts.record_document)
    get = sends_async(artifacts.get)
    page = sends_async(artifacts.page)
    list = walks_async(artifacts.page)
    lines_page = sends_async(artifacts.lines_page)
    lines = walks_async(artifacts.lines_page)
