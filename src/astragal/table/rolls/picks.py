"""Picks: inputs and answers that name something the table keeps, such as a Clock (RW-9, RW-10).

A name is looked for among what the chooser sees, and an unknown one is refused with the list. What is hidden from
others is kept apart from the roll: they see neither its name nor that it was named. When the roll ends, it is played
back once more with the hidden names, and what follows from them alone happens out of sight.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.errors import Illegal, Refusal, Unknown
from astragal.rule.inputs.total import listed
from astragal.rule.sheets.table_rules import TABLE
from astragal.rule.tree.node import Choice
from astragal.rule.tree.play import Answer, Played, parse_answer
from astragal.table.access import item_marks, viewers_of
from astragal.table.rolls.ask import freeze, thaw
from astragal.table.rolls.basis import kind_of
from astragal.table.rolls.playback import BREAKS, replayed
from astragal.table.state import Member, Roll, State

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
    if not name and _is_named(roll, answer.option):
        name = roll.picked.get(_input_of(roll, answer.option), "")
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


def _is_named(roll: Roll, option: str) -> bool:
    return bool(_input_of(roll, option))


def _only(state: State, member: Member, option: Any, answer: Answer) -> str:
    """The only one that there is; with several, somebody has to say which."""
    there = pickable(state, member, option.names)
    if len(there) > 1:
        example = f'"{answer.option}: {there[0]}"'
        raise Illegal(f"Say which one: {listed(there, 'or')}, such as {example}.", option.rule)
    return there[0] if there else ""


# What follows from hidden names.


def full_play(state: State, roll: Roll, ask: Any) -> Played[Any] | None:
    """The roll played back with the hidden names that GMs put in; None if there are none."""
    if not roll.picked:
        return None
    kind = kind_of(state, roll)
    named = {name: item for name, item in roll.picked.items() if name in kind.ask.inputs}
    try:
        return replayed(kind, thaw(kind, {**freeze(ask), **named}), full_steps(roll))
    except (Refusal, *BREAKS):
        return None


def full_steps(roll: Roll) -> list[dict[str, Any]]:
    """The steps of a roll, with answers in full that name something hidden."""
    return [_full(roll, place, step) for place, step in enumerate(roll.steps)]


def _full(roll: Roll, place: int, step: Mapping[str, Any]) -> dict[str, Any]:
    full = roll.picked.get(step_key(place))
    return {**step, "answer": full} if full else dict(step)


def step_key(place: int) -> str:
    """What stands in ``Roll.picked`` for the answer at a step."""
    return f"step {place}"
