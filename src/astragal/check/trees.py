"""Checks of a game's trees: every node is a node, every choice can be answered, every result can be kept and told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from astragal.check.mistake import Mistake, tried, unknown_rules
from astragal.check.parts import effect_mistakes, part_mistakes, role_mistakes, shown
from astragal.explain.example import examples_of, play_example
from astragal.explain.report import explain, judged, report
from astragal.games.outside import ERRORS
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.sheets.deck import CardsLeft
from astragal.rule.sheets.table_rules import decider, table_rules_of
from astragal.rule.tree.node import Choice, Deferred, Lazy, Outcome, Throw
from astragal.rule.tree.note import Note, Telling
from astragal.rule.tree.play import ChoiceStep, Logged, Played, Rolled, play
from astragal.rule.tree.result import Fields
from astragal.rule.typed import Typed

SEEDS = 12
"""Throws that are tried of each ask."""
MOST_ASKS = 12
"""Asks of each kind: those of its examples."""
MOST_NODES = 400
"""Most nodes visited from one throw on, as a choice may come back again and again."""


def asks_of(game: Game, kind: Kind) -> list[Ask]:
    """The asks of the examples that are not refused; without any, the ask with all defaults, if it needs no input."""
    written = [each.given for each in examples_of(game) if not each.refused and game.kind(each.roll) is kind]
    asks = [kind.ask.read(given) for given in written[:MOST_ASKS]]
    required = any(input.required for input in kind.ask.inputs.values())
    return asks if asks or required else [kind.ask()]


def tree_mistakes(game: Game) -> Iterator[Mistake]:
    """Every kind of roll, tried with the asks of its examples and some throws of each."""
    for kind in game.kinds.values():
        where = f"roll {kind.name}"
        asks = asks_of(game, kind)
        if not asks:
            yield Mistake(where, "no example rolls it, so nothing of it can be tried; add one.")
        yield from dict.fromkeys(tried(where, "playing it", _played(game, kind, asks, where)))


def _played(game: Game, kind: Kind, asks: list[Ask], where: str) -> Iterator[Mistake]:
    walk = _Walk(game, kind, where)
    for ask in asks:
        line = kind.headline(ask)
        if not isinstance(line, str) or not line:
            yield Mistake(where, f"headline gives {shown(line)}; it must be a text.")
        for seed in range(SEEDS):
            walk.left = MOST_NODES
            found = list(walk.nodes(kind.rule(ask), seed))
            yield from found
            if found:
                return
            yield from _the_same_typed_and_logged(game, kind, ask, seed, where)
    for example in examples_of(game):
        if not example.refused and game.kind(example.roll) is kind:
            walk.meet(play_example(game, example))
    yield from walk.unmatched()


def _the_same_typed_and_logged(game: Game, kind: Kind, ask: Ask, seed: int, where: str) -> Iterator[Mistake]:
    """Rolled, typed and logged dice give the same."""
    rolled = play(kind.rule(ask), Rolled(seed=seed))
    told = report(game, kind, ask, rolled, notes=True)
    again = {"logged": play(kind.rule(ask), Logged(json.loads(json.dumps(rolled.log()))))}
    if rolled.faces.strip(" |"):
        again["typed"] = play(kind.rule(ask), Typed(rolled.faces))
    for how, played in again.items():
        if report(game, kind, ask, played, notes=True) != told:
            yield Mistake(where, f"with {how} dice {rolled.faces} it gives something else than with rolled ones.")


class _Walk:
    """Goes through the nodes of a tree, with one throw for each and every answer."""

    def __init__(self, game: Game, kind: Kind, where: str) -> None:
        self._game, self._kind, self._where = game, kind, where
        self._results: set[type] = set()
        self._choices: dict[str, set[str]] = {}
        self._decider = _decides(game)
        self.left = MOST_NODES

    def nodes(self, node: Any, seed: int, after: str = "its rule") -> Iterator[Mistake]:
        """The mistakes from this node on; ``after`` is what gave it."""
        self.left -= 1
        if self.left < 0:
            return
        if isinstance(node, Lazy):
            yield from self.nodes(node.node(), seed, after)
        elif isinstance(node, Throw):
            wrong = list(self._throw(node))
            yield from wrong or self._thrown(node, seed)
        elif isinstance(node, Choice):
            yield from self._choice(node, seed)
        elif isinstance(node, Outcome):
            yield from self._outcome(node)
            if isinstance(node.after, (Choice, Lazy)):
                yield from self.nodes(node.after, seed, "what the outcome leaves open")
        else:
            hint = "; wrap a result in Outcome(…)" if after else ""
            yield Mistake(
                self._where,
                f"{after} gives a {type(node).__name__} where a throw, a choice or an outcome belongs{hint}.",
            )

    def _throw(self, throw: Throw[Any, Any]) -> Iterator[Mistake]:
        where = f"{self._where}, throw {throw.title}" if throw.title else f"{self._where}, a throw"
        yield from part_mistakes(throw, where)
        yield from role_mistakes(throw.by, "by", where)
        for dice in throw.pool if isinstance(throw.pool, tuple) else ():
            yield from part_mistakes(dice, f"{where}, dice {dice.name}".rstrip())
        yield from part_mistakes(throw.reading, f"{where}, reading {type(throw.reading).__name__}")

    def _thrown(self, throw: Throw[Any, Any], seed: int) -> Iterator[Mistake]:
        """The dice of a throw, what it says of them, and what follows."""
        yield from self._drawn(throw)
        faces = Rolled(seed=f"{seed} {self.left}").throw(throw)
        explain(Played((), throw))
        said, where = throw.tell(faces), f"{self._where}, what {throw.title or 'a throw'} tells"
        wrong = list(_telling(said, where))
        yield from wrong
        if not wrong:
            follows = throw.then(throw.reading.read(faces))
            yield from self.nodes(follows, seed, f"what follows {throw.title or 'a throw'}")

    def _drawn(self, throw: Throw[Any, Any]) -> Iterator[Mistake]:
        """A deck that the table keeps must be an input, or every roll would begin with a full one."""
        asked = [input.deck.name for input in self._kind.ask.inputs.values() if isinstance(input, CardsLeft)]
        titles = [input.deck.title for input in self._kind.ask.inputs.values() if isinstance(input, CardsLeft)]
        for dice in throw.pool:
            if dice.cards and not dice.cards.deck and dice.cards.title in titles:
                yield Mistake(
                    self._where,
                    f"it draws from all of {dice.cards.title}, and they go back; give draw what is left, the input.",
                )
            if dice.cards and dice.cards.deck and dice.cards.deck not in asked:
                yield Mistake(
                    self._where,
                    f'it draws from the deck "{dice.cards.deck}", and its ask does not know what is left of it; '
                    "declare an input with .left(), and draw from that.",
                )

    def _choice(self, choice: Choice[Any], seed: int) -> Iterator[Mistake]:
        where = f"{self._where}, choice {choice.name}"
        wrong = list(part_mistakes(choice, where))
        if wrong:
            yield from wrong
            return
        if self._decider is decider:
            yield from role_mistakes(choice.by, "by", where)
        self._choices.setdefault(choice.name, set()).update((*choice.options, *choice.barred))
        if choice.rest and choice.rest not in choice.options:
            yield Mistake(where, f'rest is "{choice.rest}", and there is no such option; there are {_listed(choice)}.')
        if not choice.options:
            yield Mistake(where, "it has no options.")
        if choice.so_far is not None:
            yield from self._result(choice.so_far, where)
        for note in choice.tell():
            yield from self._cites(note.rule, where)
        for effect in choice.effects:
            yield from effect_mistakes(effect, f"{where}, effect {effect.what}")
            yield from self._cites(effect.rule, f"{where}, effect {effect.what}")
        for name, option in choice.options.items():
            if not isinstance(option.then, Lazy):
                yield Mistake(where, f'the option "{name}" must lead on with lazy(function, …).')
                continue
            yield from part_mistakes(option, f"{where}, option {name}")
            for effect in option.effects:
                yield from effect_mistakes(effect, f"{where}, option {name}, effect {effect.what}")
            yield from self._cites(option.rule, f"{where}, option {name}")
            words = ("Something",) if option.words else ()
            yield from self.nodes(option.then.node(*words), seed, f"the option {name} of {choice.name}")

    def _outcome(self, outcome: Outcome[Any]) -> Iterator[Mistake]:
        wrong = list(part_mistakes(outcome, f"{self._where}, outcome"))
        if wrong:
            yield from wrong
            return
        yield from self._result(outcome.result, self._where)
        yield from _notes(outcome.tell(), f"{self._where}, what the outcome tells")
        for note in outcome.tell():
            yield from self._cites(note.rule, self._where)
        for effect in outcome.effects:
            yield from effect_mistakes(effect, f"{self._where}, effect {effect.what}")
            if effect.price and isinstance(outcome.effects, Deferred):
                yield Mistake(self._where, f"the effect {effect.what} is a price, and Deferred effects are none.")
            yield from self._cites(effect.rule, f"{self._where}, effect {effect.what}")

    def _result(self, result: Any, where: str) -> Iterator[Mistake]:
        if not isinstance(result, (tuple, Fields)) or not hasattr(result, "_fields"):
            yield Mistake(where, f"a result is a {type(result).__name__}; it must be a NamedTuple or Fields.")
            return
        self._results.add(type(result))
        if len(self._results) > 1:
            names = ", ".join(sorted(each.__name__ for each in self._results))
            yield Mistake(where, f"results are of several types ({names}); one kind of roll has one.")
        hash(result)
        verdict = self._kind.verdict(result)
        wrong = [] if isinstance(verdict, str) else list(part_mistakes(verdict, f"{self._where}, verdict"))
        if wrong:
            yield from wrong
            return
        if not judged(self._kind, result).tier:
            yield Mistake(where, f"verdict gives no text for {result}.")

    def _cites(self, rule: str, where: str) -> Iterator[Mistake]:
        return unknown_rules(self._game, where, rule)

    def meet(self, played: Played[Any]) -> None:
        """Remember the choices of an example: some come up only with its dice and answers."""
        choices = [step.choice for step in played.steps if isinstance(step, ChoiceStep)]
        for choice in (*choices, played.node):
            if isinstance(choice, Choice):
                self._choices.setdefault(choice.name, set()).update((*choice.options, *choice.barred))

    def unmatched(self) -> Iterator[Mistake]:
        """Decisions that answer no choice that was met, and answers that no choice has."""
        for decision in self._kind.decisions:
            where = f"{self._where}, decision {decision.name}"
            there = ", ".join(self._choices) or "none"
            if decision.name not in self._choices:
                yield Mistake(where, f"no choice has this name; the choices that were met are {there}.")
                continue
            for answer in decision.answers:
                if answer not in self._choices[decision.name]:
                    met = ", ".join(sorted(self._choices[decision.name]))
                    yield Mistake(where, f'no choice has the answer "{answer}"; there are {met}.')


def _decides(game: Game) -> Any:
    """What says who answers a choice; a mistake in the table rules is told later."""
    try:
        return table_rules_of(game.table_rules).decides
    except ERRORS:
        return None


def _telling(said: Any, where: str) -> Iterator[Mistake]:
    if not isinstance(said, Telling):
        yield Mistake(where, f"it is {shown(said)}; it must be a Telling.")
        return
    wrong = list(part_mistakes(said, where))
    yield from wrong
    for part in () if wrong else (*said.dice, *said.notes):
        yield from part_mistakes(part, where)


def _notes(said: Any, where: str) -> Iterator[Mistake]:
    for note in said:
        if not isinstance(note, Note):
            yield Mistake(where, f"it has {shown(note)} where a Note belongs.")
        else:
            yield from part_mistakes(note, where)


def _listed(choice: Choice[Any]) -> str:
    return ", ".join(choice.options)
