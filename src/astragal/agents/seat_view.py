"""A seat's view for an assistant: by kind, and only the requested parts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from astragal.agents.api import Api
from astragal.agents.tool import without
from astragal.table.log.shown import EntryShown
from astragal.table.view.model import HolderView, MemberView, PleaView, PoolsView, RequestView, TableView, TurnsView
from astragal.table.view.roll_model import OfferView, RollView

ENTRIES = 6
"""Entries of the log that come with a look, unless it asks for more or fewer."""
Part = Literal["table", "members", "sheets", "rolls", "finished", "requests", "pleas", "turns", "pools"]
USUAL: tuple[Part, ...] = ("table", "members", "sheets", "rolls", "requests", "pleas", "turns")
GROUPS = {"holders": "sheets"}
"""The names of views here, if they differ from their path."""


class LookArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The parts to look at, and the number of the latest entries of the log."""

    parts: Annotated[tuple[Part, ...], Meta(max_length=8)] = USUAL
    entries: Annotated[int, Meta(ge=0, le=50)] = ENTRIES


class Looked(Struct, frozen=True):
    """Your seat's view. Hidden things are absent; parts that you did not request are left out."""

    version: int
    you: MemberView
    here: list[str]
    log: list[EntryShown]
    table: TableView | None = None
    members: list[MemberView] = []
    sheets: list[HolderView] = []
    rolls: list[RollView] = []
    finished: list[RollView] = []
    requests: list[RequestView] = []
    pleas: list[PleaView] = []
    """Undo requests of players; a GM answers with the actions allow and decline."""
    turns: TurnsView | None = None
    pools: dict[str, PoolsView] = {}


async def snapshot(api: Api) -> dict[str, Any]:
    """Everything that the seat sees, by path."""
    found: dict[str, Any] = msgspec.json.decode(await api.get(api.at()))
    return found


async def look(api: Api, asked: LookArguments) -> dict[str, Any]:
    """The seat's view, by kind, without a GM's links, since each is another person's seat."""
    seen = await snapshot(api)
    log = seen["log"][-asked.entries :] if asked.entries else []
    found: dict[str, Any] = {"version": seen["version"], "you": seen["you"], "here": seen["here"], "log": log}
    for path, view in seen["parts"].items():
        sort, _, id = path.partition("/")
        part = "finished" if sort == "rolls" and _is_finished(view) else GROUPS.get(sort, sort)
        if part not in asked.parts:
            continue
        if part == "pools":
            found.setdefault(part, {})[id] = view
        elif id:
            found.setdefault(part, []).append(view)
        else:
            found[part] = view
    return found


def _is_finished(roll: dict[str, Any]) -> bool:
    """True if a roll is over and does not ask this seat for words."""
    return bool(roll["over"]) and not any(prompt["yours"] for prompt in roll.get("prompts", ()))


OfferNow = without(
    OfferView, "OfferNow", "id", "input", "gives", "price", "rule", "yours", "by", "side", "dice", "gains"
)
"""An offer in brief: its label, how often it may be used, what it adds and costs."""


RollNow = without(
    RollView, "RollNow", "by", "who", "against", "helpers", "their_helpers", "against_name", "seen", "hidden", "blind",
    "ask", "inputs", "use", "offers", "dice", "throws", "result", "locked", "takes", "does", "about", "tray", "pairs",
    "words", "needs", "wants", "kept",
    offers=(list[OfferNow] | UnsetType, UNSET),  # type: ignore[valid-type]
)  # fmt: skip
"""A roll as it is: its offers, its result, its open choice. A look has the rest."""


def roll_now(view: dict[str, Any]) -> dict[str, Any]:
    """A roll's view, in brief."""
    brief = {name: value for name, value in view.items() if name in RollNow.__struct_fields__}
    if view["thrown"] or "offers" not in view:
        return {name: value for name, value in brief.items() if name != "offers"}
    return {**brief, "offers": [_offer_now(offer) for offer in view["offers"]]}


def _offer_now(offer: dict[str, Any]) -> dict[str, Any]:
    brief = {name: value for name, value in offer.items() if name in OfferNow.__struct_fields__}
    dice = " + ".join(f"{dice['n']} {dice['name']}" for dice in offer["dice"])
    return {**brief, "adds": brief["adds"] or dice}
