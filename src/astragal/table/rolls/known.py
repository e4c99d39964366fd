"""What of a thrown roll is known although something in it is hidden (T-11, NJ-13).

The roll is played back with guesses for its hidden inputs. Dice, readings and options that all of these have in common
rest on nothing hidden: anyone who sees the dice may see and use them. All else is the GMs' until the roll is revealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from astragal.dice.dice import Faces
from astragal.errors import Malformed, Refusal
from astragal.explain.report import explain, judged, plain
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Flag, Input, Numbers, OneOf, Whole
from astragal.rule.inputs.word import Named, Words
from astragal.rule.tree.node import Barred, Choice, Node, Throw
from astragal.rule.tree.note import Die, Note
from astragal.rule.tree.play import Answer, Hand, Played, parse_answer, play
from astragal.table.access import (
    GM,
    decider_of,
    is_partly_known,
    may_see,
    outcome_audience,
    verdict_for_target,
)
from astragal.table.rolls.ask import thaw
from astragal.table.rolls.basis import Basis, once
from astragal.table.rolls.hand import waits
from astragal.table.rolls.playback import BREAKS, ask_with
from astragal.table.state import Member, Roll, State

ASK_THE_GM = Barred(
    "Whether this is possible rests on something hidden; ask the GM, who can do it for you.", needs="Ask the GM"
)
"""Why an option cannot be taken that some guesses allow and others do not."""
T = TypeVar("T")


class Known(NamedTuple):
    """The common part of all guesses. ``node`` is what the roll waits for, None if that is hidden."""

    node: Node[Any] | None
    titles: list[str]
    dice: list[list[Die]]
    notes: list[Note]
    sum: str
    gains: list[str]
    result: dict[str, Any]

    @property
    def open(self) -> bool:
        """True while the roll waits for dice or an answer that everybody who sees the dice may know of."""
        return isinstance(self.node, (Throw, Choice))


NOTHING = Known(None, [], [], [], "", [], {})


@once
def known_of(basis: Basis) -> Known:
    """The known part of a roll after all its open steps."""
    return known_after(basis, basis.roll.part.steps)


def known_after(basis: Basis, steps: Sequence[Mapping[str, Any]]) -> Known:
    """The known part of a roll after these steps; nothing after a secret one."""
    state, roll = basis.state, basis.roll
    plays = [] if roll.part.secret_steps else _plays(basis, steps)
    if len(plays) < 2:
        return NOTHING
    try:
        told = [explain(played) for played in plays]
        verdicts = [judged(basis.kind, played.result) for played in plays if played.result is not None]
    except BREAKS:  # a guess that the game does not foresee
        return NOTHING
    if verdict_for_target(state, roll):
        verdicts = [verdict.turned for verdict in verdicts]
    verdicts = verdicts if len(verdicts) == len(plays) else []
    results = [plain(played.result) for played in plays]
    told_throws = list(zip(*(each.throws for each in told), strict=False))
    return Known(
        node=_common_node(state, roll, [played.node for played in plays]),
        titles=[_same([title for title, _ in throws], "") for throws in told_throws],
        dice=[_common_dice([dice for _, dice in throws]) for throws in told_throws],
        notes=_common([each.notes for each in told]),
        sum=", ".join(_common([verdict.sum.split(", ") for verdict in verdicts])),
        gains=_common([verdict.gains for verdict in verdicts]),
        result=_common_fields(results) if all(isinstance(result, dict) for result in results) else {},
    )


def may_answer(basis: Basis, choice: Choice[Any], option: str, member: Member) -> bool:
    """True if this answer is this member's to give, by what the member may know; a GM may give all."""
    state, roll = basis.state, basis.roll
    if member.role == GM:
        return True
    if may_see(member, outcome_audience(state, roll)):
        return decider_of(state, roll, choice, option) == member.id
    node = known_of(basis).node if roll.known_open and is_partly_known(state, roll) else None
    known = node.instead if isinstance(node, Throw) else node
    if not isinstance(known, Choice) or option not in known.options or known.name != choice.name:
        return False
    return decider_of(state, roll, known, option) == member.id


