"""A solo campaign, guided: what ``astragal play`` offers besides a roll, from the same parts as ``astragal table``."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

from astragal.cli.commands.play import choose, choose_game
from astragal.cli.parser import Finished, Parsed
from astragal.cli.render.screen import Screen
from astragal.cli.table.act import Acting, by_hand
from astragal.cli.table.do import VERBS, read_words
from astragal.cli.table.guide import guided_roll
from astragal.cli.table.log import show_log
from astragal.cli.table.manage import found_table, founding
from astragal.cli.table.seat import Seat, open_repository, seat_at
from astragal.cli.table.show import show_table
from astragal.errors import Refusal
from astragal.repository.repository import Repository
from astragal.table.action import CreateAction
from astragal.table.decide.sheets import templates_of

CHOICES = {
    "roll": "a guided roll",
    "new": "a new campaign",
    "sample": "a game's sample campaign, to look around in",
    "on": "go on with a campaign",
}
COMMANDS = "show, roll, tick, scene, note, undo, log, quit"
LATEST = 12


def offer(screen: Screen) -> bool:
    """Whether a campaign was played; otherwise the person wants a roll."""
    screen.say("Astragal. An empty answer takes what stands in [ ]; Ctrl-C leaves.", "bold")
    names = list(CHOICES)
    picked = names[choose(screen, "What shall it be?", list(CHOICES.values()), names)]
    if picked == "roll":
        return False
    with open_repository(Parsed({}, []), make=True) as repository:
        id = {"new": _new, "sample": _sample, "on": _go_on}[picked](screen, repository)
        if id:
            play_on(screen, seat_at(repository, id))
    return True


def _new(screen: Screen, repository: Repository) -> str:
    game = choose_game(screen)
    found = asked(
        screen, lambda: founding(game.name, screen.ask("Its title?"), screen.ask("Your name?", "GM") or "GM", {})
    )
    id = found_table(repository, found).table
    ready = list(templates_of(game.name))
    names = [*(name.lower() for name in ready), "blank"]
    picked = choose(screen, "Who is your first character?", [*ready, "a blank sheet"], names)
    template = ready[picked] if picked < len(ready) else ""
    seat = seat_at(repository, id)

    def create() -> None:
        usual = template.split()[0] if template else "Somebody"
        name = screen.ask("Called?", usual).strip() or usual
        Acting(screen, seat).do(CreateAction(name=name[:80], template=template))

    asked(screen, create)
    return id


def _sample(screen: Screen, repository: Repository) -> str:
    return repository.found_sample(choose_game(screen).name).id


def _go_on(screen: Screen, repository: Repository) -> str:
    tables = repository.store.tables()
    if not tables:
        screen.say("There is no campaign yet; make a new one.")
        return ""
    lines = [f"{about.title} ({about.game}, {about.version} entries)" for about in tables]
    return tables[choose(screen, "Which one?", lines, [about.title.lower() for about in tables])].table


def asked(screen: Screen, question: Callable[[], Any]) -> Any:
    """Ask until it is not refused."""
    while True:
        try:
            return question()
        except Refusal as refusal:
            screen.say(str(refusal), "bold yellow")


def play_on(screen: Screen, seat: Seat) -> None:
    """One thing after the other, until the person leaves."""
    show_table(screen, seat)
    screen.say(f"\nType one of {COMMANDS}; or any action of astragal table do, such as: change Kira resolve Resolve 1")
    while True:
        words = _words(screen)
        if words and words[0] in ("quit", "q", "exit"):
            return
        try:
            _one(screen, seat, words or ["show"])
        except Refusal as refusal:
            screen.say(str(refusal), "bold yellow")
        except Finished:
            continue


def _words(screen: Screen) -> list[str]:
    text = screen.ask("\nWhat now?", "show")
    try:
        return shlex.split(text)
    except ValueError:
        # A quotation mark that is never closed is meant as it stands.
        return text.split()


def _one(screen: Screen, seat: Seat, words: list[str]) -> None:
    verb, alone = words[0], len(words) == 1
    if verb == "show":
        show_table(screen, seat)
    elif verb == "log":
        show_log(screen, seat, LATEST)
    elif verb in ("help", "?"):
        screen.say(f"{COMMANDS}; and {', '.join(VERBS)}. With --help behind it, an action tells its options.")
    elif verb == "roll" and alone:
        guided_roll(screen, seat)
    else:
        action, parsed = read_words([*words, *(_asked_for(screen, verb) if alone else ())], seat)
        dice = {"dice": by_hand(screen)} if parsed.flag("by-hand") else {}
        Acting(screen, seat, **dice, live=True).do(action)


def _asked_for(screen: Screen, verb: str) -> list[str]:
    """What a word alone leaves open."""
    questions = {"scene": "What is the scene called?", "note": "What happens?", "tick": "Which Clock?"}
    return [screen.ask(questions[verb]).strip()] if verb in questions else []
