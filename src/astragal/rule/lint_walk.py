"""The walk of a lint: everything that a tree can come to, whatever falls and whatever is chosen."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from astragal.errors import Refusal
from astragal.rule.node import Choice, Later, Node, Option, Outcome, Throw
from astragal.rule.odds import UP_TO
from astragal.rule.solve import reading_odds

MOST_NODES = 20_000


class Reached(NamedTuple):
    """The results and the choices that can come up; ``whole`` if nothing was left out."""

    results: tuple[Any, ...]
    choices: tuple[Choice[Any], ...]
    whole: bool


def reach(node: Node[Any], most: int = MOST_NODES) -> Reached:
    """Breadth first, so that a tree without end shows its nearest results before the limit is met."""
    results: dict[Any, None] = {}
    choices: list[Choice[Any]] = []
    seen: set[Later[Any]] = set()
    queue: deque[Node[Any]] = deque([node])
    while queue:
        most -= 1
        if most < 0:
            return Reached(tuple(results), tuple(choices), False)
        node = queue.popleft()
        if isinstance(node, Later):
            if node not in seen:
                seen.add(node)
                queue.append(node.node())
        elif isinstance(node, Throw):
            try:
                read = reading_odds(node, UP_TO)
            except Refusal:
                return Reached(tuple(results), tuple(choices), False)
            queue.extend(node.then(value) for value, weight in read.weights.items() if weight)
        elif isinstance(node, Outcome):
            results.setdefault(node.result)
        else:
            choices.append(node)
            queue.extend(then_of(option) for option in node.options.values())
    return Reached(tuple(results), tuple(choices), True)


def then_of(option: Option[Any]) -> Later[Any]:
    """Where an option leads; words that go with it stand for themselves."""
    return option.then if not option.words else Later(option.then.make, (*option.then.args, option.words))
