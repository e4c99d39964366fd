"""TLS without a proxy: a certificate and its key, checked before the server starts."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import NamedTuple

from astragal.errors import Unavailable

NO_PASSWORD = ""
"""OpenSSL would ask for a password at the terminal, and a service has none."""


class Certificate(NamedTuple):
    """Files in PEM format: a certificate, with those that vouch for it, and its private key."""

    cert: Path
    key: Path


def check_certificate(certificate: Certificate) -> Certificate:
    """The certificate, if the two files can be read and belong together; else Unavailable."""
    for path in certificate:
        if not path.is_file():
            raise Unavailable(f'There is no file "{path}".')
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*certificate, password=NO_PASSWORD)
    except (ssl.SSLError, OSError) as error:
        reason = getattr(error, "reason", None) or error.strerror or "unreadable"
        sentence = f'"{certificate.cert}" and "{certificate.key}" are no certificate and its key'
        raise Unavailable(f"{sentence} ({str(reason).replace('_', ' ').lower()}); both must be PEM files.") from None
    return certificate
