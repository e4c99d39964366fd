"""One server for the tests of the shelf."""

from __future__ import annotations

from tests.serve.conftest import server

__all__ = ["server"]
