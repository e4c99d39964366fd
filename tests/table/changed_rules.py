"""Ways in which the rules of a game may change after rolls were rolled by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input, Whole
from astragal.rule.tree.node import Choice, Lazy, Outcome, Throw

Patch = pytest.MonkeyPatch


def tighten_every_bound(patch: Patch, rules: Game) -> None:
    for kind in rules.kinds.values():
        for input in kind.ask.inputs.values():
            if isinstance(input, Whole):
                patch.setattr(input, "highest", input.lowest)
        check_anew(patch, kind.ask, kind.ask.inputs)


def drop_inputs(patch: Patch, rules: Game) -> None:
    """The optional inputs are no longer asked for."""
    for kind in rules.kinds.values():
        left = {name: input for name, input in kind.ask.inputs.items() if input.required}
        patch.setattr(kind.ask, "inputs", left)
        check_anew(patch, kind.ask, left)


def check_anew(patch: Patch, ask: type[Ask], inputs: Mapping[str, Input]) -> None:
    """The ask checks these inputs, with the bounds that they have now."""
    bounds = {
        name: (input.lowest, input.highest) if isinstance(input, Whole) else (1, 0) for name, input in inputs.items()
    }
    patch.setattr(ask, "_checks", {name: (*bounds[name], input.check) for name, input in inputs.items()})


def drop_every_kind(patch: Patch, rules: Game) -> None:
    for name in list(rules.kinds):
        patch.delitem(rules.kinds, name)


def rename_options(patch: Patch, rules: Game) -> None:
    _change_nodes(
        patch,
        rules,
        lambda node: (
            node._replace(
                options={f"{name} now": option for name, option in node.options.items()},
                rest=node.rest and f"{node.rest} now",
            )
            if isinstance(node, Choice)
            else node
        ),
    )


def rename_choices(patch: Patch, rules: Game) -> None:
    _change_nodes(patch, rules, lambda node: node._replace(name="fate") if isinstance(node, Choice) else node)


def throw_another_die(patch: Patch, rules: Game) -> None:
    _change_nodes(
        patch,
        rules,
        lambda node: (
            node._replace(pool=tuple(dice._replace(n=dice.n + 1) for dice in node.pool))
            if isinstance(node, Throw)
            else node
        ),
    )


def retitle_and_reword(patch: Patch, rules: Game) -> None:
    for name, kind in list(rules.kinds.items()):
        other = kind._replace(title="Gamble", headline=lambda ask: "A gamble", verdict=lambda result: "Who knows")
        patch.setitem(rules.kinds, name, other)


def break_every_rule(patch: Patch, rules: Game) -> None:
    def rule(ask: Any) -> Any:
        raise KeyError("a mistake in a new rule")

    for name, kind in list(rules.kinds.items()):
        patch.setitem(rules.kinds, name, kind._replace(rule=rule))


def _change_nodes(patch: Patch, rules: Game, change: Callable[[Any], Any]) -> None:
    """Every node of every tree is changed."""

    def changed(node: Any) -> Any:
        if isinstance(node, Lazy):
            return Lazy(lambda *more: changed(node.node(*more)))
        if isinstance(node, Throw):
            return change(node)._replace(then=lambda value: changed(node.then(value)))
        if isinstance(node, Choice):
            new = change(node)
            return new._replace(
                options={name: option._replace(then=changed(option.then)) for name, option in new.options.items()}
            )
        assert isinstance(node, Outcome)
        return node

    def wrapped(kind: Kind) -> Kind:
        return kind._replace(rule=lambda ask: changed(kind.rule(ask)))

    for name, kind in list(rules.kinds.items()):
        patch.setitem(rules.kinds, name, wrapped(kind))


CHANGES = (
    tighten_every_bound,
    drop_inputs,
    drop_every_kind,
    rename_options,
    rename_choices,
    throw_another_die,
    retitle_and_reword,
    break_every_rule,
)