def answers_of(basis: Basis, choice: Choice[Any], member: Member) -> list[str]:
    """The options that this member may take."""
    return [name for name in choice.options if may_answer(basis, choice, name, member)]


# Playing back.


class _OpenHand(Hand):
    """Plays back the steps that are open; where a table would continue by itself, so does this."""

    def __init__(self, steps: Sequence[Mapping[str, Any]]) -> None:
        super().__init__()
        self._left = list(steps)

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        if not self._left or "faces" not in self._left[0]:
            return None
        faces: Faces = tuple(tuple(tuple(wave) for wave in waves) for waves in self._left.pop(0)["faces"])
        fits = len(faces) == len(throw.pool) and all(
            len(waves[0]) == dice.n for waves, dice in zip(faces, throw.pool, strict=True)
        )
        if not fits:
            raise Malformed("Other dice lie there.")
        return faces

    def choose(self, choice: Choice[Any]) -> Answer | None:
        answer = self._answer(choice)
        if answer is None and not waits(choice):
            answer = super().choose(choice._replace(passes=False))
        return answer

    def instead(self, choice: Choice[Any], throw: Throw[Any, Any]) -> Answer | None:
        return self._answer(choice)

    def _answer(self, choice: Choice[Any]) -> Answer | None:
        if not self._left or self._left[0].get("choice") != choice.name:
            return None
        return parse_answer(self._left.pop(0)["answer"])

    def finish(self) -> None:
        if self._left:
            raise Malformed("The roll ends before its last step.")


def _plays(basis: Basis, steps: Sequence[Mapping[str, Any]]) -> list[Played[Any]]:
    """The roll played back with each guess; nothing if the steps do not fit one of them."""
    roll, kind, found = basis.roll, basis.kind, []
    for instead in instead_of(kind, roll):
        try:
            thaw(kind, {**(roll.ask or {}), **instead})
        except Refusal:
            continue
        try:
            found.append(play(kind.rule(ask_with(basis, instead)), _OpenHand(steps)))
        except (Refusal, *BREAKS):
            return []
    return found


# What several have in common.


def _same(values: Iterable[T], otherwise: T) -> T:
    first, *others = values
    return first if all(other == first for other in others) else otherwise


def _common(lists: Sequence[Sequence[T]]) -> list[T]:
    """The entries of the first list that are in all of them."""
    first, *others = lists or [()]
    return [each for each in first if all(each in other for other in others)]


def _common_fields(results: list[dict[str, Any]]) -> dict[str, Any]:
    first, *others = results
    return {
        name: value for name, value in first.items() if all(name in other and other[name] == value for other in others)
    }


def _common_dice(throws: Sequence[Sequence[Die]]) -> list[Die]:
    """The dice of one throw; what is not the same of a die is left out."""
    return [
        first._replace(
            name=_same([die.name for die in dice], f"d{first.sides}"),
            did=_same([die.did for die in dice], ""),
            counts=_same([die.counts for die in dice], False),
        )
        for dice in zip(*throws, strict=False)
        for first in dice[:1]
    ]


def _common_node(state: State, roll: Roll, nodes: Sequence[Any]) -> Node[Any] | None:
    first, *others = nodes
    if any(type(other) is not type(first) for other in others):
        return None
    if isinstance(first, Throw):
        return _common_throw(state, roll, nodes)
    return _common_choice(state, roll, nodes) if isinstance(first, Choice) else first


def _common_throw(state: State, roll: Roll, throws: Sequence[Throw[Any, Any]]) -> Throw[Any, Any] | None:
    first, *others = throws
    if any((other.pool, other.by) != (first.pool, first.by) for other in others):
        return None
    instead = [throw.instead for throw in throws if throw.instead]
    return first._replace(
        title=_same([throw.title for throw in throws], ""),
        instead=_common_choice(state, roll, instead) if len(instead) == len(throws) else None,
    )


