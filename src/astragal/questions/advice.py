"""Advice: with the dice on the table, what each answer to the open choice would do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.errors import Illegal, Malformed, Refusal
from astragal.explain.report import in_a_line, judged
from astragal.questions.odds import Question, has_choices
from astragal.questions.play import Answers
from astragal.rule.chances.advise import Advice, Advised, advise
from astragal.rule.chances.fact import Wish, fact_of, facts_of, wish_of, wishes_for
from astragal.rule.chances.odds import UP_TO
from astragal.rule.game import Kind
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.play import Hand, Logged, Played, play
from astragal.rule.typed import Given, missing_faces

NO_DICE = "Advice needs the dice on the table; give their faces, or a seed."


class Weighed(NamedTuple):
    """A roll played up to an open choice, and the options of this choice weighed for a wish.

    ``last_point`` is how much less the wish would be worth with one point less in the roll's budget; None without one.
    """

    question: Question
    played: Played[Any]
    advice: Advice
    last_point: Fraction | None

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts wanted about each option; all of them if none was named."""
        return self.question.facts or tuple(facts_of(self.question.kind))

    def odds(self, option: Advised, fact: str) -> Distribution[Any]:
        """A fact's odds after an option is taken."""
        known = fact_of(self.question.kind, fact)
        return known.ordered(known.of_results(option.results, self.question.up_to), self.question.ask)


def advise_on(
    question: Question, hand: Hand, answers: Answers, wish: str | None = None, offers: bool = False
) -> Weighed:
    """Play with the hand's dice and the answers given so far, and weigh the first choice that they leave open.

    With ``offers``, what others may offer is counted in.
    """
    kind = question.kind
    for name in question.facts:
        fact_of(kind, name)
    played = play(kind.rule(question.ask), Given(hand, answers))
    if isinstance(played.node, Throw):
        if not has_choices(kind, question.ask):
            raise Illegal(f"{kind.title}: the dice settle it, and no choice comes after them. Ask for its odds.")
        raise Malformed(NO_DICE if type(hand) is Hand else missing_faces(played.node))
    if not isinstance(played.node, Choice):
        raise Illegal(f"Nothing is left to decide here: {in_a_line(judged(kind, played.result))}.")
    advice = advice_for(kind, played.node, wish, question.up_to, offers)
    return Weighed(question, played, advice, _last_point(question, played, advice, offers))


def advice_for(kind: Kind, choice: Choice[Any], wish: str | None, up_to: int = UP_TO, offers: bool = False) -> Advice:
    """Advice for the wish of this name; without one, for the first that some option helps, or for which it matters."""
    if wish is not None:
        return advise(choice, wish_of(kind, wish), up_to, offers)
    wish_of(kind)
    found = [advise(choice, each, up_to, offers) for each in wishes_for(kind, choice)]
    differs = next((advice for advice in found if advice.matters), found[0])
    return next((advice for advice in found if advice.helps), differs)


def _last_point(question: Question, played: Played[Any], advice: Advice, offers: bool) -> Fraction | None:
    """The same dice and answers once more, with one point less."""
    kind, ask = question.kind, question.ask
    held = getattr(ask, kind.budget) if kind.budget else 0
    if not held:
        return None
    try:
        poorer = kind.ask(**{**vars(ask), kind.budget: held - 1})
        again = play(kind.rule(poorer), Logged(played.log()))
        return advice.worth - _worth(again, advice.wish, question.up_to, offers)
    except Refusal:
        return None


def _worth(played: Played[Any], wish: Wish, up_to: int, offers: bool) -> Fraction | int:
    """The worth of the wish from here on, if every choice serves it."""
    if not isinstance(played.node, Choice):
        return wish.worth(played.result)
    return advise(played.node, wish, up_to, offers).worth
