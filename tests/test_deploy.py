"""The files in deploy/: they can be read, fit together, and name only options that the server has."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from astragal.cli.commands.serve import run_serve
from astragal.serve.api.operations import OPERATIONS
from astragal.table.log.export import MAX_FILE
from tools.balancer import configuration, container_configuration
from tools.sbom import runtime_lock

DEPLOY = Path(__file__).parents[1] / "deploy"
KNOWN = set(run_serve.parser.options)
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
MANIFESTS = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8")))

NO_HAPROXY = "There is no HAProxy here; make haproxy installs it."


def kind(name: str) -> Any:
    (found,) = [each for each in MANIFESTS if each["kind"] == name]
    return found


def commands() -> dict[str, list[str]]:
    """Every command line that starts a server, by where it stands."""
    found = {
        service: each["entrypoint"] for service, each in COMPOSE["services"].items() if each.get("image") == "astragal"
    }
    (pod,) = kind("Deployment")["spec"]["template"]["spec"]["containers"]
    found["kubernetes"] = [*pod["command"], *pod["args"]]
    for unit in DEPLOY.glob("*.service"):
        (line,) = re.findall(r"^ExecStart=(.*)$", unit.read_text("utf-8"), re.MULTILINE)
        found[unit.name] = shlex.split(line)
    return found


def times_to_stop() -> dict[str, float]:
    """How many seconds each of them has to stop before it is killed."""
    services = {name: each for name, each in COMPOSE["services"].items() if each.get("image") == "astragal"}
    found = {name: float(each["stop_grace_period"].removesuffix("s")) for name, each in services.items()}
    found["kubernetes"] = kind("Deployment")["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
    for unit in DEPLOY.glob("*.service"):
        (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit.read_text("utf-8"), re.MULTILINE)
        found[unit.name] = float(seconds)
    return found


@pytest.mark.parametrize("where", commands())
def test_a_server_behind_a_balancer_goes_on_for_longer_than_that_needs_to_notice(where: str) -> None:
    (leaving,) = re.findall(r"leaving=(\d+)", " ".join(commands()[where])) or [0]
    alone = where == "astragal.service"
    assert int(leaving) == 0 if alone else int(leaving) >= 3, "the balancer asks every second"
    assert times_to_stop()[where] >= int(leaving) + 10


@pytest.mark.parametrize("where", commands())
def test_a_server_is_is_started_with_options_that_it_has(where: str) -> None:
    words = commands()[where]
    assert Path(words[0]).name == "astragal" and words[1] == "serve"
    options = [word for word in words if word.startswith("--")]
    assert len(options) >= 4 and set(options) <= KNOWN
    assert "--secure" in options and "--hosts" in options


def test_an_installation_from_the_lock_can_do_what_the_servers_options_ask() -> None:
    pinned = set(re.findall(r"^([\w.-]+)==", runtime_lock(), re.MULTILINE))
    assert {"uvicorn", "psycopg", "psycopg-binary", "mcp"} <= pinned
    assert not {"pytest", "mypy", "playwright", "lea"} & pinned


def test_there_are_two_units_three_containers_and_a_deployment() -> None:
    assert sorted(commands()) == [
        "astragal.service", "astragal@.service", "kubernetes", "server1", "server2", "server3",
    ]  # fmt: skip


def test_the_containers_server_and_balancer_fit_together() -> None:
    services = COMPOSE["services"]
    assert container_configuration() == (DEPLOY / "haproxy.cfg").read_text("utf-8"), "run python -m tools.balancer"
    balanced = set(re.findall(r"server s\d (\w+):8000", container_configuration()))
    assert balanced == {name for name in services if name.startswith("server")} == {*services["balancer"]["depends_on"]}
    assert "./haproxy.cfg:" in services["balancer"]["volumes"][0]
    assert all(services[name]["environment"]["ASTRAGAL_DATABASE"].endswith("@database/astragal") for name in balanced)


@pytest.mark.parametrize("text", [container_configuration(), configuration(8080, ["127.0.0.1:1", "127.0.0.1:2"])])
def test_haproxy_takes_the_configuration(text: str, tmp_path: Path) -> None:
    program = shutil.which("haproxy", path="/usr/sbin:/usr/bin")
    if not program and os.environ.get("CI") == "true":
        pytest.fail(NO_HAPROXY)
    if not program:
        pytest.skip(NO_HAPROXY)
    (tmp_path / "haproxy.cfg").write_text(text, "utf-8")
    checked = subprocess.run(
        [program, "-c", "-f", tmp_path / "haproxy.cfg"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    warned = [line for line in checked.stderr.splitlines() if "WARNING" in line]
    assert [line for line in warned if "could not resolve" not in line] == []


def test_a_server_whose_database_comes_later_is_started_again_until_it_is_there() -> None:
    unit = (DEPLOY / "astragal@.service").read_text("utf-8")
    assert {"StartLimitIntervalSec=0", "Restart=always"} <= {*unit.splitlines()}
    assert unit.index("StartLimitIntervalSec") < unit.index("[Service]")
    services = COMPOSE["services"]
    assert all(each["restart"] == "always" for each in services.values())
    assert "127.0.0.1" in services["database"]["healthcheck"]["test"], "its socket is there before it is"


def test_what_visitors_may_send_comes_through_the_ingress() -> None:
    settings = kind("Ingress")["metadata"]["annotations"]
    assert settings["nginx.ingress.kubernetes.io/proxy-body-size"] == f"{MAX_FILE >> 20}m"


def test_the_pods_are_asked_for_what_a_server_answers() -> None:
    paths = {operation.path for operation in OPERATIONS}
    deployment = kind("Deployment")
    (pod,) = deployment["spec"]["template"]["spec"]["containers"]
    assert {pod[probe]["httpGet"]["path"] for probe in ("startupProbe", "readinessProbe")} == {"/healthz"} < paths
    assert deployment["spec"]["template"]["metadata"]["annotations"]["prometheus.io/path"] in paths
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert labels == kind("Service")["spec"]["selector"] == deployment["spec"]["selector"]["matchLabels"]
    secret = pod["env"][0]["valueFrom"]["secretKeyRef"]
    assert secret["name"] == kind("Secret")["metadata"]["name"] and secret["key"] in kind("Secret")["stringData"]
    (rule,) = kind("Ingress")["spec"]["rules"]
    assert rule["host"] in pod["args"]
