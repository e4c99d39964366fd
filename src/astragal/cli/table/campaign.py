"""A solo campaign, guided: what ``astragal play`` offers besides a single roll."""

from __future__ import annotations

import shlex
from typing import Any

from astragal.cli.parser import Finished, Parsed
from astragal.cli.prompts import DICE, choose, choose_game, choose_kind, hand_roller, question_of, until_accepted
from astragal.cli.render.screen import Screen
from astragal.cli.table.do import read_words
from astragal.cli.table.forms import VERBS, plain_input, tap
from astragal.cli.table.log import show_log
from astragal.cli.table.names import characters
from astragal.cli.table.runner import ActionRunner
from astragal.cli.table.seat import Seat, open_repository, seat_at
from astragal.cli.table.show import show_table
from astragal.cli.table.tables import founding
from astragal.errors import Malformed, Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.total import counted
from astragal.storage.tables.repository import Repository
from astragal.table.action import BuildAction, CreateAction, FoundAction, OpenAction, ThrowAction, WithdrawAction
from astragal.table.rolls.hand import machine
from astragal.table.ruleset import ruleset_of
from astragal.table.view.model import given
from astragal.table.view.roll import roll_view

COMMANDS = "show, roll, tick, scene, note, undo, log, quit"
LATEST = 12
"""Entries that ``log`` shows."""
NOBODY = "nobody"


def offer(screen: Screen) -> bool:
    """Offer a campaign or a single roll; returns True if a campaign was played."""
    screen.say("Astragal. An empty answer takes the one in [ ]; Ctrl-C leaves.", "bold")
    offered = {
        "roll": "a guided roll",
        "new": "a new campaign",
        "sample": "a game's sample campaign, to look around in",
        "on": "continue a campaign",
    }
    names = [*offered]
    picked = names[choose(screen, "What do you want to play?", [*offered.values()], names)]
    if picked == "roll":
        return False
    with open_repository(Parsed({}, []), make=True) as repository:
        if picked == "new":
            id = _new(screen, repository)
        elif picked == "sample":
            id = repository.create_sample(choose_game(screen).name).id
        else:
            id = _continued(screen, repository)
        if id:
            play_on(screen, seat_at(repository, id))
    return True


def _new(screen: Screen, repository: Repository) -> str:
    """The id of a new table with a first character."""
    game = choose_game(screen)

    def describe() -> FoundAction:
        return founding(game.name, screen.ask("Its title?"), screen.ask("Your name?", "GM") or "GM", {})

    id = repository.create(until_accepted(screen, describe)).id
    ready = [*ruleset_of(game.name).templates]
    names = [*(name.lower() for name in ready), "blank"]
    template = [*ready, ""][choose(screen, "Who is your first character?", [*ready, "a blank sheet"], names)]
    usual = template.split()[0] if template else "Kira"
    seat = seat_at(repository, id)

    def create() -> None:
        name = screen.ask("What is the character called?", usual).strip() or usual
        ActionRunner(screen, seat).do(CreateAction(name=name[:80], template=template))

    until_accepted(screen, create)
    return id


def _continued(screen: Screen, repository: Repository) -> str:
    """The id of the table that the person picks; empty if there is none."""
    tables = repository.store.tables()
    if not tables:
        screen.say("There is no campaign yet; create one.")
        return ""
    lines = [f"{about.title} ({about.game}, {counted(about.version, 'entry', 'entries')})" for about in tables]
    return tables[choose(screen, "Which one?", lines, [about.title.lower() for about in tables])].table


def play_on(screen: Screen, seat: Seat) -> None:
    """Take commands until the person leaves."""
    show_table(screen, seat)
    screen.say(f"\nType one of {COMMANDS}; or any action of astragal table do, such as: {_hint(seat)}")
    while True:
        text = screen.ask("\nWhat now?", "show")
        try:
            words = shlex.split(text)
        except ValueError:
            # An unclosed quotation mark is taken literally.
            words = text.split()
        if words and words[0] in ("quit", "q", "exit"):
            return
        try:
            _one(screen, seat, words or ["show"])
        except Refusal as refusal:
            screen.refuse(str(refusal))
        except Finished:
            continue


def _one(screen: Screen, seat: Seat, words: list[str]) -> None:
    verb, alone = words[0], len(words) == 1
    if verb == "show":
        show_table(screen, seat)
    elif verb == "log":
        show_log(screen, seat, LATEST)
    elif verb in ("help", "?"):
        screen.say(f"{COMMANDS}; and {', '.join(VERBS)}. An action with --help lists its options.")
    elif verb == "roll" and alone:
        guided_roll(screen, seat)
    else:
        action, parsed = read_words(words, seat, screen.ask)
        dice = hand_roller(screen) if parsed.flag("by-hand") else machine
        ActionRunner(screen, seat, dice, live=True).do(action)


