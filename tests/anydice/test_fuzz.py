"""Whatever is typed in place of a program is answered or refused with a sentence, soon."""

from __future__ import annotations

import re
from random import Random

from astragal.anydice import run_program
from astragal.deadline import Deadline
from astragal.errors import Refusal
from tests.anydice.programs import POSTED
from tests.share import record, share

SECONDS = 0.5
"""Of a program here; one that takes longer is stopped."""
WORDS = re.findall(
    r"[a-z]+|[A-Z_]+|\d+|\"[^\"]*\"|\.\.|[<>!]=|[^\sa-zA-Z\d]", "\n".join(posted.text for posted in POSTED)
)
SIGNS = '0123456789dDnsXAB{}[]()@#!&|=<>+-*/^:,."\\ \n\t_éß≥😀\0'
STOPPED = "The program was stopped."
REFUSED = re.compile(
    r"Line \d+: .+\.|The program has (no output|[\d,]+ characters).+\.|The program was stopped\.", re.DOTALL
)


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
        with Deadline(SECONDS, STOPPED):
            outputs = run_program(text)
    except Refusal as refusal:
        assert REFUSED.fullmatch(str(refusal)), text
        return
    assert all(odds.total == sum(odds.weights.values()) > 0 or not odds.weights for _, odds in outputs), text


def test_anything_is_answered_or_refused_soon() -> None:
    times = share(100_000, 800)
    rng = Random(14)
    for _ in range(times):
        answer_or_refuse(fuzzed(rng))
    record("AnyDice programs, right and wrong", f"{times:,} texts, answered or refused")
