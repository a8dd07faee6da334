"""The service that assistants on this machine act as, when nobody gave them a token."""

from setright import events, identity
from setright.app.assemble import RunningApp
from setright.app.reactions import react
from setright.storage import Tx

NAME = "local-assistant"
SECONDS = 60


def make_assistant(app: RunningApp, person: str) -> str:
    """The secret of a new service token, made in the name of the person whose secret this is.

    It may read and write everywhere in the tenant, and is an assistant: what only a person does is refused to it.
    """

    def work(tx: Tx) -> str:
        tx.actor = identity.authenticate(tx, identity.present(person)).actor
        made = identity.create_token(tx, identity.NewToken(kind="service", name=NAME, role="write"))
        react(tx)
        events.append(tx)
        return made.secret

    return app.store.write(work).result(SECONDS)
