"""Reads a kind of roll from its part of the file."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Collection, Iterable, Mapping

from astragal.rule.inputs.ask import Ask
from astragal.written.cases import OUTCOME
from astragal.written.change import Names, Sheets, names_in, read_change
from astragal.written.deck import WrittenDeck
from astragal.written.dice import decks_of, read_later, read_pool, symbols_of
from astragal.written.document import Part
from astragal.written.formula import Formula, is_question
from astragal.written.helpers import brought, read_helpers
from astragal.written.inputs import check_formula_name, check_name, read_ask
from astragal.written.option import again_of, matters_of, read_names, read_option
from astragal.written.outcome import read_bands, read_refusals
from astragal.written.pools import NamedDice
from astragal.written.reading import Picked, Plain, Worded
from astragal.written.roll import WrittenRoll
from astragal.written.sides import THEIR
from astragal.written.symbols import Gathered
from astragal.written.words import values_of


def read_roll(part: Part, decks: Mapping[str, WrittenDeck], sheets: Sheets) -> WrittenRoll:
    """The roll in a part of the file."""
    name, title, rule = check_name(part.text("name"), part), part.text("title"), part.rule()
    thrown, written = part.part("dice"), part.parts("options", different="options")
    kept = {each.name: each.deck for each in decks_of(thrown, decks) if each.kept}
    ask = read_ask(name, part.part("inputs"), sheets, kept, brought(part))
    names, helpers = names_in(ask, sheets), read_helpers(part, ask, sheets)
    crowds = {team.crowd: team.brings for team in helpers}
    numbers = [*names.numbers, *(team.helped for team in helpers), *crowds]
    dice = tuple(read_pool(thrown, numbers, decks))
    _say_which_change_dice(ask, dice, [team.brings for team in helpers])
    refusals = read_refusals(part, names)

    def check(given: Ask) -> None:
        for team in helpers:
            team.check(given)
        for each in refusals:
            each.check(values_of(given))

    if helpers or refusals:
        ask.check = check  # type: ignore[assignment, method-assign]
    symbols, plain = symbols_of(thrown, dice, numbers), [each.name for each in dice if isinstance(each, Plain)]
    counted = read_names(written, [*plain, *numbers, *symbols, *part.part("readings").names(), OUTCOME])
    endless = [each.name for each in dice if isinstance(each, NamedDice) and each.explodes]
    gathered = Gathered(symbols, [name for name in plain if name not in endless], bool(endless))
    names = names._replace(dice=plain, numbers=[*numbers, *counted, *symbols], gathered=gathered)
    names, readings = _read_readings(part.part("readings"), names)
    later = read_later(thrown, names)
    always = [read_change(each, rule, names) for each in part.parts("changes")]
    worded = [each.text("name") for each in written if each.has("words")]
    bands = read_bands(part, names, decks, always, [*readings, OUTCOME, *worded])
    used = {each.name for each in gathered.used}
    options = {each.name: each for each in (read_option(each, rule, names, dice, used) for each in written)}
    if (options or later) and endless:
        what = "a roll with options" if options else "a roll with dice that fall later"
        part.refuse(f"{endless[0]} explodes without end, and {what} cannot; a game in Python can.", "dice")
    theirs = frozenset(each.name for each in dice if each.name.startswith(THEIR))
    for each in part.parts("outcomes"):
        if each.has("theirs") and not theirs:
            each.refuse("theirs is what the other side calls it; this roll has no [roll.sides].", "theirs")
    again = again_of(options.values())
    if (theirs or later) and again is None and not endless:
        again = {}  # what was thrown first waits for other dice
    whole = dict.fromkeys(option.chosen for option in options.values() if option.chosen)
    result = namedtuple("Result", [*readings, OUTCOME, *worded])  # type: ignore[misc]
    shows = tuple([part.among("shows", "reading", readings, each) for each in part.texts("shows")])
    unused = dict.fromkeys((*counted, *(team.helped for team in helpers)), 0)
    used = {each.name for each in gathered.used}
    return WrittenRoll(
        name, title, ask, dice, readings, bands, Picked.of(dice, gathered, again, whole), result, rule,
        shows if part.has("shows") else tuple(readings), options, unused, matters_of(options.values(), used),
        check_name(part.text("choice", "after"), part), part.text("asks", "Change it?"), theirs, helpers, later, crowds,
    )  # fmt: skip


def _say_which_change_dice(ask: type[Ask], dice: Iterable[Plain | Worded], brought: Collection[str]) -> None:
    """An input changes the dice if a formula for their number or size names it, if it is a deck, or brought (T-3)."""
    numbers = [part for each in dice for part in each if isinstance(part, Formula)]
    named = {used.name for formula in numbers for used in formula.names()}
    for name, input in ask.inputs.items():
        input.dice = name in named or input.kind == "cards" or name in brought


def _read_readings(part: Part, names: Names) -> tuple[Names, dict[str, Formula]]:
    """The readings, and the names with theirs: each may use those above it."""
    found: dict[str, Formula] = {}
    for name, text in part.named_texts().items():
        if name in (*names.dice, *names.numbers, OUTCOME):
            part.refuse(f'"{name}" is taken already; a reading needs a name of its own.', name)
        check_formula_name(name, part)
        with part.telling(name):
            found[name] = names.formula(text)
        if is_question(found[name].expression, names.questions):
            names = names._replace(questions=[*names.questions, name])
        names = names._replace(numbers=[*names.numbers, name])
    return names, found
