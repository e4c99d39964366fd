"""A kind of roll of a written game: throw its dice, read them, and find the outcome whose condition holds."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from astragal.dice.dice import Pool
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import sources_of
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Node, Outcome, Throw
from astragal.rule.tree.note import Note
from astragal.rule.verdict import Verdict
from astragal.written.after import After
from astragal.written.cases import OUTCOME, Working
from astragal.written.change import effects_of
from astragal.written.formula import Formula, Values
from astragal.written.helpers import Team, WrittenHelpers
from astragal.written.option import WrittenOption, again_of, matters_of
from astragal.written.outcome import Band
from astragal.written.pools import NamedDice, teller
from astragal.written.reading import NONE, Picked, Plain, Read, Value, Worded
from astragal.written.words import filled, in_a_row, inputs_in, listed, values_of

SHUFFLE = "shuffle"
"""The name of an effect that shuffles a deck."""


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
    """The readings shown with the outcome; the explanation has all of them."""
    options: Mapping[str, WrittenOption] = {}
    """The options after the dice."""
    counted: Mapping[str, int] = {}
    """The number of times that each was done before the dice are thrown: 0."""
    matters: frozenset[str] = frozenset()
    """The options and answers that are counted, since formulas or the options themselves depend on it."""
    choice: str = "after"
    """The name of the choice among the options."""
    asks: str = "Change it?"
    theirs: frozenset[str] = frozenset()
    """The dice of the other side."""
    helpers: tuple[WrittenHelpers, ...] = ()
    """The helpers of our side, then those of the other one."""
    later: Mapping[str, Formula] = {}
    """The dice that fall as soon as something holds, and not at first."""
    crowds: Mapping[str, str] = {}
    """The names of the numbers of helpers, each with the input of what they bring."""
    wishes: Mapping[str, Any] = {}
    """The wishes, with the names that they depend on."""
    asked: tuple[str, ...] = ()
    """The facts to which the roll is cut down, if it is."""

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
        """The tree from the roller's dice on."""
        if self.options:
            return After(self, inputs).start()

        pool = self.pool(inputs)

        def fell(value: Value, fallen: frozenset[str] = NONE) -> Node[Any]:
            values = Working(self, {**inputs, **dict(self.reading.parts(value))})
            return self.falling(pool, values, value, fallen, fell) or self.settled(values)

        return self.thrown(pool, fell)

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
        values: Working,
        value: Value,
        fallen: frozenset[str],
        then: Callable[[Value, frozenset[str]], Node[Any]],
    ) -> Node[Any] | None:
        """The throw of the dice whose condition holds now and that have not ``fallen`` yet, if there are any."""
        now = {name for name, when in self.later.items() if name not in fallen and when.value(values)}
        if not now:
            return None
        fallen |= now
        places = tuple([place for place, each in enumerate(self.dice) if each.name in now and pool[place].n])
        if not places:
            return then(value, fallen)
        thrown = tuple([pool[place] for place in places])

        def joined(more: Value) -> Node[Any]:
            return then(self.reading.joined(value, more), fallen)

        return Throw(thrown, Read(self.reading, places, self.reading.all.live), joined, teller(thrown))

    @property
    def is_opposed(self) -> bool:
        """True if two sides throw one after the other; dice that explode without end are thrown together."""
        return bool(self.theirs) and not self.explodes

    @property
    def is_decided_by_target(self) -> bool:
        """True if the other side, or a helper of it, may do something in this roll."""
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
        crowds = {name: len(sources_of(getattr(ask, brings))) for name, brings in self.crowds.items()}
        return {**self.counted, **crowds, **values_of(ask)}

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
        bands = [each._replace(changes=tuple(change for change in each.changes if costs and change.price), shuffles=())
                 for each in self.bands]  # fmt: skip
        if any(band.changes for band in bands):
            names.add(OUTCOME)
        bands = bands if OUTCOME in names else []
        fixed = [*(formula for each in bands for formula in each.formulas()), *later.values()]
        options = {} if policy == "never" else self.options if costs else self._telling(names, fixed)
        options = {name: each if costs else each._replace(changes=()) for name, each in options.items()}
        formulas = [*fixed, *(formula for each in options.values() for formula in each.formulas())]
        needed = self._needed(names, formulas)
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

    def _needed(self, names: Iterable[str], formulas: Iterable[Formula]) -> set[str]:
        """All names on which facts and formulas depend, and the dice."""
        thrown = [part for each in self.dice for part in each if isinstance(part, Formula)]
        needed = {*names, *(used.name for formula in (*formulas, *thrown) for used in formula.names())}
        for reading, formula in reversed(list(self.readings.items())):
            if reading in needed:
                needed.update(used.name for used in formula.names())
        return needed

    def _telling(self, names: Iterable[str], formulas: Sequence[Formula]) -> dict[str, WrittenOption]:
        """The options on which these facts and formulas depend; any other is no better than leaving it."""
        found: dict[str, WrittenOption] = {}
        while True:
            whens = [each.when for each in found.values() if each.when]
            needed = self._needed(names, [*formulas, *whens])
            more = {name: each for name, each in self.options.items() if each.may_matter or {*each.counted} & needed}
            if len(more) == len(found):
                return more
            found = more

    @property
    def falls_at_once(self) -> bool:
        """Whether there are dice that fall later, and when they do depends on the first throw alone."""
        names = {each for formula in self.later.values() for each in formula.uses}
        for reading, formula in reversed(list(self.readings.items())):
            if reading in names:
                names.update(formula.uses)
        return bool(self.later) and not any(each in self.later for name in names for each in self.reading.sources(name))

    @property
    def explodes(self) -> bool:
        """True if some of the dice explode without end."""
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
            read = listed(self.readings, result)
            yield Note(f"{read[:1].upper()}{read[1:]}.", self.rule)
        if band.says:
            yield Note(filled(band.says, result._asdict()), band.rule)

    def headline(self, ask: Ask) -> str:
        """The dice, and the inputs that were given."""
        thrown = list(zip(self.dice, self.pool(self.inputs(ask)), strict=True))
        sides = [[thrown[place] for place in places] for places in self._places if places]
        dice = " against ".join(map(in_a_row, sides))
        if later := [(named, each) for named, each in thrown if named.name in self.later and each.n]:
            dice += f", then perhaps {in_a_row(later)}"
        return f"{self.title}: {dice}{inputs_in(ask)}"

    def verdict(self, result: Any) -> Verdict:
        """The outcome's name and tone, with the readings that are shown."""
        band = next(band for band in self.bands if band.name == result.outcome)
        return Verdict(band.tone, band.name, listed(self.shows, result), theirs=band.theirs)
