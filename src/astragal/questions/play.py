"""One roll of a game: its inputs read, its dice found, played as far as the given answers go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from astragal.errors import Malformed, Unknown
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Throw
from astragal.rule.tree.play import Hand, Played, Rolled, play
from astragal.rule.typed import Typed, counted_dice, missing_faces

Answers: TypeAlias = Mapping[str, Sequence[str]]
NO_ANSWERS: Answers = MappingProxyType({})

MAX_SEED = 200
"""Characters of a seed."""


def read_ask(kind: Kind, inputs: Mapping[str, Any], faces: str | None = None) -> Ask:
    """The ask of these inputs; typed faces give the numbers of dice that were left out."""
    return kind.ask.read({**counted_dice(kind, faces, inputs), **inputs})


def hand_for(
    faces: str | None, seed: str | None, kind: Kind | None = None, answers: Answers = NO_ANSWERS, fair: bool = True
) -> Hand:
    """Typed dice, a seed's or, unless ``fair`` is false, fair ones, with the answers given beforehand."""
    if faces is not None and seed is not None:
        raise Malformed("Dice come from faces or from a seed; give one of them.")
    if seed is not None and len(seed) > MAX_SEED:
        raise Malformed(f"The seed has {len(seed)} characters; at most {MAX_SEED} are taken.")
    known = [decision.name for decision in kind.decisions] if kind else []
    several = kind.several if kind else ()
    for name in answers:
        if name not in known:
            raise Unknown(f'There is no choice "{name[:40]}" here; there are {", ".join(known) or "none"}.')
    if faces is not None:
        return Typed(faces, answers, several)
    if fair or seed is not None:
        return Rolled(answers, several, seed=seed)
    return Hand(answers, several)


def play_roll(kind: Kind, ask: Ask, hand: Hand) -> Played[Any]:
    """Play up to the outcome or the first open choice; a throw without faces is refused."""
    played = play(kind.rule(ask), hand)
    if isinstance(played.node, Throw):
        raise Malformed(missing_faces(played.node))
    return played
