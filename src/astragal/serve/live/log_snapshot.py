"""A snapshot: everything that a seat sees, and the last of the log."""

from __future__ import annotations

from typing import Any

from astragal.serve.live.hub import Hub
from astragal.serve.live.log import recent
from astragal.table.state import Member
from astragal.table.view.build import member_view, seat_version, view


def snapshot(hub: Hub, member: Member) -> dict[str, Any]:
    """The same for the first frame of a line and for whoever asks by HTTP."""
    return {
        "version": seat_version(hub.state, member),
        "you": member_view(member),
        "parts": view(hub.state, member),
        "log": recent(hub, member),
        "here": hub.here,
    }
