"""Sample campaigns: actions as data, played at a new table."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from astragal.errors import Malformed, Refusal, Unknown
from astragal.table.action import CreateAction, FoundAction, JoinAction, SeatAction, read_action
from astragal.table.entry import Entry
from astragal.table.rolls.ticket import Tickets
from astragal.table.ruleset import ruleset_of
from astragal.table.table import Table


def sample_of(game: str) -> dict[str, Any]:
    """A game's sample campaign as plain data: a file of its own, or the part ``sample`` of the game's file."""
    path = ruleset_of(game).table_rules.sample
    if not path:
        raise Unknown(f"{ruleset_of(game).game.title} has no sample campaign.")
    written = tomllib.loads(Path(path).read_text("utf-8"))
    found: dict[str, Any] = written.get("sample", written)
    return found


def play_sample(
    game: str, at: int, name: str = "", free: bool = False, *, tickets: Tickets | None = None
) -> tuple[Table, list[Entry]]:
    """A table with the sample played through; ``name`` takes the founding GM's place.

    With ``free``, players who come later may take over the characters of the sample's players.
    Each action names its member in ``by``, or in ``actor`` where the action has a ``by`` of its own.
    """
    sample = sample_of(game)
    first, *others = sample["member"]
    table = Table()
    entries: list[Entry] = []

    def act(by: str, action: Any) -> str:
        # The sample's dice are the same at every table; only what its seats throw with later is announced.
        seats = tickets if isinstance(action, (FoundAction, JoinAction, SeatAction)) else None
        entry = table.decide(by, action, f"sample-{game}-{len(entries)}", at + len(entries), tickets=seats)
        table.apply(entry)
        entries.append(entry)
        return entry.by

    gm = act(
        "", FoundAction(game=game, title=sample["title"], name=name or first["name"], options=sample.get("options", {}))
    )
    ids = {first["name"]: gm}
    for member in others:
        # The founder may have the same name as a member of the sample.
        namesake = member["name"].lower() == name.strip().lower()
        act("", JoinAction(name=f"{member['name']} 2" if namesake else member["name"], role=member["role"]))
        ids[member["name"]] = entries[-1].by
    for place, written in enumerate(sample["action"], 1):
        actor = "actor" if "actor" in written else "by"
        try:
            action = read_action({key: value for key, value in written.items() if key != actor})
            if free and isinstance(action, CreateAction) and written[actor] != first["name"]:
                action = replace(action, free=True)
            act(_id_of(written.get(actor), ids), action)
        except Refusal as refusal:
            does = f"action {place}, {written.get('do', 'which has no do')}"
            raise Malformed(f"The sample, {does}: {refusal.sentence}", refusal.rule) from None
    return table, entries


def _id_of(name: str | None, ids: dict[str, str]) -> str:
    if name is None or name not in ids:
        raise Unknown(f'by is "{name}", and no member has this name; there are {", ".join(ids)}.')
    return ids[name]
