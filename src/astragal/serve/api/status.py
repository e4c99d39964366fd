"""Operations for whoever runs the server: health and metrics."""

from __future__ import annotations

from starlette.responses import PlainTextResponse

from astragal.serve.http.operation import Call, Reply
from astragal.serve.telemetry import METRICS_MEDIA


async def health(call: Call) -> Reply:
    """Whether the server works and its store can be read."""
    await call.server.compute(call.server.repository.store.setting, "serve/secret")
    return Reply({"status": "ok"})


async def measure(call: Call) -> PlainTextResponse:
    """What the server counts, for Prometheus."""
    return PlainTextResponse("\n".join(call.server.metrics.lines()) + "\n", media_type=METRICS_MEDIA)
