"""The schema and the server say the same: schemathesis on every operation, and every frame of a connection."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from astragal.games.registry import all_games, names
from astragal.rule.inputs.input import Input
from astragal.serve.api.operations import OPERATIONS
from tests.serve.running import Guest, LiveSocket, Running
from tests.share import record, share

CONFIG = """
[checks]
# A question may fit the schema and be against the rules: that is 422, and said in a sentence.
positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "404", "409", "422", "5xx"]

[auth.openapi.seat]
api_key = "{seat}"

[[operations]]
include-path-regex = "/api/tables/.*table"
parameters = {{ "path.table" = "{table}", "path.roll" = "{roll}", "path.holder" = "{holder}" }}
"""

QUESTIONS = ("RollRequest", "OddsRequest", "AdviceRequest", "SideRequest")


@pytest.fixture(scope="module")
def document(server: Running) -> Any:
    return server.guest().get("/openapi.json")


def test_every_operation_is_in_the_document(document: Any) -> None:
    assert document["openapi"].startswith("3.1")
    listed = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert listed == {(operation.method, operation.path) for operation in OPERATIONS}


def test_there_is_a_page_of_it_without_scripts(server: Running) -> None:
    page = server.guest().http.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert all(f'id="{operation.name}"' in page.text for operation in OPERATIONS)
    assert "<script" not in page.text and "<style" not in page.text and " style=" not in page.text
    assert server.guest().http.get("/docs/style.css").headers["content-type"].startswith("text/css")


def likely(document: Any) -> Any:
    """The same document with games and inputs that there are, so that questions get as far as the rules."""
    told = json.loads(json.dumps(document))
    schemas = told["components"]["schemas"]
    kinds = [kind for game in all_games() for kind in game.kinds.values()]
    inputs = [{"type": "object", "additionalProperties": False, **_inputs(kind.ask.inputs)} for kind in kinds]
    for name in (*QUESTIONS, "NewTable"):
        schemas[name]["properties"]["game"] = {"enum": list(names())}
    for name in QUESTIONS:
        schemas[name]["properties"]["inputs"] = {"anyOf": inputs}
        schemas[name]["properties"]["roll"] = {"enum": ["", *{kind.name for kind in kinds}]}
    schemas["RollRequest"]["properties"]["faces"] = {"type": "string", "pattern": "^[1-9 |/]{0,30}$"}
    return told


def _inputs(inputs: dict[str, Input]) -> dict[str, Any]:
    return {"properties": {name: _schema(input) for name, input in inputs.items()}}


def _schema(input: Input) -> dict[str, Any]:
    bounds = input.bounds()
    if input.kind in ("whole", "summed"):
        return {"type": "integer", "minimum": bounds["min"], "maximum": min(bounds["max"], bounds["min"] + 30)}
    if input.kind == "one_of":
        return {"enum": bounds["options"]}
    return {"type": "boolean"} if input.kind == "flag" else {"type": "string", "maxLength": 20}


@pytest.mark.parametrize("how", ["as it is", "likely"])
def test_schemathesis_finds_nothing(server: Running, document: Any, tmp_path: Path, how: str) -> None:
    gm = server.found("narraject", sample=True)
    parts = gm.view()["parts"]
    about = {
        "seat": gm.http.cookies["seat"],
        "table": gm.table,
        "roll": next(path for path in parts if path.startswith("rolls/"))[6:],
        "holder": next(path for path in parts if path.startswith("holders/c"))[8:],
    }
    (tmp_path / "schemathesis.toml").write_text(CONFIG.format(**about), "utf-8")
    told = document if how == "as it is" else likely(document)
    (tmp_path / "openapi.json").write_text(json.dumps(told), "utf-8")
    n = share(60, 5)
    command = [str(Path(sys.executable).with_name("st")), "--config-file", "schemathesis.toml", "run", "openapi.json"]
    options = ["--url", server.url, "--checks", "all", "--max-examples", str(n), "--continue-on-failure", "--no-color"]
    if how == "likely":  # it says less than is allowed, so what it forbids need not be refused
        options += ["--mode", "positive", "--phases", "fuzzing"]
    done = subprocess.run(
        [*command, *options, "--generation-deterministic"],
        cwd=tmp_path, capture_output=True, text=True, timeout=3600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert f"Tested: {len(OPERATIONS)}" in done.stdout
    cases = next(line.strip() for line in done.stdout.splitlines() if re.match(r"\s*[\d,]+ generated", line))
    record(f"schemathesis, all checks, every operation ({how})", cases)


def assert_fits(document: Any, name: str, value: Any) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    jsonschema_rs.validate(schema, value)


@pytest.mark.parametrize("game", names())
def test_every_frame_of_a_connection_fits_the_schema(server: Running, document: Any, game: str) -> None:
    gm = server.found(game, sample=True)
    player = gm.invite("player", "Newcomer")
    with player.connection() as connection:
        hello = connection.next("hello")
        assert_fits(document, "Hello", hello)
        _play(document, gm, connection)
    with player.connection(hello["version"]) as connection:
        assert_fits(document, "News", connection.next("news"))
        assert_fits(document, "Here", connection.next("here"))
    assert_fits(document, "Snapshot", gm.view())


def _play(document: Any, gm: Guest, connection: LiveSocket) -> None:
    gm.act("scene", title="Rain")
    gm.act("note", text="It begins.")
    gm.act("open")
    gm.act("undo")
    for _ in range(4):
        assert_fits(document, "News", connection.next("news"))
