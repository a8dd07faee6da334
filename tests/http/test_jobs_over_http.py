"""Jobs over HTTP: for the tenant's admins, and as if they were not there for everybody else."""

from setright import jobs
from setright.app.worker import of_ledger
from setright.kernel.clock import SECOND
from setright.storage import Tx
from tests.http.support import Api, Caller, error_of
from tests.http.test_server_routes import figures, from_here


def test_an_admin_sees_cancels_and_retries(caller: Caller) -> None:
    job = caller.job()
    assert caller.get(f"/v1/jobs/{job}").json()["state"] == "waiting"
    assert caller.post(f"/v1/jobs/{job}/cancel").json()["state"] == "cancelled"
    assert caller.get("/v1/jobs?state=cancelled").json()["data"][0]["id"] == job
    assert caller.post(f"/v1/jobs/{job}/retry").json()["state"] == "waiting"


def test_a_move_that_is_not_open_says_which_are(caller: Caller) -> None:
    error = error_of(caller.post(f"/v1/jobs/{caller.job()}/retry"), 409, "job-move-refused")
    assert error["details"]["open"] == ["cancel"]


def test_jobs_of_others_are_not_there_and_members_may_not_look(api: Api, caller: Caller) -> None:
    job = caller.job()
    other = api.tenant()
    for path in (f"/v1/jobs/{job}", "/v1/jobs/job_01KE5MCQ800000000000000000"):
        error_of(other.get(path), 404, "job-not-found")
    error_of(other.post(f"/v1/jobs/{job}/cancel"), 404, "job-not-found")
    error_of(caller.user("bo", "write").get("/v1/jobs"), 403, "permission-denied")


def test_a_state_that_there_is_not_is_refused(caller: Caller) -> None:
    assert "waiting" in error_of(caller.get("/v1/jobs?state=lost"), 400, "invalid-parameter")["message"]


def test_readiness_tells_whether_a_worker_was_seen(api: Api) -> None:
    assert api.client.get("/readyz").json()["worker"] in ("seen", "not-seen")


def test_the_metrics_tell_for_how_long_the_oldest_due_job_has_waited(lone_api: Api) -> None:
    def oldest() -> float:
        told = figures(from_here(lone_api).get("/metrics").text)
        assert {sample.labels["state"] for sample in told["setright_jobs"]} == set(jobs.STATES)
        return told["setright_jobs_oldest_seconds"][0].value

    def ask(tx: Tx) -> None:
        tx.actor = of_ledger()
        jobs.ask(tx, "drop-ended-jobs", "of-a-test", {}, due=tx.now - 3600 * SECOND)

    lone_api.app.store.write(ask).result(20)
    assert 3600 <= oldest() < 7200
    while lone_api.app.worker.turn():
        pass
    assert oldest() == 0
