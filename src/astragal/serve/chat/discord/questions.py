"""Rolls and odds without a table."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec

from astragal.dice.render.text import format_percent
from astragal.errors import Malformed
from astragal.questions.wire import FactShown, NotationRolled, OddsShown
from astragal.serve.chat.discord.caller import Caller
from astragal.serve.chat.discord.commands import parse_inputs
from astragal.serve.chat.discord.message import message
from astragal.serve.chat.text import cut, plain
from astragal.serve.workers import answers

MAX_DICE = 40
"""Dice that are shown one by one."""
MAX_ROWS, MAX_FACTS = 25, 3
BAR = 12
"""The longest bar of a chart."""
OPEN = "A choice is open: {question} At a table, it comes with buttons."
ONE = "Give dice or a game, not both."


async def roll(caller: Caller, texts: dict[str, str], private: bool) -> dict[str, Any]:
    """Roll dice notation, or a game's roll."""
    if "dice" in texts:
        return await _roll_notation(caller, texts["dice"], private)
    asked = answers.RollRequest(texts["game"], texts.get("kind", ""), _inputs(texts), seed=caller.seed)
    report = msgspec.json.decode(await caller.ask(answers.rolled, asked))
    return message(_reported(report), private=private)


async def _roll_notation(caller: Caller, notation: str, private: bool) -> dict[str, Any]:
    if not notation:
        raise Malformed("Write dice, such as 2d6 + 1.")
    asked = answers.NotationRequest(notation, seed=caller.seed)
    rolled = msgspec.json.decode(await caller.ask(answers.rolled_notation, asked), type=NotationRolled)
    lines = [f"{plain(rolled.notation)}: **{plain(str(rolled.value))}**", *_dice_lines(rolled.dice)]
    return message([*lines, *(f"-# {plain(said)}" for said in rolled.read)], private=private)


def _dice_lines(dice: list[dict[str, Any]]) -> Iterator[str]:
    """The dice in a line; dice that do not count are struck through."""
    shown = [(str(die.get("label") or die["face"]), die["counts"]) for die in dice[:MAX_DICE]]
    if shown:
        more = f" … of {len(dice)} dice" if len(dice) > MAX_DICE else ""
        yield "-# " + "  ".join(plain(face) if counts else f"~~{plain(face)}~~" for face, counts in shown) + more


def _reported(report: dict[str, Any]) -> Iterator[str]:
    """A game's roll in lines: its verdict, its dice, its sentences."""
    yield f"**{plain(report['verdict'] or 'Rolled')}**"
    if report["faces"]:
        yield f"-# {plain(cut(report['faces'], 300))}"
    for note in report["notes"]:
        yield plain(f"{note['text'].removesuffix('.')} ({note['rule']})." if note["rule"] else note["text"])
    if report["open"]:
        yield f"-# {plain(OPEN.format(question=report['open'].get('question', '')))}"


def _inputs(texts: dict[str, str]) -> dict[str, Any]:
    return parse_inputs(texts.get("inputs", ""))


async def odds(caller: Caller, texts: dict[str, str], private: bool) -> dict[str, Any]:
    """The exact odds of dice notation, or of a game's roll."""
    if "dice" in texts:
        if "game" in texts:
            raise Malformed(ONE)
        asked = answers.OddsRequest(notation=texts["dice"])
    else:
        asked = answers.OddsRequest(game=texts["game"], roll=texts.get("kind", ""), inputs=_inputs(texts))
    shown = msgspec.json.decode(await caller.ask(answers.odds, asked), type=OddsShown)
    return message(odds_lines(shown), private=private)


def odds_lines(shown: OddsShown) -> list[str]:
    """Odds in lines: a chart for each of the first facts."""
    lines = [f"**{plain(shown.headline)}**"] if shown.headline else []
    for fact in list(shown.facts.values())[:MAX_FACTS]:
        mean = f", {plain(f'{fact.mean.number:.4g}')} on average" if fact.mean else ""
        lines += [f"{plain(fact.title)}{mean}", _chart(fact, 900 if len(shown.facts) == 1 else 520)]
    return lines


def _chart(fact: FactShown, most: int) -> str:
    """Rows as fixed-width text, as many as fit; in such a block only its end needs escaping."""
    top = max((row.chance for row in fact.rows), default=0.0) or 1.0
    wide = max((len(row.label) for row in fact.rows[:MAX_ROWS]), default=0)
    lines: list[str] = []
    for row in fact.rows[:MAX_ROWS]:
        label = cut(row.label.replace("`", "'").replace("_", " "), 24)
        percent = format_percent(Fraction(row.exact)) if len(row.exact) < 200 else f"{row.chance:.1%}"
        line = f"{label:<{min(wide, 24)}} {percent:>6} {'█' * round(BAR * row.chance / top)}".rstrip()
        if sum(map(len, lines)) + len(lines) + len(line) > most:
            break
        lines.append(line)
    left = len(fact.rows) - len(lines)
    return "\n".join(("```", *lines, *([f"… {left} more"] if left else []), "```"))
