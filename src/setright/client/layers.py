"""What a client can do with annotations, answered questions and kept answers: one line per verb."""

from setright.client.requests import annotations, interactions
from setright.client.verbs import AsyncResource, Resource, sends, sends_async, walks, walks_async


class Annotations(Resource):
    """What was said of texts and their words, in layers, and by whom."""

    get = sends(annotations.get)
    accept = sends(annotations.accept)
    reject = sends(annotations.reject)
    run = sends(annotations.run)
    runs_page = sends(annotations.runs_page)
    runs = walks(annotations.runs_page)


class AsyncAnnotations(AsyncResource):
    """What was said of texts and their words, in layers, and by whom."""

    get = sends_async(annotations.get)
    accept = sends_async(annotations.accept)
    reject = sends_async(annotations.reject)
    run = sends_async(annotations.run)
    runs_page = sends_async(annotations.runs_page)
    runs = walks_async(annotations.runs_page)


class Interactions(Resource):
    """Answered questions, what is said of the answers, and answers that are kept."""

    get = sends(interactions.get)
    page = sends(interactions.page)
    list = walks(interactions.page)
    correct = sends(interactions.correct)
    rate = sends(interactions.rate)
    output = sends(interactions.output)
    outputs_page = sends(interactions.outputs_page)
    outputs = walks(interactions.outputs_page)


class AsyncInteractions(AsyncResource):
    """Answered questions, what is said of the answers, and answers that are kept."""

    get = sends_async(interactions.get)
    page = sends_async(interactions.page)
    list = walks_async(interactions.page)
    correct = sends_async(interactions.correct)
    rate = sends_async(interactions.rate)
    output = sends_async(interactions.output)
    outputs_page = sends_async(interactions.outputs_page)
    outputs = walks_async(interactions.outputs_page)
