"""A runner that dies loses nothing: its lease ends, and another does its cases."""

from setright.client import Setright
from tests.client.real_server import RealServer
from tests.client.runner.killing import a_round, corrected


def test_two_of_three_runners_are_killed(real_server: RealServer, real_client: Setright) -> None:
    agent_id = corrected(real_client)
    for seed in range(2):
        a_round(real_server, real_client, agent_id, seed)
