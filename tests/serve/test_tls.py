"""``astragal serve --cert --key``: https without a proxy."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from astragal.errors import Unavailable
from astragal.serve.settings import Certificate, check_certificate
from tests.cli.command import run
from tests.serve.running import FREE, Running

needs_openssl = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    folder = tmp_path_factory.mktemp("tls")
    made = Certificate(folder / "cert.pem", folder / "key.pem")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subject = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*command, *subject, "-out", made.cert, "-keyout", made.key], check=True, capture_output=True)
    return made


@needs_openssl
def test_a_server_with_a_certificate_speaks_https(tmp_path: Path, certificate: Certificate) -> None:
    trusted = ssl.create_default_context(cafile=str(certificate.cert))
    with Running(tmp_path / "tables.db", FREE._replace(certificate=check_certificate(certificate))) as server:
        url = f"https://127.0.0.1:{server.port}"
        with httpx.Client(base_url=url, verify=trusted) as gm:
            answer = gm.post("/api/tables", json={"game": "tgimh", "title": "T", "name": "M"}, headers={"Origin": url})
            assert answer.status_code == 201 and "Secure" in answer.headers["set-cookie"]
            path, cookie = f"/api/tables/{answer.json()['table']}", f"seat={answer.cookies['seat']}"
            live = f"{url.replace('https', 'wss')}{path}/live"
            with connect(live, ssl=trusted, additional_headers={"Cookie": cookie, "Origin": url}) as socket:
                assert '"hello"' in str(socket.recv(5))
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{server.port}/healthz")


@needs_openssl
def test_files_that_do_not_fit_are_refused_before_the_server_starts(tmp_path: Path, certificate: Certificate) -> None:
    junk = tmp_path / "junk.pem"
    junk.write_text("junk", "utf-8")
    for wrong in (Certificate(junk, certificate.key), Certificate(certificate.cert, junk), certificate[::-1]):
        with pytest.raises(Unavailable, match="PEM"):
            check_certificate(Certificate(*wrong))
    with pytest.raises(Unavailable, match="no file"):
        check_certificate(certificate._replace(key=tmp_path / "none.pem"))


def test_a_certificate_needs_its_key(tmp_path: Path) -> None:
    ran = run("serve", "--cert", "x.pem", "--data", str(tmp_path))
    assert ran.code == 2 and "belong together" in ran.err
