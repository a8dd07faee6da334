"""What `setright brief` hands over to where no server answers: the briefing from the ledger of this machine."""

import json
import sys
from collections.abc import Mapping
from typing import Any

import httpx2

from setright.app.settings import load
from setright.faces.cli import local_token
from setright.faces.cli.in_process import ADDRESS, InProcess
from setright.faces.cli.opening import open_ledger

STOPS = "/v1/lessons/stops"
FOR_GOOD = 500
MAY_COME = (401, 403, 404, 429)


def main(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The briefing that was asked for, and the keys of the stops that need not be sent again.

    A ledger that cannot be opened as it is, or a refusal, is an exception; nothing is upgraded here.
    """
    opened = open_ledger(load({}))
    secret = local_token.kept(opened.file)
    headers = {"Authorization": f"Bearer {secret}"}
    with httpx2.Client(base_url=ADDRESS, transport=InProcess(opened.app), headers=headers) as client:
        answer = client.get("/v1/briefing", params=[(name, value) for name, value in asked["parameters"]])
        answer.raise_for_status()
        taken = [stop["key"] for stop in asked["stops"] if _taken(client, stop)]
    return {"briefing": answer.json(), "taken": taken}


def _taken(client: httpx2.Client, stop: Mapping[str, Any]) -> bool:
    answer = client.post(STOPS, json=stop["body"], headers={"Idempotency-Key": stop["key"]})
    return answer.status_code < FOR_GOOD and answer.status_code not in MAY_COME


if __name__ == "__main__":
    print(json.dumps(main(json.load(sys.stdin))))