def _common_choice(state: State, roll: Roll, choices: Sequence[Choice[Any]]) -> Choice[Any] | None:
    """The choice with the options that all have; of the others it says that the GM is to be asked.

    Its ``so_far`` is a guess's, which only says who decides: that is the same in all.
    """
    first = choices[0]
    if len({(choice.name, choice.by, decider_of(state, roll, choice)) for choice in choices}) > 1:
        return None
    names = dict.fromkeys(name for choice in choices for name in (*choice.options, *choice.barred))
    shown = [
        # What is seen of an option; what speaks against it may rest on something hidden.
        {name: each._replace(then=None, warns="", detail=str(each.detail)) for name, each in choice.options.items()}  # type: ignore[arg-type]
        for choice in choices
    ]
    options = {
        name: first.options[name]._replace(warns=_same([str(choice.options[name].warns) for choice in choices], ""))
        for name in _common_fields(shown)
    }
    barred = {name: first.barred[name] for name in _common_fields([dict(choice.barred) for choice in choices])}
    asks = {name: _asks_gm(choices, name) for name in names if name not in options and name not in barred}
    return first._replace(
        question=_same([choice.question for choice in choices], ""),
        offered=_same([choice.offered for choice in choices], None),
        options=options,
        barred={**barred, **{name: why for name, why in asks.items() if why}},
        so_far=first.so_far,
        rest=first.rest if first.rest in options else "",
    ) if options else None  # fmt: skip


def _asks_gm(choices: Sequence[Choice[Any]], name: str) -> Barred | None:
    """Why an option is left to the GM; nothing of options that are the GM's anyway."""
    found = [choice.options[name] for choice in choices if name in choice.options]
    if any(option.by for option in found):
        return None
    labels = [option.label for option in found] + [
        choice.barred[name].label for choice in choices if name in choice.barred
    ]
    return ASK_THE_GM._replace(label=next(filter(None, labels), name))


# Guesses for hidden inputs: values that lie far apart, chosen by the declaration alone.


FEW = 3
"""Guesses that are enough for odds, since each takes a while."""
MANY = 5
"""Guesses for all else."""
BEGUN = [0, 1, 2, 0, 3]
"""Guesses of how far a long task has come, which is less than the guesses of how far it goes."""


@once
def guesses(basis: Basis) -> list[Ask]:
    """Asks of a roll that is being built, with guesses for its hidden inputs; empty if nothing can be guessed."""
    roll, kind, found = basis.roll, basis.kind, list[Ask]()
    if any(isinstance(kind.ask._input(name), (Named, Numbers)) for name in roll.hidden):
        return found  # a few lists say nothing about the chances of others
    seen = basis.open_offers if roll.use else {}
    inputs = {name: value for name, value in roll.inputs.items() if name not in roll.hidden}
    use = {id: n for id, n in roll.use.items() if id in seen}
    known = basis.at(basis.state, replace(roll, inputs=inputs, use=use))
    for instead in instead_of(kind, roll, FEW):
        with suppress(Refusal):
            found.append(known.ask_with(instead))
    return found


def instead_of(kind: Kind, roll: Roll, n: int = MANY) -> Iterator[Mapping[str, Any]]:
    """Values for the hidden inputs of a roll, n times; nothing if one of them cannot be guessed."""
    begun = kind.series.before if kind.series else ()
    values = {name: BEGUN if name in begun else far_apart(kind.ask._input(name)) for name in roll.hidden}
    if all(values.values()):
        for turn in range(n):
            yield {name: each[turn % len(each)] for name, each in values.items()}


def far_apart(input: Input) -> list[Any]:
    """Values of an input that lie far apart, the usual ones first; none for a deck, or where there is only one."""
    if isinstance(input, Whole):
        return [max(input.lowest, min(input.highest, n)) for n in (1, 8, 15, input.lowest, input.highest)]
    if isinstance(input, OneOf):
        return list(input.options)
    if isinstance(input, Flag):
        return [False, True]
    if isinstance(input, Words):
        return ["x", "xx", "xxx"]
    values: list[Any] = []
    if isinstance(input, Named):
        values = [(), *((("x", option),) for option in input.options)]
    if isinstance(input, Numbers):
        n = input.n or 1
        values = [input.default, (input.lowest,) * n, (input.highest,) * n]
    found = []
    for value in values:
        with suppress(Refusal):
            input.check(value)
            found.append(value)
    return found if len(found) > 1 else []
