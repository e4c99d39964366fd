"""A kind of roll of a written game: throw its dice, read them, and find the outcome whose condition holds."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Any, NamedTuple

from astragal.dice.dice import Dice, Pool
from astragal.errors import Illegal
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import signed
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Node, Outcome, Throw
from astragal.rule.tree.note import Note
from astragal.rule.verdict import TONES, Tone, Verdict
from astragal.written.after import After
from astragal.written.cases import OUTCOME, Working
from astragal.written.change import (
    Names,
    Sheets,
    WrittenChange,
    effects_of,
    given_key,
    names_in,
    read_change,
    read_when,
)
from astragal.written.deck import WrittenDeck
from astragal.written.dice import decks_of, read_later, read_pool, symbols_of
from astragal.written.document import Part, near
from astragal.written.formula import Formula, Values, is_question
from astragal.written.helpers import Team, WrittenHelpers, brought, read_helpers
from astragal.written.inputs import check_formula_name, check_name, read_ask
from astragal.written.option import WrittenOption, again_of, matters_of, read_names, read_option
from astragal.written.pools import NamedDice, teller
from astragal.written.reading import NONE, Picked, Plain, Read, Value, Worded
from astragal.written.sides import THEIR
from astragal.written.symbols import Gathered

SHUFFLE = "shuffle"
"""The name of an effect that shuffles a deck."""
MAX_PARTS = 40
"""Most dice, readings or outcomes of one roll."""


class Band(NamedTuple):
    """An outcome: when it comes up, what it is called, how it feels, what it says and changes."""

    name: str
    when: Formula | None
    tone: Tone
    says: str
    rule: str
    changes: tuple[WrittenChange, ...]
    shuffles: tuple[str, ...] = ()
    """The decks whose cards all go back."""
    theirs: str = ""
    """What the other side calls it."""

    def formulas(self) -> Iterator[Formula]:
        """When it comes up, and by how much it changes something."""
        yield from (self.when,) if self.when else ()
        yield from (formula for change in self.changes for formula in change.formulas())


class WrittenRoll(NamedTuple):
    """One kind of roll, as it was written."""

    name: str
    title: str
    ask: type[Ask]
    dice: tuple[Plain | Worded, ...]
    readings: Mapping[str, Formula]
    bands: tuple[Band, ...]
    reading: Picked
    result: Any
    rule: str
    shows: tuple[str, ...]
    """The readings that stand beside the outcome; the explanation has all of them."""
    options: Mapping[str, WrittenOption] = {}
    """What may be done after the dice."""
    counted: Mapping[str, int] = {}
    """How often each of that was done before the dice are thrown: never."""
    matters: frozenset[str] = frozenset()
    """What of that must be counted, since formulas or the options themselves depend on it."""
    choice: str = "after"
    """What commands call the choice among the options."""
    asks: str = "Change it?"
    theirs: frozenset[str] = frozenset()
    """The dice of the other side."""
    helpers: tuple[WrittenHelpers, ...] = ()
    """Those of our side, then those of the other one."""
    later: Mapping[str, Formula] = {}
    """The dice that fall as soon as something holds, and not at first."""
    wishes: Mapping[str, Any] = {}
    """What people may hope for, with what that depends on."""
    asked: tuple[str, ...] = ()
    """The facts that are asked of it, if the rest of it is left out."""

    def node(self, ask: Ask) -> Node[Any]:
        """The tree: helpers, the dice, then the options if there are any, then the outcome."""
        return self._helped(ask, self.inputs(ask), self.helpers)

    def _helped(self, ask: Ask, inputs: dict[str, Any], teams: tuple[WrittenHelpers, ...]) -> Node[Any]:
        """The tree from the first of these teams."""
        if not teams:
            return self._led(inputs)
        first, *others = teams

        def led(helped: int) -> Node[Any]:
            return self._helped(ask, {**inputs, first.helped: helped}, tuple(others))

        return Team(first, ask, inputs, led).start()

    def _led(self, inputs: dict[str, Any]) -> Node[Any]:
        """The tree from the dice of whoever rolls on."""
        if self.options:
            return After(self, inputs).start()

        pool = self.pool(inputs)

        def settled(value: Value, fallen: frozenset[str]) -> Node[Any]:
            return self.settled(Working(self, {**inputs, **dict(self.reading.parts(value))}))

        return self.thrown(pool, lambda value: self.falling(pool, inputs, value, settled))

    def thrown(self, pool: Pool, then: Callable[[Value], Node[Any]]) -> Throw[Value, Any]:
        """The first throw. Of two sides that both have dice, ours throws, and then theirs."""
        first, second = self._places
        ours, theirs = (tuple([pool[place] for place in places]) for places in (first, second))
        reading, live, places = self.reading, self.reading.all.live, tuple(sorted((*first, *second)))
        every = tuple([pool[place] for place in places])
        both = Throw(every, Read(reading, places, live), then, teller(every))
        if not self.is_opposed or not all(any(dice.n for dice in each) for each in (ours, theirs)):
            return both

        def answered(left: Value) -> Node[Any]:
            read = Read(reading, second, live)
            return Throw(theirs, read, lambda right: then(reading.joined(left, right)), teller(theirs), by="target")

        return Throw(ours, Read(reading, first, live), answered, teller(ours), together=both)

    def falling(
        self,
        pool: Pool,
        known: Values,
        value: Value,
        then: Callable[[Value, frozenset[str]], Node[Any]],
        fallen: frozenset[str] = NONE,
    ) -> Node[Any]:
        """The dice that fall now that these have ``fallen``, as long as there are any, and what follows."""
        if len(fallen) == len(self.later):
            return then(value, fallen)
        values = Working(self, {**known, **dict(self.reading.parts(value))})
        now = {name for name, when in self.later.items() if name not in fallen and when.value(values)}
        places = tuple([place for place, each in enumerate(self.dice) if each.name in now and pool[place].n])
        if not places:
            return then(value, fallen | now)
        thrown = tuple([pool[place] for place in places])

        def joined(more: Value) -> Node[Any]:
            return self.falling(pool, known, self.reading.joined(value, more), then, fallen | now)

        return Throw(thrown, Read(self.reading, places, self.reading.all.live), joined, teller(thrown))

    @property
    def is_opposed(self) -> bool:
        """Whether two sides throw one after the other; not if there is no end of what some dice may count."""
        return bool(self.theirs) and not self.explodes

    @property
    def is_decided_by_target(self) -> bool:
        """Whether the other side, or somebody who helps it, may do something in this roll."""
        return any(option.by == "target" for option in self.options.values()) or any(
            team.options and team.role == "their helper" for team in self.helpers
        )

    @property
    def _places(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The places of our dice, and of theirs, which fall at first."""
        first = [
            (place, each.name in self.theirs) for place, each in enumerate(self.dice) if each.name not in self.later
        ]
        ours, theirs = (tuple([place for place, is_theirs in first if is_theirs == side]) for side in (False, True))
        return ours, theirs

    def dice_of_sides(self, ask: Ask) -> tuple[Pool, ...]:
        """The dice that each side brings, before any help."""
        pool = self.pool(self.inputs(ask))
        return tuple(tuple([pool[place] for place in places]) for places in self._places if places)

    def inputs(self, ask: Ask) -> dict[str, Any]:
        """The inputs by name, as numbers where formulas can use them; nothing was done after the dice yet."""
        return {**self.counted, **values_of(ask)}

    def ways(self, ask: Ask) -> Iterator[tuple[dict[str, Any], int]]:
        """The inputs, with the weight of each number that the helpers of each side may give together."""
        inputs = self.inputs(ask)
        laws = [team.law(ask, inputs).weights.items() for team in self.helpers]
        for gifts in product(*laws):
            given = {team.helped: helped for team, (helped, _) in zip(self.helpers, gifts, strict=True)}
            yield {**inputs, **given}, prod([weight for _, weight in gifts])

    def pool(self, inputs: Values) -> Pool:
        """The dice for these inputs."""
        return self.reading.pool(inputs)

    def about(self, facts: Iterable[str], policy: str = "never", later: Mapping[str, Formula] = {}) -> WrittenRoll:
        """The part of the roll that these facts depend on by a policy: fewer readings, less to pick of the dice.

        ``later`` are the dice with a condition on which they depend.
        """
        names, costs = {*facts}, policy == "cheapest"
        options = {} if policy == "never" else self.options
        options = {name: each if costs else each._replace(changes=()) for name, each in options.items()}
        bands = [each._replace(changes=tuple(change for change in each.changes if costs and change.price), shuffles=())
                 for each in self.bands]  # fmt: skip
        if any(band.changes for band in bands):
            names.add(OUTCOME)
        bands = bands if OUTCOME in names else []
        formulas = [*formulas_of((*bands, *options.values())), *later.values()]
        thrown = [part for each in self.dice for part in each if isinstance(part, Formula)]
        needed = {*names, *(used.name for formula in (*formulas, *thrown) for used in formula.names())}
        for reading, formula in reversed(list(self.readings.items())):
            if reading in needed:
                needed.update(used.name for used in formula.names())
        readings = {name: formula for name, formula in self.readings.items() if name in needed}
        more = [name for option in options.values() for name in option.more]
        again = again_of(options.values()) or ({} if later else None)
        whole = [option.chosen for option in options.values()]
        picked = self.reading.only([*readings.values(), *formulas], again, more, self.later, whole)
        falls = {each.name: self.later[each.name] for each in picked.dice if each.name in self.later}
        if falls != later:
            return self.about(names, policy, falls)
        return self._replace(
            dice=picked.dice,
            readings=readings,
            bands=tuple(bands),
            options=options,
            matters=matters_of(options.values(), needed),
            reading=picked,
            result=namedtuple("Result", [*readings, *([OUTCOME] if bands else [])]),
            theirs=frozenset(),
            helpers=tuple([team for team in self.helpers if team.helped in needed]),
            later=later,
            asked=() if later else tuple(names),
        )

    @property
    def explodes(self) -> bool:
        """Whether there is no end of what some of the dice may count."""
        return any(isinstance(named, NamedDice) and named.explodes for named in self.dice)

    def result_of(self, values: Values, said: Iterable[tuple[str, str]] = ()) -> Any:
        """The result, with the words of answers."""
        words = dict(said)
        return self.result(*[words.get(name) if name in self.options else values[name] for name in self.result._fields])

    def settled(self, values: Values, said: Iterable[tuple[str, str]] = ()) -> Outcome[Any]:
        """The end of the roll, and what it changes."""
        result = self.result_of(values, said)
        if not self.bands:
            return Outcome(result)
        band = next(band for band in self.bands if band.name == result.outcome)
        shuffles = tuple([Effect(name, "table", 1, SHUFFLE, band.rule) for name in band.shuffles])
        return Outcome(result, (*effects_of(band.changes, values), *shuffles), lambda: self._notes(band, result))

    def _notes(self, band: Band, result: Any) -> Iterator[Note]:
        if self.readings:
            read = _listed(self.readings, result)
            yield Note(f"{read[:1].upper()}{read[1:]}.", self.rule)
        if band.says:
            yield Note(filled(band.says, result._asdict()), band.rule)

    def headline(self, ask: Ask) -> str:
        """The dice, and the inputs that were given."""
        thrown = list(zip(self.dice, self.pool(self.inputs(ask)), strict=True))
        sides = [[thrown[place] for place in places] for places in self._places if places]
        dice = " against ".join(_in_a_row(side) for side in sides)
        if later := [(named, each) for named, each in thrown if named.name in self.later and each.n]:
            dice += f", then perhaps {_in_a_row(later)}"
        values = ((input, getattr(ask, name)) for name, input in ask.inputs.items())
        given = ", ".join(
            f"{input.called} {dict(input.steps).get(value) or _said(value)}"
            for input, value in values
            if value is not None and input.kind != "cards"
        )
        return f"{self.title}: {dice}{f' ({given})' if given else ''}"

    def verdict(self, result: Any) -> Verdict:
        """The outcome's name and tone, with the readings that are shown."""
        band = next(band for band in self.bands if band.name == result.outcome)
        return Verdict(band.tone, band.name, _listed(self.shows, result), theirs=band.theirs)


