"""Dice notation as a tree: every dice term is a throw, the value of the expression is the outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from astragal.dice.dice import MAX_DICE, MAX_SIDES
from astragal.dice.notation.arithmetic import calculated, function_of, number
from astragal.dice.notation.condition import compare
from astragal.dice.notation.expression import (
    Binary,
    Cancel,
    Comparison,
    Each,
    Expression,
    Function,
    GameCall,
    Group,
    If,
    Let,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Sets,
    Total,
    Versus,
    Word,
    spreads,
)
from astragal.dice.notation.pool import beaten, kept_places, left_over, made_of, pairs_won, picked, total
from astragal.dice.notation.term import PLAIN, DiceTerm
from astragal.errors import Illegal, Malformed
from astragal.rule.expression.throw import Notes, Then, Value, say, throw_pool, throw_term
from astragal.rule.tree.node import Choice, Lazy, Node, Outcome
from astragal.rule.tree.note import Note

Start: TypeAlias = Callable[[GameCall], tuple[Node[Any], Callable[[Any], Any], tuple[Any, ...]]]


class Scope(NamedTuple):
    """What an expression is walked with: how games start, the named rolls, the notes so far."""

    call: Start
    names: Mapping[str, Any]
    notes: Notes = ()


def expression_node(expression: Expression, call: Start) -> Node[Value]:
    """The tree that plays an expression."""
    return _walk(expression, Scope(call, {}), lambda value, notes: _settled(expression, value, notes))


def _settled(expression: Expression, value: Any, notes: Notes) -> Node[Value]:
    return Outcome(Value(value), (), lambda: (*notes, Note(f"{expression}: {say(value)}.")))


class Pooled(NamedTuple):
    """The dice of a named roll, so that they can be kept and dropped; as a number, their sum."""

    values: tuple[Any, ...]


def _walk(expression: Expression, scope: Scope, then: Then) -> Node[Value]:
    """The node that plays an expression and goes on with its value."""
    return _WALK[type(expression)](expression, scope, then)


def _walk_all(parts: tuple[Expression, ...], scope: Scope, then: Then, done: tuple[Any, ...] = ()) -> Node[Value]:
    """Walk one expression after the other and go on with all their values."""
    if not parts:
        return then(done, scope.notes)

    def further(value: Any, notes: Notes) -> Node[Value]:
        return _walk_all(parts[1:], scope._replace(notes=notes), then, (*done, value))

    return _walk(parts[0], scope, further)


def _walk_number(expression: Number, scope: Scope, then: Then) -> Node[Value]:
    return then(expression.n, scope.notes)


def _walk_name(expression: Name, scope: Scope, then: Then) -> Node[Value]:
    value = scope.names[expression.name]
    if isinstance(value, Pooled):
        return then(picked(expression.pick, value.values), scope.notes)
    if expression.pick != PLAIN:
        raise Illegal(f'"{expression.name}" is a single value; only dice and groups can be kept, dropped and counted.')
    return then(value, scope.notes)


def unknown_word(word: str) -> str:
    """The sentence that refuses a word in the place of a number."""
    return (f'"{word}" is neither dice nor a number here; write its number, or name it first, as in let bonus = 3: '
            "1d20 + bonus. Words are compared with games and faces only.")  # fmt: skip


def _walk_word(expression: Word, scope: Scope, then: Then) -> Node[Value]:
    raise Malformed(unknown_word(str(expression)))


def _walk_term(expression: DiceTerm, scope: Scope, then: Then) -> Node[Value]:
    return _known(expression, scope, lambda term, notes: throw_term(term, notes, then))


def _known(term: DiceTerm, scope: Scope, then: Callable[[DiceTerm, Notes], Node[Value]]) -> Node[Value]:
    """Go on with the term after its number and its sides, if they are rolled themselves."""
    if isinstance(term.n, int) and isinstance(term.sides, int):
        return then(term, scope.notes)
    parts = tuple(Number(part) if isinstance(part, int) else part for part in (term.n, term.sides))
    return _walk_all(parts, scope, lambda values, notes: then(counted(term, *values), notes))


def counted(term: DiceTerm, n: Any, sides: Any) -> DiceTerm:
    """A term with its number and sides, which were rolled."""
    if type(n) is not int or not 0 <= n <= MAX_DICE:
        raise Illegal(f"{term} came to {n} dice; from 0 to {MAX_DICE:,} can be rolled.")
    if type(sides) is not int or not 1 <= sides <= MAX_SIDES:
        raise Illegal(f"{term} came to {sides} sides; dice have from 1 to {MAX_SIDES:,}.")
    return term._replace(n=n, sides=sides)


def _walk_binary(expression: Binary, scope: Scope, then: Then) -> Node[Value]:
    operator = expression.operator

    def further(values: Any, notes: Notes) -> Node[Value]:
        return then(calculated(operator, *values), notes)

    return _walk_all((expression.left, expression.right), scope, further)


def _walk_comparison(expression: Comparison, scope: Scope, then: Then) -> Node[Value]:
    if isinstance(expression.right, Word):
        return _walk_to_word(expression, expression.right.word, scope, then)

    def further(values: Any, notes: Notes) -> Node[Value]:
        return then(compare(expression.operator, *map(number, values)), notes)

    return _walk_all((expression.left, expression.right), scope, further)


def _walk_to_word(expression: Comparison, word: str, scope: Scope, then: Then) -> Node[Value]:
    """Compare with a word: of a face, or of a game, whose words are ordered best first, and a better one is greater."""
    if not isinstance(expression.left, GameCall):
        return _walk(expression.left, scope, lambda value, notes: then(is_word(expression, value), notes))
    node, of, order = scope.call(expression.left)
    wanted: Any = {"true": True, "false": False}.get(word, word)
    if wanted not in order:
        raise Malformed(f'"{word}" is not one of {", ".join(map(str, order))}.')
    place = order.index(wanted)

    def further(result: Any) -> Node[Value]:
        return then(compare(expression.operator, -order.index(of(result)), -place), scope.notes)

    return _after(node, further)


def is_word(expression: Comparison, value: Any) -> bool:
    """Whether a face's word is the one that it is compared with."""
    word = expression.right.word if isinstance(expression.right, Word) else ""
    if expression.operator not in ("==", "!="):
        raise Malformed(f'"{word}" is a word; a face can only be the same (==) or another one (!=).')
    if not isinstance(value, str):
        raise Malformed(f'"{word}" is a word; only a game or a die with words on its faces can be compared with it.')
    return (value == word) == (expression.operator == "==")


