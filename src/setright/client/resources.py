"""What a client can do with each kind of thing, plain and asynchronous: one line per verb, described in `requests`."""

from setright.client.requests import (
    accounts,
    batch,
    corrections,
    corrector_groups,
    events,
    projects,
    running,
    runs,
    subjects,
    test_runs,
)
from setright.client.senders import AsyncSender, Sender
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


class Runs(Resource):
    """What agents and flows did."""

    create = sends(runs.create)
    create_many = follows(batch.create_many)
    finish = sends(runs.finish)
    append_calls = sends(runs.append_calls)
    get = sends(runs.get)
    calls = walks(runs.calls)
    page = sends(runs.page)
    list = walks(runs.page)


class AsyncRuns(AsyncResource):
    """What agents and flows did."""

    create = sends_async(runs.create)
    create_many = follows_async(batch.create_many)
    finish = sends_async(runs.finish)
    append_calls = sends_async(runs.append_calls)
    get = sends_async(runs.get)
    calls = walks_async(runs.calls)
    page = sends_async(runs.page)
    list = walks_async(runs.page)


class Waiting(Resource):
    """Corrections that wait for their run to finish."""

    page = sends(corrections.waiting_page)
    list = walks(corrections.waiting_page)
    get = sends(corrections.get_waiting)
    withdraw = sends(corrections.withdraw)


class AsyncWaiting(AsyncResource):
    """Corrections that wait for their run to finish."""

    page = sends_async(corrections.waiting_page)
    list = walks_async(corrections.waiting_page)
    get = sends_async(corrections.get_waiting)
    withdraw = sends_async(corrections.withdraw)


class Corrections(Resource):
    """What was right instead."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.waiting = Waiting(sender)

    create = sends(corrections.create)
    hold = sends(corrections.hold)
    get = sends(corrections.get)
    change = sends(corrections.change)
    unregister = sends(corrections.unregister)
    page = sends(corrections.page)
    list = walks(corrections.page)
    history_page = sends(corrections.history)
    history = walks(corrections.history)
    summary = sends(corrections.summary)
    by_subject = walks(corrections.by_subject)
    agreement = sends(corrections.agreement)
    disagreements = walks(corrections.disagreements)


class AsyncCorrections(AsyncResource):
    """What was right instead."""

    def __init__(self, sender: AsyncSender) -> None:
        super().__init__(sender)
        self.waiting = AsyncWaiting(sender)

    create = sends_async(corrections.create)
    hold = sends_async(corrections.hold)
    get = sends_async(corrections.get)
    change = sends_async(corrections.change)
    unregister = sends_async(corrections.unregister)
    page = sends_async(corrections.page)
    list = walks_async(corrections.page)
    history_page = sends_async(corrections.history)
    history = walks_async(corrections.history)
    summary = sends_async(corrections.summary)
    by_subject = walks_async(corrections.by_subject)
    agreement = sends_async(corrections.agreement)
    disagreements = walks_async(corrections.disagreements)


class CorrectorGroups(Resource):
    """Names to correct under, and how much that counts."""

    create = sends(corrector_groups.create)
    get = sends(corrector_groups.get)
    change = sends(corrector_groups.change)
    retire = sends(corrector_groups.retire)
    page = sends(corrector_groups.page)
    list = walks(corrector_groups.page)


class AsyncCorrectorGroups(AsyncResource):
    """Names to correct under, and how much that counts."""

    create = sends_async(corrector_groups.create)
    get = sends_async(corrector_groups.get)
    change = sends_async(corrector_groups.change)
    retire = sends_async(corrector_groups.retire)
    page = sends_async(corrector_groups.page)
    list = walks_async(corrector_groups.page)


class Events(Resource):
    """What happened, oldest first."""

    page = sends(events.page)
    list = walks(events.page)


class AsyncEvents(AsyncResource):
    """What happened, oldest first."""

    page = sends_async(events.page)
    list = walks_async(events.page)


class Members(Resource):
    """Who may do what in a project."""

    page = sends(projects.members_page)
    list = walks(projects.members_page)
    put = sends(projects.put_member)
    remove = sends(projects.remove_member)


class AsyncMembers(AsyncResource):
    """Who may do what in a project."""

    page = sends_async(projects.members_page)
    list = walks_async(projects.members_page)
    put = sends_async(projects.put_member)
    remove = sends_async(projects.remove_member)


class Pins(Resource):
    """Versions that a project runs, whatever is deployed."""

    create = sends(running.pin)
    page = sends(running.pins_page)
    list = walks(running.pins_page)
    lift = sends(running.unpin)


class Tools(Resource):
    """What the tools of a project do."""

    put = sends(running.set_tool)
    page = sends(running.tools_page)
    list = walks(running.tools_page)
    remove = sends(running.drop_tool)


class Projects(Resource):
    """Where runs and corrections live."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.members = Members(sender)
        self.pins = Pins(sender)
        self.tools = Tools(sender)

    create = sends(projects.create)
    get = sends(projects.get)
    rename = sends(projects.rename)
    page = sends(projects.page)
    list = walks(projects.page)
    running_page = sends(running.running_page)
    running = walks(running.running_page)


class AsyncPins(AsyncResource):
    """Versions that a project runs, whatever is deployed."""

    create = sends_async(running.pin)
    page = sends_async(running.pins_page)
    list = walks_async(running.pins_page)
    lift = sends_async(running.unpin)


