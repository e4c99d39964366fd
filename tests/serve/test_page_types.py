"""The page's types are made from the server's schema, and the files that were made are those of today."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from astragal.serve.api.docs import document_text

PAGE = Path(__file__).parents[2] / "page"
STALE = "The server's schema has changed since {} was made: run make page-types."
ABSENT = "The page's tools are not here, so its types are not made again: run make page."


def test_the_schema_that_the_page_has_is_what_the_server_says() -> None:
    assert (PAGE / "openapi.json").read_text("utf-8") == document_text(), STALE.format("page/openapi.json")


def test_the_types_of_the_page_are_made_from_that_schema() -> None:
    if not (PAGE / "node_modules" / "openapi-typescript").is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(ABSENT)
        pytest.skip(ABSENT)
    # Where the system has no Node.js, make brings one to where this Python is.
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])
    command = ["npm", "run", "--silent", "types", "--", "--check"]
    made = subprocess.run(
        command, cwd=PAGE, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=120, check=False
    )
    assert made.returncode == 0, STALE.format("src/api/schema.d.ts") + made.stdout + made.stderr
