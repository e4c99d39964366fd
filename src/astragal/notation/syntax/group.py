"""Groups as they are written, ``{1d20, 10}kh1``, and what is picked of anything in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.notation.expression import Binary, Cancel, Expression, Group, Name, Total, spreads
from astragal.notation.syntax.modifiers import Modifiers
from astragal.notation.term import DiceTerm

if TYPE_CHECKING:
    from astragal.notation.syntax.grammar import NotationParser

MAX_PARTS = 50
"""Parts of a group."""


def read_group(parser: NotationParser) -> Expression:
    """Parse the parts of a group and its modifiers; its ``{`` has been read."""
    parts = [_read_part(parser)]
    while parser.accept(","):
        parts.append(_read_part(parser))
        if len(parts) > MAX_PARTS:
            parser.refuse(parser.next.place, f"at most {MAX_PARTS} parts")
    parser.expect("}")
    group = Group(tuple(_dice_of(parts[0]) if len(parts) == 1 else parts))
    found = read_picked(parser, group) or group
    picked = isinstance(found, Group) and found != group and len(parts) > 1
    return _values_of(parser, found) if picked and isinstance(found, Group) else found


def _read_part(parser: NotationParser) -> Expression:
    start = parser.next.text
    part = parser.nested(parser.sets)
    bracketed = start == "(" and parser.tokens[parser.place - 1].text == ")"
    return Total(part) if bracketed and spreads(part) else part


def _values_of(parser: NotationParser, group: Group) -> Expression:
    """Two dice in a group are two values, unless the dialect says that they are one."""
    several = [part for part in group.parts if spreads(part) and getattr(part, "n", 1) != 1]
    if not several or isinstance(several[0], Cancel):
        return group
    if parser.dialect.totals:
        return group._replace(parts=tuple(Total(part) if part in several else part for part in group.parts))
    parser.note(f"{several[0]} in the group is a value for each die; ({several[0]}) is one value, their sum.")
    return group


def read_listed(parser: NotationParser, first: Expression) -> Expression:
    """Parse the rest of a group in round brackets, as Avrae writes it: each part is one value."""
    parts = [first]
    while not parser.accept(")"):
        parts.append(parser.question())
        if not parser.accept(","):
            parser.expect(")")
            break
    group = Group(tuple(Total(part) if spreads(part) else part for part in parts))
    return read_picked(parser, group) or group


def read_picked(parser: NotationParser, inner: Expression) -> Expression | None:
    """Parse what is picked of a group, a named roll or dice in brackets; None if nothing follows."""
    if isinstance(inner, DiceTerm) and spreads(inner):
        return Modifiers(parser, inner).read()
    holder = inner if isinstance(inner, (Group, Name)) else Group((inner,))
    picked = Modifiers(parser, holder).read()
    if picked == holder:
        return None
    if holder is not inner and isinstance(picked, Group):
        parts = [part.inner if isinstance(part, Total) else part for part in _dice_of(inner)]
        return picked._replace(parts=tuple(parts))
    return picked


def _dice_of(part: Expression) -> list[Expression]:
    """The dice of a sum in a group of its own: ``{4d6 + 3d8}kh4`` keeps four of seven dice."""
    if isinstance(part, Binary) and part.operator == "+":
        parts = [*_dice_of(part.left), *_dice_of(part.right)]
        return parts if all(map(spreads, parts)) else [part]
    return [part]
