"""Expressions as d20 writes them, where it can."""

from __future__ import annotations

from typing import Any

from astragal.notation import expression as e
from astragal.notation.condition import Limit, Test
from astragal.notation.term import DiceTerm, Keep, Pick
from tests.notation.peers import Unsaid

RANKS = {"kh": "kh", "kl": "kl", "dh": "ph", "dl": "pl"}
SIGNS = {"+": "+", "-": "-", "*": "*", "/": "//", "%": "%"}


def d20_text(x: Any) -> str:
    """The text that has the same meaning for d20."""
    if isinstance(x, e.Number) and isinstance(x.n, int):
        return str(x.n)
    if isinstance(x, DiceTerm):
        return _dice(x)
    if isinstance(x, e.Negative):
        return f"-({d20_text(x.inner)})"
    if isinstance(x, e.Total):
        return f"({d20_text(x.inner)})"
    if isinstance(x, e.Comparison) or (isinstance(x, e.Binary) and x.operator in SIGNS):
        sign = x.operator if isinstance(x, e.Comparison) else SIGNS[x.operator]
        return f"({d20_text(x.left)}) {sign} ({d20_text(x.right)})"
    if isinstance(x, e.Group) and not any(isinstance(part, (DiceTerm, e.Sets, e.Cancel)) for part in x.parts):
        return f"({', '.join(map(d20_text, x.parts))},){_pick(x.pick)}"
    raise Unsaid


def _dice(x: DiceTerm) -> str:
    if not isinstance(x.n, int) or not isinstance(x.sides, int) or x.faces or x.fate or x.replace or x.explode:
        raise Unsaid
    text = f"{x.n}d{x.sides}"
    if x.reroll:
        if x.reroll.times != 1:
            raise Unsaid
        text += "ro" + _test(x.reroll.test)
    # d20 counts what a limit made of a die, as we do.
    text += f"mi{x.least}" if x.least is not None else ""
    text += f"ma{x.most}" if x.most is not None else ""
    return text + _pick(x.pick)


def _pick(pick: Pick) -> str:
    if pick.scores or pick.pattern:
        raise Unsaid
    return "".join(map(_keep, pick.keeps))


def _keep(keep: Keep) -> str:
    if keep.kind in RANKS:
        return f"{RANKS[keep.kind]}{keep.n}"
    if keep.test is None:
        raise Unsaid
    return ("k" if keep.kind == "keep" else "p") + _test(keep.test)


def _test(test: Test) -> str:
    """A condition; d20 knows less than, more than, and a single face."""
    if not isinstance(test, Limit) or test.limit < 0:
        raise Unsaid
    limit = {"==": test.limit, "<": test.limit, ">": test.limit, "<=": test.limit + 1, ">=": test.limit - 1}
    if test.operator not in limit:
        raise Unsaid
    return f"{test.operator[0].strip('=')}{limit[test.operator]}"
