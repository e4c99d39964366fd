"""Checks of a game at a table: rolls are opened, offers paid, effects written, moves made, the sample played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any

from astragal.check.mistake import Mistake, tried, unknown_rules
from astragal.check.parts import effect_mistakes, part_mistakes, shown
from astragal.check.trees import asks_of
from astragal.errors import Refusal, Unknown
from astragal.rule.game import Game, Kind
from astragal.rule.sheets.table_rules import (
    PLAIN,
    Change,
    Participants,
    TableRules,
    changes_of,
    parts_of,
    read_inputs,
    table_rules_of,
)
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Choice, Lazy, Node, Outcome, Throw
from astragal.rule.tree.note import Note
from astragal.rule.tree.play import Rolled, play
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.decide.ledger import GAME_ERROR, Ledger
from astragal.table.entry import Entry
from astragal.table.log.lines import tell
from astragal.table.log.sample import play_sample, sample_of
from astragal.table.rolls.basis import Basis, participants_of
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Roll, State
from astragal.table.table import Table
from astragal.table.view.build import view

SEEDS = 8


class Evening:
    """A table of a game with a GM, two players and a character of each."""

    def __init__(self, game: Game) -> None:
        self.table = Table()
        self._keys = count(1)
        self.gm = self.do("", a.FoundAction(game=game.name, title="Check", name="Gamemaster")).by
        self.players = [self.do("", a.JoinAction(name=name, role="player")).by for name in ("One", "Two")]
        ready = list(ruleset_of(game.name).templates) or [""]
        for player, name, template in zip(self.players, ("Ash", "Birch"), (ready[0], ready[-1]), strict=True):
            self.do(player, a.CreateAction(name=name, template=template))

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def characters(self) -> list[str]:
        return [kept.id for kept in self.state.world.holders.values() if kept.kind == "character"]

    def do(self, by: str, action: a.Action) -> Entry:
        """Act, and view the table from every seat."""
        entry = self.table.decide(by, action, f"check {next(self._keys)}", 1)
        self.table.apply(entry)
        for member in (*self.state.members.values(), None):
            view(self.state, member)
            tell(entry, self.state, member)
        return entry

    def do_as_gm(self, *actions: a.Action) -> None:
        for action in actions:
            self.do(self.gm, action)

    def everybody(self) -> Participants:
        """The first character acts against the second, and each helps the other."""
        first, second = self.characters[:2]
        found = participants_of(self.state, first, second, (second,), their_helpers=(first,))
        characters = tuple(self.state.world.holders[id] for id in self.characters)
        return found._replace(characters=characters)


def table_mistakes(game: Game) -> Iterator[Mistake]:
    """Rolls, offers, effects, scenes and moves on the sheets of two ready-made characters."""
    evening = Evening(game)
    for kind in game.kinds.values():
        where = f"roll {kind.name} at a table"
        wrong = list(tried(where, "reading the sheets", _reads(evening, game, kind, where)))
        opens = a.OpenAction(kind=kind.name, who="Ash", against="Birch")
        yield from wrong or tried(where, "opening it", partial(evening.do_as_gm, opens, a.WithdrawAction()))
        yield from tried(where, "looking at its offers", _offers(evening, game, kind, where))
        yield from dict.fromkeys(tried(where, "writing its effects", _effects(evening, game, kind, where)))
    scene = a.SceneAction(title="A scene"), a.CloseAction()
    yield from tried("scenes", "opening and closing one", partial(evening.do_as_gm, *scene))
    for move in table_rules_of(game.table_rules).moves:
        where = f"move {move.name}"
        required = any(input.required for input in move.ask.inputs.values())
        if not required:
            yield from tried(where, "making it", _moved(evening, game, move.name, where))


def _reads(evening: Evening, game: Game, kind: Kind, where: str) -> Iterator[Mistake]:
    """The inputs that a roll reads from the sheets exist."""
    yield from tried(where, "reading its inputs", lambda: read_inputs(kind.ask, evening.everybody()))
    found = table_rules_of(game.table_rules).reads(kind.name, evening.everybody())
    if not isinstance(found, Mapping):
        yield Mistake(where, f"reads gives {shown(found)}; it must be a dict of inputs.")
        return
    for name in found:
        if name not in kind.ask.inputs:
            yield Mistake(where, f'reads gives "{name}", and the roll has no such input.')


def _offers(evening: Evening, game: Game, kind: Kind, where: str) -> Iterator[Mistake]:
    first, second = evening.characters[:2]
    helpers = (second,) if kind.helpers else ()
    wrong = list(_prices(evening, game, kind, where))
    if wrong:
        yield from wrong
        return
    for offer in Basis(evening.state, Roll("r", kind.name, evening.players[0], first, second, helpers)).offers.values():
        at = f'{where}, offer "{offer.label or offer.id}"'
        for name in (offer.input, *(name for name, _ in offer.also)):
            if name not in kind.ask.inputs:
                yield Mistake(at, f'it goes into "{name}", and the roll has no such input.')
        if offer.by not in evening.state.world.holders:
            yield Mistake(at, f'by is "{offer.by}", which is nobody\'s id.')
        if not offer.label:
            yield Mistake(at, "it needs a label.")
        yield from unknown_rules(game, at, offer.rule)
        yield from unwritable(evening.state, offer.changes, at)


def _prices(evening: Evening, game: Game, kind: Kind, where: str) -> Iterator[Mistake]:
    """The parts of offers, and what their prices change, before a table uses them."""
    rules, together = table_rules_of(game.table_rules), evening.everybody()
    for offer in rules.offers(kind.name, together):
        at = f'{where}, offer "{offer.label or offer.id}"'
        yield from part_mistakes(offer, at)
        for effect in offer.price:
            yield from effect_mistakes(effect, f"{at}, price {effect.what}")
        yield from _pathless(rules, together, offer.price, at)
        for change in rules.apply(kind.name, None, offer.price, together):
            yield from part_mistakes(change, f"{at}, what apply gives for its price")


def _pathless(rules: TableRules, together: Participants, effects: Iterable[Effect], where: str) -> Iterator[Mistake]:
    """Effects that name no section of a sheet, if the game has no ``apply`` of its own."""
    for effect in effects if rules.apply is changes_of and rules is not PLAIN else ():
        if together.section(effect.who, effect.what) is None:
            sheet = f'the sheet of the {effect.who} has no section "{effect.what}"'
            yield Mistake(f"{where}, effect {effect.what}", f"{sheet}; name one, or write an apply.")


def _effects(evening: Evening, game: Game, kind: Kind, where: str) -> Iterator[Mistake]:
    rules, together = table_rules_of(game.table_rules), evening.everybody()
    for ask in asks_of(game, kind):
        for seed in range(SEEDS):
            node = play(kind.rule(ask), Rolled(seed=seed))
            for step in node.steps:
                value = getattr(step, "value", None)
                luck = rules.luck(kind.name, value)
                if luck is not None and type(luck) is not int:
                    wrong = f"it gives a {type(luck).__name__}; it must be a whole number or None."
                    yield Mistake("table rules, luck", wrong)
            if not isinstance(node.node, Throw):
                yield from _pathless(rules, together, node.node.effects, where)
                yield from unwritable(evening.state, rules.apply(kind.name, ask, node.effects, together), where)


def unwritable(state: State, changes: Iterable[Change | Note], where: str) -> Iterator[Mistake]:
    """The changes that no sheet can take, each made by itself; a typed name may be on no sheet."""
    for change in changes:
        if not isinstance(change, (Change, Note)):
            yield Mistake(where, f"it changes a {type(change).__name__}; a Change or a Note belongs there.")
        if not isinstance(change, Change):
            continue
        wrong = list(part_mistakes(change, f"{where}, a change of {change.section}"))
        yield from wrong
        if wrong:
            continue
        if change.holder not in state.world.holders:
            yield Mistake(where, f'it changes "{change.holder}", which is nobody\'s id.')
            continue
        try:
            Ledger(state).change(change)
        except Unknown as unknown:
            if GAME_ERROR in str(unknown):
                yield Mistake(where, f"it changes what is not there: {unknown.sentence.split(';')[0]}.")
        except Refusal:
            continue


def _moved(evening: Evening, game: Game, name: str, where: str) -> Iterator[Mistake]:
    move = next(move for move in table_rules_of(game.table_rules).moves if move.name == name)
    try:
        parts = list(parts_of(move.does(move.ask(), evening.everybody())))
    except Refusal:
        return  # as a move may
    trees = [part for part in parts if isinstance(part, (Throw, Choice, Outcome, Lazy))]
    yield from unwritable(evening.state, [part for part in parts if part not in trees], where)
    if bool(trees) != move.throws:
        says = "throws is not set, and it throws dice." if trees else "throws is set, and it throws no dice."
        yield Mistake(where, says)
    if len(trees) > 1:
        yield Mistake(where, f"it has {len(trees)} trees of dice; one belongs there, which may throw several times.")
    for tree in trees:
        yield from dict.fromkeys(_thrown(evening, tree, where))


def _thrown(evening: Evening, tree: Node[Any], where: str) -> Iterator[Mistake]:
    """The mistakes in the dice of a move: it has a choice, or it does not end with changes and notes."""
    for seed in range(SEEDS):
        outcome = play(tree, Rolled(seed=seed)).node
        if not isinstance(outcome, Outcome):
            yield Mistake(where, "it has a choice, and a move cannot have one; an Outcome belongs there.")
            return
        if not isinstance(outcome.result, (tuple, list)):
            kind = type(outcome.result).__name__
            yield Mistake(where, f"its outcome's result is a {kind}; a tuple of Changes and Notes belongs there.")
            return
        yield from unwritable(evening.state, outcome.result, where)


def sample_mistakes(game: Game) -> Iterator[Mistake]:
    """The sample can be played through, and nothing in it is an error of the game."""
    if not table_rules_of(game.table_rules).sample:
        return
    for key in ("title", "member", "action"):
        if key not in sample_of(game.name):
            yield Mistake("sample", f"it needs {key}.")
            return
    _, entries = play_sample(game.name, 0)
    for entry in entries:
        for event in entry.events:
            if isinstance(event, e.Noted) and GAME_ERROR in event.text:
                yield Mistake("sample", event.text)


def kept_rules(game: Game) -> set[str]:
    """The rules that sheets, settings, moves and the sample cite; no roll shows them."""
    rules = table_rules_of(game.table_rules)
    sections = [part for kind in ("character", "player", "table", "scene") for part in rules.sections(kind)]
    inputs = [*rules.options.inputs.values(), *(input for part in sections for input in part.fields.values())]
    entries = play_sample(game.name, 0)[1] if rules.sample else []
    told = (getattr(event, "rule", "") for entry in entries for event in entry.events)
    cited = [[part.rule for part in sections], [input.rule for input in inputs], [move.rule for move in rules.moves]]
    return {*(rule for rules in cited for rule in rules), *told}
