"""After a Narraject roll: IP are spent, offers made and taken, and the roll is settled (NJ-9 to NJ-14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from astragal.author import (
    Barred,
    Choice,
    Deferred,
    Dice,
    Effect,
    Face,
    Node,
    Offered,
    Option,
    Outcome,
    Throw,
    later,
    lazy,
    sources_of,
)
from astragal.games.narraject import text
from astragal.games.narraject.pool import PoolSummary
from astragal.games.narraject.result import Result
from astragal.games.narraject.rules import because, cited, say

if TYPE_CHECKING:
    from astragal.games.narraject.attempt import Attempt

PRICES = {"reroll": 1, "add": 2, "partial": 3}


def after_roll(ask: Attempt, summary: PoolSummary, ip: int, cost: str | None = None) -> Node[Result]:
    """The roll stays open until it is settled (NJ-13); ``cost`` is what the GM asks for on a near miss (NJ-9).

    An offer is for these dice: when they change, or the roll is settled, it lapses, and the log says so.
    """
    now = Result(ask, summary, ip)
    barred = {name: why for name in PRICES if (why := _barred(name, ip, now))}
    spends = {name: option for name, option in _spends(ask, summary, ip) if name not in barred}
    settling = Option(say("NJ-13.settle"), lazy(settled, ask, summary, ip), "NJ-13")
    near_miss = now.degree == "near_miss" and ask.side == "player"
    offers = dict(_offers(ask, summary, ip, cost)) if near_miss else {}
    options = {"settle": _lapsing(settling, cost), **offers}
    options |= {name: _lapsing(option, cost) for name, option in spends.items()}
    held = say("NJ-13.held" if ask.side == "player" else "NJ-15.held", ip=ip)  # all read it, so nobody is "you"
    offer = say("NJ-9.offered", cost=cost) if cost else ""
    question = say("NJ-13.change_offered", offer=offer, held=held) if cost else say("NJ-13.change", held=held)
    offered = Offered(say("NJ-9.what"), cost, say("NJ-13.change", held=held)) if cost else None
    return Choice("spend", ask.side, question, options, now, "settle", barred, offered=offered)


def _lapsing(option: Option[Result], cost: str | None) -> Option[Result]:
    """An option that lets the GM's offer lapse, if there is one."""
    return option._replace(told=say("NJ-9.lapses", answer=option.label, cost=cost)) if cost else option


def _offers(ask: Attempt, summary: PoolSummary, ip: int, cost: str | None) -> Iterator[tuple[str, Option[Result]]]:
    """On a near miss the GM may offer a partial success at a cost; the player accepts or declines (NJ-9)."""
    if cost is None:
        offered = lazy(after_roll, ask, summary, ip)
        yield "offer", Option(say("NJ-9.offer"), offered, "NJ-9", words=say("NJ-9.cost"), by="gm")
    else:
        accepted = lazy(settled, ask, summary, ip, False, cost)
        yield "accept", Option(say("NJ-9.accept"), accepted, "NJ-9", detail=say("NJ-9.accept_detail"), offered=True)
        yield "decline", _declining(cost, after_roll, ask, summary, ip)


def _declining(cost: str, then: Callable[..., Node[Result]], *then_of: object) -> Option[Result]:
    told = say("NJ-9.declined", cost=cost)
    return Option(say("NJ-9.decline"), lazy(then, *then_of), "NJ-9", told=told, offered=True, refuses=True)


def _spends(ask: Attempt, summary: PoolSummary, ip: int) -> Iterator[tuple[str, Option[Result]]]:
    """The spends of IP after a roll, and whether they can change success at all (NJ-13)."""
    again = lazy(bought, ask, "reroll", summary.alone, ip - PRICES["reroll"])
    shows = later(lambda: say("NJ-13.reroll_detail", step=summary.single))
    futile = later(_futile, ask, summary, ip, "reroll")
    label = say("NJ-13.reroll_die", sides=ask.step_die)
    yield "reroll", Option(label, again, "NJ-13", _price(ask, "reroll"), detail=shows, warns=futile)
    more = lazy(bought, ask, "add", summary, ip - PRICES["add"])
    counts, futile = say(f"NJ-13.for_{ask.edition}"), later(_futile, ask, summary, ip, "add")
    yield "add", Option(say("NJ-13.do_add"), more, "NJ-13", _price(ask, "add"), detail=counts, warns=futile)
    partial = lazy(settled, ask, summary, ip - PRICES["partial"], True)
    trouble = say("NJ-13.partial_detail") if ask.side == "player" else ""
    yield "partial", Option(say("NJ-13.do_partial"), partial, "NJ-13", _price(ask, "partial"), detail=trouble)


