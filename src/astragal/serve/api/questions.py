"""Questions without a table: games, rolls, odds, advice, comparisons. They take what the command line takes."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from astragal.games.registry import game
from astragal.questions.advice import advise_on
from astragal.questions.compare import FEWEST, MOST, side_of
from astragal.questions.compare import compare as compare_sides
from astragal.questions.odds import PolicyName, Question, policy_for, solve
from astragal.questions.play import MAX_SEED, hand_for, play_roll, read_ask
from astragal.questions.wire import ComparedShown, OddsShown, show_compared, show_odds
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
    """A roll that nobody has made yet, and the policy by which its choices are answered."""

    game: Name
    roll: Ref = ""
    inputs: Inputs = {}
    policy: PolicyName | None = None
    wish: Ref | None = None
    offers: bool = False


class OddsRequest(SideRequest, frozen=True):
    """A question about the odds of a roll; ``show`` names facts, and without it all are shown."""

    show: Facts = []
    up_to: UpTo = UP_TO


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
    up_to: UpTo = UP_TO


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


def _roll(asked: RollRequest) -> dict[str, Any]:
    found, kind = _kind(asked)
    ask = read_ask(kind, asked.inputs, asked.faces)
    played = play_roll(kind, ask, hand_for(kind, asked.faces, asked.seed, asked.answers))
    return report(found, kind, ask, played, notes=True)


def _odds(asked: OddsRequest) -> OddsShown:
    question = _question(asked, asked.show, asked.up_to)
    return show_odds(question, solve(question))


def _advise(asked: AdviceRequest) -> AdviceShown:
    found, kind = _kind(asked)
    ask = read_ask(kind, asked.inputs, asked.faces)
    hand = hand_for(kind, asked.faces, asked.seed, asked.answers, fair=False)
    policy = Policy(offers=asked.offers)
    question = Question(found, kind, ask, policy, tuple(dict.fromkeys(asked.show)), asked.up_to)
    return show_weighed(advise_on(question, hand, asked.answers, asked.wish or None))


def _compare(asked: CompareRequest) -> ComparedShown:
    sides = [side_of(_question(side, (), asked.up_to)) for side in asked.sides]
    return show_compared(compare_sides(sides, tuple(dict.fromkeys(asked.show))))


def _kind(asked: RollRequest | SideRequest | AdviceRequest) -> tuple[Game, Kind]:
    found = game(asked.game)
    return found, found.kind(asked.roll)


def _question(asked: SideRequest, show: Facts | tuple[()], up_to: int) -> Question:
    found, kind = _kind(asked)
    policy = policy_for(kind, asked.policy, asked.wish, asked.offers)
    return Question(found, kind, kind.ask.read(asked.inputs), policy, tuple(dict.fromkeys(show)), up_to)
