"""Static files: the index for every page, hashed files cached for ever, compressed forms where accepted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from astragal.serve.http.static import Page
from tests.serve.running import Running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built = tmp_path / "page"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<!doctype html><title>Astragal</title>", "utf-8")
    (built / "assets" / "main-Ab3_d9xQ.js").write_text("console.log(1)", "utf-8")
    (built / "assets" / "main-Ab3_d9xQ.js.gz").write_bytes(b"gz")
    (built / "assets" / "main-Ab3_d9xQ.js.br").write_bytes(b"br")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return built


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    page = Page(folder)
    with TestClient(Starlette(routes=[Route("/", page.index), Route("/{path:path}", page.asset)])) as found:
        yield found


def test_the_index_is_revalidated_and_hashed_files_are_immutable(client: TestClient) -> None:
    index, script = client.get("/"), client.get("/assets/main-Ab3_d9xQ.js", headers={"Accept-Encoding": "identity"})
    assert index.headers["cache-control"] == "no-cache" and index.headers["content-type"].startswith("text/html")
    assert "immutable" in script.headers["cache-control"] and script.text == "console.log(1)"
    assert client.get("/", headers={"If-None-Match": index.headers["etag"]}).status_code == 304


@pytest.mark.parametrize(
    ("accepted", "encoding"), [("gzip, br", "br"), ("gzip;q=1", "gzip"), ("identity", None), ("zstd", None)]
)
def test_compressed_forms_are_sent_where_accepted(folder: Path, accepted: str, encoding: str | None) -> None:
    from starlette.requests import Request

    from astragal.serve.http.static import _response

    scope = {"type": "http", "headers": [(b"accept-encoding", accepted.encode())]}
    file = Page(folder)._find("assets/main-Ab3_d9xQ.js")
    assert file
    assert _response(file, Request(scope)).headers.get("content-encoding") == encoding


@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt", "/assets", "/x"])
def test_nothing_outside_the_folder_is_sent(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_new_build_is_seen_at_once(client: TestClient, folder: Path) -> None:
    client.get("/")
    (folder / "index.html").write_text("new", "utf-8")
    os.utime(folder / "index.html", (2e9, 2e9))
    assert client.get("/").text == "new"


def test_a_source_tree_without_the_page_says_how_to_build_it(tmp_path: Path) -> None:
    page = Page(tmp_path / "none")
    with TestClient(Starlette(routes=[Route("/", page.index)])) as client:
        assert client.get("/").status_code == 503 and "npm run build" in client.get("/").text


def test_every_page_is_the_index(server: Running) -> None:
    answers = {
        server.guest().http.get(path).text
        for path in ("/", "/lab", "/join", "/t/anything", "/t/anything/story", "/t/anything/screen")
    }
    assert len(answers) == 1
