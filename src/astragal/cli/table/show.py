"""``astragal table show``: a table as one seat sees it."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from astragal.cli.parser import Parser
from astragal.cli.render.screen import Screen
from astragal.cli.render.sheet import Drawing, signs
from astragal.cli.table.manage import print_json
from astragal.cli.table.seat import AS, DATA, JSON, Seat, name_of, sit_down
from astragal.cli.table.waiting import open_rolls, show_waiting
from astragal.rule.sheet import Section
from astragal.rule.table_rules import SCENE, TABLE
from astragal.table.ruleset import ruleset_of
from astragal.table.view.build import seat_version, view

WIDTH = 100
INDENT = 25


def run_show(words: list[str]) -> int:
    """Everything that the seat may see."""
    examples = ("astragal table show", 'astragal table show "The Drowned Bell" --as Jonas')
    parser = Parser("table show", "A table: the scene, characters, Clocks, open rolls.", ("TABLE",), examples)
    parser.add("how", AS, DATA, JSON)
    parsed = parser.parse(words)
    with sit_down(parsed, next(iter(parsed.places), None)) as seat:
        if parsed.flag("json"):
            print_json(as_data(seat))
        else:
            show_table(Screen(), seat)
    return 0


def as_data(seat: Seat) -> dict[str, Any]:
    """The seat's view, with its parts in lists."""
    seen = view(seat.state, seat.member)
    parts: dict[str, list[Any]] = {"members": [], "holders": [], "rolls": []}
    for path, part in seen.items():
        if path != "table" and part is not None:
            parts[path.partition("/")[0]].append(part)
    version = seat_version(seat.state, seat.member)
    return {"id": seat.stored_table.id, "version": version, **seen["table"], **parts}


def show_table(screen: Screen, seat: Seat) -> None:
    seen = as_data(seat)
    state = seat.state
    members = ", ".join(f"{one['name']} ({one['role']})" for one in seen["members"] if one["role"] != "gone")
    screen.say(f"{seen['title']}, a table of {ruleset_of(state.game).game.title}", "bold")
    screen.say(f"Members: {members}. You see it as {seat.member.name}.")
    scene = seen["scene"]
    screen.say(f"Scene: {scene['title']}" if scene["open"] else "No scene is open.", "bold")
    drawing = Drawing({id: name_of(state, id) for id in (*state.members, *state.world.holders)}, signs())
    holders = {holder["id"]: holder for holder in seen["holders"]}
    if scene["open"] and SCENE in holders:
        _show_sheet(screen, drawing, state.game, holders[SCENE])
    _show_holders(screen, drawing, seat, holders)
    show_waiting(screen, seat, open_rolls(seat))


def _show_holders(screen: Screen, drawing: Drawing, seat: Seat, holders: dict[str, Any]) -> None:
    """The table's own sheet, then the players', then every character."""
    game, there = seat.state.game, seat.state.members
    for holder in sorted(
        holders.values(), key=lambda one: ("table", "player", "character", "scene").index(one["kind"])
    ):
        if holder["kind"] == "scene" or (holder["kind"] == "player" and there[holder["id"]].role == "gone"):
            continue
        drawn = list(drawing.lines(_sections(game, holder["kind"]), holder["sheet"]))
        if drawn or holder["kind"] == "character":
            screen.say(_head(seat, holder), "bold")
            _show_lines(screen, drawn)


def _head(seat: Seat, holder: dict[str, Any]) -> str:
    if holder["id"] == TABLE:
        return "The table"
    if holder["kind"] == "player":
        return str(holder["name"])
    owner = f"{name_of(seat.state, holder['owner'])}'s" if holder["owner"] else "the GM's"
    hidden = {"owner": ", for its owner and the GM", "gm": ", for the GM alone"}.get(holder["seen"], "")
    return f"{holder['name']} ({owner}{hidden})"


def _sections(game: str, kind: str) -> tuple[Section, ...]:
    return ruleset_of(game).table_rules.sections(kind)


def _show_sheet(screen: Screen, drawing: Drawing, game: str, holder: dict[str, Any]) -> None:
    _show_lines(screen, list(drawing.lines(_sections(game, holder["kind"]), holder["sheet"])))


def _show_lines(screen: Screen, drawn: list[tuple[str, list[str]]]) -> None:
    """A section in a line, or in a line for each item where these are long."""
    width = (min(WIDTH, get_terminal_size().columns) if sys.stdout.isatty() else WIDTH) - INDENT
    for title, items in drawn:
        joined = "  ".join(items)
        rows = [joined] if len(joined) <= width or max(map(len, items)) < 30 else items
        for place, row in enumerate(rows):
            for at, line in enumerate(wrap(row, max(width, INDENT)) or [""]):
                head = title if not place and not at else ""
                screen.say(f"  {head:<{INDENT - 3}} {'  ' if at else ''}{line}")
