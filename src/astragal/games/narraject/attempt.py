"""A Narraject roll: a pool of d6s and one Step Die (NJ-1 to NJ-14)."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.author import (
    MAX_DICE,
    Ask,
    Barred,
    Choice,
    Dice,
    Effect,
    Face,
    Illegal,
    Node,
    Option,
    Outcome,
    Throw,
    lazy,
    named,
    one_of,
    sources_of,
    summed,
    whole,
    words,
)
from astragal.games.narraject import text
from astragal.games.narraject.pool import COUNTING, DIFFICULTIES, STEP_DICE, PoolSummary, StepReading
from astragal.games.narraject.result import Result, complications, settle

PRICES = {"reroll": 1, "add": 2, "partial": 3}
CAUSES = {"reroll": "rerolls the Step Die", "add": "rolls one more d6", "partial": "buys a partial success"}
MAX_IP = 1000
MAX_HELP = 2
"""The d6s that helpers add in all, however many they are (NJ-5)."""
SIDES = ("player", "gm")
"""Whose character may roll: a player's, or one of the GM's own (NJ-15)."""


class Attempt(Ask):
    """What a Narraject roll needs to know."""

    d6: int = summed(
        0,
        MAX_DICE,
        "d6s in the pool, a number or named sources; 2/5 spends 2 of 5 points",
        default=0,
        rule="NJ-2",
        each=(1, MAX_DICE),
        spends="NJ-6",
        guided=True,
        title="Dice (d6)",
    )
    step: int | None = one_of(
        tuple(STEP_DICE.values()),
        "sides of the Step Die; without training it is a d6",
        default=None,
        rule="NJ-3",
        prefix="d",
        guided=True,
        title="Step Die",
        steps=tuple((sides, f"d{sides}") for sides in STEP_DICE.values()),
    )
    difficulty: int = whole(
        0,
        MAX_DICE,
        "how many dice have to count",
        default=1,
        rule="NJ-7",
        guided=True,
        title="How hard?",
        steps=DIFFICULTIES,
        advanced=False,
        asks="Choose a difficulty",
    )
    edition: str = one_of(
        tuple(COUNTING),
        "what counts: 5 or more (marks), or exactly 5 and 6 (hits)",
        default="marks",
        rule="NJ-1",
        guided=True,
        whose="sheet",
    )
    help_dice: int = summed(
        0,
        MAX_HELP,
        "d6s added by helpers, one each, two at most",
        default=0,
        rule="NJ-5",
        each=(1, 1),
        spends="NJ-6",
        title="Helpers",
    )
    ip: int = whole(
        0,
        MAX_IP,
        "IP held, to spend after the roll",
        default=0,
        rule="NJ-13",
        guided=True,
        whose="sheet",
        live="ip",
        title="IP",
    )
    trait: tuple[tuple[str, str], ...] = named(
        tuple(STEP_DICE),
        "a Focus or specialty that fits; the highest gives the Step Die and is the approach",
        default=(),
        rule="NJ-3",
        title="Good at",
    )
    side: str = one_of(
        SIDES, "whose character rolls: a player's or the GM's own", default="player", rule="NJ-15", whose="sheet"
    )
    about: str | None = words("what is attempted", default=None, rule="NJ-2", told="{}", title="What is it about?")

    def check(self) -> None:
        if self.step and self.trait:
            raise Illegal("Both step and trait are given; only one Step Die is rolled, so give one of them.", "NJ-3")
        if self.help_dice > 1:
            self._refuse_twice()

    def _refuse_twice(self) -> None:
        """A helper adds one d6 and no more, whatever the stat (NJ-5); at a table a helper's stats share a slot."""
        helpers = [source.label for source in sources_of(self.help_dice) if source.label]
        for helper in helpers:
            if helpers.count(helper) > 1:
                raise Illegal(f"{helper} helps twice; each helper adds one d6, so nothing is spent.", "NJ-5")

    @property
    def dice(self) -> int:
        """All d6s, the helpers' included: theirs alone are enough (NJ-2)."""
        return self.d6 + self.help_dice

    @property
    def approach(self) -> tuple[str, str] | None:
        """The trait that gives the Step Die: the highest, and of equals the first (NJ-3)."""
        return max(self.trait, key=lambda trait: STEP_DICE[trait[1]], default=None)

    @property
    def step_die(self) -> int:
        """The sides of the Step Die (NJ-3)."""
        return STEP_DICE[self.approach[1]] if self.approach else self.step or STEP_DICE["untrained"]

    @property
    def counting(self) -> frozenset[int]:
        """The faces that count (NJ-4)."""
        return COUNTING[self.edition]


