"""Completion of command options: games, kinds of roll, inputs, the caller's characters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from astragal.errors import Refusal
from astragal.games.registry import game, names
from astragal.games.shelf import shelf_names
from astragal.rule.game import Game
from astragal.serve.chat.discord.caller import Caller
from astragal.serve.chat.discord.commands import texts_of
from astragal.serve.chat.discord.interaction import Option
from astragal.serve.chat.discord.message import choices
from astragal.table.access import holder_audience, may_see, owns


async def complete(caller: Caller, options: list[Option]) -> dict[str, Any]:
    """The completions of the option that is being typed; none if they are unknown."""
    typed = next((option for option in options if option.focused), None)
    with suppress(Refusal):
        if typed is not None and isinstance(typed.value, str):
            return choices(await _found(caller, typed.name, typed.value, texts_of(options)))
    return choices([])


async def _found(caller: Caller, name: str, typed: str, texts: dict[str, str]) -> list[tuple[str, str]]:
    if name == "game":
        return [(each, each) for each in dict.fromkeys((*names(), *shelf_names())) if typed.lower() in each]
    if name == "who":
        return await _characters(caller, typed)
    found = game(texts["game"]) if texts.get("game") else game((await caller.hub()).state.game)
    if name == "kind":
        kinds = found.kinds.values()
        return [(f"{kind.name}: {kind.title}", kind.name) for kind in kinds if typed.lower() in kind.name]
    return list(_inputs(found, texts.get("kind", ""), typed)) if name == "inputs" else []


def _inputs(found: Game, kind: str, typed: str) -> Iterator[tuple[str, str]]:
    """The text so far, followed by each possible next input."""
    before, _, begun = typed.rpartition(" ")
    if "=" in begun:
        before, begun = typed.strip(), ""
    for name, put in found.kind(kind).ask.inputs.items():
        if name.startswith(begun.lower()) and f"{name}=" not in before:
            text = f"{before} {name}=".strip()
            yield f"{text} ({put.help})", text


async def _characters(caller: Caller, typed: str) -> list[tuple[str, str]]:
    """The characters of this seat."""
    seated = await caller.seated("reads")
    member = seated.member
    holders = seated.hub.state.world.holders.values()
    own = [kept for kept in holders if kept.kind == "character" and owns(member, kept)]
    return [
        (kept.name, kept.id)
        for kept in own
        if may_see(member, holder_audience(kept)) and typed.lower() in kept.name.lower()
    ]
