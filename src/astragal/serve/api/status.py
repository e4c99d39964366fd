"""Operations for the server's operator: health and metrics."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from starlette.responses import PlainTextResponse

from astragal.errors import Unknown
from astragal.serve.http.operation import Call, Reply
from astragal.serve.state import LEAVING

METRICS_MEDIA = "text/plain; version=0.0.4; charset=utf-8"


class Healthy(Struct, frozen=True):
    """All is well."""

    status: Literal["ok"]


async def health(call: Call) -> Reply:
    """Check if the server can store an action now; 404 while it is stopping, for balancers."""
    if call.server.leaving:
        raise Unknown(LEAVING)
    await call.server.health.check()
    return Reply({"status": "ok"})


async def show_metrics(call: Call) -> PlainTextResponse:
    """The server's metrics, for Prometheus."""
    from astragal.serve.api.exposition import exposition_text  # large, and not in a browser

    return PlainTextResponse(exposition_text(call.server.metrics), media_type=METRICS_MEDIA)
