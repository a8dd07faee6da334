"""Whether the server is well, and what it measures."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from setright import __version__
from setright.faces.http.application import build
from setright.kernel.errors import StorageUnavailable
from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, a_run, error_of, open_api


def test_health_and_readiness(api: Api) -> None:
    assert api.client.get("/healthz").json() == {"status": "ok"}
    ready = api.client.get("/readyz").json()
    assert (ready["status"], ready["engine"]) == ("ready", api.app.store.engine)
    assert ready["schemaVersion"]


def test_a_server_without_its_database_is_well_but_not_ready(tmp_path: Path) -> None:
    api = open_api(new_sqlite(tmp_path))
    for file in tmp_path.iterdir():
        file.unlink()
    assert api.client.get("/healthz").status_code == 200
    answer = api.client.get("/readyz")
    error_of(answer, 503, "storage-unavailable")
    assert int(answer.headers["retry-after"]) > 0
    api.close()


def test_a_server_that_cannot_write_is_not_ready_although_it_can_read(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, written = api.tenant(), api.app.store.write_in_loop
    full = StorageUnavailable("the disk is full", 5)

    def fail(*_: Any) -> Any:
        raise full

    monkeypatch.setattr(api.app.store, "write_in_loop", fail)
    assert api.client.get("/readyz").status_code == 200, (
        "no write has failed yet, and none is made to find out"
    )
    error_of(caller.post("/v1/runs", a_run()), 503, "storage-unavailable")
    assert caller.get("/v1/runs").status_code == 200
    for _ in range(2):
        error_of(api.client.get("/readyz"), 503, "storage-unavailable")
    monkeypatch.setattr(api.app.store, "write_in_loop", written)
    assert api.client.get("/readyz").status_code == 200
    monkeypatch.setattr(api.app.store, "write_in_loop", fail)
    assert api.client.get("/readyz").status_code == 200


def test_a_server_on_a_nearly_full_disk_is_not_ready_and_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = open_api(new_sqlite(tmp_path), ready_free_mb=64)
    free = {"bytes": 63 * 1024 * 1024}
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free["bytes"]))
    refused = error_of(api.client.get("/readyz"), 503, "storage-unavailable")
    assert "63 MB are free beside ledger.db, 64 MB are needed" in refused["message"]
    free["bytes"] += 1024 * 1024
    assert api.client.get("/readyz").status_code == 200
    api.close()
    free["bytes"] = 0
    api = open_api(new_sqlite(tmp_path), ready_free_mb=0)
    assert api.client.get("/readyz").status_code == 200
    api.close()


def test_a_write_that_succeeds_makes_a_server_ready_again(api: Api) -> None:
    caller = api.tenant()
    api.app.performer.failed_to_write = True
    assert caller.post("/v1/runs", a_run()).status_code == 201
    assert not api.app.performer.failed_to_write


def from_here(api: Api, address: str = "127.0.0.1") -> TestClient:
    asgi: Any = build(api.app)
    return TestClient(asgi, base_url="http://localhost", client=(address, 50_000))


def figures(text: str) -> dict[str, list[Any]]:
    return {family.name: list(family.samples) for family in text_string_to_metric_families(text)}


def test_metrics_tell_the_queue_the_groups_and_the_calls(api: Api) -> None:
    caller = api.tenant()
    client = from_here(api)
    here = replace(caller, client=client)
    here.run()
    here.get("/v1/runs/nothing")
    here.get("/v1/nowhere")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    told = figures(answer.text)
    assert told["setright_write_queue_depth"][0].value == 0
    assert {sample.labels["quantile"] for sample in told["setright_group_size"]} == {"0.5", "0.9", "0.99"}
    assert told["setright_commit_seconds"][0].value > 0
    assert told["setright_writes"][0].value > 0
    build_labels = told["setright_build_info"][0].labels
    assert (build_labels["version"], build_labels["engine"]) == (__version__, api.app.store.engine)
    counts = {
        (sample.labels["method"], sample.labels["route"], sample.labels["status"]): sample.value
        for sample in told["setright_request_seconds"]
        if sample.name.endswith("_count")
    }
    assert counts["POST", "/v1/runs", "201"] == 1
    assert counts["GET", "/v1/runs/{runId}", "404"] == 1
    assert counts["GET", "", "404"] == 1
    assert caller.tenant_id not in answer.text


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_this_machine_may_read_the_metrics(lone_api: Api, address: str) -> None:
    assert from_here(lone_api, address).get("/metrics").status_code == 200


@pytest.mark.parametrize(
    "header", ["x-forwarded-for", "x-forwarded-host", "forwarded", "via", "x-real-ip", "cf-connecting-ip"]
)
def test_others_need_a_token_with_the_scope_admin(lone_api: Api, header: str) -> None:
    error_of(from_here(lone_api, "10.0.0.9").get("/metrics"), 401, "auth-missing")
    error_of(from_here(lone_api).get("/metrics", headers={header: "10.0.0.9"}), 401, "auth-missing")


def test_a_token_with_the_scope_admin_reads_the_metrics_from_anywhere(lone: Caller) -> None:
    assert lone.get("/metrics").status_code == 200
    error_of(lone.service("write").get("/metrics"), 403, "scope-missing")


def test_unknown_methods_make_no_figures_of_their_own(lone_api: Api) -> None:
    client = from_here(lone_api)
    for number in range(3):
        client.request(f"FETCH{number}", "/v1/me")
    assert "FETCH" not in client.get("/metrics").text
    assert 'method="other"' in client.get("/metrics").text
