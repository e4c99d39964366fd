"""General questions from the peers' own documents: ours by the public call, beside icepool and dyce at their best.

A peer that needs more than ``PATIENCE`` is not waited for: such rows name it, and ``python -m bench.general slow``
tries them again. Where a peer must cut explosions off, its answer is compared only as far as it is exact.
"""

from __future__ import annotations

import signal
import sys
import warnings
from collections.abc import Callable
from functools import partial
from statistics import median
from types import FrameType
from typing import Any, NamedTuple

from astragal import odds
from astragal.dice.solver.fight import Fight, Fighter
from astragal.dice.solver.keep import kept_odds
from astragal.dice.solver.product import vector_odds
from astragal.games.razorweave import Check
from bench.answers import exact
from bench.examples import ACT, ATTACK, CONTEST, DOCK, FACE, HARD_TASK, LIGHT, MARCH, OVERCOME, STRIDE, best
from bench.memory import forget_all
from bench.peers import general_dyce, general_icepool, symbols
from bench.timing import first_seconds

PATIENCE = 15
MEDIAN = 15.0
"""How many times as fast as the faster peer ours has to be at the median, and at least on every row."""
LEAST = 1.5
BOTH = ("icepool", "dyce")
PEERS: dict[str, Any] = {"icepool": general_icepool, "dyce": general_dyce}
D6 = dict.fromkeys(range(1, 7), 1)
GENESYS_9, GENESYS_30 = symbols.genesys(1, 1, 2, 2, 2, 1), symbols.genesys(5, 5, 5, 5, 5, 5)
PUSHED = symbols.pushed(5, 3, 2)


HITS = {0: "Miss", 1: "Weak hit", 2: "Strong hit"}
ACTIONS = {0: "Failure, risky", 1: "Partial, risky", 2: "Full success", 3: "Critical"}
DEGREES = {0: "Failure", 1: "Tie", 2: "Success", 3: "Success with style"}
"""What games of the shelf call the numbers that their peers count to."""


def fight() -> Any:
    """The heroes' chance; a hero's Strike needs 13, a foe's 15."""
    hits, blows = (odds(Check(dc=dc, strike=True), "ticks") for dc in (13, 15))
    return Fight([Fighter(3, {"Strike": hits})] * 3, [Fighter(4, {"Strike": blows})] * 2).chance


class General(NamedTuple):
    """One row: our call, the peers' function with its arguments, and who is too slow for it."""

    name: str
    wanted: float
    ours: Callable[[], Any]
    function: str = ""
    arguments: tuple[Any, ...] = ()
    peers: tuple[str, ...] = BOTH
    slow: tuple[str, ...] = ()
    told: Callable[[Any], Any] = exact
    """A peer's answer in the form of ours; answers that are cut off are not compared."""
    written: bool = False
    """Whether the name is the dice notation that is asked."""

    def calls(self, names: tuple[str, ...]) -> dict[str, Callable[[], Any]]:
        return {name: partial(getattr(PEERS[name], self.function), *self.arguments) for name in names}

    def check(self) -> None:
        """Nothing is timed before all answers are the same."""
        answer = self.ours()
        for name, call in self.calls(self.peers).items():
            if self.told is not not_compared and self.told(call()) != answer:
                raise AssertionError(f"{name} has another answer: {self.name}")