def values_of(ask: Ask) -> dict[str, Any]:
    """What was put in: as numbers where formulas can use it, and as it was given."""
    given = {name: getattr(ask, name) for name in ask.inputs}
    numbers = {name: int(value) if isinstance(value, int) else value for name, value in given.items()}
    return {**numbers, **{given_key(name): value for name, value in given.items()}}


def _said(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return signed(value).removeprefix("+") if isinstance(value, int) else str(value)


def _in_a_row(dice: Iterable[tuple[Plain | Worded, Dice]]) -> str:
    *first, last = [f"{each.n}{named.called(each)}" for named, each in dice if each.n] or ["no dice"]
    return f"{', '.join(first)} and {last}" if first else last


def _listed(names: Iterable[str], result: Any) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {_said(getattr(result, name))}" for name in names)


def filled(text: str, values: Values) -> str:
    """A text with values in the places of their {names}."""
    for name, value in values.items():
        text = text.replace(given_key(name), _said(values.get(given_key(name), value)))
    return text


def read_roll(part: Part, decks: Mapping[str, WrittenDeck], sheets: Sheets) -> WrittenRoll:
    """The roll that is written in a part of the file."""
    name = check_name(part.text("name"), part)
    drawn = decks_of(part.part("dice"), decks)
    kept = {each.name: each.deck for each in drawn if each.kept}
    ask = read_ask(name, part.part("inputs"), sheets, kept, brought(part))
    helpers = read_helpers(part, ask, sheets)
    numbers = [*names_in(ask, sheets).numbers, *(team.helped for team in helpers)]
    dice = tuple(read_pool(part.part("dice"), numbers, decks))
    _say_which_change_dice(ask, dice, [team.brings for team in helpers])
    refusals = read_refusals(part, names_in(ask, sheets))

    def check(given: Ask) -> None:
        for team in helpers:
            team.check(given)
        for each in refusals:
            each.check(values_of(given))

    if helpers or refusals:
        ask.check = check  # type: ignore[assignment, method-assign]
    symbols = symbols_of(part.part("dice"), dice, numbers)
    plain = [each.name for each in dice if isinstance(each, Plain)]
    asked = part.parts("options", different="options")
    counted = read_names(asked, [*plain, *numbers, *symbols, *part.part("readings").names(), OUTCOME])
    endless = [each.name for each in dice if isinstance(each, NamedDice) and each.explodes]
    gathered = Gathered(symbols, [name for name in plain if name not in endless], bool(endless))
    names = names_in(ask, sheets)._replace(
        dice=plain,
        numbers=[*numbers, *counted, *symbols],
        gathered=gathered,
    )
    readings = _read_readings(part.part("readings"), names)
    names = names._replace(numbers=[*names.numbers, *readings], questions=_questions(ask, readings))
    later = read_later(part.part("dice"), names)
    title, rule, shows = part.text("title"), part.rule(), _read_shows(part, readings)
    always = [read_change(each, rule, names) for each in part.parts("changes")]
    bands = tuple(_read_band(each, names, decks, always) for each in part.parts("outcomes", required=True))
    _check_bands(part, bands)
    used = {each.name for each in gathered.used}
    given = [read_option(each, rule, names, dice, used) for each in asked]
    worded = [each.name for each in given if each.words]
    for each in part.parts("outcomes"):
        check_says(each, [*readings, OUTCOME, *worded], "reading")
    if (given or later) and endless:
        what = "a roll with options" if given else "a roll with dice that fall later"
        part.refuse(f"{endless[0]} explodes without end, and {what} cannot; a game in Python can.", "dice")
    result = namedtuple("Result", [*readings, OUTCOME, *worded])  # type: ignore[misc]
    theirs = frozenset(each.name for each in dice if each.name.startswith(THEIR))
    for band, written in zip(bands, part.parts("outcomes"), strict=True):
        if band.theirs and not theirs:
            written.refuse("theirs is what the other side calls it; this roll has no [roll.sides].", "theirs")
    again = again_of(given)
    if (theirs or later) and again is None and not endless:
        again = {}  # what was thrown first waits for other dice
    reading = Picked.of(dice, gathered, again, {each.chosen: None for each in given if each.chosen})
    options, matters = {each.name: each for each in given}, matters_of(given, [each.name for each in gathered.used])
    choice, asks = part.text("choice", "after"), part.text("asks", "Change it?")
    unused = dict.fromkeys((*counted, *(team.helped for team in helpers)), 0)
    return WrittenRoll(
        name, title, ask, dice, readings, bands, reading, result, rule, shows, options,
        unused, matters, check_name(choice, part), asks, theirs, helpers, later,
    )  # fmt: skip


class Refusing(NamedTuple):
    """What is refused before the dice are thrown: a condition, and the sentence that says so."""

    when: Formula
    says: str
    rule: str

    def check(self, values: Values) -> None:
        """Refuse these values if the condition holds."""
        if self.when.value(values):
            raise Illegal(filled(self.says, values), self.rule)


def read_refusals(part: Part, names: Names) -> list[Refusing]:
    """What a roll or a move refuses."""
    found = []
    for each in part.parts("refuses"):
        each.text("when")
        when = read_when(each, names)
        check_says(each, [*names.numbers, *names.words])
        found.append(Refusing(when, each.text("says"), each.rule()))  # type: ignore[arg-type]
        each.finish()
    return found


def formulas_of(parts: Iterable[Band | WrittenOption]) -> Iterator[Formula]:
    """The formulas of outcomes and options."""
    return (formula for each in parts for formula in each.formulas())


def _say_which_change_dice(ask: type[Ask], dice: Iterable[Plain | Worded], brought: Collection[str]) -> None:
    """An input changes the dice if a formula for their number or size names it, if it is a deck, or brought (T-3)."""
    numbers = [part for each in dice for part in each if isinstance(part, Formula)]
    named = {used.name for formula in numbers for used in formula.names()}
    for name, input in ask.inputs.items():
        input.dice = name in named or input.kind == "cards" or name in brought


def _questions(ask: type[Ask], readings: Mapping[str, Formula]) -> list[str]:
    """The inputs and readings whose answer is yes or no."""
    found = [each for each, input in ask.inputs.items() if input.kind == "flag"]
    for name, formula in readings.items():
        if is_question(formula.expression, found):
            found.append(name)
    return found


def _read_shows(part: Part, readings: Mapping[str, Formula]) -> tuple[str, ...]:
    for name in part.texts("shows"):
        if name not in readings:
            part.refuse(f'shows names the reading "{name}"; {near(name, readings)}.', "shows")
    return part.texts("shows") if part.has("shows") else tuple(readings)


def _read_readings(part: Part, names: Names) -> dict[str, Formula]:
    found: dict[str, Formula] = {}
    for name, text in part.named_texts().items():
        if name in (*names.dice, *names.numbers, OUTCOME):
            part.refuse(f'"{name}" is taken already; a reading needs a name of its own.', name)
        check_formula_name(name, part)
        with part.telling(name):
            found[name] = names._replace(numbers=[*names.numbers, *found]).formula(text)
    return found


def _read_band(part: Part, names: Names, decks: Mapping[str, WrittenDeck], always: Iterable[WrittenChange]) -> Band:
    tone, when, rule = part.choice("tone", TONES), read_when(part, names), part.rule()
    changes = (*(read_change(each, rule, names) for each in part.parts("changes")), *always)
    says, shuffles, theirs = part.text("says", ""), read_shuffles(part, decks), part.text("theirs", "")
    band = Band(part.text("name"), when, tone, says, rule, changes, shuffles, theirs)
    part.finish()
    return band


def check_says(part: Part, names: Collection[str], what: str = "input") -> None:
    """Refuse a sentence with {names} that there are not."""
    for name in re.findall("{([^{}]*)}", part.text("says", "")):
        if name not in names:
            part.refuse(f"says has {{{name}}}, and there is no such {what}; {near(name, names)}.", "says")


def read_shuffles(part: Part, decks: Mapping[str, WrittenDeck]) -> tuple[str, ...]:
    """The decks that are shuffled."""
    for name in part.texts("shuffle"):
        if name not in decks or not decks[name].kept:
            kept = [each.name for each in decks.values() if each.kept]
            part.refuse(f'shuffle names "{name}", and the table keeps no such deck; {near(name, kept)}.', "shuffle")
    return part.texts("shuffle")


def _check_bands(part: Part, bands: tuple[Band, ...]) -> None:
    if not bands or bands[-1].when is not None:
        part.refuse("the last of [[roll.outcomes]] must have no when: it is what happens otherwise.", "outcomes")
    for band in bands[:-1]:
        if band.when is None:
            part.refuse(f'the outcome "{band.name}" has no when, so those after it never come up.', "outcomes")
    names = [band.name for band in bands]
    if len(set(names)) < len(names):
        part.refuse("two outcomes have the same name.", "outcomes")
    if len(bands) > MAX_PARTS:
        part.refuse(f"a roll has at most {MAX_PARTS} outcomes.", "outcomes")
