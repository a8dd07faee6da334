"""What a client can ask about knowledge, plain and asynchronous: one line per verb, described in `requests`."""

from setright.client.requests import knowledge_answers
from setright.client.verbs import AsyncResource, Resource, sends, sends_async


class Knowledge(Resource):
    """Artifacts and what is said of their words: answers that cite it."""

    search = sends(knowledge_answers.search)
    summary = sends(knowledge_answers.summary)
    interpret = sends(knowledge_answers.interpret)
    interpret_at = sends(knowledge_answers.interpret_at)


class AsyncKnowledge(AsyncResource):
    """Artifacts and what is said of their words: answers that cite it."""

    search = sends_async(knowledge_answers.search)
    summary = sends_async(knowledge_answers.summary)
    interpret = sends_async(knowledge_answers.interpret)
    interpret_at = sends_async(knowledge_answers.interpret_at)
