"""The inputs of a written game's roll, as an ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.errors import Refusal
from astragal.notation.parser import parse
from astragal.rule.inputs.ask import Ask, flag, one_of, summed, whole, words
from astragal.rule.inputs.input import Input
from astragal.rule.sheets.deck import Deck
from astragal.written.change import WHO, Sheets, path_of
from astragal.written.document import Part

BY = ("roller", "target", "either", "helper", "gm")
"""Who may give an input at a table, besides a GM."""
KINDS = ("number", "sources", "option", "yes or no", "words")
NAME_RULE = "a name has small letters, digits and _, and begins with a letter"


def read_ask(
    roll: str, part: Part, sheets: Sheets, decks: Mapping[str, Deck] = {}, brought: Mapping[str, Input] = {}
) -> type[Ask]:
    """An ask with these inputs, what helpers bring, and what is left of each deck from which it draws."""
    declared: dict[str, Any] = {}
    for name, given in part.named_parts():
        if name in decks:
            part.refuse(f'"{name}" is the name of a deck from which this roll draws; choose another.', name)
        if name == "self" or hasattr(Ask, name):
            part.refuse(f'"{name}" means something to Astragal; choose another name.', name)
        declared[check_formula_name(name, given)] = read_input(name, given)
        whose = given.choice("of", WHO, "roller")
        if given.has("sheet"):
            declared[name].reads = path_of(given, given.text("sheet"), whose, sheets)
    declared |= brought
    declared |= {name: deck.left(rule=deck.rule, title=deck.title) for name, deck in decks.items()}
    return type(f"{roll.title().replace('_', '')}Ask", (Ask,), {"__doc__": f"What {roll} needs to know.", **declared})


def check_name(name: str, part: Part) -> str:
    """A name that formulas, options and files can all use."""
    if not (name.isascii() and name.isidentifier() and name.islower()) or name.startswith("_"):
        part.refuse(f'"{name}" is not a name; {NAME_RULE}.')
    return name


def check_formula_name(name: str, part: Part) -> str:
    """A name that formulas can use: one without a meaning in dice notation."""
    check_name(name, part)
    try:
        parse(f"let {name} = 1: {name}")
    except Refusal:
        part.refuse(f'"{name}" means something in dice notation; choose another name.')
    return name


def read_input(name: str, part: Part) -> Input:
    """The input that is written in a part of the file."""
    kind = part.choice("kind", KINDS, "number")
    more = _more(part)
    help = part.text("help")
    if not help or help.endswith("."):
        part.refuse("help must be a few words, without a full stop at their end.", "help")
    if kind in ("number", "sources"):
        low, high = part.whole("min", 0), part.whole("max")
        if low > high:
            part.refuse(f"min is {low} and max is {high}; min must not be above max.", "max")
        made: Input = (summed if kind == "sources" else whole)(low, high, help, **more)
    elif kind == "option":
        options = part.texts("options")
        if not options:
            part.refuse('options is missing; it is a list such as ["low", "high"].')
        made = one_of(options, help, **more)
    else:
        made = (flag if kind == "yes or no" else words)(help, **more)
    part.has("sheet"), part.has("of")  # where it is read; see read_ask
    part.finish()
    made.name = name  # an ask would give it only after the checks
    _check_values(part, made)
    return made


def _more(part: Part) -> dict[str, Any]:
    """What all kinds of input may say."""
    more: dict[str, Any] = {"rule": part.rule(), "title": part.text("title", "")}
    more["whose"] = part.choice("by", BY, "roller")
    if part.has("default"):
        more["default"] = part.any("default")
    elif part.text("kind", "number") == "words" and not part.yes("required"):
        more["default"] = None
    more |= {key: part.text(key) for key in ("told", "asks") if part.has(key)}
    steps = part.any("steps", {})
    if not isinstance(steps, Mapping):
        part.refuse('steps must be a table such as { "easy" = 10, "hard" = 20 }.', "steps")
    more["steps"] = tuple((value, title) for title, value in steps.items())
    return more


def _check_values(part: Part, made: Input) -> None:
    values = [(value, "steps") for value, _ in made.steps]
    values += [(made.default, "default")] if not made.required and made.default is not None else []
    for value, name in values:
        try:
            made.check(value)
        except Refusal as refusal:
            part.refuse(f"{name} has a value that is not allowed: {refusal.sentence}", name)
