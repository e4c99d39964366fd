"""What every event has, and what events are about."""

from __future__ import annotations

import msgspec
from msgspec import Struct


class BaseEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", forbid_unknown_fields=True, gc=False
):
    """What every event has."""

    audience: str = msgspec.field(default="", name="only")


class RollEvent(BaseEvent, frozen=True):
    """An event about a roll."""

    roll: str


class HolderEvent(BaseEvent, frozen=True):
    """An event about the sheet of a character, a player, the table or the scene."""

    holder: str


class RequestEvent(BaseEvent, frozen=True):
    """An event about a GM's request for a roll."""

    request: str


class PleaEvent(BaseEvent, frozen=True):
    """An event about a player's request for an undo."""

    plea: str
