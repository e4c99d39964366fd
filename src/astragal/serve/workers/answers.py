"""Answers to questions without a table, as functions on plain data: a worker imports this and nothing of the web."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from astragal.anydice.parser import MAX_LENGTH as MAX_PROGRAM
from astragal.errors import Malformed, Unknown
from astragal.explain.report import report
from astragal.games.registry import game
from astragal.questions import SolvedQuestion
from astragal.questions.advice import advise_on
from astragal.questions.calls import roll_read
from astragal.questions.compare import FEWEST, MOST, compare, side_of_notation
from astragal.questions.notation import FACT, read, solve_notation, solve_program
from astragal.questions.odds import Question, policy_for, solve
from astragal.questions.play import MAX_SEED, hand_for, play_roll, read_ask
from astragal.questions.wire import (
    ComparedShown,
    NotationRolled,
    OddsShown,
    show_compared,
    show_odds,
    show_rolled,
)
from astragal.questions.wire_advice import AdviceShown, show_weighed
from astragal.rule.chances.fact import NEVER, PolicyName
from astragal.rule.chances.odds import MAX_UP_TO, UP_TO
from astragal.rule.game import Game, Kind
from astragal.table.action import Faces, Inputs, Name, Ref

Texts = Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(max_length=50)]
Answers = Annotated[dict[Ref, Texts], Meta(max_length=20)]
Facts = Annotated[list[Ref], Meta(max_length=20)]
Seed = Annotated[str, Meta(max_length=MAX_SEED)]
UpTo = Annotated[int, Meta(ge=0, le=MAX_UP_TO)]
Notation = Annotated[str, Meta(min_length=1, max_length=MAX_PROGRAM)]
Program = Annotated[str, Meta(min_length=1, max_length=MAX_PROGRAM)]
DialectName = Literal["", "roll20", "foundry", "avrae", "dicemaiden", "anydice", "rpgdiceroller"]
"""The dialect of notation: Astragal's own, or a tool's."""


class RollRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll of a game, with fair dice, dice from a seed, or typed ones; choices without an answer stay open."""

    game: Name
    roll: Ref = ""
    inputs: Inputs = {}
    faces: Faces | None = None
    answers: Answers = {}
    seed: Seed | None = None


class SideRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll before it is made: of a game, with a policy for its choices, or in dice notation."""

    game: Name | None = None
    notation: Notation | None = None
    dialect: DialectName = ""
    roll: Ref = ""
    inputs: Inputs = {}
    policy: PolicyName | None = None
    wish: Ref | None = None
    offers: bool = False


class OddsRequest(SideRequest, frozen=True):
    """A question about the odds of a roll; ``show`` names facts, by default all."""

    show: Facts = []
    up_to: UpTo | None = None


class NotationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Dice notation to roll, read in a dialect; with fair dice, dice from a seed, or typed ones."""

    notation: Notation
    dialect: DialectName = ""
    faces: Faces | None = None
    seed: Seed | None = None


class ProgramRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """An AnyDice program."""

    program: Program


class AdviceRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Thrown dice and the answers so far, to weigh each answer to the next choice."""

    game: Name
    roll: Ref = ""
    inputs: Inputs = {}
    faces: Faces | None = None
    answers: Answers = {}
    seed: Seed | None = None
    wish: Ref | None = None
    offers: bool = False
    show: Facts = []
    up_to: UpTo = UP_TO


class CompareRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Questions to compare; ``show`` names facts, by default all that they have in common."""

    sides: Annotated[list[SideRequest], Meta(min_length=FEWEST, max_length=MOST)]
    show: Facts = []
    up_to: UpTo | None = None


def rolled_notation(asked: NotationRequest) -> NotationRolled:
    """Dice notation, rolled."""
    written = read(asked.notation, asked.dialect)
    return show_rolled(written, roll_read(written, hand_for(asked.faces, asked.seed)), notes=True)


def program(asked: ProgramRequest) -> OddsShown:
    """The odds of every output of an AnyDice program."""
    return show_odds(solve_program(asked.program))


def rolled(asked: RollRequest) -> dict[str, Any]:
    """A game's roll as plain data."""
    found, kind = _kind(asked)
    ask = read_ask(kind, asked.inputs, asked.faces)
    played = play_roll(kind, ask, hand_for(asked.faces, asked.seed, kind, asked.answers))
    return report(found, kind, ask, played, notes=True)


def odds(asked: OddsRequest) -> OddsShown:
    """The odds of a roll, or of notation."""
    if asked.notation is not None:
        _check_notation(asked, asked.show)
        return show_odds(solve_notation(asked.notation, asked.up_to, asked.dialect))
    return show_odds(solve(_question(asked, asked.show, asked.up_to)))


def _check_notation(asked: SideRequest, show: Facts | tuple[()] = ()) -> None:
    """Refuse fields that only a game's roll has."""
    if asked.game is not None:
        raise Malformed("Ask about a game or about notation; give one of them.")
    if asked.roll or asked.inputs or asked.policy or asked.wish or asked.offers:
        raise Malformed("Notation has no roll, inputs, policy, wish or offers; they belong to a game.")
    for name in show:
        if name != FACT:
            raise Unknown(f'There is no fact "{name[:40]}" here; there is {FACT}.')


def advice(asked: AdviceRequest) -> AdviceShown:
    """The effect of each answer to a roll's next choice."""
    found, kind = _kind(asked)
    ask = read_ask(kind, asked.inputs, asked.faces)
    hand = hand_for(asked.faces, asked.seed, kind, asked.answers, fair=False)
    question = Question(found, kind, ask, NEVER, tuple(dict.fromkeys(asked.show)), asked.up_to)
    return show_weighed(advise_on(question, hand, asked.answers, asked.wish or None, asked.offers))


def comparison(asked: CompareRequest) -> ComparedShown:
    """Odds side by side."""
    sides = [_side(side, asked.up_to) for side in asked.sides]
    return show_compared(compare(sides, tuple(dict.fromkeys(asked.show))))


def _side(asked: SideRequest, up_to: int | None) -> SolvedQuestion:
    if asked.notation is None:
        return solve(_question(asked, (), up_to))
    _check_notation(asked)
    return side_of_notation(asked.notation, up_to, asked.dialect)


def _kind(asked: RollRequest | SideRequest | AdviceRequest) -> tuple[Game, Kind]:
    if asked.game is None:
        raise Malformed("Name a game, or give notation: game or notation is needed.")
    found = game(asked.game)
    return found, found.kind(asked.roll)


def _question(asked: SideRequest, show: Facts | tuple[()], up_to: int | None) -> Question:
    found, kind = _kind(asked)
    if asked.dialect:
        raise Malformed("A dialect belongs to notation, and a game has none.")
    policy = policy_for(kind, asked.policy, asked.wish, asked.offers)
    return Question(
        found, kind, kind.ask.read(asked.inputs), policy, tuple(dict.fromkeys(show)), UP_TO if up_to is None else up_to
    )
