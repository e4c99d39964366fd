"""A snapshot: everything that a seat sees, and the last of the log."""

from __future__ import annotations

from typing import Any

from astragal.serve.live.broadcast import whole_view
from astragal.serve.live.hub import Hub
from astragal.serve.live.log import recent
from astragal.table.state import Member
from astragal.table.view.build import seat_version


def snapshot(hub: Hub, member: Member) -> dict[str, Any]:
    """The same for the first frame of a line and for whoever asks by HTTP."""
    return {
        "version": seat_version(hub.state, member),
        "you": {"id": member.id, "name": member.name, "role": member.role},
        "parts": whole_view(hub.state, member),
        "log": recent(hub, member),
        "here": hub.here,
    }