def _futile(ask: Attempt, summary: PoolSummary, ip: int, spend: str) -> str:
    """The sentence about dice that cannot change whether the roll succeeds, whatever IP are spent after them."""
    left, counts = ip - PRICES[spend], summary.single in ask.counting
    sure = summary.others if spend == "reroll" else summary.count
    if sure >= ask.difficulty:
        return say("NJ-13.anyway")
    dice = summary.others + (spend == "add")
    kept = dice + (counts or spend == "reroll") + left // PRICES["add"]
    rerolled = dice + 1 + (left - PRICES["reroll"]) // PRICES["add"] if left >= PRICES["reroll"] else 0
    return say("NJ-13.cannot") if max(kept, rerolled) < ask.difficulty else ""


def _price(ask: Attempt, spend: str) -> tuple[Effect, ...]:
    """The cost of a spend for the player, or for the GM's purse (NJ-13, NJ-15)."""
    return (Effect("ip", ask.side, -PRICES[spend], when="answer", **because(f"NJ-13.buys_{spend}", who="{roller}")),)


def _barred(spend: str, ip: int, now: Result) -> Barred | None:
    label, price = say(f"NJ-13.do_{spend}"), PRICES[spend]
    if spend == "partial" and now.success:
        return Barred(*cited("NJ-13.on_failure"), label=label, needs=say("NJ-13.needs_failure"))
    if ip < price:
        why = cited("NJ-14.short", spend=spend, price=price, ip=ip)
        return Barred(*why, for_now=True, label=label, needs=say("NJ-14.needs", price=price))
    return None


def bought(ask: Attempt, spend: str, summary: PoolSummary, ip: int) -> Node[Result]:
    """The Step Die again, whose new face is kept, or one more d6, which counts like any other (NJ-13)."""
    again = spend == "reroll"
    die, joins = (ask.pool[1], summary.beside) if again else (Dice(6, 1, "d6"), summary.joined)
    tell = partial(text.tell_bought, ask, die, f"shows_{spend}")
    return Throw((die,), Face(), lambda face: lazy(after_roll, ask, joins(face), ip), tell, say(f"NJ-13.throw_{spend}"))


def settled(ask: Attempt, summary: PoolSummary, ip: int, bought: bool = False, cost: str | None = None) -> Node[Result]:
    """IP and complications are settled once, on the final dice (NJ-13)."""
    result = Result(ask, summary, ip, bought, cost)
    effects = Deferred(lambda: chain(_spent(ask), _gained(result)))
    late = lazy(late_offer, ask, summary, ip) if result.degree == "near_miss" and ask.side == "player" else None
    prompts = Deferred(lambda: text.prompts(result))
    return Outcome(result, effects, lambda: text.tell_result(ask, summary, result), prompts, late)


def late_offer(ask: Attempt, summary: PoolSummary, ip: int, cost: str | None = None) -> Node[Result]:
    """The GM may offer a partial success when the near miss is settled, until that character's next roll (NJ-9)."""
    now = Result(ask, summary, ip)
    if cost is None:
        again, told = lazy(late_offer, ask, summary, ip), say("NJ-9.offered", cost="{}")
        offer = Option(say("NJ-9.offer"), again, "NJ-9", words=say("NJ-9.cost"), told=told)
        return Choice("offer", "gm", say("NJ-9.late_offer"), {"offer": offer}, now)
    accepted = lazy(agreed, ask, summary, ip, cost)
    options = {
        "accept": Option(say("NJ-9.accept"), accepted, "NJ-9", told=say("NJ-9.accepted"), offered=True),
        "decline": _declining(cost, late_offer, ask, summary, ip),
    }
    question, offered = f"{say('NJ-9.offered', cost=cost)}.", Offered(say("NJ-9.what"), cost)
    return Choice("offer", ask.side, question, options, now, offered=offered)


def agreed(ask: Attempt, summary: PoolSummary, ip: int, cost: str) -> Node[Result]:
    """The settled near miss is a partial success after all; nothing else changes (NJ-9)."""
    result = Result(ask, summary, ip, cost=cost)
    return Outcome(result, tell=lambda: text.tell_result(ask, summary, result))


def _spent(ask: Attempt) -> Iterator[Effect]:
    """Points of the roller's Reserves (NJ-6), and one of each helper's (NJ-5)."""
    for source in sources_of(ask.d6):
        if source.held is not None:
            yield Effect("stats", "roller", -source.n, source.label, "NJ-6", "throw")
    for place, source in enumerate(sources_of(ask.help_dice), 1):
        if source.label:
            yield Effect("stats", f"helper {place}", -source.n, source.label, "NJ-5", "throw")


def _gained(result: Result) -> Iterator[Effect]:
    """A Step Die above all d6s is the player's gain, one below all of them the GM's (NJ-10); complications (NJ-12)."""
    for who, gained in (("player", result.player_ip), ("gm", result.gm_ip)):
        if gained:
            yield Effect("ip", who, gained, **because(f"NJ-10.was_{result.position}", who="{roller}"))
    for key in result.owed:
        yield Effect("complication", "gm", 1, **because(key))
