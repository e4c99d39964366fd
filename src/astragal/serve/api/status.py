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
    """Whether the server would store an action now; Unknown, which balancers take for a farewell, if it is stopping."""
    if call.server.leaving:
        raise Unknown(LEAVING)
    await call.server.health.check()
    return Reply({"status": "ok"})


async def show_metrics(call: Call) -> PlainTextResponse:
    """What the server counts, for Prometheus."""
    from astragal.serve.exposition import exposition_text  # loaded where somebody asks for metrics

    return PlainTextResponse(exposition_text(call.server.metrics), media_type=METRICS_MEDIA)
