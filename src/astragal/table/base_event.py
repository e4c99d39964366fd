"""What every event has."""

from __future__ import annotations

import msgspec
from msgspec import Struct


class BaseEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", forbid_unknown_fields=True, gc=False
):
    """What every event has."""

    audience: str = msgspec.field(default="", name="only")
