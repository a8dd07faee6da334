"""The token of the assistants of this machine: made at first use, kept beside the person's own."""

from setright.app import machine
from setright.app.assistant import make_assistant
from setright.faces.cli import local_token
from setright.faces.cli.in_process import own_token
from setright.faces.cli.opening import Opened
from setright.kernel.errors import Refusal


def secret_of_assistant(opened: Opened) -> str:
    """The kept secret where it still lets somebody in, else a new one."""
    file = opened.file.with_name(opened.file.name.replace(local_token.NAME, "assistant-token", 1))
    kept = local_token.kept(file)
    if kept is not None:
        try:
            machine.authenticates(opened.app, kept)
        except Refusal:
            pass
        else:
            return kept
    secret = make_assistant(opened.app, own_token(opened))
    local_token.keep(file, secret)
    return secret
