"""After the dice: the Storyteller's word, a Beat for a failure, a Condition for a great success (CD-10)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from astragal.author import Choice, Effect, Lazy, Node, Option, Outcome, Prompt, Role, lazy
from astragal.games.chronicles.rules import cited, say

if TYPE_CHECKING:
    from astragal.games.chronicles.team import TeamAsk


@cache
def what_happens() -> tuple[Prompt, ...]:
    """The Storyteller is asked after every roll, and may leave it."""
    return (Prompt("gm", *cited("CD-10.ask")),)


def beat_for(role: Role, when: Literal["answer", "end"] = "end") -> Effect:
    """A Beat for a dramatic failure."""
    cause, rule = cited("CD-10.beat", who="{who}")
    return Effect("beats", role, 1, rule=rule, when=when, cause=cause)


def beat_options(keep: Lazy[Any], take: Lazy[Any], effects: tuple[Effect, ...] = ()) -> dict[str, Option[Any]]:
    """The two answers to a plain failure; ``effects`` come with the Beat."""
    return {
        "keep": Option(say("CD-10.keep"), keep, "CD-10"),
        "take": Option(say("CD-10.take"), take, "CD-10", effects, detail=say("CD-10.take_detail")),
    }


def condition_for(role: Role, condition: str, when: Literal["answer", "end"] = "end") -> Effect:
    """A Condition for an exceptional success."""
    cause, rule = cited("CD-10.exceptional", who="{who}")
    return Effect("conditions", role, name=condition, to={}, rule=rule, when=when, cause=cause)


def after_dice(
    ask: TeamAsk,
    outcome: str,
    then: Lazy[Any],
    so_far: Callable[[], Any],
    question: Callable[[], str],
    *,
    fallen: tuple[Effect, ...] = (),
    midway: bool = False,
) -> Node[Any]:
    """The choices after a leader's dice: make a failure dramatic for a Beat, or name another Condition (CD-10).

    ``then`` continues; it gets whether a Beat was taken for a dramatic failure, and an exceptional success's Condition.
    ``so_far()`` is the result if nothing is answered, and ``question()`` asks about a failure. The dice have brought
    the effects in ``fallen``. ``midway`` through a task, a Beat comes with its answer, and the question may be skipped.
    """
    exceptional = outcome == "exceptional_success"
    if outcome != "failure" and not (exceptional and ask.has_boon):
        node: Node[Any] = then.make(*then.args, False, ask.boon if exceptional else None)
        return node._replace(effects=(*node.effects, *fallen)) if fallen and isinstance(node, Outcome) else node
    by, named = ask.decides, "their-" if ask.decides == "target" else ""
    keep, take = (lazy(then.make, *then.args, is_taken) for is_taken in (False, True))
    if exceptional:
        another = Option(say("CD-10.another"), keep, "CD-10", words=say("CD-10.another_name"))
        options = {"another": another, "none": Option(say("CD-10.none"), keep, "CD-10")}
        instead = say("CD-10.instead", name=ask.boon)
        return Choice(f"{named}condition", by, instead, options, so_far(), "none", passes=True, effects=fallen)
    options = beat_options(keep, take, (beat_for("roller", "answer"),) if midway else ())
    return Choice(f"{named}beat", by, question(), options, so_far(), "keep", passes=midway, effects=fallen)