class Row(NamedTuple):
    """A measured row: seconds by library."""

    question: General
    ours: float
    peers: dict[str, float]

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the faster peer ours is; at least so many if all were too slow to wait for."""
        if not self.peers and not self.question.slow:
            return None
        return min([*self.peers.values(), *[float(PATIENCE)] * bool(self.question.slow)]) / self.ours

    @property
    def wanted(self) -> float:
        """For answers under 100 µs the call itself decides, and less is wanted."""
        return LEAST if self.ours < 100e-6 else max(self.question.wanted, LEAST)

    @property
    def reached(self) -> bool:
        return self.ratio is None or self.ratio >= self.wanted


def not_compared(answer: Any) -> Any:
    return answer


def vectors(answer: Any, length: int) -> Any:
    return exact(answer).map(lambda number: symbols.unpacked(number, length))


def named(names: dict[int, str], answer: Any) -> Any:
    return exact(answer).map(names.__getitem__)


def count(answer: Any) -> Any:
    """The number of dice alone, where a peer says their value, too."""
    return exact(answer).map(lambda value: value[0] if isinstance(value, tuple) else value)


def notation(text: str, wanted: float, function: str, *arguments: Any, **more: Any) -> General:
    return General(text, wanted, lambda: odds(text), function, arguments, written=True, **more)


QUESTIONS = (
    notation("100d20kh50", 90, "keep", 100, 20, 50, peers=("icepool",), slow=("dyce",)),
    notation("100d6kh10", 31, "keep", 100, 6, 10),
    notation("897d2kh1", 7, "keep", 897, 2, 1),
    notation("100d100kh1", 2.2, "keep", 100, 100, 1),
    notation("300d6dl1", 1000, "keep", 300, 6, 299, peers=(), slow=BOTH),
    notation("50d20dl5", 85, "keep", 50, 20, 45, peers=("icepool",), slow=("dyce",)),
    notation("4d6dl1", 8, "keep", 4, 6, 3),
    notation("d100<=45", 30, "at_most", 100, 45),
    notation("10d6dh3dl3", 10, "middle", 10, 6, 4),
    notation("{d4, d6, d8, d10, d12}kh2", 2.9, "mixed", 2, 4, 6, 8, 10, 12),
    notation("{12 x 3d6}kh6", 15, "best_sums", 3, 6, 12, 6),
    General(
        "6d10!!kh3, up to 60",
        12,
        lambda: odds("6d10!!kh3", up_to=60),
        "exploding_keep",
        (6, 10, 3),
        told=not_compared,
    ),
    notation("20d12 straight", 13, "straight", 20, 12),
    notation("10d10 widest", 2.2, "widest", 10, 10, told=count),
    notation("{6d6 cancel 6d6}kh1", LEAST, "highest_left", 6, 6, 6),
    notation("10d6 vs 10d6", 73, "pairs", 10, 10, 6),
    General(
        "Genesys, 9 dice",
        2.5,
        lambda: vector_odds(GENESYS_9),
        "symbols",
        (GENESYS_9,),
        told=partial(vectors, length=4),
    ),
    General(
        "Genesys, 30 dice",
        100,
        lambda: vector_odds(GENESYS_30),
        "symbols",
        (GENESYS_30,),
        told=partial(vectors, length=4),
    ),
    General(
        "Genesys, 30 dice, every vector listed",
        LEAST,
        lambda: dict(vector_odds(GENESYS_30).weights.items()),
        "symbols",
        (GENESYS_30,),
        told=lambda answer: dict(vectors(answer, length=4).weights),
    ),
    General(
        "Year Zero, 5 + 3 + 2 dice, pushed",
        0.9,
        lambda: vector_odds(PUSHED),
        "symbols",
        (PUSHED,),
        told=partial(vectors, length=3),
    ),
    General(
        "Lampkeepers, 3 + 2 + 3 + 2 dice, its outcome",
        1.5,
        lambda: odds(LIGHT, "outcome"),
        "lamps",
        (3, 2, 3, 2),
        peers=("icepool",),
    ),
    General(
        "Cold March, 5 + 3 + 2 dice, success by the best policy",
        1.5,
        lambda: odds(MARCH, "success", policy=best(MARCH)),
        "push_success",
        (10, 2),
        peers=("icepool",),
    ),
    General(
        "Cold March, 5 + 3 + 2 dice, Frost by the best policy",
        1.5,
        lambda: odds(MARCH, "frost", policy=best(MARCH)),
        "push_frost",
        (5, 5, 2),
        peers=("icepool",),
    ),
    General(
        "Rustfall (TOML), 5 + 3 + 2 dice, success by the best policy",
        1,
        lambda: odds(DOCK, "success", policy=best(DOCK)),
        "push_success",
        (10, 2),
        peers=("icepool",),
    ),
    General(
        "Fellwalk (TOML), both dice beaten, Headway burned by the best policy",
        1,
        lambda: odds(STRIDE, "beaten", policy=best(STRIDE)).map(lambda beaten: beaten == 2),
        "burned",
        (3, 7),
        peers=("icepool",),
    ),
    General(
        "Ironsworn (shelf), outcome of an action roll",
        LEAST,
        lambda: odds(FACE, "outcome"),
        "challenge",
        (3,),
        peers=("icepool",),
        told=partial(named, HITS),
    ),
    General(
        "Ironsworn (shelf), both dice beaten, momentum burned by the best policy",
        LEAST,
        lambda: odds(FACE, "beaten", policy=best(FACE)).map(lambda beaten: beaten == 2),
        "challenge_burned",
        (3, 7),
        peers=("icepool",),
    ),
    General(
        "Blades in the Dark (shelf), outcome of 3 dice",
        LEAST,
        lambda: odds(ACT, "outcome"),
        "best_or_critical",
        (3,),
        peers=("icepool",),
        told=partial(named, ACTIONS),
    ),
    General(
        "Fate (shelf), outcome of an action",
        LEAST,
        lambda: odds(OVERCOME, "outcome"),
        "fate_degree",
        (1,),
        peers=("icepool",),
        told=partial(named, DEGREES),
    ),
    General(
        "Fifth edition (shelf), damage of an attack with advantage",
        LEAST,
        lambda: odds(ATTACK, "damage"),
        "attack_damage",
        (5, 14, 2, 6, 3),
        peers=("icepool",),
    ),
    General(
        "Narraject, 5d6 + d10 with 3 IP, degree by the best policy",
        1,
        lambda: odds(HARD_TASK, "degree", policy=best(HARD_TASK)),
        peers=(),
    ),
    General(
        "TGIMH, 8:8 d10, winner by the best policy to stay in the scene",
        1,
        lambda: odds(CONTEST, "winner", policy=best(CONTEST, "stay")),
        peers=(),
    ),
    notation("200d100", 850, "total", 200, 100, peers=(), slow=BOTH),
    notation("20d100 + 20d100", 750, "totals", (20, 100), (20, 100)),
    notation("1000d6", 1800, "total", 1000, 6, peers=(), slow=BOTH),
    notation("1d8! > 1d6!", 8.5, "exploding_wins", 8, 6, told=not_compared),
    notation("10d10! > 10d8!", 1, "", peers=()),
    General("a fight of 3 against 2, with Clocks of 3 and 4", 1, fight, peers=()),
    General("12d6, best 9", 1, lambda: kept_odds([(12, D6)], 9), "keep", (12, 6, 9)),
)


def measure(question: General) -> Row:
    """Answers are compared first, then timed."""
    question.check()
    calls = question.calls(question.peers)
    ours, *peers = first_seconds([question.ours, *calls.values()], forget_all, budget=0.3)
    return Row(question, ours, dict(zip(calls, peers, strict=True)))


def measure_all() -> list[Row]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dyce calls order statistics experimental
        return [measure(question) for question in QUESTIONS]


def median_ratio(rows: list[Row]) -> float:
    return median([row.ratio for row in rows if row.ratio is not None])


def try_slow() -> None:
    """Whether those peers that are not waited for still take so long."""
    signal.signal(signal.SIGALRM, _give_up)
    for question in QUESTIONS:
        for name, call in question.calls(question.slow).items():
            signal.alarm(PATIENCE)
            try:
                call()
                print(f"{question.name}: {name} is done in time")
            except (TimeoutError, RecursionError) as error:
                print(f"{question.name}: {name} {type(error).__name__}")
            finally:
                signal.alarm(0)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def main() -> None:
    rows = measure_all()
    for row in rows:
        peers = ", ".join(f"{name} {seconds * 1e3:.3g} ms" for name, seconds in row.peers.items())
        verdict = "" if row.reached else "   MISSED"
        ratio = "–" if row.ratio is None else f"{row.ratio:.1f} × (wanted {row.wanted:g})"
        print(f"{row.question.name:<40} {row.ours * 1e3:8.4f} ms   {peers}   {ratio}{verdict}")
    print(f"median {median_ratio(rows):.1f} × (wanted {MEDIAN:g})")


if __name__ == "__main__":
    if sys.argv[1:] == ["slow"]:
        try_slow()
    else:
        main()
