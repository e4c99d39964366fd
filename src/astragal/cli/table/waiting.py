"""Rolls that wait: for things to be put in, for dice, for an answer; told from what a seat may see of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from astragal.cli.render.screen import Screen
from astragal.cli.table.seat import Seat, name_of
from astragal.errors import cited
from astragal.table.state import State
from astragal.table.view.build import look

SHORT = 9
"""So many characters of a roll's id are shown; they may be given back in its place."""


def open_rolls(seat: Seat) -> list[dict[str, Any]]:
    """The rolls that are not over, as this seat sees them."""
    state = seat.state
    seen = look(state, seat.member, [f"rolls/{id}" for id in state.world.rolls])
    # The view says what is over: to know it of a hidden roll would tell something.
    return [roll for roll in seen.values() if roll is not None and not roll["over"]]


def show_waiting(screen: Screen, seat: Seat, rolls: list[dict[str, Any]]) -> None:
    """Each roll with what it waits for and how to go on; of several, each with its id."""
    for roll in rolls:
        id = f" ({roll['id'][:SHORT]})" if len(rolls) > 1 else ""
        screen.say(f"Open: {_title(seat.state, roll)}{id}", "bold")
        for line in waiting_lines(seat.state, roll):
            screen.say(f"  {line}")


def _title(state: State, roll: dict[str, Any]) -> str:
    who = name_of(state, roll["who"] or roll["by"])
    against = f" against {name_of(state, roll['against'])}" if roll["against"] else ""
    helpers = f", helped by {' and '.join(name_of(state, id) for id in roll['helpers'])}" if roll["helpers"] else ""
    return f"{who}: {roll['title']}{against}{helpers}"


def waiting_lines(state: State, roll: dict[str, Any]) -> Iterator[str]:
    if roll["hidden"]:
        yield f"Hidden: {', '.join(roll['hidden'])}."
    if not roll["thrown"] and "offers" in roll:
        yield from _building(roll)
    elif roll.get("blind") or roll.get("waits") == "gm":
        yield "It waits for the GM."
    elif roll.get("waits") == "choice":
        yield from _choice(roll)
    elif roll.get("waits") == "dice":
        yield from _dice(roll["open"])
    elif roll.get("missing"):
        yield roll["missing"]


def _building(roll: dict[str, Any]) -> Iterator[str]:
    """What is in it, what may be put in, and what is missing."""
    if roll["headline"]:
        yield f"{roll['headline']}."
    labels = {offer["id"]: offer["label"] for offer in roll["offers"]}
    inside = [f"{labels[id]} × {n}" if n > 1 else labels[id] for id, n in roll["use"].items()]
    inside += [f"{name} {value}" for name, value in roll["inputs"].items()]
    if inside:
        yield f"In it: {', '.join(inside)}."
    yield from _offers(roll)
    if roll["missing"]:
        yield f"Not ready: {roll['missing']}"
    yield "Go on with: do build, do throw, do withdraw."


def _offers(roll: dict[str, Any]) -> Iterator[str]:
    left = [offer for offer in roll["offers"] if offer["most"] > 0 and offer["id"] not in roll["use"]]
    labels = Counter(offer["label"] for offer in roll["offers"])
    for group, offers in groupby(left, key=lambda offer: offer["group"]):
        yield f"{group}: {', '.join(_offer(offer, labels[offer['label']] == 1) for offer in offers)}."


def _offer(offer: dict[str, Any], alone: bool) -> str:
    """What is put in by its label; of two with the same one, by its id."""
    facts = [] if alone else [f"as {offer['id']}"]
    facts += [f"up to {offer['most']}"] if offer["most"] > 1 else []
    facts += [_price(price) for price in offer["price"] if price["item"] != offer["label"]]
    return f"{offer['label']} ({', '.join(facts)})" if facts else str(offer["label"])


def _price(price: dict[str, Any]) -> str:
    """Most things cost their user something; some give somebody else something."""
    item = f"{price['whose']}'s {price['item']}" if price["whose"] else price["item"]
    return f"costs {-price['by']} {item}" if price["by"] < 0 else f"+{price['by']} {item}"


def _choice(roll: dict[str, Any]) -> Iterator[str]:
    choice = roll["open"]
    if roll["verdict"]:
        yield f"So far: {roll['verdict']}"
    yield f"{choice['question']} ({choice['by']})"
    width = max(len(option["name"]) for option in (*choice["options"], *choice["barred"]))
    for option in choice["options"]:
        cost = f", costs {option['cost']}" if option["cost"] else ""
        yield f"  {option['name']:<{width}}  {option['label']}{cost} ({option['rule']})"
    for barred in choice["barred"]:
        yield f"× {barred['name']:<{width}}  {cited(barred['why'], barred['rule'])}"
    yield "Go on with: do answer, and one of these."


def _dice(waits: dict[str, Any]) -> Iterator[str]:
    dice = " | ".join(f"{kind['n']} × {kind['name']} (d{kind['sides']})" for kind in waits["dice"] if kind["n"])
    title = f" ({waits['throw']})" if waits["throw"] else ""
    yield f"It waits for dice{title}: {dice}. Go on with: do throw."
