"""After the dice of a written game: options, while there are any, then the outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.dice.dice import Faces, Pool
from astragal.dice.distribution import Distribution
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Barred, Choice, Node, Offered, Option, Throw, lazy
from astragal.rule.tree.push import Push
from astragal.written.cases import OUTCOME, Cases, Working
from astragal.written.change import effects_of
from astragal.written.option import REST, Price, WrittenOption
from astragal.written.pools import teller
from astragal.written.reading import NONE, Read, Value

if TYPE_CHECKING:
    from astragal.written.roll import WrittenRoll
MOST_COUNTED = 4
"""Most options and answers with which each throw is looked at, each of them done and not done."""


class State(NamedTuple):
    """An open roll: what was read, how often each option was done if that matters, and what is held."""

    value: Value
    done: tuple[int, ...]
    held: tuple[int, ...]
    said: tuple[tuple[str, str], ...] = ()
    """The words of answers, by option."""
    fallen: frozenset[str] = NONE
    """The dice whose condition has held."""
    offer: tuple[str, str] | None = None
    """The offer that waits for an answer, with its words; it lapses if something else is done."""


class Shown(Working):
    """A result whose counts of dice are looked up in ``shown``; its values are attributes."""

    def __init__(self, roll: WrittenRoll, known: Mapping[str, Any], shown: Any) -> None:
        super().__init__(roll, known)
        self._shown = shown

    def found(self, name: str) -> Any:
        """Return the value of a reading, the outcome, or a count."""
        return super().found(name) if name == OUTCOME or name in self.roll.readings else getattr(self._shown, name)

    def __getattr__(self, name: str) -> Any:
        return self[name]

    def _asdict(self) -> Mapping[str, Any]:
        return self


class Asked(NamedTuple):
    """Reads the first throw for a few facts: its odds have one throw for all that are equal for these facts."""

    after: After

    def read(self, faces: Faces) -> Value:
        """Return what any throw shows."""
        return self.after.roll.reading.all.read(faces)

    def odds(self, pool: Pool, up_to: int) -> Distribution[Value]:
        """Return the odds of throws that differ in these facts, or in what may be done."""
        return self.after.cases(pool, up_to)


class After:
    """The tree of one roll with options."""

    def __init__(self, roll: WrittenRoll, inputs: Mapping[str, Any]) -> None:
        self.roll, self.inputs = roll, inputs
        self._pool = roll.pool(inputs)
        self._counted = [name for option in roll.options.values() for name in option.counted]
        self._known: dict[Any, Working] = {}
        self._places = {each.name: place for place, each in enumerate(roll.dice)}
        self._paid = tuple(dict.fromkeys(price.input for option in roll.options.values() for price in option.price))

    @property
    def _state(self) -> State:
        """The roll before its first throw."""
        return State((), (0,) * len(self._counted), tuple([self.inputs[name] for name in self._paid]))

    def start(self) -> Node[Any]:
        """The first throw."""
        state, roll = self._state, self.roll

        def then(value: Value) -> Node[Any]:
            return self._falls(state._replace(value=value))

        return Throw(self._pool, Asked(self), then, push=self.push()) if roll.asked else roll.thrown(self._pool, then)

    def cases(self, pool: Pool, up_to: int) -> Distribution[Value]:
        """The odds of the first throw; if no dice are thrown again, one throw for all with the same result."""
        roll, reading = self.roll, self.roll.reading
        counted = [name for name in self._counted if name in roll.matters]
        options = roll.options.values()
        if reading.again is not None or len(counted) > MOST_COUNTED or any(option.most != 1 for option in options):
            return reading.all.odds(pool, up_to)
        handfuls, values = reading.all.handfuls(pool, up_to), list[Any]()
        for times in product((0, 1), repeat=len(counted)):
            cases = Cases(roll, {**self.inputs, **dict(zip(counted, times, strict=True))}, handfuls)
            left = [option for option in options if not cases[option.name]]
            values += [cases[name] for name in roll.asked]
            values += [cases.of(option.when) for option in left if option.when]
            parts: tuple[Any, ...] = (*roll.bands, *left)
            changes = [change for part in parts for change in part.changes]
            values += [cases.of(formula) for change in changes for formula in change.formulas()]
        return cases.merged(values)

    def push(self) -> Push[Any] | None:
        """The only option as a push, if it throws some dice again, once."""
        if len(self.roll.options) != 1 or self.roll.later:
            return None
        (option,), reading = self.roll.options.values(), self.roll.reading
        is_push = option.again and option.most == 1 and option.by == "roller" and not (option.more or option.words)
        if not is_push or option.chosen or reading.names or any(each.cards or each.again for each in self._pool):
            return None
        faces = [range(1, dice.sides + 1) for dice in self._pool]
        stays = tuple([frozenset(face for face in each if not reading.throwing(place, face))
                       for place, each in enumerate(faces)])  # fmt: skip

        def counts(name: str) -> tuple[tuple[int, ...], ...]:
            column = [each.name for each in reading.sums].index(name)
            return tuple([tuple([reading.shows(place, face, frozenset())[2][column] for face in each])
                          for place, each in enumerate(faces)])  # fmt: skip

        def result(shown: Any, times: int = 0) -> Shown:
            return Shown(self.roll, {**self.inputs, option.name: times}, shown)

        prices = [bar for price in option.price if (bar := self._unpaid(option, price, self._state))]
        return Push(
            stays,
            counts,
            kept=result,
            pushed=lambda shown: result(shown, 1),
            may=(lambda shown: option.when is None or option.when.value(result(shown)))
            if not prices
            else lambda shown: False,
            free=not (option.price or option.changes or any(band.changes for band in self.roll.bands)),
        )

    def _falls(self, state: State, over: bool = False) -> Node[Any]:
        """The dice that fall now, then the end of the roll if it is ``over``, or else the options."""
        if len(state.fallen) < len(self.roll.later):
            return lazy(self._fall, state, over)
        return self.settled(state) if over else self._continues(state)

    def _fall(self, state: State, over: bool) -> Node[Any]:
        def then(value: Value, fallen: frozenset[str]) -> Node[Any]:
            return self._falls(state._replace(value=value, fallen=fallen), over)

        fallen = self.roll.falling(self._pool, self.values(state), state.value, state.fallen, then)
        return fallen or (self.settled(state) if over else self._continues(state))

    def _continues(self, state: State) -> Node[Any]:
        """The choice, built when it is needed, as many throws lead to the same one."""
        over = not any(self._may(option, state) for option in self.roll.options.values())
        return self.choice(state) if over else lazy(self.choice, state)

    def _may(self, option: WrittenOption, state: State) -> bool:
        """True if an option was not yet done as often as it may be."""
        return option.most is None or state.done[self._counted.index(option.name)] < option.most

    def values(self, state: State) -> Working:
        """All values that formulas can name."""
        parts = tuple(self.roll.reading.parts(state.value))
        if (parts, state.done) not in self._known:
            done = dict(zip(self._counted, state.done, strict=True))
            self._known[parts, state.done] = Working(self.roll, {**self.inputs, **done, **dict(parts)})
        return self._known[parts, state.done]

    def choice(self, state: State) -> Node[Any]:
        """The choice among the options now, or the outcome if there is none."""
        values, offer, state = self.values(state), state.offer, state._replace(offer=None)
        options: dict[str, Option[Any]] = {}
        barred: dict[str, Barred] = {}
        for option, why in self.there(state, values):
            if why:
                barred[option.name] = why
            elif option.chosen:
                options |= self._chosen(option, state, values)
            elif not (offer and option.answers):
                options[option.name] = self._option(option, state, values)
        if not options and not offer:
            return self.roll.settled(values, state.said)
        rule = next(iter(self.roll.options.values())).rule
        options = {REST: Option("Leave it", lazy(self.settled, state), rule), **options}
        question, offered = self.roll.asks, None
        if offer:
            option, words = self.roll.options[offer[0]], offer[1]
            offered = Offered(option.title, words, question) if words else None
            said = f"{option.title}: {words}".removesuffix(": ").removesuffix(".")
            question = f"{said}. {question}"
            options = {name: each._replace(told=f"{each.label}; it lapses: {said}") for name, each in options.items()}
            options |= self._answers(option, words, state, values)
        so_far = self.roll.result_of(values, state.said)
        return Choice(self.roll.choice, "player", question, options, so_far, REST, barred, offered=offered)

    def there(self, state: State, values: dict[str, Any]) -> Iterator[tuple[WrittenOption, Barred | None]]:
        """Every option that may still be done, with the reason if it is barred now."""
        for option in self.roll.options.values():
            if self._may(option, state) and (not option.again or self._loose(option, state)):
                yield option, self._bars(option, state, values)

    def settled(self, state: State) -> Node[Any]:
        """The outcome, as things are."""
        return self.roll.settled(self.values(state), state.said)

    def _bars(self, option: WrittenOption, state: State, values: dict[str, Any]) -> Barred | None:
        """The reason why it cannot be done: its condition does not hold, or it cannot be paid."""
        if option.when is not None and not option.when.value(values):
            why = option.bars or f"{option.title}: {option.when.text} does not hold."
            return Barred(why, option.rule, label=option.title, needs=option.bars.removesuffix("."))
        return next(filter(None, [self._unpaid(option, price, state) for price in option.price]), None)

    def _unpaid(self, option: WrittenOption, price: Price, state: State) -> Barred | None:
        """The reason why a price cannot be paid."""
        held, (least, most) = self._held(state, price), price.bounds
        if least <= price.left(held, self.inputs) <= most:
            return None
        room = f"{option.title} needs {-price.by}" if price.by < 0 else f"{option.title} adds {price.by}"
        why = f"{room} {price.item or price.what}, and there is {held}; nothing is spent."
        needs = f"Needs {-price.by} {price.item or price.what}" if price.by < 0 else "There is no room"
        return Barred(why, option.rule, for_now=True, label=option.title, needs=needs)

    def _held(self, state: State, price: Price) -> int:
        return state.held[self._paid.index(price.input)]

    def _loose(self, option: WrittenOption, state: State) -> dict[int, int]:
        return self.roll.reading.loose(state.value, option.name)

    def _option(self, option: WrittenOption, state: State, values: dict[str, Any]) -> Option[Any]:
        by = "" if option.by == "roller" else option.by
        detail = _again(sum(self._loose(option, state).values()))
        if option.answers:
            return Option(option.title, lazy(self.offered, option.name, state), option.rule, words=option.words, by=by)
        return Option(
            option.title, lazy(self.take, option.name, state), option.rule, self.effects(option, state, values),
            words=option.words, by=by, detail=detail,
        )  # fmt: skip

    def _chosen(self, option: WrittenOption, state: State, values: dict[str, Any]) -> dict[str, Option[Any]]:
        """An answer for each set of dice that may stay. Answers that keep the same dice lead to the same throw."""
        after, effects = self._taken(option, state), self.effects(option, state, values)
        place = self._places[option.chosen]
        found = {}
        for kept, n, value in self.roll.reading.kept(state.value, option.name):
            thrown = {place: n, **self._more(option, {place: n})}
            name = option.keeping(kept)
            then = lazy(self._throw, option.name, self._left(option, after._replace(value=value)), (*thrown.items(),))
            label = name.removeprefix(f"{option.name} ").capitalize()
            found[name] = Option(label, then, option.rule, effects, detail=_again(n))
        return found

    def effects(self, option: WrittenOption, state: State, values: dict[str, Any]) -> tuple[Effect, ...]:
        """Its prices and changes."""
        paid = [
            price.effect(self._held(state, price), self.inputs, option.title, option.rule) for price in option.price
        ]
        changes = [effect._replace(when="answer") for effect in effects_of(option.changes, values)]
        return (*paid, *changes)

    def offered(self, name: str, state: State, words: str = "") -> Node[Any]:
        """The roller decides on an offer."""
        return lazy(self.choice, self._counts(state, name)._replace(offer=(name, words)))

    def _answers(
        self, option: WrittenOption, words: str, state: State, values: dict[str, Any]
    ) -> dict[str, Option[Any]]:
        (accept, take), (decline, leave) = option.answers.items()
        taken = lazy(self.take, option.name, self._counts(state, accept), words)
        return {
            accept: Option(take, taken, option.rule, self.effects(option, state, values), offered=True),
            decline: Option(
                leave, lazy(self.choice, state), option.rule, offered=True, refuses=True,
                told=f"{leave}: {words or option.title}",
            ),
        }  # fmt: skip

    def take(self, name: str, state: State, words: str = "") -> Node[Any]:
        """Do it: pay, throw the dice, and continue."""
        option = self.roll.options[name]
        after = self._taken(option, state, words)
        if not option.throws:
            return self._falls(after, option.ends)
        thrown = self._more(option, self._loose(option, state))
        left = self._left(option, after._replace(value=self.roll.reading.left(after.value, option.name)))
        return self._throw(name, left, tuple(sorted(thrown.items())))

    def _taken(self, option: WrittenOption, state: State, words: str = "") -> State:
        """The same once it is paid and counted."""
        name, after = option.name, state
        if words:
            after = state._replace(said=(*(each for each in state.said if each[0] != name), (name, words)))
        if not option.answers:
            after = self._counts(after, option.name)
        for price in option.price:
            place = self._paid.index(price.input)
            left = price.left(after.held[place], self.inputs)
            after = after._replace(held=(*after.held[:place], left, *after.held[place + 1 :]))
        return after

    def _counts(self, state: State, name: str) -> State:
        """The same with one more, if it is counted."""
        place = self._counted.index(name)
        if name not in self.roll.matters:
            return state
        return state._replace(done=(*state.done[:place], state.done[place] + 1, *state.done[place + 1 :]))

    def _more(self, option: WrittenOption, thrown: Mapping[int, int]) -> dict[int, int]:
        """The number of dice that an option throws, by place: those thrown again, and more."""
        more = {self._places[name]: n for name, n in option.more.items()}
        return {place: thrown.get(place, 0) + more.get(place, 0) for place in (*thrown, *more)}

    def _live(self, state: State) -> frozenset[str]:
        return frozenset(each.name for each in self.roll.options.values() if self._may(each, state))

    def _left(self, option: WrittenOption, state: State) -> State:
        """The same when what no option can throw again stays for good."""
        return state._replace(value=self.roll.reading.settled(state.value, self._live(state)))

    def _throw(self, name: str, state: State, thrown: tuple[tuple[int, int], ...]) -> Node[Any]:
        """Throw these numbers of dice by place, besides those that stay."""
        option, picked = self.roll.options[name], self.roll.reading
        pool = tuple([self._pool[place]._replace(n=n) for place, n in thrown])

        def then(value: Value) -> Node[Any]:
            return self._falls(state._replace(value=picked.joined(state.value, value)), option.ends)

        read = Read(picked, tuple(place for place, _ in thrown), self._live(state))
        return Throw(pool, read, then, teller(pool), option.title)


def _again(n: int) -> str:
    return f"{n} {'die' if n == 1 else 'dice'} again" if n else ""
