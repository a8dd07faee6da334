"""Settings from flags, the environment and a file."""

from pathlib import Path

import pytest

from setright.app.settings import SettingFault, Settings, data_folder, database_url, load, unsafe_bind


def test_a_flag_beats_the_environment_which_beats_the_file(tmp_path: Path) -> None:
    file = tmp_path / "setright.toml"
    file.write_text('port = 1\nhost = "127.0.0.3"\nlog_level = "debug"\nallowed_hosts = ["a.example"]\n')
    settings = load({"port": 3}, {"SETRIGHT_PORT": "2", "SETRIGHT_LOG_LEVEL": "error"}, file)
    assert (settings.port, settings.log_level, settings.host) == (3, "error", "127.0.0.3")
    assert settings.allowed_hosts == ("a.example",)


def test_lists_in_the_environment_are_written_with_commas() -> None:
    assert load({}, {"SETRIGHT_ALLOWED_HOSTS": "a.example, b.example,"}).allowed_hosts == (
        "a.example",
        "b.example",
    )


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"SETRIGHT_PORT": "many"}, "SETRIGHT_PORT"),
        ({"SETRIGHT_PORT": "70000"}, "port"),
        ({"SETRIGHT_PORT": "-1"}, "SETRIGHT_PORT"),
        ({"SETRIGHT_LOG_LEVEL": "loud"}, "log_level"),
        ({"SETRIGHT_MAX_BODY_BYTES": "1"}, "SETRIGHT_MAX_BODY_BYTES"),
        ({"SETRIGHT_TLS_KEY": "k.pem"}, "tls_certificate"),
        ({"SETRIGHT_LLM_URL": "https://h/v1"}, "llm_model"),
        ({"SETRIGHT_LLM_MODEL": "small"}, "llm_url"),
        ({"SETRIGHT_LLM_KEY": "secret"}, "SETRIGHT_LLM_KEY"),
        ({"SETRIGHT_LLM_TIMEOUT_SECONDS": "0"}, "SETRIGHT_LLM_TIMEOUT_SECONDS"),
        ({"SETRIGHT_POSTGRES_WRITERS": "8"}, "postgres_connections"),
        ({"SETRIGHT_CONFIG": "/nowhere/setright.toml"}, "/nowhere/setright.toml"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(environment: dict[str, str], named: str) -> None:
    with pytest.raises(SettingFault, match=named):
        load({}, environment)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://h/v1",
        "h/v1",
        "https://",
        "http:///v1",
        "https://user:word@h/v1",
        "https://h/v1?key=1",
        "https://h/v1#x",
        "https://h h/v1",
        "https://h\n/v1",
        "https://h:0/v1",
        "https://h:port/v1",
        "https://[::1/v1",
    ],
)
def test_an_address_that_cannot_be_that_of_a_model_is_named(url: str) -> None:
    with pytest.raises(SettingFault, match="llm_url"):
        load({}, {"SETRIGHT_LLM_URL": url, "SETRIGHT_LLM_MODEL": "small"})


def test_the_key_of_a_model_travels_encrypted_or_within_this_machine_and_stands_in_no_setting() -> None:
    keyed = {"SETRIGHT_LLM_MODEL": "small", "SETRIGHT_LLM_KEY": "secret"}
    for url in ("https://h/v1", "http://127.0.0.1:9/v1", "http://[::1]:9/v1", "http://localhost/v1"):
        settings = load({}, {**keyed, "SETRIGHT_LLM_URL": url})
        assert settings.llm_url == url
        assert "secret" not in repr(settings)
    with pytest.raises(SettingFault, match="https") as refused:
        load({}, {**keyed, "SETRIGHT_LLM_URL": "http://h/v1"})
    assert "secret" not in str(refused.value)
    assert load({}, {"SETRIGHT_LLM_URL": "http://h/v1", "SETRIGHT_LLM_MODEL": "m"}).llm_url == "http://h/v1"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("prot = 1", "prot"),
        ("port = ", "TOML"),
        ("port = true", "port"),
        ("host = 5", "host"),
        ("allowed_hosts = [1]", "allowed_hosts"),
        ("llm_key = 'secret'", "llm_key"),
    ],
)
def test_a_fault_in_the_file_is_named(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "setright.toml"
    file.write_text(text)
    with pytest.raises(SettingFault, match=named):
        load({}, {}, file)


def test_an_address_that_others_can_reach_needs_tls_or_a_trusted_proxy() -> None:
    assert unsafe_bind(Settings()) is None
    assert unsafe_bind(Settings(host="::1")) is None
    assert "TLS" in (unsafe_bind(Settings(host="0.0.0.0")) or "")
    assert unsafe_bind(Settings(host="0.0.0.0", trusted_proxies=("10.0.0.2",))) is None
    assert unsafe_bind(Settings(host="0.0.0.0", tls_certificate="c", tls_key="k")) is None


def test_without_settings_the_ledger_is_in_the_users_data_folder() -> None:
    environment = {"XDG_DATA_HOME": "/data"}
    assert data_folder(Settings(), environment) == Path("/data/setright")
    assert database_url(Settings(data_folder="/x")) == "sqlite:////x/ledger.db"
    assert database_url(Settings(database="postgresql://h/n")) == "postgresql://h/n"
