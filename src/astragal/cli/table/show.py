"""``astragal table show``: a table as one seat sees it, and the rolls that wait for something."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import msgspec

from astragal.cli.parser import Parsed, command
from astragal.cli.render.screen import Screen, print_json, width_of_text
from astragal.cli.render.sheet import SheetText, signs
from astragal.cli.table.seat import HOW, Seat, name_of, sit_down
from astragal.errors import cited
from astragal.rule.inputs.total import counted, listed
from astragal.rule.sheets.sheet import Section
from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table.access import seat_version
from astragal.table.log.lines import aimed
from astragal.table.log.telling import spoken, written
from astragal.table.rolls.naming import written_name
from astragal.table.ruleset import ruleset_of
from astragal.table.state import State
from astragal.table.view.build import holder_view, request_view, table_view, turns_view, view
from astragal.table.view.model import HolderView, given
from astragal.table.view.roll import roll_view
from astragal.table.view.roll_model import OfferView, OpenChoice, OpenDice, RollView

INDENT = 25
"""Columns of a section's title."""
SHORT = 9
"""Characters shown of a roll's id; commands accept them in place of the id."""
ORDER = ("table", "player", "character", "scene")
HIDDEN = {"owner": ", for its owner and GMs", "gm": ", for GMs only", "name": ", others see only its name"}
STATES = {"waiting": "has not rolled yet", "gathering": "is putting the roll together", "rolled": "has rolled"}


@command("table show [TABLE]", how=HOW)
def run_show(parsed: Parsed) -> None:
    """Show the scene, characters, Clocks, and rolls that wait for something.

    astragal table show
    astragal table show "The Drowned Bell" --as Jonas
    """
    with sit_down(parsed, parsed.place()) as seat:
        if parsed.flag("json"):
            print_json(as_data(seat))
        else:
            show_table(Screen(), seat)


def as_data(seat: Seat) -> dict[str, Any]:
    """The seat's view as plain data, with its paths grouped into lists."""
    seen = view(seat.state, seat.member)
    lists: dict[str, list[Any]] = {"members": [], "holders": [], "rolls": [], "requests": []}
    turns: dict[str, Any] = {"turns": seen["turns"]} if "turns" in seen else {}
    pools = {path.partition("/")[2]: part for path, part in seen.items() if path.startswith("pools/")}
    for path, part in seen.items():
        if (group := path.partition("/")[0]) in lists:
            lists[group].append(part)
    version = seat_version(seat.state, seat.member)
    return {
        "id": seat.stored_table.id,
        "version": version,
        **msgspec.structs.asdict(seen["table"]),
        **lists,
        **turns,
        "pools": pools,
    }


# Sheets.


def show_table(screen: Screen, seat: Seat) -> None:
    """Print the members, the scene, every sheet, the turn order and every open roll."""
    state = seat.state
    table = table_view(state, seat.member)
    members = ", ".join(f"{one.name} ({one.role})" for one in state.members.values() if one.role != "gone")
    screen.say(f"{table.title}, a table of {ruleset_of(state.game).game.title}", "bold")
    screen.say(f"Members: {members}. You see it as {seat.member.name}.")
    screen.say(f"Scene: {table.scene.title}" if table.scene.open else "No scene is open.", "bold")
    drawing = SheetText({id: name_of(state, id) for id in (*state.members, *state.world.holders)}, signs())
    scene = holder_view(state, seat.member, SCENE)
    if scene:
        _show_lines(screen, _drawn(drawing, state, scene))
    _show_holders(screen, drawing, seat)
    if turns := turns_view(state, seat.member):
        names = [f"[{place.name}]" if place.id == turns.now else place.name for place in turns.order]
        screen.say(f"Turns, round {turns.round}: {', '.join(names)}", "bold")
    show_open(screen, seat)


def _show_holders(screen: Screen, drawing: SheetText, seat: Seat) -> None:
    """The table's own sheet, then the players', then every character."""
    state = seat.state
    seen = (holder_view(state, seat.member, id) for id in state.world.holders)
    for holder in sorted((each for each in seen if each), key=lambda each: ORDER.index(each.kind)):
        if holder.kind == "scene" or (holder.kind == "player" and state.members[holder.id].role == "gone"):
            continue
        drawn = _drawn(drawing, state, holder)
        if drawn or holder.kind == "character":
            screen.say(_head(seat, holder), "bold")
            _show_lines(screen, drawn)