def _walk_function(expression: Function, scope: Scope, then: Then) -> Node[Value]:
    return _walk_all(
        expression.arguments, scope, lambda values, notes: then(function_of(expression.name, list(values)), notes)
    )


def _walk_negative(expression: Negative, scope: Scope, then: Then) -> Node[Value]:
    return _walk(expression.inner, scope, lambda value, notes: then(-number(value), notes))


def _walk_not(expression: Not, scope: Scope, then: Then) -> Node[Value]:
    return _walk(expression.inner, scope, lambda value, notes: then(not number(value), notes))


def _walk_logic(expression: Logic, scope: Scope, then: Then) -> Node[Value]:
    """Both sides are always rolled, so that typed dice do not depend on the first answer."""
    join = all if expression.operator == "and" else any
    return _walk_all(
        (expression.left, expression.right), scope, lambda values, notes: then(join(map(number, values)), notes)
    )


def _walk_if(expression: If, scope: Scope, then: Then) -> Node[Value]:
    def further(value: Any, notes: Notes) -> Node[Value]:
        part = expression.then if number(value) else expression.otherwise
        return _walk(part, scope._replace(notes=notes), then)

    return _walk(expression.question, scope, further)


def _walk_let(expression: Let, scope: Scope, then: Then) -> Node[Value]:
    def further(value: Any, notes: Notes) -> Node[Value]:
        names = {**scope.names, expression.name: value}
        return _walk(expression.body, scope._replace(names=names, notes=notes), then)

    if names_dice(expression.value):
        return _walk_pool(expression.value, scope, lambda values, notes: further(Pooled(values), notes), joined=False)
    return _walk(expression.value, scope, further)


def names_dice(expression: Expression) -> bool:
    """Whether a name for this stands for dice, which can be kept and dropped, not for a number."""
    return isinstance(expression, (DiceTerm, Group)) and expression.pick.adds


def _walk_total(expression: Total, scope: Scope, then: Then) -> Node[Value]:
    return _walk(expression.inner, scope, then)


def _walk_sets(expression: Sets, scope: Scope, then: Then) -> Node[Value]:
    order = expression.in_order

    def further(values: Any, notes: Notes) -> Node[Value]:
        return then(tuple(sorted(values, key=number, reverse=True)) if order else values, notes)

    return _walk_all((expression.inner,) * expression.times, scope, further)


def _walk_group(expression: Group, scope: Scope, then: Then) -> Node[Value]:
    def further(values: Any, notes: Notes) -> Node[Value]:
        kept = [values[place] for place in kept_places(expression.pick.keeps, values)]
        value = made_of(expression.pick, kept)
        return then(value, (*notes, *_told(expression, values, kept, value)))

    return _walk_pool(expression._replace(pick=PLAIN), scope, further)


def _told(expression: Group, values: Any, kept: list[Any], value: Any) -> Notes:
    """The note about a group: what was kept of which values."""
    listed = ", ".join(map(say, values))
    of = f"{', '.join(map(say, kept)) or 'nothing'} of {listed}" if len(kept) < len(values) else listed
    return (Note(f"{expression} has {of}: {say(value)}."),)