def attempt(ask: Attempt) -> Node[Result]:
    """A roll (NJ-2): read the pool, then leave the after-roll spends to the player (NJ-13)."""
    return Throw(
        (Dice(6, ask.dice, "d6"), _step_die(ask)),
        StepReading(ask.counting),
        then=lambda summary: after_roll(ask, summary, ask.ip),
        tell=lambda faces: text.tell_pool(ask, faces),
    )


def after_roll(
    ask: Attempt, summary: PoolSummary, ip: int, cost: str | None = None, declined: bool = False
) -> Node[Result]:
    """The roll stays open until it is settled (NJ-13); ``cost`` is what the GM asks for on a near miss (NJ-9).

    An offer is for these dice: when they change, it lapses.
    """
    now = settle(ask, summary, ip)
    barred = {name: why for name in PRICES if (why := _barred(name, ip, now))}
    spends = {name: option for name, option in _spends(ask, summary, ip) if name not in barred}
    settling = Option("Leave it", lazy(settled, ask, summary, ip), "NJ-13")
    near_miss = now.degree == "near_miss" and ask.side == "player" and not declined
    offers = dict(_offers(ask, summary, ip, cost)) if near_miss else {}
    options = {"settle": settling, **offers, **spends}
    offer = f"{text.offered(cost)}. " if cost else ""
    return Choice("spend", ask.side, f"{offer}Change it? {text.held(ask, ip)}.", options, now, "settle", barred)


def _offers(ask: Attempt, summary: PoolSummary, ip: int, cost: str | None) -> Iterator[tuple[str, Option[Result]]]:
    """On a near miss the GM may offer a partial success at a cost, once; the player accepts or declines (NJ-9)."""
    if cost is None:
        offered = lazy(after_roll, ask, summary, ip)
        yield "offer", Option(text.OFFER, offered, "NJ-9", words="the cost", by="gm")
    else:
        accepted = lazy(settled, ask, summary, ip, False, cost)
        yield "accept", Option("Take it", accepted, "NJ-9", detail="a success, at that cost")
        declined = lazy(after_roll, ask, summary, ip, None, True)
        yield "decline", Option("No, thanks", declined, "NJ-9", told=_declined(cost))


def _declined(cost: str) -> str:
    return f"The offer is declined: {cost.removesuffix('.')}"


def _spends(ask: Attempt, summary: PoolSummary, ip: int) -> Iterator[tuple[str, Option[Result]]]:
    """What IP buy after a roll (NJ-13)."""
    again = lazy(reroll, ask, summary._replace(step=0), ip - PRICES["reroll"])
    shows = f"the Step Die shows {summary.step}"
    yield "reroll", Option(f"Reroll the d{ask.step_die}", again, "NJ-13", _price(ask, "reroll"), detail=shows)
    more = lazy(add, ask, summary, ip - PRICES["add"])
    counts = f"a 5 or 6 is a {text.WORD[ask.edition]}"
    yield "add", Option(text.SPENDS["add"], more, "NJ-13", _price(ask, "add"), detail=counts)
    partial = lazy(settled, ask, summary, ip - PRICES["partial"], True)
    trouble = "the GM adds a complication" if ask.side == "player" else ""
    yield "partial", Option(text.SPENDS["partial"], partial, "NJ-13", _price(ask, "partial"), detail=trouble)


def _price(ask: Attempt, spend: str) -> tuple[Effect, ...]:
    """What a spend takes from the player, or from the GM's purse (NJ-13, NJ-15)."""
    return (Effect("ip", ask.side, -PRICES[spend], rule="NJ-13", when="answer", cause=CAUSES[spend]),)


