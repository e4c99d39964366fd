"""The walk of a lint: everything that a tree can come to, whatever falls and whatever is chosen."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from astragal.errors import Refusal
from astragal.rule.node import Choice, Lazy, Node, Option, Outcome, Throw
from astragal.rule.odds import UP_TO
from astragal.rule.solve import reading_odds

MOST_NODES = 20_000


class Reached(NamedTuple):
    """The results and the choices that can come up; ``whole`` if nothing was left out."""

    results: tuple[Any, ...]
    choices: tuple[Choice[Any], ...]
    whole: bool
    nodes: int


def reach(node: Node[Any], most: int = MOST_NODES) -> Reached:
    """Breadth first, so that a tree without end shows its nearest results before the limit is met."""
    results: dict[Any, None] = {}
    choices: list[Choice[Any]] = []
    seen: set[Lazy[Any]] = set()
    queue: deque[Node[Any]] = deque([node])
    nodes, whole = 0, True
    while queue and nodes < most:
        nodes += 1
        node = queue.popleft()
        if isinstance(node, Outcome):
            results.setdefault(node.result)
        elif isinstance(node, Choice):
            choices.append(node)
            queue.extend(then_of(option) for option in node.options.values())
        elif isinstance(node, Throw):
            after = _after(node)
            whole = whole and after is not None
            queue.extend(after or ())
        elif node not in seen:
            seen.add(node)
            queue.append(node.node())
    return Reached(tuple(results), tuple(choices), whole and not queue, nodes)


def _after(throw: Throw[Any, Any]) -> list[Node[Any]] | None:
    """Where a throw may lead; None if that has no end, or takes too long to tell."""
    try:
        read = reading_odds(throw, UP_TO)
    except Refusal:
        return None
    return [throw.then(value) for value, weight in read.weights.items() if weight]


def then_of(option: Option[Any]) -> Lazy[Any]:
    """Where an option leads; words that go with it stand for themselves."""
    return option.then if not option.words else Lazy(option.then.make, (*option.then.args, option.words))
