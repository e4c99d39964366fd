"""What a seat sees, as an assistant gets it: by sort, and only what it asks for."""

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
"""What views at a path are called here, where that is another word."""


class LookArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What to look at, and how many of the latest entries of the log."""

    parts: Annotated[tuple[Part, ...], Meta(max_length=8)] = USUAL
    entries: Annotated[int, Meta(ge=0, le=50)] = ENTRIES


class Looked(Struct, frozen=True):
    """What your seat sees. Whatever is hidden from it is absent; parts that were not asked for are left out."""

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
    """What players ask a GM to undo; answer with the actions allow and decline."""
    turns: TurnsView | None = None
    pools: dict[str, PoolsView] = {}


async def snapshot(api: Api) -> dict[str, Any]:
    """Everything that the seat sees, by path."""
    found: dict[str, Any] = msgspec.json.decode(await api.get(api.at()))
    return found


async def look(api: Api, asked: LookArguments) -> dict[str, Any]:
    """What the seat sees, by sort. A GM's links stay out of it: each of them is a seat of somebody else's."""
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
    """Whether a roll is over, and does not ask this seat for words."""
    return bool(roll["over"]) and not any(prompt["yours"] for prompt in roll.get("prompts", ()))


OfferNow = without(
    OfferView, "OfferNow", "id", "input", "gives", "price", "rule", "yours", "by", "side", "dice", "gains"
)
"""Of an offer: what to call it, how often it may be used, what it adds and costs."""


RollNow = without(
    RollView, "RollNow", "by", "who", "against", "helpers", "their_helpers", "against_name", "seen", "hidden", "blind",
    "ask", "inputs", "use", "offers", "dice", "throws", "result", "locked", "takes", "does", "about", "tray", "pairs",
    "words", "needs", "wants", "kept",
    offers=(list[OfferNow] | UnsetType, UNSET),  # type: ignore[valid-type]
)  # fmt: skip
"""A roll as it stands: what may be put in, how it went, what it waits for. A look has the rest."""


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