def _barred(spend: str, ip: int, now: Result) -> Barred | None:
    label, price = text.SPENDS[spend], PRICES[spend]
    if spend == "partial" and now.success:
        why = "A partial success can be bought on a failure only, and this roll succeeds."
        return Barred(why, "NJ-13", label=label, needs="Only on a failure")
    if ip < price:
        why = f'"{spend}" needs {price} IP, and {ip} {"is" if ip == 1 else "are"} held; nothing is spent.'
        return Barred(why, "NJ-14", for_now=True, label=label, needs=f"Needs {price} IP")
    return None


def reroll(ask: Attempt, summary: PoolSummary, ip: int) -> Node[Result]:
    """The Step Die is rolled again and the new face kept, for better or worse (NJ-13)."""
    return Throw(
        (_step_die(ask),),
        Face(),
        then=lambda face: lazy(after_roll, ask, summary._replace(step=face), ip),
        tell=lambda faces: text.tell_reroll(ask, faces),
        title="Step Die again",
    )


def add(ask: Attempt, summary: PoolSummary, ip: int) -> Node[Result]:
    """One more d6 joins the pool, for Marks and for highest and lowest (NJ-13)."""
    return Throw(
        (Dice(6, 1, "d6"),),
        Face(),
        then=lambda face: lazy(after_roll, ask, summary.with_d6(face, ask.counting), ip),
        tell=lambda faces: text.tell_added(ask, faces),
        title="one more d6",
    )


def settled(ask: Attempt, summary: PoolSummary, ip: int, bought: bool = False, cost: str | None = None) -> Node[Result]:
    """IP and complications are settled once, on the final dice (NJ-13)."""
    result = settle(ask, summary, ip, bought, cost)
    effects = (*_spent(ask), *_gained(result), *_owed(result, summary.step))
    late = lazy(late_offer, ask, summary, ip) if result.degree == "near_miss" and ask.side == "player" else None
    return Outcome(result, effects, lambda: text.tell_result(ask, summary, result), tuple(text.prompts(result)), late)


def late_offer(ask: Attempt, summary: PoolSummary, ip: int, cost: str | None = None) -> Node[Result]:
    """The GM may offer a partial success when the near miss is settled, until that character's next roll (NJ-9)."""
    now = settle(ask, summary, ip)
    if cost is None:
        told = "The GM offers a success at a cost: {}"
        offer = Option(text.OFFER, lazy(late_offer, ask, summary, ip), "NJ-9", words="the cost", told=told)
        return Choice("offer", "gm", f"{text.OFFER}?", {"offer": offer}, now)
    options = {
        "accept": Option("Take it", lazy(agreed, ask, summary, ip, cost), "NJ-9", told="The offer is accepted"),
        "decline": Option("No, thanks", lazy(late_offer, ask, summary, ip), "NJ-9", told=_declined(cost)),
    }
    return Choice("offer", ask.side, f"{text.offered(cost)}.", options, now)


def agreed(ask: Attempt, summary: PoolSummary, ip: int, cost: str) -> Node[Result]:
    """The settled near miss is a partial success after all; nothing else changes (NJ-9)."""
    result = settle(ask, summary, ip, cost=cost)
    return Outcome(result, tell=lambda: text.tell_result(ask, summary, result))


def _spent(ask: Attempt) -> Iterator[Effect]:
    """Points of the roller's Reserves (NJ-6), and one of each helper's (NJ-5)."""
    for source in sources_of(ask.d6):
        if source.held is not None:
            yield Effect("reserve", "roller", -source.n, source.label, "NJ-6", "throw")
    for place, source in enumerate(sources_of(ask.help_dice), 1):
        if source.label:
            yield Effect("reserve", f"helper {place}", -source.n, source.label, "NJ-5", "throw")


def _gained(result: Result) -> Iterator[Effect]:
    """A Step Die above all d6s is the player's gain, one below all of them the GM's (NJ-10)."""
    if result.player_ip:
        yield Effect("ip", "player", result.player_ip, rule="NJ-10", cause="Step Die was highest")
    if result.gm_ip:
        yield Effect("ip", "gm", result.gm_ip, rule="NJ-10", cause=f"Step Die was {result.position}")


def _owed(result: Result, step: int) -> Iterator[Effect]:
    degree = "near_miss" if result.cost is not None else result.degree
    for why, rule in complications(result.side, degree, step):
        yield Effect("complication", "gm", 1, rule=rule, cause=why)


def _step_die(ask: Attempt) -> Dice:
    return Dice(ask.step_die, 1, "Step Die")
