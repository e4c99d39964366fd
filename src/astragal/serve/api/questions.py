"""Questions without a table: games, rolls, odds, advice, comparisons. They take what the command line takes."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from astragal.dice.anydice import run_program
from astragal.dice.anydice.lexer import MAX_LENGTH as MAX_PROGRAM
from astragal.dice.notation.parser import read
from astragal.errors import Malformed, Unknown
from astragal.games.registry import game
from astragal.questions.advice import advise_on
from astragal.questions.compare import FEWEST, MOST, CompareSide, side_of, side_of_notation
from astragal.questions.compare import compare as compare_sides
from astragal.questions.notation import FACT, PROGRAM_TITLE, answer, by_name, hand_of, roll_read
from astragal.questions.odds import PolicyName, Question, policy_for, solve
from astragal.questions.play import MAX_SEED, hand_for, play_roll, read_ask
from astragal.questions.wire import (
    ComparedShown,
    NotationRolled,
    OddsShown,
    show_compared,
    show_notation,
    show_odds,
    show_program,
    show_rolled,
)
from astragal.questions.wire_advice import AdviceShown, show_weighed
from astragal.questions.wire_games import declare_games
from astragal.rule.fact import Policy
from astragal.rule.game import Game, Kind
from astragal.rule.odds import MAX_UP_TO, UP_TO
from astragal.rule.report import report
from astragal.rule.translation import translations
from astragal.serve.http.operation import Call, Reply
from astragal.table.action import Faces, Inputs, Name, Ref
from astragal.table.view.model import DieView, OpenNode

Texts = Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(max_length=50)]
Answers = Annotated[dict[Ref, Texts], Meta(max_length=20)]
Facts = Annotated[list[Ref], Meta(max_length=20)]
Seed = Annotated[str, Meta(max_length=MAX_SEED)]
UpTo = Annotated[int, Meta(ge=0, le=MAX_UP_TO)]
Notation = Annotated[str, Meta(min_length=1, max_length=MAX_PROGRAM)]
Program = Annotated[str, Meta(min_length=1, max_length=MAX_PROGRAM)]
DialectName = Literal["", "roll20", "foundry", "avrae", "dicemaiden", "anydice", "rpgdiceroller"]
"""How notation is read: as Astragal does, or as that tool does."""


class Translation(Struct, frozen=True):
    """Translations by English text; both may have places in braces, such as ``{n} Marks``."""

    texts: dict[str, str]


class RollRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll of a game, with fair dice, a seed's or typed ones; choices without an answer stay open."""

    game: Name
    roll: Ref = ""
    inputs: Inputs = {}
    faces: Faces | None = None
    answers: Answers = {}
    seed: Seed | None = None


class EffectShown(Struct, frozen=True):
    """What a roll changes: ``what`` of ``who`` by so much, with the throw, with an answer or in the end."""

    what: str
    who: str
    by: int
    name: str
    rule: str
    when: Literal["throw", "answer", "end"]
    cause: str


class NoteShown(Struct, frozen=True):
    """A sentence, and its rule."""

    text: str
    rule: str


class Report(Struct, frozen=True):
    """A roll as plain data; the fields of the game's result stand beside these."""

    game: str
    roll: str
    ask: dict[str, Any]
    faces: str
    verdict: str | None
    settled: bool
    open: OpenNode
    dice: list[DieView]
    effects: list[EffectShown]
    notes: list[NoteShown]


class SideRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll that nobody has made yet: of a game, with a policy for its choices, or in dice notation."""

    game: Name | None = None
    notation: Notation | None = None
    dialect: DialectName = ""
    roll: Ref = ""
    inputs: Inputs = {}
    policy: PolicyName | None = None
    wish: Ref | None = None
    offers: bool = False


class OddsRequest(SideRequest, frozen=True):
    """A question about the odds of a roll; ``show`` names facts, and without it all are shown."""

    show: Facts = []
    up_to: UpTo | None = None


class NotationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Dice notation to roll, read as a dialect's tool does; with fair dice, a seed's or typed ones."""

    notation: Notation
    dialect: DialectName = ""
    faces: Faces | None = None
    seed: Seed | None = None


class ProgramRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """An AnyDice program."""

    program: Program


class AdviceRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Dice on the table, and the answers given so far: what would each answer to the next choice do?"""

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
    """Questions to compare; ``show`` names facts, and without it all that they have in common are compared."""

    sides: Annotated[list[SideRequest], Meta(min_length=FEWEST, max_length=MOST)]
    show: Facts = []
    up_to: UpTo | None = None


async def list_games(call: Call) -> Reply:
    """Every game with its rolls, sheets and moves."""
    return Reply(declare_games())


async def translate(call: Call) -> Reply:
    """What a game says in another language, by its English texts; where a text is missing, English stands."""
    found = game(call.path("game"))
    return Reply(Translation(dict(await asyncio.to_thread(translations, found, call.path("language")))))


async def roll(call: Call) -> Reply:
    """Roll by a game's rules, or read the dice that you type."""
    return await call.answer(_roll, call.body)


async def odds(call: Call) -> Reply:
    """Exact odds of a roll."""
    return await call.answer(_odds, call.body)


async def advise(call: Call) -> Reply:
    """With the dice on the table: what each answer would do to the chances."""
    return await call.answer(_advise, call.body)


async def compare(call: Call) -> Reply:
    """Two to six questions about odds, side by side."""
    return await call.answer(_compare, call.body)


async def roll_notation(call: Call) -> Reply:
    """Roll dice notation, or read the dice that you type."""
    return await call.answer(_roll_notation, call.body)


async def solve_program(call: Call) -> Reply:
    """Exact odds of every output of an AnyDice program."""
    return await call.answer(_solve_program, call.body)


def _roll_notation(asked: NotationRequest) -> NotationRolled:
    written = read(asked.notation, asked.dialect)
    return show_rolled(written, roll_read(written, hand_of(asked.faces, asked.seed)), notes=True)


def _solve_program(asked: ProgramRequest) -> OddsShown:
    return show_program(PROGRAM_TITLE, by_name(run_program(asked.program)))


def _roll(asked: RollRequest) -> dict[str, Any]:
    found, kind = _kind(asked)
    ask = read_ask(kind, asked.inputs, asked.faces)
    played = play_roll(kind, ask, hand_for(kind, asked.faces, asked.seed, asked.answers))
    return report(found, kind, ask, played, notes=True)


def _odds(asked: OddsRequest) -> OddsShown:
    if asked.notation is not None:
        _check_notation(asked, asked.show)
        return show_notation(answer(asked.notation, asked.up_to, asked.dialect))
    question = _question(asked, asked.show, asked.up_to)
    return show_odds(question, solve(question))


def _check_notation(asked: SideRequest, show: Facts | tuple[()] = ()) -> None:
    """Refuse what only a game's roll has."""
    if asked.game is not None:
        raise Malformed("Ask about a game or about notation; give one of them.")
    if asked.roll or asked.inputs or asked.policy or asked.wish or asked.offers:
        raise Malformed("Notation has no roll, inputs, policy, wish or offers; they belong to a game.")
    for name in show:
        if name != FACT:
            raise Unknown(f'There is no fact "{name[:40]}" here; there are {FACT}.')


def _advise(asked: AdviceRequest) -> AdviceShown:
    found, kind = _kind(asked)
    ask = read_ask(kind, asked.inputs, asked.faces)
    hand = hand_for(kind, asked.faces, asked.seed, asked.answers, fair=False)
    policy = Policy(offers=asked.offers)
    question = Question(found, kind, ask, policy, tuple(dict.fromkeys(asked.show)), asked.up_to)
    return show_weighed(advise_on(question, hand, asked.answers, asked.wish or None))


def _compare(asked: CompareRequest) -> ComparedShown:
    sides = [_side(side, asked.up_to) for side in asked.sides]
    return show_compared(compare_sides(sides, tuple(dict.fromkeys(asked.show))))


def _side(asked: SideRequest, up_to: int | None) -> CompareSide:
    if asked.notation is None:
        return side_of(_question(asked, (), up_to))
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
    return Question(found, kind, kind.ask.read(asked.inputs), policy, tuple(dict.fromkeys(show)), _limit(up_to))


def _limit(up_to: int | None) -> int:
    return UP_TO if up_to is None else up_to
