"""The referee: odds by playing every throw there is. As plain as can be, and without the solver's code.

``tally(node)`` walks a tree with every face that every die can show. Dice that go again
are followed for ``deepest`` waves; what is not at rest by then is counted under
UNFINISHED. Choices are left alone, unless ``answers`` has an option for their name, or gives one for the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any, TypeAlias

from astragal.dice.dice import Dice, Faces, Waves
from astragal.rule.tree.node import Choice, Lazy, Node, Outcome

UNFINISHED = "unfinished"
NO_ANSWERS: Mapping[str, str] = {}
Answers: TypeAlias = Mapping[str, str] | Callable[[Choice[Any]], str]


def tally(node: Node[Any], deepest: int = 4, answers: Answers = NO_ANSWERS) -> dict[Any, Fraction]:
    """Every result with its chance."""
    found: dict[Any, Fraction] = {}
    for result, chance in every_result(node, deepest, answers):
        found[result] = found.get(result, Fraction(0)) + chance
    return found


def every_result(node: Node[Any], deepest: int, answers: Answers = NO_ANSWERS) -> Iterator[tuple[Any, Fraction]]:
    if isinstance(node, Lazy):
        yield from every_result(node.node(), deepest, answers)
    elif isinstance(node, Outcome):
        yield node.result, Fraction(1)
    elif isinstance(node, Choice):
        answer = answers.get(node.name, "") if isinstance(answers, Mapping) else answers(node)
        answer = answer or (node.rest if node.passes else "")
        if answer:
            option = node.options[answer]
            then = option.then.node(option.words) if option.words else option.then
            yield from every_result(then, deepest, answers)
        else:
            yield node.so_far, Fraction(1)
    else:
        for faces, chance in every_throw(node.pool, deepest):
            if faces is None:
                yield UNFINISHED, chance
            else:
                for result, inner in every_result(node.then(node.reading.read(faces)), deepest, answers):
                    yield result, chance * inner


def every_throw(pool: tuple[Dice, ...], deepest: int) -> Iterator[tuple[Faces | None, Fraction]]:
    for groups in product(*(list(every_wave(dice, (), deepest)) for dice in pool)):
        chance = Fraction(1)
        for _, part in groups:
            chance *= part
        done = [waves for waves, _ in groups if waves is not None]
        yield (tuple(done) if len(done) == len(groups) else None), chance


def tally_groups(groups: Sequence[tuple[int, Mapping[Any, int]]], read: Callable[..., Any]) -> dict[Any, Fraction]:
    """What ``read`` makes of every throw of weighted dice, with its chance; it gets the values of each group."""
    found: dict[Any, Fraction] = {}
    for thrown in product(*(list(product(die.items(), repeat=n)) for n, die in groups)):
        chance = Fraction(1)
        for (_, die), dice in zip(groups, thrown, strict=True):
            for _, weight in dice:
                chance *= Fraction(weight, sum(die.values()))
        result = read(*(tuple(value for value, _ in dice) for dice in thrown))
        found[result] = found.get(result, Fraction(0)) + chance
    return found


def every_wave(dice: Dice, waves: Waves, deepest: int) -> Iterator[tuple[Waves | None, Fraction]]:
    """All that can follow these waves. How many dice are thrown again is written out here once more."""
    if not waves:
        n = dice.n
    elif dice.law:
        n = dice.law.due(waves)
    elif len(waves) == 1:
        n = len([face for face in waves[0] if face in dice.again or face in dice.retry])
    else:
        n = len([face for face in waves[-1] if face in dice.again])
    if dice.cards and not waves:
        every = list(permutations([face for face, of in enumerate(dice.cards.left, 1) for _ in range(of)], n))
        yield from (((drawn,), Fraction(1, len(every))) for drawn in every)
    elif dice.cards or n == 0:
        yield waves or ((),), Fraction(1)
    elif len(waves) == deepest:
        yield None, Fraction(1)
    else:
        chance = Fraction(1, dice.sides**n)
        for wave in product(range(1, dice.sides + 1), repeat=n):
            for rest, inner in every_wave(dice, (*waves, wave), deepest):
                yield rest, chance * inner
