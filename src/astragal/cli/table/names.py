"""Names at a table: what an action's words may name, as ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from astragal.cli.table.seat import Seat
from astragal.errors import Malformed, Unknown
from astragal.rule.sheets.table_rules import TABLE, Move
from astragal.table.access import find_holder
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Request
from astragal.table.view.build import holder_view


def characters(seat: Seat) -> list[str]:
    """The names of the characters that this seat sees."""
    seen = (holder_view(seat.state, seat.member, id) for id in seat.state.world.holders)
    return [holder.name for holder in seen if holder and holder.kind == "character"]


def members(seat: Seat) -> list[str]:
    """The names of the members who are at the table."""
    return [member.name for member in seat.state.members.values() if member.role != "gone"]


def given_word(words: list[str], option: str) -> str:
    """The value of an option, read before the parser is known."""
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == option:
            return value if equals else next(iter(words[at + 1 :]), "")
    return ""


def only_id(ids: Iterable[str], ref: str) -> str:
    """The id or name that begins like this, if it is the only one; otherwise what was written."""
    found = [id for id in ids if ref and id.lower().startswith(ref.lower())]
    return found[0] if len(found) == 1 else ref


def requested(seat: Seat, ref: str) -> Request | None:
    """The request whose id begins like this."""
    return seat.state.world.requests.get(only_id(seat.state.world.requests, ref))


def move_named(words: list[str], seat: Seat) -> tuple[Move, list[str]]:
    """The move that the first word names, and the words after it."""
    ruleset = ruleset_of(seat.state.game)
    title, moves = ruleset.game.title, {move.name: move for move in ruleset.table_rules.moves}
    listed = ", ".join(f"{move.name} ({move.title})" for move in moves.values()) or "none"
    if not words or words[0].startswith("-"):
        raise Malformed(f"Say which move: {title} has {listed}.")
    name = words[0].replace("-", "_")
    if name not in moves:
        raise Unknown(f'{title} has no move "{words[0][:40]}"; there are {listed}.')
    return moves[name], words[1:]


def with_ids(seat: Seat, data: dict[str, Any]) -> dict[str, Any]:
    """The action with full ids and names in place of their beginnings."""
    world = seat.state.world
    full = {
        "roll": lambda ref: only_id(world.rolls, ref),
        "request": lambda ref: only_id(world.requests, ref),
        "entry": lambda ref: entry_id(seat, ref),
        "template": lambda ref: only_id(ruleset_of(seat.state.game).templates, ref),
    }
    return {name: full[name](value) if value and name in full else value for name, value in data.items()}


def entry_id(seat: Seat, ref: str) -> str:
    """The id of the entry whose id begins like this."""
    found = [entry.id for entry in seat.stored_table.history() if entry.id.startswith(ref.lower())]
    if len(found) > 1:
        raise Malformed(f'{len(found)} entries begin with "{ref[:40]}"; give more of the id.')
    return found[0] if found else ref


def placed(seat: Seat, data: dict[str, Any]) -> dict[str, Any]:
    """The action with the exact names of its section, given by name or title, and of its item, given in any case."""
    holder, section, item = data["holder"], data["section"], data["item"]
    found = find_holder(seat.state, seat.member, holder)
    for known in ruleset_of(seat.state.game).table_rules.sections(found.kind):
        if section.lower() in (known.name, known.title.lower()):
            section = known.name
            there = (*known.names, *items(seat, found.id, section))
            item = next((name for name in there if name.lower() == item.strip().lower()), item)
    return {**data, "holder": found.id, "section": section, "item": item}


def items(seat: Seat, holder: str, section: str) -> list[str]:
    """The names of the items that this seat sees there."""
    seen = holder_view(seat.state, seat.member, holder)
    return list(seen.sheet.get(section, {})) if seen else []


def clock_named(seat: Seat, holder: str, name: str) -> dict[str, Any]:
    """The holder, section and item of a Clock that this seat sees."""
    found = find_holder(seat.state, seat.member, holder or TABLE)
    sections = [each for each in ruleset_of(seat.state.game).table_rules.sections(found.kind) if each.look == "clock"]
    clocks = [(section.name, item) for section in sections for item in items(seat, found.id, section.name)]
    for section, item in clocks:
        if item.lower() == name.strip().lower():
            return {"holder": found.id, "section": section, "item": item}
    there = ", ".join(item for _, item in clocks) or "none"
    raise Unknown(f'There is no Clock "{name[:40]}"; there are {there}.')