def _walk_versus(expression: Versus, scope: Scope, then: Then) -> Node[Value]:
    return _walk_pools(
        (expression.left, expression.right),
        scope,
        lambda pools, notes: then(pairs_won(expression.operator, *pools), (*notes, _faced(expression, *pools))),
    )


def _faced(expression: Versus, left: tuple[Any, ...], right: tuple[Any, ...]) -> Note:
    ours, theirs = (", ".join(map(say, sorted(pool, reverse=True))) for pool in (left, right))
    return Note(f"{expression}: {ours} against {theirs}, from the highest down.")


def _walk_cancel(expression: Cancel, scope: Scope, then: Then) -> Node[Value]:
    return _walk_pool(expression, scope, lambda values, notes: then(total(values), notes))


def _walk_each(expression: Each, scope: Scope, then: Then) -> Node[Value]:
    def further(value: Any, notes: Notes) -> Node[Value]:
        def beats(values: Any, later: Notes) -> Node[Value]:
            return then(beaten(expression.operator, number(value), values), later)

        return _walk_pool(expression.pool, scope._replace(notes=notes), beats)

    return _walk(expression.left, scope, further)


def _walk_pools(parts: tuple[Expression, ...], scope: Scope, then: Then, done: tuple[Any, ...] = ()) -> Node[Value]:
    if not parts:
        return then(done, scope.notes)

    def further(values: Any, notes: Notes) -> Node[Value]:
        return _walk_pools(parts[1:], scope._replace(notes=notes), then, (*done, values))

    return _walk_pool(parts[0], scope, further)


def _walk_pool(expression: Expression, scope: Scope, then: Then, joined: bool = True) -> Node[Value]:
    """Go on with the values of a pool: those of a term's or group's kept dice, or a single value."""
    if isinstance(expression, DiceTerm) and expression.pick.adds:
        return _known(expression, scope, lambda term, notes: throw_pool(term, notes, then, joined))
    if isinstance(expression, Group) and expression.pick.adds:
        keeps = expression.pick.keeps

        def flat(pools: Any, notes: Notes) -> Node[Value]:
            values = [value for pool in pools for value in pool]
            return then(tuple(values[place] for place in kept_places(keeps, values)), notes)

        return _walk_parts(expression.parts, scope, flat)
    if isinstance(expression, Cancel):
        return _walk_pools(
            (expression.left, expression.right), scope, lambda pools, notes: then(left_over(*pools), notes)
        )
    if isinstance(expression, Sets):
        return _walk_sets(expression, scope, then)
    if isinstance(expression, Name) and isinstance(scope.names[expression.name], Pooled) and expression.pick.adds:
        values = scope.names[expression.name].values
        return then(tuple(values[place] for place in kept_places(expression.pick.keeps, values)), scope.notes)
    return _walk(expression, scope, lambda value, notes: then((value,), notes))


def _walk_parts(parts: tuple[Expression, ...], scope: Scope, then: Then, done: tuple[Any, ...] = ()) -> Node[Value]:
    """Go on with the values of each part of a group."""
    if not parts:
        return then(done, scope.notes)

    def further(values: Any, notes: Notes) -> Node[Value]:
        return _walk_parts(parts[1:], scope._replace(notes=notes), then, (*done, values))

    part = parts[0]
    if spreads(part) or isinstance(part, Sets):
        return _walk_pool(part, scope, further)
    return _walk(part, scope, lambda value, notes: further((value,), notes))


def _walk_call(expression: GameCall, scope: Scope, then: Then) -> Node[Value]:
    node, of, _ = scope.call(expression)
    return _after(node, lambda result: then(of(result), scope.notes))


def _after(node: Node[Any], then: Callable[[Any], Node[Value]]) -> Node[Value]:
    """Continue a game's tree with the rest of the expression; choices are left at their result so far."""
    while isinstance(node, Lazy):
        node = node.node()
    if isinstance(node, Outcome):
        return then(node.result)
    if isinstance(node, Choice):
        return _after(node.options[node.rest].then, then) if node.passes else then(node.so_far)
    following = node.then
    return node._replace(then=lambda value: _after(following(value), then))


_WALK: dict[type, Callable[[Any, Scope, Then], Node[Value]]] = {
    Number: _walk_number,
    Name: _walk_name,
    Word: _walk_word,
    DiceTerm: _walk_term,
    Negative: _walk_negative,
    Binary: _walk_binary,
    Comparison: _walk_comparison,
    Each: _walk_each,
    Versus: _walk_versus,
    Cancel: _walk_cancel,
    Logic: _walk_logic,
    Not: _walk_not,
    If: _walk_if,
    Let: _walk_let,
    Function: _walk_function,
    Total: _walk_total,
    Group: _walk_group,
    GameCall: _walk_call,
    Sets: _walk_sets,
}
