"""What stands around notation that is pasted from a chat, and Dice Maiden's aliases of games."""

from __future__ import annotations

import re

from astragal.errors import Malformed
from astragal.notation.dialect import Dialect

COMMAND = re.compile(
    r"\s*(?:[/!](?:roll|r|gmroll|gmr|publicroll|pr|privateroll|selfroll|sr|blindroll|br)|roll)\s+", re.IGNORECASE
)
INLINE = re.compile(r"\s*\[\[(?P<inside>[^\[\]]*)\]\]\s*")
FLAGS = re.compile(r"\s*(?:(?:p|s|nr|ul)\s+)+(?=[\d+(-]|d\d)")
"""Dice Maiden's flags, which change only what is shown."""
LABEL = re.compile(r"\s*\((?=[A-Za-z])[^()\d]*\)\s*(?=\S)")
SETS = re.compile(r"(?P<times>\d+)\s+(?P<rest>[a-z+-].*)")
MODIFIER = r"(?P<plus>\s*[+-]\s*\d+)?"


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


def alias_of(text: str) -> str:
    """Return the notation that an alias stands for, in Astragal's own words; empty if the text is none."""
    for pattern, meaning in ALIASES:
        if found := pattern.fullmatch(text):
            known = {name: value or "" for name, value in found.groupdict().items()}
            return meaning.format(**known) + known.get("plus", "")
    return ""


ALIASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern + (MODIFIER if "+" in how else "")), meaning)
    for pattern, how, meaning in (
        (r"dndstats", "", "6 x 4d6kh3"),
        (r"(?:attack|skill|save)", "+", "1d20"),
        (r"\+d%", "", "2d10kl1 * 10 + 1d10 - 10"),
        (r"-d%", "", "2d10kh1 * 10 + 1d10 - 10"),
        (r"\+d(?P<sides>\d+)", "+", "2d{sides}kh1"),
        (r"-d(?P<sides>\d+)", "+", "2d{sides}kl1"),
        (r"(?P<n>\d+)cod(?P<again>[89])", "+", "{n}d10!>={again} count>=8"),
        (r"(?P<n>\d+)cod", "+", "{n}d10!10 count>=8"),
        (r"(?P<n>\d+)wod(?P<target>\d+)", "+", "{n}d10 count>={target} fail<=1"),
        (r"sr(?P<n>\d+)", "", "{n}d6 count>=5"),
        (r"sp(?P<n>\d+)t(?P<target>\d+)", "", "{n}d10!10 count>={target}"),
        (r"sp(?P<n>\d+)", "", "{n}d10!10 count>=8"),
        (r"(?P<n>\d+)yz", "", "{n}d6 count>=6"),
        (r"snm(?P<n>\d+)", "", "{n}d6!6 count>=4"),
        (r"(?P<n>\d+)wh(?P<target>[1-6])\+", "", "{n}d6 count>={target}"),
        (r"dd(?P<tens>[1-9])(?P<ones>[1-9])", "", "1d{tens} * 10 + 1d{ones}"),
        (r"age", "", "2d6 + 1d6"),
        (r"dh\s+(?P<n>\d+)d(?P<sides>\d+)", "", "{n}d{sides}!"),
        (r"ex(?P<n>\d+)t(?P<target>\d+)", "", "{n}d10 count>={target} count>=10"),
        (r"ex(?P<n>\d+)", "", "{n}d10 count>=7 count>=10"),
        (r"sw(?P<sides>\d+)", "", "{{1d{sides}!, 1d6!}}kh1"),
        (r"(?P<n>\d+)hsn", "", "{n}d6"),
        (r"fitd0", "", "2d6kl1"),
        (r"fitd(?P<n>[1-9]\d*)", "", "{n}d6kh1"),
        (r"1d6l", "", "1d6!6 count>=4 fail<=1"),
        (r"cpd(?P<n>\d+)", "+", "{n}d6"),
        (r"conan(?P<n>[345])", "", "{n}d20"),
        (r"ess(?:1)?d(?P<sides>2|4|6|8|10|12)", "+", "1d20 + 1d{sides}"),
        (r"\+ess(?:1)?d(?P<sides>2|4|6|8|10|12)", "+", "2d20kh1 + 1d{sides}"),
        (r"-ess(?:1)?d(?P<sides>2|4|6|8|10|12)", "+", "2d20kl1 + 1d{sides}"),
        (r"dheartgm", "", "1d20"),
    )
)
"""Aliases that stand for plain dice: those with tables and verdicts of their own are refused as unknown words."""
