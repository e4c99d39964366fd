"""The reading of a written game's throw: all that its formulas pick of its dice, together and exactly.

What adds up die by die is a column of one sum over all dice; for other picks, a handful is read as a whole. Dice that
an option throws again are kept apart from the others, since their faces will be replaced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import combinations, repeat
from operator import add, itemgetter
from typing import Any, NamedTuple, TypeAlias

from astragal.dice.dice import Dice, Faces, Pool, every_face, refuse_short
from astragal.dice.distribution import Distribution
from astragal.dice.solver.cards import drawn_sums, every_draw, ways_of
from astragal.dice.solver.product import vector_odds
from astragal.errors import Illegal
from astragal.notation.endless import Endless
from astragal.notation.expression import Name
from astragal.notation.odds.law import listed
from astragal.notation.odds.terms import term_law
from astragal.notation.pool import made_of, picked, throws_of
from astragal.notation.solve import MAX_UP_TO
from astragal.notation.term import PLAIN, Pick
from astragal.written.deck import NumberCards, SymbolCards
from astragal.written.formula import Formula, Values
from astragal.written.pools import NamedDice, SymbolDice, symbols_on
from astragal.written.symbols import Gathered, SymbolSum

Plain: TypeAlias = NamedDice | NumberCards
"""Dice and cards with numbers."""
Worded: TypeAlias = SymbolDice | SymbolCards
"""Dice and cards with words."""
Value: TypeAlias = tuple[Any, ...]
"""What was read: the sums of dice that stay, the number and sums of each kind that may be thrown again, the picks."""
Handful: TypeAlias = tuple[tuple[int, ...], tuple[Any, ...]]
"""What was read of some dice: the numbers that they add, and what is picked of them."""
Again: TypeAlias = Mapping[str, Mapping[str, frozenset[Any]]]
"""For each option and each of the dice that it throws again, the faces that stay."""
NONE: frozenset[str] = frozenset()


class Kind(NamedTuple):
    """Dice of one name that the same options throw again."""

    place: int
    options: frozenset[str]


class Picked:
    """The picks of formulas: sums over dice, and other picks of named dice."""

    def __init__(
        self,
        dice: tuple[Plain | Worded, ...],
        names: tuple[Name, ...],
        sums: tuple[SymbolSum, ...],
        units: Mapping[str, Name],
        again: Again | None = None,
    ) -> None:
        picks = [(place, tuple(name for name in names if name.name == each.name)) for place, each in enumerate(dice)]
        self.picks = [(place, each) for place, each in picks if each]
        """The picks of each dice, with their place."""
        names = tuple(name for _, each in self.picks for name in each)
        self.dice, self.names, self.sums, self.units, self.again = dice, names, sums, units, again
        self.alike: dict[str, list[Plain | Worded]] = {}
        """For each name, other dice that show the same and are thrown with it."""
        self._shown: dict[tuple[int, int, frozenset[str]], tuple[int, int, Value]] = {}
        self._adds: dict[tuple[int, int, frozenset[str]], tuple[frozenset[int], dict[Value, int]]] = {}
        self.kinds = tuple(dict.fromkeys(self._kinds()))
        step = len(sums) + 1
        self.width = len(sums) + len(self.kinds) * step
        """The numbers of a value; its picks come after them."""
        self._columns = [(each.name, range(place, self.width, step)) for place, each in enumerate(sums)]
        self._called, self._picks = [str(name) for name in names], [name.pick for name in names]

    @classmethod
    def of(
        cls,
        dice: tuple[Plain | Worded, ...],
        gathered: Gathered,
        again: Again | None = None,
        whole: Iterable[str] = (),
    ) -> Picked:
        """The picks of all rewritten formulas, and all that ``whole`` dice show."""
        names = [each.name for each in dice if isinstance(each, Plain)]
        picks = [each for each in gathered.used if each.name in names and str(each) not in gathered.sums]
        picks += [Name(each, PLAIN) for each in whole]
        return cls(dice, tuple(picks), tuple(gathered.sums.values()), gathered.units, again)

    def only(
        self,
        formulas: Iterable[Formula],
        again: Again | None = None,
        apart: Iterable[str] = (),
        later: Container[str] = (),
        whole: Container[str] = (),
    ) -> Picked:
        """The picks of these formulas alone. Dice that show the same for them are merged, but for those kept apart.

        Dice that fall ``later`` are apart, too, unless they count nothing.
        All that ``whole`` dice show is read.
        """
        used = {str(name) for formula in formulas for name in formula.names()}
        sums = tuple(each for each in self.sums if each.name in used)
        used -= {each.name for each in sums}
        names = tuple(name for name in self.names if str(name) in used or (name.name in whole and name.pick == PLAIN))
        all = Picked(self.dice, names, sums, self.units, again)
        apart = {*apart, *(name.name for name in names)}
        groups: dict[Any, list[Plain | Worded]] = {}
        for place, named in enumerate(self.dice):
            counts = named if named.name in apart else all._counts(place)
            groups.setdefault(named if counts and named.name in later else counts, []).append(named)
        groups.pop(None, None)
        found = Picked(tuple(first for first, *_ in groups.values()), names, sums, self.units, again)
        found.alike = {first.name: others for first, *others in groups.values()}
        return found

    @property
    def at_once(self) -> Picked:
        """The same if no dice are thrown after others."""
        found = Picked(self.dice, self.names, self.sums, self.units)
        found.alike = self.alike
        return found

    def _counts(self, place: int) -> Any:
        """What dice count, face by face: None if they count nothing and stay, the dice themselves if it is unknown."""
        named = self.dice[place]
        sides = named.size if isinstance(named, NamedDice) else named.sides if isinstance(named, SymbolDice) else None
        if not isinstance(sides, int):
            return named
        faces = range(1, sides + 1)
        counts = [(self.shows(place, face, NONE)[2], self.throwing(place, face)) for face in faces]
        return tuple(counts) if any(any(numbers) or options for numbers, options in counts) else None

    def pool(self, inputs: Values) -> Pool:
        """The dice for these inputs."""
        return tuple(self._thrown(named, inputs) for named in self.dice)

    def _thrown(self, named: Plain | Worded, inputs: Values) -> Dice:
        dice, others = named.thrown(inputs), self.alike.get(named.name)
        return dice._replace(n=dice.n + sum([other.thrown(inputs).n for other in others])) if others else dice

    def parts(self, value: Value) -> Iterator[tuple[str, Any]]:
        """Every sum and pick of a value, by its name in formulas."""
        for called, columns in self._columns:
            yield called, sum([value[column] for column in columns])
        for called, pick, shown in zip(self._called, self._picks, value[self.width :], strict=True):
            yield called, shown if self.again is None else of_dice(pick, tuple(sorted(sum(shown, ()))))

    def slots(self, kind: int) -> range:
        """Where a value has the number of dice of a kind, and their sums after it."""
        first = len(self.sums) + kind * (len(self.sums) + 1)
        return range(first, first + len(self.sums) + 1)

    def joined(self, left: Value, right: Value) -> Value:
        """What dice that were thrown show together with dice that were thrown later."""
        numbers = map(add, left[: self.width], right[: self.width])
        picks = zip(self.names, left[self.width :], right[self.width :], strict=True)
        return (*numbers, *[tuple(map(cut, (name.pick,) * len(a), map(add, a, b))) for name, a, b in picks])

    def left(self, value: Value, option: str) -> Value:
        """The value without the dice that an option throws again."""
        return self._without(value, [place for place, kind in enumerate(self.kinds) if option in kind.options])

    def settled(self, value: Value, live: frozenset[str]) -> Value:
        """The same when dice that no option of ``live`` throws again stay for good."""
        kinds = [place for place, kind in enumerate(self.kinds) if not kind.options & live]
        return self._without(value, kinds, stays=True)

    def _without(self, value: Value, kinds: Iterable[int], stays: bool = False) -> Value:
        """What is left without dice of these kinds; or with them if each of them ``stays``."""
        numbers, picks = list(value[: self.width]), [list(shown) for shown in value[self.width :]]
        for place in kinds:
            slots = self.slots(place)
            for column, slot in enumerate(slots[1:]):
                numbers[column] += numbers[slot] if stays else 0
            for slot in slots:
                numbers[slot] = 0
            for name, shown in zip(self.names, picks, strict=True):
                shown[0] = cut(name.pick, shown[0] + shown[place + 1]) if stays else shown[0]
                shown[place + 1] = ()
        return (*numbers, *map(tuple, picks))

    def kept(self, value: Value, option: str) -> Iterator[tuple[tuple[Any, ...], int, Value]]:
        """Every way to throw some of the dice that an option may throw again.

        Each has the faces of these dice that stay, the number that is thrown, and the value of all dice that stay.
        """
        kinds = [place for place, kind in enumerate(self.kinds) if option in kind.options]
        place, live = self.kinds[kinds[0]].place, frozenset(self.again or ())
        named = self.dice[place]
        assert isinstance(named, (NamedDice, SymbolDice))
        every = value[self.width + self.names.index(Name(named.name, PLAIN))]
        loose = sorted([shown for kind in kinds for shown in every[kind + 1]])
        read, left = Read(self, (place,), live), self.left(value, option)
        for n in range(len(loose)):
            for stay in dict.fromkeys(combinations(loose, n)):
                shown = read.read(((tuple(map(named.face, stay)),),))
                yield tuple(map(named.shown, stay)), len(loose) - n, self.joined(left, shown)

    def loose(self, value: Value, option: str) -> dict[int, int]:
        """The number of dice that an option throws again, by the place of their name."""
        found: dict[int, int] = {}
        for place, kind in enumerate(self.kinds):
            if option in kind.options and value[self.slots(place)[0]]:
                found[kind.place] = found.get(kind.place, 0) + value[self.slots(place)[0]]
        return found

    def shows(self, place: int, face: int, live: frozenset[str]) -> tuple[Any, int, Value]:
        """What a face counts: its value, its kind (0 if it stays), and all numbers that it adds."""
        key = place, face, live
        if key not in self._shown:
            self._shown[key] = self._shows(place, face, live)
        return self._shown[key]

    def _shows(self, place: int, face: int, live: frozenset[str]) -> tuple[Any, int, Value]:
        named = self.dice[place]
        if isinstance(named, (SymbolDice, SymbolCards)):
            value, counts = face, symbols_on(named.labels[face - 1])
        else:
            value = named.value(face)
            units = [each for each in self.units.values() if each.name == named.name]
            counts = {str(each): of_dice(each.pick, (value,)) for each in units}
        sums = tuple([each.of(counts) for each in self.sums])
        options = self.throwing(place, face)
        if not options & live:
            return value, 0, (*sums, *[0] * (self.width - len(sums)))
        kind, numbers = self.kinds.index(Kind(place, options)), [0] * self.width
        numbers[self.slots(kind)[0] : self.slots(kind)[-1] + 1] = (1, *sums)
        return value, kind + 1, tuple(numbers)

    def sources(self, called: str) -> list[str]:
        """The names of dice of which something is read, by what formulas call it."""
        parts = [part for each in self.sums if each.name == called for part, _ in each.times]
        names = {self.units[part].name for part in parts} | {each.name for each in self.names if str(each) == called}
        return [each.name for each in self.dice if each.name in names or names & _words_on(each)]

    def adds(self, place: int, sides: int, live: frozenset[str]) -> tuple[frozenset[int], dict[Value, int]]:
        """Which numbers dice with so many sides add to, and all that one of them adds, with its weight."""
        key = place, sides, live
        if key not in self._adds:
            shown = [self.shows(place, face, live)[2] for face in range(1, sides + 1)]
            touched = frozenset(column for numbers in shown for column, n in enumerate(numbers) if n)
            self._adds[key] = touched, dict(Counter(shown))
        return self._adds[key]

    def throwing(self, place: int, face: int) -> frozenset[str]:
        """The options that throw a die again which shows this face."""
        named, again = self.dice[place], (self.again or {}).items()
        if isinstance(named, (SymbolDice, NamedDice)):
            shown = named.labels[face - 1] if isinstance(named, SymbolDice) else named.value(face)
            return frozenset(name for name, dice in again if named.name in dice and shown not in dice[named.name])
        return NONE

    def _kinds(self) -> Iterator[Kind]:
        for place, named in enumerate(self.dice):
            again = {name: dice[named.name] for name, dice in (self.again or {}).items() if named.name in dice}
            for shown in (object(), *set().union(*again.values())):
                if options := frozenset(name for name, stays in again.items() if shown not in stays):
                    yield Kind(place, options)

    @cached_property
    def all(self) -> Read:
        """The reading of the first throw."""
        return Read(self, tuple(range(len(self.dice))), frozenset(self.again or ()))


def _words_on(dice: Plain | Worded) -> set[str]:
    """The words on the faces of dice or cards."""
    labels = dice.labels if isinstance(dice, (SymbolDice, SymbolCards)) else ()
    return {word for label in labels for word in symbols_on(label)}


def value_of(handfuls: Sequence[Handful]) -> Value:
    """Return what several handfuls show together."""
    numbers = map(sum, zip(*[numbers for numbers, _ in handfuls], strict=True))
    return (*numbers, *(each for _, picks in handfuls for each in picks))


def of_dice(pick: Pick, shown: Sequence[Any]) -> Any:
    """What is picked of dice, or their sum."""
    if not shown and pick == PLAIN:
        return 0
    return made_of(pick, cut(pick, shown)) if is_best(pick) else picked(pick, shown)


def reader_of(pick: Pick) -> Callable[[Sequence[Any]], Any]:
    """What is picked of dice, as a function of at least one value in order from the lowest."""
    if not is_best(pick):
        return partial(picked, pick)
    (keep,) = pick.keeps
    if keep.n == 1 and not pick.scores:
        return itemgetter(-1 if keep.kind == "kh" else 0)
    part = slice(-keep.n, None) if keep.kind == "kh" else slice(keep.n)
    return lambda ordered: made_of(pick, ordered[part])


def is_best(pick: Pick) -> bool:
    """True if only a number of the best or the worst dice is picked, so that no others need be known."""
    return len(pick.keeps) == 1 and pick.keeps[0].kind in ("kh", "kl") and not (pick.keeps[0].test or pick.pattern)


def cut(pick: Pick, values: Iterable[Any]) -> tuple[Any, ...]:
    """What a pick has to know of a handful to which more dice may come: the best or worst, or all."""
    ordered = tuple(sorted(values))
    if not is_best(pick):
        return ordered
    (keep,) = pick.keeps
    return ordered[max(len(ordered) - keep.n, 0) :] if keep.kind == "kh" else ordered[: keep.n]


class Read(NamedTuple):
    """Reads dice by their places; those that an option of ``live`` throws again are kept apart."""

    picked: Picked
    places: tuple[int, ...]
    live: frozenset[str] = NONE

    def read(self, faces: Faces) -> Value:
        """All numbers of all dice, then what is picked of each handful."""
        picked, numbers = self.picked, [0] * self.picked.width
        shown: dict[str, tuple[Sequence[Any], Sequence[int]]] = {}
        for place, waves in zip(self.places, faces, strict=True):
            seen = [picked.shows(place, face, self.live) for face in every_face(waves)]
            for _, _, adds in seen:
                numbers = list(map(add, numbers, adds))
            shown[picked.dice[place].name] = [value for value, _, _ in seen], [kind for _, kind, _ in seen]
        return (*numbers, *[self._pick(name, *shown.get(name.name, ((), ()))) for name in picked.names])

    def odds(self, pool: Pool, up_to: int) -> Distribution[Value]:
        """The exact odds of all of them together."""
        adding = self._adding(pool)
        found = self._sums(adding).map(lambda numbers: (numbers, ()))
        for each in self._whole(pool, up_to):
            found = found.convolve(each, lambda one, other: (tuple(map(add, one[0], other[0])), one[1] + other[1]))
        return found.map(lambda value: (*value[0], *value[1]))

    def handfuls(self, pool: Pool, up_to: int, later: Container[str] = ()) -> list[tuple[str, Distribution[Handful]]]:
        """The odds of independent handfuls: dice that add to the same sums, then dice of which more is picked.

        Each has the name of its dice if these fall ``later``, or if more is picked of them.
        """
        groups: list[tuple[str, frozenset[int], list[tuple[int, Dice]]]] = []
        for place, each in self._adding(pool):
            sums, _ = self.picked.adds(place, each.sides, self.live)
            name, dice = self.picked.dice[place].name, [(place, each)]
            if name in later:
                groups.append((name, sums, dice))
                continue
            for group in [group for group in groups if not group[0] and group[1] & sums]:
                groups.remove(group)
                sums, dice = sums | group[1], [*group[2], *dice]
            groups.append(("", sums, dice))
        laws = [(name, self._sums(dice)) for name, sums, dice in groups if sums]
        added = [(name, Distribution({(n, ()): w for n, w in law.weights.items()}, law.total)) for name, law in laws]
        nothing: Distribution[Handful] = Distribution.certain(((0,) * self.picked.width, ()))
        whole = [self.picked.dice[place].name for place, _ in self.picked.picks]
        return [*(added or [("", nothing)]), *zip(whole, self._whole(pool, up_to), strict=True)]

    def _adding(self, pool: Pool) -> list[tuple[int, Dice]]:
        """Dice that only add up, by their places."""
        refuse_short(pool)
        whole = dict(self.picked.picks)
        return [(place, each) for place, each in zip(self.places, pool, strict=True) if place not in whole]

    def _whole(self, pool: Pool, up_to: int) -> list[Distribution[Handful]]:
        """The odds of each handful of dice of which more is picked."""
        picked = self.picked
        thrown, zero = dict(zip(self.places, pool, strict=True)), (0,) * picked.width
        return [
            self._handful(place, thrown[place], names, up_to)
            if place in thrown
            else Distribution.certain((zero, tuple([self._pick(name, (), ()) for name in names])))
            for place, names in picked.picks
        ]

    def _pick(self, name: Name, values: Sequence[Any], kinds: Sequence[int]) -> Any:
        """What is picked of dice; while more may come, what it has to know of those of each kind."""
        if self.picked.again is None:
            return of_dice(name.pick, values)
        shown = list(zip(values, kinds, strict=True))
        every = range(len(self.picked.kinds) + 1)
        return tuple([cut(name.pick, [value for value, kind in shown if kind == each]) for each in every])

    def _sums(self, dice: list[tuple[int, Dice]]) -> Distribution[Value]:
        """The odds of all numbers that dice add up to."""
        found: Distribution[Value] = Distribution.certain((0,) * self.picked.width)
        groups: list[tuple[int, dict[Value, int]]] = []
        for place, each in dice:
            if each.cards:
                adds = [self.picked.shows(place, face, self.live)[2] for face in range(1, each.sides + 1)]
                found = found.convolve(drawn_sums(each, adds), lambda left, right: tuple(map(add, left, right)))
            elif each.n:
                groups.append((each.n, self.picked.adds(place, each.sides, self.live)[1]))
        if not groups or not self.picked.width:
            return found
        if len(found) == len(groups) == 1 and groups[0][0] == 1:
            return Distribution(groups[0][1])
        thrown = vector_odds(groups)
        return found.convolve(thrown, lambda left, right: tuple(map(add, left, right))) if len(found) > 1 else thrown

    def _handful(self, place: int, dice: Dice, names: Sequence[Name], up_to: int) -> Distribution[Handful]:
        """The odds of the numbers of one name's dice, and of what is picked of them."""
        picked, named = self.picked, self.picked.dice[place]
        zero = (0,) * picked.width
        if isinstance(named, NamedDice) and named.explodes:
            law = endless_odds(named, dice.n, [name.pick for name in names], up_to)
            return law.map(lambda values: (zero, values))
        faces = range(1, dice.sides + 1)
        means = {value: (kind, adds) for value, kind, adds in (picked.shows(place, face, self.live) for face in faces)}
        weights: dict[Any, int] = {}
        if picked.again is None and dice.n and not dice.cards:
            throws = self._throws(named, dice)
            columns = [{value: adds[column] for value, (_, adds) in means.items()} for column in range(picked.width)]
            added = [
                [sum(map(column.__getitem__, throw)) for throw in throws] if any(column.values()) else repeat(0)
                for column in columns
            ]
            every: Iterable[Value] = zip(*added, strict=False) if added else repeat(())
            picks = zip(*[map(reader_of(name.pick), throws) for name in names], strict=True)
            for shown, weight in zip(zip(every, picks, strict=False), throws.values(), strict=False):
                weights[shown] = weights.get(shown, 0) + weight
            return Distribution(weights, ways_of((dice,)))
        for throw, weight in self._throws(named, dice).items():
            kinds = [means[value][0] for value in throw]
            numbers = zero and tuple(map(sum, zip(zero, *[means[value][1] for value in throw], strict=True)))
            value = numbers, tuple([self._pick(name, throw, kinds) for name in names])
            weights[value] = weights.get(value, 0) + weight
        return Distribution(weights, ways_of((dice,)))

    @staticmethod
    def _throws(named: Any, dice: Dice) -> dict[Value, int]:
        """Every different throw, or draw, with its weight."""
        if dice.cards:
            return every_draw(dice)
        values = [named.value(face) for face in range(1, dice.sides + 1)]
        weights = {value: values.count(value) for value in values}
        return throws_of(dice.n, weights, sorted(weights))


def endless_odds(named: NamedDice, n: int, picks: list[Pick], up_to: int) -> Distribution[tuple[Any, ...]]:
    """Dice without end are asked for one thing, as in notation; of several, their odds together are not known."""
    if len(picks) > 1:
        shown = ", ".join(str(Name(named.name, pick)) for pick in picks)
        raise Illegal(f"{named.name} explodes without end: one thing that is read of it has exact odds, not several "
                      f"together ({shown}).")  # fmt: skip
    law = term_law(named.term._replace(n=n, pick=picks[0]), up_to)
    usual = min(law.reach, MAX_UP_TO) if isinstance(law, Endless) else 0
    return listed(law, max(up_to, usual)).map(lambda value: (value,))