def _head(seat: Seat, holder: HolderView) -> str:
    if holder.id == TABLE:
        return "The table"
    if holder.kind == "player":
        return holder.name
    owner = f"{name_of(seat.state, holder.owner)}'s" if holder.owner else "the GM's"
    hidden = HIDDEN.get(holder.seen, "")
    return f"{holder.name} ({owner}{hidden})"


def _drawn(drawing: SheetText, state: State, holder: HolderView) -> list[tuple[str, list[str]]]:
    sections: tuple[Section, ...] = ruleset_of(state.game).table_rules.sections(holder.kind)
    return list(drawing.lines(sections, holder.sheet))


def _show_lines(screen: Screen, drawn: list[tuple[str, list[str]]]) -> None:
    """A section in a line, or in a line for each item where these are long."""
    width = width_of_text() - INDENT
    for title, items in drawn:
        joined = "  ".join(items)
        rows = [joined] if len(joined) <= width or max(map(len, items)) < 30 else items
        for place, row in enumerate(rows):
            for at, line in enumerate(wrap(row, max(width, INDENT)) or [""]):
                head = title if not place and not at else ""
                screen.say(f"  {head:<{INDENT - 3}} {'  ' if at else ''}{line}")


# Open rolls: they wait for things to be put in, for dice, or for an answer.


def open_rolls(seat: Seat) -> list[RollView]:
    """The rolls that are not over, as this seat sees them."""
    seen = (roll_view(seat.state, seat.member, id) for id in seat.state.world.rolls)
    # Taken from the view: the view may hide that a hidden roll is over.
    return [roll for roll in seen if roll is not None and not roll.over]


def show_open(screen: Screen, seat: Seat) -> None:
    """Print the requests, and each open roll, with what it waits for and what to type; of several, each with its id."""
    for id in seat.state.world.requests:
        if request := request_view(seat.state, seat.member, id):
            asked = ", ".join(f"{name_of(seat.state, row.who)} ({STATES[row.state]})" for row in request.asked)
            note = f" {request.note}" if request.note else ""
            short = request.id[:SHORT]
            screen.say(f"Asked for: {request.title} ({short}).{note}", "bold")
            screen.say(f"  {asked}.")
            if request.yours:
                screen.say(f"  Answer with: do roll --request {short}, or do open --request {short}.")
    rolls = open_rolls(seat)
    for roll in rolls:
        id = f" ({roll.id[:SHORT]})" if len(rolls) > 1 else ""
        screen.say(f"Open: {_roll_title(seat.state, roll)}{id}", "bold")
        for line in waits_for(roll):
            screen.say(f"  {line}")


def _roll_title(state: State, roll: RollView) -> str:
    who = roll.name or name_of(state, roll.who or roll.by)
    opponent = roll.against_name or (name_of(state, roll.against) if roll.against else "")
    title = aimed(roll.title, opponent) if opponent else roll.title
    kind = ruleset_of(state.game).game.kinds.get(roll.kind)
    joined = "with" if kind and kind.shared else "helped by"
    giving = {offer.by for offer in roll.offers or [] if offer.id in (roll.use or {})}
    idle = [id for id in roll.helpers if kind and kind.helpers_give and not roll.thrown and id not in giving]
    helping = [name_of(state, id) for id in roll.helpers if id not in idle]
    helpers = f", {joined} {listed(helping)}" if helping else ""
    if idle:
        helpers += f", {listed([name_of(state, id) for id in idle])} {'offer' if idle[1:] else 'offers'} to help"
    others = [name_of(state, id) for id in roll.their_helpers]
    return f"{who}: {title}{helpers}{f' ({opponent} is helped by {listed(others)})' if others else ''}"


