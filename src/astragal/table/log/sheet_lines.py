"""What happened to sheets, in sentences: changes, things that are there, Clocks that are full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.rule.inputs.input import Flag, Input, OneOf, Whole
from astragal.rule.inputs.total import signed
from astragal.rule.inputs.word import Words
from astragal.rule.sheets.deck import DRAWN
from astragal.rule.sheets.sheet import Section, broken
from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table import event as e
from astragal.table.log.telling import Telling, spoken, start
from astragal.table.ruleset import ruleset_of


def changed(telling: Telling, event: e.Changed) -> Iterator[str]:
    """Sentences about a change of a sheet."""
    section = _section(telling, event)
    if section and section.look == "cards":
        yield from _card_changed(event, section)
        return
    if section and not section.told and not event.field and not event.cause and event.rule:
        return  # a book that a roll or move keeps for itself: its verdict or its note says so
    if event.silent:
        return
    if event.deed:
        why = f": {event.cause.removesuffix('.')}" if event.cause else ""
        yield f"{telling.who} {event.deed}{why}."
        return
    # A cause that names what a game keeps a book of says it all: "Long watch: 3 of 9 successes".
    booked = event.cause if section and not section.told and event.item in event.cause else ""
    facts = _item_words(telling, event) if not event.field and event.to else ""
    why = "; ".join(filter(None, (facts, event.cause)))
    told = _answered(telling, event) or booked or f"{_change(telling, event)}{f' ({why})' if why else ''}"
    yield f"{told}."


def _answered(telling: Telling, event: e.Changed) -> str:
    """A question in a book that a game keeps for itself, with its answer, and without what else is remembered."""
    section = _section(telling, event)
    by_rules = not event.field and (event.cause or event.of)
    answered = section.answered(event.item, event.to) if section and by_rules else ""
    cause = f"{event.cause}: " if event.cause else ""
    return f"{cause}{answered}" if answered else ""


def _change(telling: Telling, event: e.Changed) -> str:
    whose = start(telling.name(event.holder))
    section = _section(telling, event)
    if not event.field:
        clock = event.to and section and section.look == "clock" and event.holder in (TABLE, SCENE)
        gone = " is gone" if event.to is None else ""
        return f"A Clock begins: {event.item}" if clock else f"{whose}: {event.item}{gone}"
    if event.by is not None and event.holder == TABLE and section and section.names:
        return f"{counter_name(section, event)} {signed(event.by)}"
    if event.stands is not None:
        return f"{whose}'s {broken(event.item, event.by or 0, event.stands)}"
    if event.by is not None and section and section.look == "boxes":
        return f"{whose}: box {abs(event.by)} of {event.item} is {'crossed' if event.by > 0 else 'clear again'}"
    if event.by is not None:
        return f"{whose}: {event.item} {signed(event.by)}"
    return f"{whose}: {_set_to(telling, event, section)}"


def _set_to(telling: Telling, event: e.Changed, section: Section | None) -> str:
    """A field that has a new value."""
    if isinstance(event.to, bool) and section:
        return _flagged(event, section)
    if section and section.look == "boxes" and event.field == section.counts:
        boxes = event.to or []
        crossed = f"crossed at {', '.join(map(str, boxes))}" if boxes else "clear"
        return f"{event.item} is {crossed} now"
    field = f", {spoken(event.field)}" if section is None or event.field != section.counts else ""
    return f"{event.item}{field} is now {plain(telling, event.to)}"


def _flagged(event: e.Changed, section: Section) -> str:
    """A fact that holds now, or no longer; one fact of several is said in the words of its help."""
    if len(section.fields) == 1:
        return event.item if event.to else f"no longer {event.item.lower()}"
    help = section.fields[event.field].help if event.field in section.fields else spoken(event.field)
    return f"{event.item}, {'' if event.to else 'no longer: '}{help}"


def _item_words(telling: Telling, event: e.Changed) -> str:
    """The fields of a new item in words, without empty ones and those that its cause says."""
    item, section = event.to, _section(telling, event)
    if section and section.look == "clock":
        facts = [item.get("kind"), f"{item.get(section.counts) or 0} of {item.get(section.top) or 0}"]
    elif section and section.says:
        facts = [section.says(event.item, item).removesuffix(".")]
    else:
        said = {field: value for field, value in item.items() if value and value != event.cause and field != "seen"}
        fields = section.fields if section else {}
        facts = [_field_words(telling, field, fields.get(field), value) for field, value in said.items()]
    return ", ".join(filter(None, (*facts, SEEN.get(item.get("seen", "all")))))


SEEN = {"gm": "only the GM sees it", "owner": "only its owner and the GM see it", "veiled": "how it stands is hidden"}
"""Who sees an item, where that is not everybody."""


def _field_words(telling: Telling, name: str, field: Input | None, value: Any) -> str:
    """A field of an item: "2 dice", "an Injury", "trained"."""
    if isinstance(field, Flag):
        return field.help
    if isinstance(field, Whole) and name == "dice":
        return f"{value if field.lowest >= 0 else signed(value)} {'die' if abs(value) == 1 else 'dice'}"
    return plain(telling, value) if isinstance(field, (OneOf, Words)) else f"{spoken(name)} {plain(telling, value)}"


def plain(telling: Telling, value: Any) -> str:
    """A value in words; a holder's id becomes its name."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    text = str(value)
    return telling.name(text) if text in telling.state.world.holders else text.removesuffix(".")


def _section(telling: Telling, event: e.Changed) -> Section | None:
    holder = telling.state.world.holders.get(event.holder)
    return ruleset_of(telling.state.game).sections.get((holder.kind if holder else "character", event.section))


def veiled(telling: Telling, event: e.Veiled) -> Iterator[str]:
    """The sentence that something exists."""
    holder = telling.state.world.holders.get(event.holder)
    item = holder.sheet.get(event.section, {}).get(event.item, {}) if holder else {}
    there = item.get("seen", "all") in ("all", "veiled") and bool(item)
    text = f"There is something called {event.item}; how it stands is hidden." if there else f"{event.item} is gone."
    yield text


def filled(telling: Telling, event: e.Filled) -> Iterator[str]:
    """A Clock is full."""
    beaten = f", before {event.beats}" if event.beats else ""
    whose = "The" if event.holder in (TABLE, SCENE) else f"{start(telling.name(event.holder))}'s"
    yield f"{whose} Clock {event.item} is full{beaten}!"


def _card_changed(event: e.Changed, section: Section) -> Iterator[str]:
    """Sentences about a change of a deck; drawn cards are shown as a throw already."""
    n = event.by or 0
    cards = f"{event.item}{f' × {abs(n)}' if abs(n) > 1 else ''}"
    if not event.item:
        yield f"{section.title}: all cards are shuffled together."
    elif n > 0:
        yield f"{section.title}: {cards} is put back."
    elif n < 0 and event.cause != DRAWN:
        yield f"{section.title}: {cards} is taken out."


def counter_name(section: Section, event: e.Changed) -> str:
    """The name of a count; for the table's own the section's title, such as The GM's IP."""
    return section.title if event.holder == TABLE and section.names else event.item
