"""What to write instead: spellings of other tools, and of everyday speech, that the grammar does not read.

They are looked for only in a text that was refused, or in one that would be read as something else without a word.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from astragal.notation.expression import Expression, Word
from astragal.notation.syntax.lexer import NotationError
from astragal.notation.syntax.pasted import alias_of

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
REACHED = {
    **dict.fromkeys(("dc", "ac", "against", "at least"), ">="),
    **{"at most": "<=", "exactly": "==", "more than": ">", "over": ">", "above": ">", "less than": "<", "below": "<"},
}


ANYDICE = "this is AnyDice's language; use its dialect, as in --dialect anydice"
GENERAL = ("expected", "@", "adv", "dis", "ask for one roll", "put a label")
"""How refusals begin that know nothing of what was meant."""


class Spelling(NamedTuple):
    """A pattern of a text, and the sentence about it; what the pattern finds by name fills the sentence."""

    pattern: re.Pattern[str]
    sentence: str


def _spelling(pattern: str, sentence: str) -> Spelling:
    return Spelling(re.compile(pattern, re.IGNORECASE), sentence)


MISREAD = (
    _spelling(
        r"\s*(?P<n>\d{1,3})\s*(?P<at>#)\s*(?P<dice>\d*d\d+)", "# begins a comment; for several rolls write {n} x {dice}"
    ),
    _spelling(
        r".*?(?<![a-z])d(?P<at>\[)(?P<faces>[^\]]{0,30})\]?",
        "square brackets hold labels; faces go in braces, as in d{{{faces}}}",
    ),
)
"""Spellings that would be read as something else."""
REFUSED = (
    _spelling(r"\d*(?P<at>t\[)", "tables are not known here; write the table's die, such as 1d20"),
    _spelling(r"(?P<n>\d*)(?P<at>dc)\b(?!\s*\d)", "write coins as {n}d{{0,1}}, or with words as {n}d{{heads,tails}}"),
    _spelling(r"(?P<dice>\d*d20)\s*(?P<at>e?adv|dis)", "write {at} with the dice, such as 2d20kh1 or 2d20kl1"),
    _spelling(r"\d(?P<at>e)\d+\s*$", "e is no power of ten here; write the number out, such as 1000"),
    _spelling(r"(?P<at>output|loop|function|print|named|highest|lowest|explode)\b", ANYDICE),
    _spelling(r"\d\s*(?P<at>@)", ANYDICE),
    _spelling(r"(?P<at>largest)\s+(?P<n>\d+)\s+(?P<dice>\d*d\d+)", "write {dice}kh{n}"),
    _spelling(r"(?P<at>least|smallest)\s+(?P<n>\d+)\s+(?P<dice>\d*d\d+)", "write {dice}kl{n}"),
    _spelling(r"(?P<at>accumulate|foreach|repeat)\b", "dice that go on are written 1d6!, several rolls 6 x 3d6"),
    _spelling(r"(?P<name>[a-z_]+)\s*(?P<at>:=)", "name a roll with let, as in let {name} = 3d6: {name} * 10"),
    _spelling(r"(?P<at>(?:dice|sum|total|throw|stepdie))\s+(?P<dice>\d*d\d+)", "write the dice alone, as in {dice}"),
    _spelling(r"(?P<at>max|min)\s+(?P<dice>\d*d\d+)", "write {dice}kh1 for the highest die, {dice}kl1 for the lowest"),
    _spelling(r"(?P<at>=>|=<|[<>]\s+=)", "write >= or <=, in this order and without a space"),
    _spelling(r"\bvs\.?\s+(?P<at>[a-z]+)\s*(?P<n>\d+)", "vs pairs two pools; for a number to reach write >= {n}"),
    _spelling(r"(?P<at>tn|tgt|target|difficulty)\s*(?P<n>\d+)", "write count>={n} to count dice, >= {n} for a sum"),
    _spelling(r"(?P<at>under)\s*(?P<n>\d+)", "write < {n}, or <= {n} if {n} itself is low enough"),
    *(_spelling(rf"(?P<at>{words})\s*(?P<n>\d+)", f"write {sign} {{n}}") for words, sign in REACHED.items()),
    _spelling(r"\d(?P<at>,\d{3})(?!\d)", "write numbers without a comma, such as 1000"),
    *(_spelling(rf"\b(?P<at>{word})\s+(?P<dice>d\d+)", f"write {n}{{dice}}") for n, word in enumerate(NUMBERS, 1)),
    _spelling(r"(?P<at>round_?up)\s*\(", "write ceil, as in ceil(3d6 / 2)"),
    _spelling(r"(?P<at>round_?down|trunc)\s*\(", "write floor, as in floor(3d6 / 2)"),
    _spelling(r"(?P<at>%\{|&\{)", "macros are not known here; write the dice that they roll"),
    _spelling(r"d\d+(?P<at>\.)[a-z]", "write modifiers right behind the dice, as in 3d6kh1"),
    _spelling(r"[\d\])]\s+(?P<at>[a-z]{3,20})\s*[-+]\s*\d", "put what is only said in square brackets, as in [{at}]"),
    _spelling(r"d\d+\s+(?P<at>\d*d\d+)", "for another die write + {at}"),
    _spelling(r"d\d+\s+(?P<at>[st])(?P<n>\d+)", "write count>={n} to count dice"),
    _spelling(r"(?P<n>\d*)df(?P<at>\d+)", "Fate dice have no other number; write {n}dF"),
    _spelling(r"(?P<one>\d*d\d+)\s*(?P<at>\|)\s*(?P<two>\d*d\d+)", "write {{{one}, {two}}} or max({one}, {two})"),
)  # fmt: skip
"""Spellings that are refused, the most telling first."""
ALONE = {
    "d": "name the sides of the die, such as d6",
    **dict.fromkeys(("coin", "flip", "coinflip"), "write a coin as d{0,1} or d{heads,tails}"),
    **dict.fromkeys(("percentile", "percent"), "write d100"),
    **dict.fromkeys(("adv", "advantage"), "write 2d20kh1"),
    **dict.fromkeys(("dis", "disadv", "disadvantage"), "write 2d20kl1"),
    **dict.fromkeys(("fudge", "fate"), "write 4dF"),
    **dict.fromkeys(("stats", "dndstats", "abilities"), "write 6 x 4d6kh3"),
}
"""Words that stand alone for a roll somewhere."""


def check_spelling(text: str) -> None:
    """Refuse a text that would be read as something else without a word."""
    for pattern, sentence in MISREAD:
        if found := pattern.match(text):
            raise NotationError(text.rstrip(), found.start("at"), "", sentence.format(**found.groupdict()))


def told_better(refused: NotationError) -> NotationError:
    """Return a refusal that says what to write instead, if the text has a spelling that is known."""
    text, column = refused.text, refused.column
    if refused.said.startswith("no face") and text[column : column + 1] in ("x", "X"):
        return NotationError(text, column, "", f"{refused.said}; x explodes, and times is *")
    if not refused.said.startswith(GENERAL):
        return refused
    if alias := alias_of(text.strip().lower()):
        return NotationError(text, 0, "", f"this is an alias of Dice Maiden; use its dialect, or write {alias}")
    for pattern, sentence in REFUSED:
        if found := pattern.search(text):
            return NotationError(text, found.start("at"), "", sentence.format(**found.groupdict()))
    return refused


def check_alone(text: str, expression: Expression) -> None:
    """Refuse a single word that is no roll, and say how the roll is written."""
    if isinstance(expression, Word) and (instead := ALONE.get(expression.word.lower())):
        raise NotationError(text.rstrip(), 0, "", instead)