def waits_for(roll: RollView) -> Iterator[str]:
    """The next step of an open roll, and the words to type for it, in lines."""
    if roll.hidden:
        yield f"Hidden: {', '.join(roll.hidden)}."
    if not roll.thrown:
        yield from _building(roll)
    elif given(roll.blind, False) or roll.waits == "gm":
        yield "It waits for the GM."
    elif isinstance(roll.open, OpenChoice):
        yield from _choice(roll.open, given(roll.verdict, ""), given(roll.waits_name, ""))
    elif isinstance(roll.open, OpenDice):
        yield _dice(roll.open, given(roll.waits_name, ""))
    elif missing := given(roll.missing, ""):
        yield f"It cannot continue: {missing} Next: do withdraw."


def _building(roll: RollView) -> Iterator[str]:
    """The inputs of a roll before its dice, the offers that are left, and the missing input."""
    headline, missing = given(roll.headline, ""), given(roll.missing, "")
    offers, use = given(roll.offers, []), given(roll.use, {})
    if headline:
        yield f"{headline}."
    labels = {offer.id: offer.label for offer in offers}
    inside = [f"{labels[id]} × {n}" if n > 1 else labels[id] for id, n in use.items()]
    shares, claims = given(roll.shares, []), given(roll.claims, [])
    added = {each.input for each in shares}
    typed = [(name, value) for name, value in given(roll.inputs, {}).items() if name not in added]
    inside += [f"{spoken(name)} {written(value, _plain)}" for name, value in typed]
    inside += [f"{spoken(each.input)} {written(each.value, _plain)} ({each.name})" for each in shares]
    if inside:
        yield f"In it: {', '.join(inside)}."
    for claim in claims:
        yield f"Claimed by {claim.name}: {claim.words}."
    left = [offer for offer in offers if offer.most > 0 and offer.id not in use]
    for group in dict.fromkeys(offer.group for offer in left):
        yield f"{group}: {', '.join(_offer(offer, offers) for offer in left if offer.group == group)}."
    if missing:
        yield f"Not ready: {missing}"
    for side in given(roll.ready, []):
        yield f"{side.name} is ready." if side.ready else f"{side.name} is not ready yet (do ready)."
    yield "Next: do build, do throw, do withdraw."


def _plain(value: Any) -> str:
    """A value in words."""
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value}"


def _offer(offer: OfferView, offers: list[OfferView]) -> str:
    """An offer by its label; of two with the same one, also as it has to be written."""
    written = written_name(offer, offers)
    facts = [f'write "{written}"'] if ": " in written and written != offer.label else []
    facts += [f"up to {offer.most}"] if offer.most > 1 else []
    for price in offer.price:
        item = f"{price.whose}'s {price.item}" if price.whose else price.item
        if price.item != offer.label:
            facts.append(f"costs {-price.by} {item}" if price.by < 0 else f"+{price.by} {item}")
    return f"{offer.label} ({', '.join(facts)})" if facts else offer.label


def _choice(choice: OpenChoice, verdict: str, decides: str) -> Iterator[str]:
    if verdict:
        yield f"{verdict}."
    yield f"{choice.question} ({decides or choice.by})"
    names = [*(option.name for option in choice.options), *(barred.name for barred in choice.barred)]
    width = max(map(len, names))
    for option in choice.options:
        cost = f", costs {option.cost}" if option.cost else ""
        label = f"{option.label}: {option.detail}" if option.detail else option.label
        yield f"  {option.name:<{width}}  {label}{cost} ({option.rule})"
    for barred in choice.barred:
        yield f"× {barred.name:<{width}}  {cited(barred.needs or barred.why, barred.rule)}"
    yield "Next: do answer, and one of these."


def _dice(open: OpenDice, throws: str) -> str:
    kinds = [
        (each, f"d{each.sides}" if each.left is msgspec.UNSET else f"of {counted(sum(each.left), 'card')}")
        for each in open.dice
        if each.n
    ]
    dice = " | ".join(f"{each.n} × {each.name} ({kind})" for each, kind in kinds)
    title = f" ({open.throw})" if open.throw else ""
    instead = "".join(f", or do answer {option.name} ({option.label})" for option in open.instead)
    whose = f"{throws}'s " if throws else ""
    return f"It waits for {whose}dice{title}: {dice}. Next: do throw{instead}."
