"""What a client can do with scholars, plain and asynchronous: one line per verb."""

from setright.client.requests import scholars
from setright.client.verbs import AsyncResource, Resource, sends, sends_async, walks, walks_async


class Scholars(Resource):
    """To whom readings are attributed, and who may speak as whom."""

    create = sends(scholars.create)
    get = sends(scholars.get)
    page = sends(scholars.page)
    list = walks(scholars.page)
    change = sends(scholars.change)
    claim = sends(scholars.claim)
    claims_page = sends(scholars.claims_page)
    claims = walks(scholars.claims_page)
    approve = sends(scholars.approve)
    reject = sends(scholars.reject)
    withdraw = sends(scholars.withdraw)


class AsyncScholars(AsyncResource):
    """To whom readings are attributed, and who may speak as whom."""

    create = sends_async(scholars.create)
    get = sends_async(scholars.get)
    page = sends_async(scholars.page)
    list = walks_async(scholars.page)
    change = sends_async(scholars.change)
    claim = sends_async(scholars.claim)
    claims_page = sends_async(scholars.claims_page)
    claims = walks_async(scholars.claims_page)
    approve = sends_async(scholars.approve)
    reject = sends_async(scholars.reject)
    withdraw = sends_async(scholars.withdraw)