def _hint(seat: Seat) -> str:
    """An action that can be done at this table, as it is typed."""
    for holder in seat.state.world.holders.values():
        for section in ruleset_of(seat.state.game).table_rules.sections(holder.kind):
            there = list(holder.sheet.get(section.name, {}))
            if holder.kind == "character" and section.counts and there:
                return shlex.join(["change", holder.name, section.name, there[0], "1"])
    return 'note "It begins to rain."' if characters(seat) else "create Kira"


# A roll: who, what is put in, then dice by the machine or from the real table.


def guided_roll(screen: Screen, seat: Seat) -> None:
    """Open, build and throw, one question at a time."""
    kind = choose_kind(screen, ruleset_of(seat.state.game).game)
    who = _character(screen, seat, "Who rolls?", "")
    against = _character(screen, seat, "Against whom?", who) if who else ""
    ActionRunner(screen, seat).do(OpenAction(kind=kind.name, who=who, against=against))
    id = next(reversed(seat.state.world.rolls))
    if _build(screen, seat, id, kind):
        _throw(screen, seat, id)


def _character(screen: Screen, seat: Seat, question: str, but: str) -> str:
    """The id of the character that the person picks, other than ``but``; empty for nobody."""
    holders = seat.state.world.holders.values()
    characters = [holder for holder in holders if holder.kind == "character" and holder.id != but]
    ids, lines = [holder.id for holder in characters], [holder.name for holder in characters]
    if not characters:
        return ""
    nobody = 0 if but else len(characters)
    ids.insert(nobody, "")
    lines.insert(nobody, NOBODY)
    return ids[choose(screen, question, lines, [line.lower() for line in lines])]


def _build(screen: Screen, seat: Seat, id: str, kind: Kind) -> bool:
    """Put things in until an empty answer; returns True if the dice are to be thrown."""
    seen = roll_view(seat.state, seat.member, id)
    labels = [offer.label for offer in given(seen.offers, []) if offer.most > 0] if seen else []
    first = f"things above by name, such as {' or '.join(labels[:2])}, with commas between; or " if labels else ""
    screen.say(f"Put in {first}one of these, such as {_example(kind)}:")
    for input in kind.ask.inputs.values():
        if input.whose != "sheet" and (not input.advanced or input.guided):
            screen.say(f"  {question_of(input)}")
    while True:
        text = screen.ask("What goes into the roll? Enter throws, w withdraws it:").strip()
        try:
            if text.lower() == "w":
                ActionRunner(screen, seat).do(WithdrawAction(roll=id))
                return False
            if text:
                ActionRunner(screen, seat).do(_to_build(text, id, kind))
                continue
            seen = roll_view(seat.state, seat.member, id)
            missing = given(seen.missing, "") if seen else ""
            if not missing:
                return True
            screen.refuse(f"It cannot be thrown yet: {missing}")
        except Refusal as refusal:
            screen.refuse(str(refusal))


def _example(kind: Kind) -> str:
    inputs = [input for input in kind.ask.inputs.values() if input.whose != "sheet"]
    first = next((input for input in inputs if input.guided), inputs[0])
    value = first.steps[len(first.steps) // 2][0] if first.steps else first.bounds().get("options", [3])[0]
    return f"{first.called}={value}"


def _to_build(text: str, id: str, kind: Kind) -> BuildAction:
    """The action for what was typed: inputs, by title or as options are written, and things from sheets."""
    titles = {input.called.casefold(): name for name, input in kind.ask.inputs.items()}
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    for written in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = written.partition("=")
        key = titles.get(name.strip().casefold(), name.strip().replace("-", "_").lower())
        if key in kind.ask.inputs and (equals or kind.ask.inputs[key].kind == "flag"):
            inputs[key] = plain_input(kind.ask.inputs[key], [value.strip() if equals else "yes"])
        else:
            use.update([tap(written)])
    return BuildAction(roll=id, inputs=inputs, use=use)


def _throw(screen: Screen, seat: Seat, id: str) -> None:
    """Throw as long as the roll waits for dice. Faces that cannot be read are asked for again."""
    while (roll := seat.state.world.rolls.get(id)) and not roll.over:
        seen = roll_view(seat.state, seat.member, id)
        if roll.thrown and not (seen and seen.waits == "dice"):
            return
        text = screen.ask(DICE).strip()
        typed = text.lower() != "h"
        try:
            ActionRunner(screen, seat, machine if typed else hand_roller(screen), live=True).do(
                ThrowAction(roll=id, faces=text if typed else "")
            )
        except Malformed as refusal:
            screen.refuse(str(refusal))
