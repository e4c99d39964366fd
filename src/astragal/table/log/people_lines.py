"""Who comes and goes at a table, in sentences: people, characters, scenes, turns."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.rule.inputs.total import counted
from astragal.rule.sheets.table_rules import TABLE
from astragal.table import event as e
from astragal.table.log.telling import Telling
from astragal.table.ruleset import ruleset_of


def founded(telling: Telling, event: e.Founded) -> Iterator[str]:
    """The table was made."""
    title = ruleset_of(event.game).game.title
    yield f'{telling.who} set up "{event.title}", a table of {title}.'


def seated(telling: Telling, event: e.Seated) -> Iterator[str]:
    """A member has another role or name, or left."""
    now = "left the table" if event.role == "gone" else f"is {ROLES.get(event.role, event.role)}"
    yield f"{event.name} {now}."


SEALS = {
    "broken": " Its file was changed after it was exported: the seal was broken.",
    "missing": " Its file had no seal, so it may have been changed after it was exported.",
}


def announced(telling: Telling, event: e.Announced) -> Iterator[str]:
    """The table was restored or imported, and its tickets are new; those of a new seat are not worth a line."""
    if event.why:
        how = "imported" if event.why == "imported" else "restored from a backup"
        dice = "Dice are not proven across that until each thrower's page has confirmed its new tickets."
        yield f"The table was {how}.{SEALS.get(event.seal, '')} {dice}"


def confirmed(telling: Telling, event: e.Confirmed) -> Iterator[str]:
    """A page confirmed the new tickets."""
    entries = counted(event.lost, "entry", "entries")
    lost = f" It had seen {entries} more than the log has now." if event.lost else ""
    yield f"{telling.name(event.member)}'s page confirmed the new tickets.{lost}"


def setting_changed(telling: Telling, event: e.SettingChanged) -> Iterator[str]:
    """Who may type dice, who undoes throws, and how long an opposed roll waits."""
    if event.typed_dice:
        who = {"everybody": "Everybody", "gm": "Only a GM", "nobody": "Nobody"}[event.typed_dice]
        yield f"{who} may type dice now."
    if event.undo:
        how = "undo their own throws now" if event.undo == "player" else "ask a GM to undo a throw now"
        yield f"Players {how}."
    if event.ready_limit is not None:
        how = f"for {counted(event.ready_limit, 'second')}" if event.ready_limit else "without a limit"
        yield f"An opposed roll waits {how} until the other side is ready."


def created(telling: Telling, event: e.Created) -> Iterator[str]:
    """A character came."""
    whose = f", {telling.name(event.owner)}'s character," if event.owner else ""
    yield f"{event.name}{whose} came to the table."


def held(telling: Telling, event: e.Held) -> Iterator[str]:
    """Whose a character is."""
    whose = f"belongs to {telling.name(event.owner)}" if event.owner else "belongs to the GM"
    if event.free:
        yield f"{event.name} is free: any player may take over."
        return
    yield f"{event.name} {whose} and is seen by {SEEN_BY[event.seen]}."


def turned(telling: Telling, event: e.Turned) -> Iterator[str]:
    """The turn order, and whose turn it is."""
    if event.order is not None:
        names = [telling.name(who) if who else name for _, name, who, _ in event.order]
        yield f"Turn order: {', '.join(names)}." if names else "The turn order ends."
    if event.now:
        name = telling.name(event.who) if event.who else event.name
        begins = f"Round {event.round}: it" if event.round > 1 else "It"
        yield f"{begins} is {name}'s turn."


def saved(telling: Telling, event: e.Saved) -> Iterator[str]:
    """A pool was saved, or removed."""
    whose = f" for {telling.name(event.holder)}" if event.holder != TABLE else ""
    yield f"{telling.who} {'saves' if event.kind else 'removes'} the pool {event.name}{whose}."


ROLES = {"gm": "a GM", "player": "a player", "onlooker": "an onlooker"}
SEEN_BY = {"all": "everybody", "owner": "its owner and the GM", "gm": "the GM only"}
