"""Whatever is typed in place of a program is answered or refused with a sentence, soon."""

from __future__ import annotations

import re
from random import Random

from astragal.dice.anydice import run_program
from astragal.dice.work import Work
from astragal.errors import Refusal
from tests.dice.anydice.programs import POSTED
from tests.dice.calls import counted_calls
from tests.share import record, share

STEPS = 200_000
"""Steps of a program here, so that most time goes into reading."""
WORDS = re.findall(
    r"[a-z]+|[A-Z_]+|\d+|\"[^\"]*\"|\.\.|[<>!]=|[^\sa-zA-Z\d]", "\n".join(posted.text for posted in POSTED)
)
SIGNS = '0123456789dDnsXAB{}[]()@#!&|=<>+-*/^:,."\\ \n\t_éß≥😀\0'
REFUSED = re.compile(r"Line \d+: .+\.|The program has (no output|[\d,]+ characters).+\.", re.DOTALL)
MOST_CALLS = 300_000
"""Calls of functions until a program is refused: with a work of ``STEPS``, a tenth of a second at most."""


def fuzzed(rng: Random) -> str:
    """A program with a few words changed, words in any order, or any signs at all."""
    way = rng.random()
    if way < 0.2:
        return "".join(rng.choices(SIGNS, k=rng.randrange(60)))
    if way < 0.4:
        return " ".join(rng.choices(WORDS, k=rng.randrange(40)))
    words = re.findall(r"\w+|\W", rng.choice(POSTED).text)
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(words))
        words[place : place + rng.randrange(3)] = rng.choices([*WORDS, "", "999"], k=rng.randrange(3)) or [""]
    return "".join(words) * rng.choice((1, 1, 1, 2, 20))


def answer_or_refuse(text: str) -> None:
    """Everything but odds that add up, or a refusal in a sentence, fails."""
    try:
        outputs = run_program(text, Work(STEPS))
    except Refusal as refusal:
        assert REFUSED.fullmatch(str(refusal)), text
        return
    assert all(odds.total == sum(odds.weights.values()) > 0 or not odds.weights for _, odds in outputs), text


def test_anything_is_answered_or_refused_soon() -> None:
    times = share(100_000, 800)
    rng = Random(14)
    most = 0
    for _ in range(times):
        text = fuzzed(rng)
        calls = counted_calls(lambda: answer_or_refuse(text))  # noqa: B023
        assert calls < MOST_CALLS, text
        most = max(most, calls)
    record("AnyDice programs, right and wrong", f"{times:,} texts, none with more than {most:,} calls")
