"""The choices of winner and loser after a TGIMH roll (TG-2, TG-5, TG-9 to TG-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from astragal.author import Barred, Choice, Deferred, Effect, Node, Option, Outcome, Prompt, capital, lazy
from astragal.games.tgimh import text
from astragal.games.tgimh.contestant import ROLES, title_of
from astragal.games.tgimh.opposed import SIDES, Lead, Winner
from astragal.games.tgimh.rules import because, cited, say
from astragal.games.tgimh.text import INJURY

if TYPE_CHECKING:
    from astragal.games.tgimh.contest import Contest


class Result(NamedTuple):
    """The winner, the margin, and the consequences."""

    winner: Winner
    successes: int
    stalemate: bool
    condition: str | None = None
    box: int | None = None
    injury: int = 0
    out: bool = False
    will_left: int | None = None
    their_will_left: int | None = None
    injury_name: str | None = None
    will_gained: int = 0
    their_will_gained: int = 0
    our_name: str | None = None
    their_name: str | None = None

    def title(self, side: str) -> str:
        """The name of a side (TG-2)."""
        return title_of(self.our_name if side == "ours" else self.their_name, side)

    def judged(self, lead: Lead) -> Result:
        """The same with what the dice alone decide, before winner and loser do anything."""
        return self._replace(winner=lead.winner, successes=lead.successes, stalemate=lead.winner == "none")

    @property
    def loser(self) -> str:
        """The side that did not win."""
        return other(self.winner)


class Loss(NamedTuple):
    """The loser's part: a box, an Injury with its number of dice, and whether they are out."""

    label: str
    rule: str
    box: int | None = None
    injury: int = 0
    out: bool = False
    detail: str = ""


def before(ask: Contest) -> Result:
    """The part of the result that is known before any dice: names, and Will paid and gained."""
    ours, theirs = ask.us, ask.them
    known = Result("none", 0, True, our_name=ours.name, their_name=theirs.name)
    known = known._replace(will_left=ours.will_left, will_gained=ours.gained)
    return known._replace(their_will_left=theirs.will_left, their_will_gained=theirs.gained)


def aftermath(ask: Contest, result: Result) -> Node[Result]:
    """The winner may make a Condition of the successes (TG-9); then the loser bears the loss (TG-10)."""
    if result.stalemate:
        return settled(ask, result)
    detail = say("TG-9.detail", n=result.successes)
    make = Option(say("TG-9.do_make"), lazy(made, ask, result), "TG-9", words=say("TG-9.name"), detail=detail)
    options = {"none": Option(say("TG-9.do_none"), lazy(suffer, ask, result), "TG-9"), "make": make}
    question = say("TG-9.question", name=capital(result.title(result.winner)))
    return Choice("condition", "winner", question, options, result, "none", theirs=result.winner == "theirs")


def made(ask: Contest, result: Result, name: str) -> Node[Result]:
    """The rest of the contest, with a new Condition in the scene."""
    return suffer(ask, result._replace(condition=name))


def suffer(ask: Contest, result: Result) -> Node[Result]:
    """The loser crosses the box of that number, or takes an Injury instead (TG-10), if there is a choice (TG-11)."""
    loser = ask.side(result.loser)
    ways = losses(result.successes, loser.track, loser.crossed)
    options = {name: _bear(ask, result, loss) for name, loss in ways.items()}
    barred, rest = {}, ""
    if len(ways) == 1:
        why = cited("TG-11.only_both", box=ways["box"].box) if ways["box"].box else cited("TG-11.only_leave")
        barred, rest = {"injury": Barred(*why)}, "box"
    question = say("TG-10.question", name=result.title(result.loser))
    return Choice("loss", "loser", question, options, result, rest, barred, theirs=result.loser == "theirs")


def losses(successes: int, track: int, crossed: tuple[int, ...]) -> dict[str, Loss]:
    """The loser's ways: cross a box, or take an Injury instead (TG-10). A crossed box leaves no choice (TG-11)."""
    box = cross(successes, track, crossed)
    if min(successes, track) in crossed:
        return {"box": box}
    detail = say("TG-10.injury_detail", n=successes)
    return {"box": box, "injury": Loss(*cited("TG-10.do_injury"), injury=successes, detail=detail)}


def cross(successes: int, track: int, crossed: tuple[int, ...]) -> Loss:
    """Cross the box of that number; if it is crossed, the next free one above, with an Injury besides (TG-11)."""
    wanted = min(successes, track)
    free = [box for box in range(wanted, track + 1) if box not in crossed]
    if not free:
        return Loss(*cited("TG-11.do_leave"), out=True, detail=say("TG-11.leave_detail"))
    box = free[0]
    out = box == track
    if box == wanted:
        detail = say("TG-12.cross_detail" if out else "TG-10.cross_detail")
        return Loss(*cited("TG-10.do_cross", box=box), box, out=out, detail=detail)
    detail = say("TG-11.both_detail_out" if out else "TG-11.both_detail", n=box, wanted=wanted)
    return Loss(*cited("TG-11.do_both", box=box), box, box, out, detail)


def _bear(ask: Contest, result: Result, loss: Loss) -> Option[Result]:
    """One way to lose; an Injury is named by the loser (TG-10)."""
    borne = result._replace(box=loss.box, injury=loss.injury, out=loss.out)
    if not loss.injury:
        return Option(loss.label, lazy(settled, ask, borne), loss.rule, detail=loss.detail)
    then = lazy(injured, ask, borne)
    return Option(loss.label, then, loss.rule, words=say("TG-10.name"), needs=False, detail=loss.detail)


def injured(ask: Contest, result: Result, name: str) -> Node[Result]:
    """The contest ends with an Injury of this name."""
    return settled(ask, result._replace(injury_name=name or INJURY))


def other(side: str) -> str:
    """The other side."""
    return "theirs" if side == "ours" else "ours"


def settled(ask: Contest, result: Result) -> Node[Result]:
    """The outcome, with its effects and notes."""
    done = Deferred(lambda: effects(ask, result))
    return Outcome(result, done, lambda: text.contest_notes(ask, result), Deferred(lambda: prompts(result)))


def prompts(result: Result) -> Iterator[Prompt]:
    """The roll decides the fiction first of all: the winner tells it (TG-2); after a stalemate the GM (TG-5)."""
    if result.stalemate:
        yield Prompt("gm", *cited("TG-5.ask"))
    else:
        yield Prompt(ROLES[result.winner], *cited("TG-2.ask"))
    if result.out:
        yield Prompt(ROLES[result.loser], *cited("TG-12.ask"))


def effects(ask: Contest, result: Result) -> Iterator[Effect]:
    """Will paid and gained, the winner's Condition (TG-9), and what the loser bears (TG-10 to TG-12)."""
    for side in SIDES:
        yield from ask.side(side).will_effects()
    if result.condition:
        why = because("TG-9.cause", name=result.title(result.winner))
        yield Effect("conditions", "scene", name=result.condition, to={"dice": result.successes}, **why)
    loser = ROLES[result.loser]
    rule = "TG-11" if result.box and result.injury else "TG-10"
    if result.box:
        yield Effect("power", loser, result.box, rule=rule, cause=say("TG-10.crosses", who="{who}", box=result.box))
    if result.injury:
        injury = {"dice": result.injury, "injury": True}
        name, cause = result.injury_name or INJURY, say("TG-10.hurt", who="{who}")
        yield Effect("conditions", loser, name=name, to=injury, rule=rule, cause=cause)
    if result.out:
        yield Effect("out", loser, to=True, **because("TG-12.is_out", who="{who}"))