class AsyncTools(AsyncResource):
    """What the tools of a project do."""

    put = sends_async(running.set_tool)
    page = sends_async(running.tools_page)
    list = walks_async(running.tools_page)
    remove = sends_async(running.drop_tool)


class AsyncProjects(AsyncResource):
    """Where runs and corrections live."""

    def __init__(self, sender: AsyncSender) -> None:
        super().__init__(sender)
        self.members = AsyncMembers(sender)
        self.pins = AsyncPins(sender)
        self.tools = AsyncTools(sender)

    create = sends_async(projects.create)
    get = sends_async(projects.get)
    rename = sends_async(projects.rename)
    page = sends_async(projects.page)
    list = walks_async(projects.page)
    running_page = sends_async(running.running_page)
    running = walks_async(running.running_page)


class Users(Resource):
    """The people of the account."""

    create = sends(accounts.create_user)
    get = sends(accounts.get_user)
    page = sends(accounts.users_page)
    list = walks(accounts.users_page)
    change = sends(accounts.change_user)
    disable = sends(accounts.disable_user)
    invite = sends(accounts.invite_user)


class AsyncUsers(AsyncResource):
    """The people of the account."""

    create = sends_async(accounts.create_user)
    get = sends_async(accounts.get_user)
    page = sends_async(accounts.users_page)
    list = walks_async(accounts.users_page)
    change = sends_async(accounts.change_user)
    disable = sends_async(accounts.disable_user)
    invite = sends_async(accounts.invite_user)


class Sessions(Resource):
    """Signing in as a user, and out."""

    create = sends(accounts.sign_in)
    set_password = sends(accounts.set_password)
    page = sends(accounts.sessions_page)
    list = walks(accounts.sessions_page)
    end = sends(accounts.end_session)


class AsyncSessions(AsyncResource):
    """Signing in as a user, and out."""

    create = sends_async(accounts.sign_in)
    set_password = sends_async(accounts.set_password)
    page = sends_async(accounts.sessions_page)
    list = walks_async(accounts.sessions_page)
    end = sends_async(accounts.end_session)


class Tokens(Resource):
    """What lets users and services in."""

    create = sends(accounts.create_token)
    get = sends(accounts.get_token)
    page = sends(accounts.tokens_page)
    list = walks(accounts.tokens_page)
    revoke = sends(accounts.revoke_token)
    rotate = sends(accounts.rotate_token)


class AsyncTokens(AsyncResource):
    """What lets users and services in."""

    create = sends_async(accounts.create_token)
    get = sends_async(accounts.get_token)
    page = sends_async(accounts.tokens_page)
    list = walks_async(accounts.tokens_page)
    revoke = sends_async(accounts.revoke_token)
    rotate = sends_async(accounts.rotate_token)


class Agents(Resource):
    """The agents that were seen in runs."""

    get = sends(subjects.get_agent)
    page = sends(subjects.agents_page)
    list = walks(subjects.agents_page)
    patch = sends(subjects.patch_agent)
    deploy = sends(running.deploy_agent)
    deploys_page = sends(running.agent_deploys)
    deploys = walks(running.agent_deploys)


class AsyncAgents(AsyncResource):
    """The agents that were seen in runs."""

    get = sends_async(subjects.get_agent)
    page = sends_async(subjects.agents_page)
    list = walks_async(subjects.agents_page)
    patch = sends_async(subjects.patch_agent)
    deploy = sends_async(running.deploy_agent)
    deploys_page = sends_async(running.agent_deploys)
    deploys = walks_async(running.agent_deploys)


class Flows(Resource):
    """The flows that were seen in runs."""

    get = sends(subjects.get_flow)
    page = sends(subjects.flows_page)
    list = walks(subjects.flows_page)
    patch = sends(subjects.patch_flow)
    deploy = sends(running.deploy_flow)
    deploys_page = sends(running.flow_deploys)
    deploys = walks(running.flow_deploys)


class AsyncFlows(AsyncResource):
    """The flows that were seen in runs."""

    get = sends_async(subjects.get_flow)
    page = sends_async(subjects.flows_page)
    list = walks_async(subjects.flows_page)
    patch = sends_async(subjects.patch_flow)
    deploy = sends_async(running.deploy_flow)
    deploys_page = sends_async(running.flow_deploys)
    deploys = walks_async(running.flow_deploys)


class TestRuns(Resource):
    """Versions held against corrections."""

    create = sends(test_runs.create)
    get = sends(test_runs.get)
    page = sends(test_runs.page)
    list = walks(test_runs.page)
    verdicts_page = sends(test_runs.verdicts)
    verdicts = walks(test_runs.verdicts)
    summary = sends(test_runs.summary)
    claim = sends(test_runs.claim)
    renew = sends(test_runs.renew)
    submit = sends(test_runs.submit)
    finish = sends(test_runs.finish)
    cancel = sends(test_runs.cancel)


class AsyncTestRuns(AsyncResource):
    """Versions held against corrections."""

    create = sends_async(test_runs.create)
    get = sends_async(test_runs.get)
    page = sends_async(test_runs.page)
    list = walks_async(test_runs.page)
    verdicts_page = sends_async(test_runs.verdicts)
    verdicts = walks_async(test_runs.verdicts)
    summary = sends_async(test_runs.summary)
    claim = sends_async(test_runs.claim)
    renew = sends_async(test_runs.renew)
    submit = sends_async(test_runs.submit)
    finish = sends_async(test_runs.finish)
    cancel = sends_async(test_runs.cancel)
