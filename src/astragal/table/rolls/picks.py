"""Picks: inputs and answers that name something the table keeps, such as a Clock (RW-9, RW-10).

A name is looked for among what the chooser sees, and an unknown one is refused with the list. What is hidden from
others is kept apart from the roll: they see neither its name nor that it was named. When the roll ends, it is played
back once more with the hidden names, and what follows from them alone happens out of sight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from typing import Any, cast

from msgspec.structs import replace

from astragal.errors import Illegal, Refusal, Unknown
from astragal.rule.game import Kind
from astragal.rule.inputs.total import listed
from astragal.rule.sheets.table_rules import TABLE, Change, Holder, Participants
from astragal.rule.tree.node import Choice
from astragal.rule.tree.play import Answer, Played, parse_answer
from astragal.table.access import item_marks, viewers_of
from astragal.table.rolls.ask import freeze, thaw
from astragal.table.rolls.playback import BREAKS, replayed
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, Member, Roll, State

APART = ";"
"""Stands between a name and further words of an answer: "Alarm; the lamp falls"."""


def pickable(state: State, member: Member | None, names: str) -> list[str]:
    """The names that a seat may pick for ``names``: a section of the table, and perhaps a kind: ``clocks:threat``."""
    section, _, kind = names.partition(":")
    table = state.world.holders[TABLE]
    marks = item_marks(table, viewers_of(member))
    return [
        name
        for name, item in table.items(section).items()
        if item.get("seen", "all") in marks and (not kind or item.get("kind") == kind)
    ]


def picked(state: State, member: Member | None, names: str, written: str, rule: str = "") -> str:
    """The name as the sheet writes it; refused with the list if the seat sees no such thing."""
    there = pickable(state, member, names)
    wanted = written.strip().lower()
    found = next((name for name in there if name.lower() == wanted), None)
    if found is None:
        section, _, kind = names.partition(":")
        what = f"{kind} {section}".strip()
        if not there:
            raise Unknown(f'There is no "{written.strip()[:40]}": the table has no {what} yet.', rule)
        raise Unknown(f'There is no "{written.strip()[:40]}" among the {what}; there are {", ".join(there)}.', rule)
    return found


def is_open(state: State, names: str, name: str) -> bool:
    """True if everybody sees what is named."""
    return bool(state.world.holders[TABLE].item(names.partition(":")[0], name).get("seen", "all") == "all")


# Answers.


def picked_answer(state: State, member: Member, roll: Roll, choice: Choice[Any], text: str) -> tuple[str, str]:
    """An answer as everybody may know it, and in full if it names something hidden."""
    answer = parse_answer(text)
    option = choice.options.get(answer.option)
    if option is None or not option.names:
        return text, ""
    name, _, more = (part.strip() for part in answer.words.partition(APART))
    if not name and (input := _input_of(roll, answer.option)):
        name = roll.picked.get(input, "")
        if not name:
            return text, ""
    name = picked(state, member, option.names, name, option.rule) if name else _only(state, member, option, answer)
    full = _joined(answer.option, name, more)
    if not name or is_open(state, option.names, name):
        return full, ""
    return _joined(answer.option, "", more), full


def refuse_unpicked(state: State, member: Member, choice: Choice[Any], answer: Answer) -> None:
    """Refuse an answer that comes along with dice and names nothing, something unknown or something hidden."""
    option = choice.options.get(answer.option)
    name = answer.words.partition(APART)[0].strip()
    if option is None or not option.names or not name:
        return
    if not is_open(state, option.names, picked(state, member, option.names, name, option.rule)):
        raise Illegal("What is hidden can be named when the dice have fallen, not along with them.", option.rule)


def _joined(option: str, name: str, more: str) -> str:
    words = f"{name}{APART} {more}" if more else name
    return f"{option}: {words}" if words else option


def _input_of(roll: Roll, option: str) -> str:
    """The input that names the same thing as an option: ``threat`` of ``threat+position``."""
    return next((part for part in option.split("+") if part in roll.picked or (roll.ask or {}).get(part)), "")


def _only(state: State, member: Member, option: Any, answer: Answer) -> str:
    """The only one that there is; with several, a member has to choose."""
    there = pickable(state, member, option.names)
    if len(there) > 1:
        example = f'"{answer.option}: {there[0]}"'
        raise Illegal(f"Say which one: {listed(there, 'or')}, such as {example}.", option.rule)
    return there[0] if there else ""


# What follows from hidden names.


def full_play(kind: Kind, roll: Roll, ask: Any) -> Played[Any] | None:
    """The roll played back with the hidden names that GMs put in; None if it does not fit the rules."""
    named = {name: item for name, item in roll.picked.items() if name in kind.ask.inputs}
    try:
        keys = [step_key(place) for place in range(len(roll.steps))]
        steps = [
            {**step, "answer": roll.picked[key]} if roll.picked.get(key) else step
            for key, step in zip(keys, roll.steps, strict=True)
        ]
        return replayed(kind, thaw(kind, {**freeze(ask), **named}), steps)
    except (Refusal, *BREAKS):
        return None


def step_key(place: int) -> str:
    """The key in ``Roll.picked`` of the answer at a step."""
    return f"step {place}"


# Items that hidden rolls put on a sheet. They stand under names that no open item takes: "The codex (hidden)". To the
# rules such an item has its plain name, so a hidden roll continues what an earlier one began.


_HIDDEN = re.compile(r" \(hidden(?: \d+)?\)$")


def hidden_name(name: str, taken: Iterable[str]) -> str:
    """The name under which an item is put on a sheet out of sight."""
    names = (f"{name[:60]} (hidden{f' {n}' if n > 1 else ''})" for n in count(1))
    return next(each for each in names if each not in taken)


def plain_name(name: str) -> str:
    """The name of such an item to people; of any other, its own."""
    return _HIDDEN.sub("", name)


def with_plain_names(state: State, participants: Participants) -> Participants:
    """The participants of a hidden roll, to whose rules what earlier ones put on a sheet has its plain name as well."""
    roller, table = participants.roller, participants.table
    return participants._replace(roller=_plainly(state, roller) if roller else None, table=_plainly(state, table))


def _plainly(state: State, holder: Holder) -> Holder:
    kept = cast("HolderState", holder)  # with what the roll's own viewers may see of it
    more = {
        section: {**{plain_name(name): item for name, item in reversed(items.items()) if _HIDDEN.search(name)}, **items}
        for section, items in kept.sheet.items()
        if _is_secret(state, kept, section)
    }
    return replace(kept, sheet={**kept.sheet, **more}) if more else kept


def _is_secret(state: State, kept: HolderState, section: str) -> bool:
    """True if what hidden rolls put into a section has its plain name to the rules of hidden rolls."""
    known = ruleset_of(state.game).sections.get((kept.kind, section))
    return known is not None and known.secret


def where_it_stands(state: State, participants: Participants, change: Change) -> Change:
    """A change by the rules, with the name that the item has on the sheet, as far as the roll's viewers may see it."""
    holders = (cast("HolderState", each) for each in (participants.roller, participants.table) if each)
    kept = next((each for each in holders if each.id == change.holder), None)
    if kept is None or not _is_secret(state, kept, change.section):
        return change
    items = kept.sheet.get(change.section, {})
    found = next((name for name in items if _HIDDEN.search(name) and plain_name(name) == change.item), change.item)
    return change if change.item in items else change._replace(item=found)
