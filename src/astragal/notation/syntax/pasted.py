"""The text around notation that is pasted from a chat."""

from __future__ import annotations

import re

from astragal.errors import Malformed
from astragal.notation.dialect import Dialect
from astragal.notation.syntax.instead import alias_of

COMMAND = re.compile(
    r"\s*(?:[/!](?:roll|r|gmroll|gmr|publicroll|pr|privateroll|selfroll|sr|blindroll|br)|roll)\s+", re.IGNORECASE
)
INLINE = re.compile(r"\s*\[\[(?P<inside>[^\[\]]*)\]\]\s*")
FLAGS = re.compile(r"\s*(?:(?:p|s|nr|ul)\s+)+(?=[\d+(-]|d\d)")
"""Dice Maiden's flags, which change only what is shown."""
LABEL = re.compile(r"\s*\((?=[A-Za-z])[^()\d]*\)\s*(?=\S)")
SETS = re.compile(r"(?P<times>\d+)\s+(?P<rest>[a-z+-].*)")


ADVANTAGE = {"adv": "2d20kh1", "dis": "2d20kl1", "ea": "3d20kh1"}
SAID_BEHIND = re.compile(r"(?P<dice>.*?\S)\s+(?P<word>adv|dis|ea)\b(?P<rest>.*)", re.DOTALL)
FIRST_D20 = re.compile(r"\s*1?d20\b")
RULES_OF_THEIR_OWN = re.compile(
    r"(?:\d+\s+)?(?P<alias>[+-]?(?:vtm|wng|mm|cpr|wit|cs\s|tdh|ol\d|wfrp|alien|sil|mnm|ms|gbs?|ww\d|dheart|bnw|conan|cd\d|ed\d"
    r"|ed4e|a5e|ess|d6s|dp)|\d+(?:\.\d+)?(?:hs[kh]|lf|dp|codr|wod\d+c|d6l))[\w.]*.*"
)


def unwrapped(text: str, dialect: Dialect) -> str:
    """Return the notation inside a chat command or an inline roll; of Dice Maiden, without flags, label and alias."""
    text = without_command(text)
    inline = INLINE.fullmatch(text)
    text = without_command(inline["inside"]) if inline else text.replace("[[", " (").replace("]]", " )")
    if dialect.name == "avrae":
        return _with_advantage(text)
    return _of_dice_maiden(text) if dialect.name == "dicemaiden" else text


def without_command(text: str) -> str:
    """Return a text without the chat command that it begins with."""
    return COMMAND.sub("", text, count=1) if COMMAND.match(text) else text


def _with_advantage(text: str) -> str:
    """In Avrae ``1d20 + 5 adv`` rolls two d20 and keeps the higher."""
    said = SAID_BEHIND.fullmatch(text)
    first = FIRST_D20.match(text)
    if not said or not first:
        return text
    return ADVANTAGE[said["word"]] + said["dice"][first.end() :] + said["rest"]


def _of_dice_maiden(text: str) -> str:
    text = text.partition("!")[0]  # What follows is a comment there.
    if ";" in text:
        rolls = " ".join(f'"{part.strip()}"' for part in text.split(";") if part.strip())
        raise Malformed(
            f"These are several rolls; ask for one at a time, or set them side by side: compare {rolls[:200]}."
        )
    text = FLAGS.sub("", text, count=1) if FLAGS.match(text) else text
    text = LABEL.sub("", text, count=1) if LABEL.match(text) else text
    bare = text.strip().lower()
    sets = SETS.fullmatch(bare)
    if sets and (found := alias_of(sets["rest"])):
        return f"{sets['times']} x {found}"
    found = alias_of(bare)
    if not found and RULES_OF_THEIR_OWN.fullmatch(bare):
        raise Malformed(
            f'"{bare[:40]}" is an alias with rules of its own, which are not read; write its dice, as in 3d6.'
        )
    return found or text
