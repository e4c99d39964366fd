"""Answers to questions about a table's rolls: odds, advice, chances and luck, from what a member may see."""

from __future__ import annotations

from msgspec import Raw, Struct
from msgspec.json import Decoder
from msgspec.structs import replace

from astragal.dice.render.text import format_percent
from astragal.errors import Unknown
from astragal.questions.wire import NumberShown, OddsShown, TonesShown, show_facts, show_number, show_tones
from astragal.questions.wire_advice import AdviceShown, show_advice
from astragal.rule.chances.fact import wishes_of
from astragal.table.access import GM, holder_audience, may_see
from astragal.table.entry import decode_entry
from astragal.table.log.luck import luck_of
from astragal.table.rolls.ask import thaw
from astragal.table.rolls.basis import Basis, kind_of
from astragal.table.rolls.chances import advice, chances, every_advice, tone_chances
from astragal.table.state import Member, Roll, State

_read_list = Decoder(list[Raw]).decode


class ChancesShown(Struct, frozen=True):
    """The chances of a roll by tone, from what you may see; ``why`` is the reason if there are none.

    ``now`` is the roll as it is, or the rest of a long task; ``spending`` is with its ``points`` spent in the best way.
    ``options`` has the chances after each option of the open choice; ``best`` is the option that helps most. ``helps``
    has them with each offer of a helper that is not in the roll, and without each that is. Tones are from the players'
    view; ``success`` is the roller's chance.
    """

    now: TonesShown | None
    spending: TonesShown | None
    points: int
    options: dict[str, TonesShown]
    best: str
    helps: dict[str, TonesShown]
    why: str


class LuckShown(Struct, frozen=True):
    """A person's luck: the total of their throws, the average of such throws, and the percentile.

    Of the throws, ``typed`` is the number of typed ones, and ``again`` the number of those reused after an undo.
    """

    who: str
    name: str
    throws: int
    total: int
    mean: NumberShown
    percentile: str
    share: float
    typed: int = 0
    again: int = 0


class Stats(Struct, frozen=True):
    """Everyone's luck, in the rolls that you may see.

    ``left_out`` counts throws that today's rules read differently, ``too_much`` throws that take too much work.
    """

    luck: list[LuckShown]
    left_out: int = 0
    too_much: int = 0


def without_rolls(state: State) -> State:
    """The state without large parts that answers do not need: other rolls, and kept dice."""
    return replace(state, world=replace(state.world, rolls={}, kept_moves={}))


def roll_odds(state: State, roll: Roll, member: Member, up_to: int) -> OddsShown:
    """The odds of a roll that is being built, from what a member may see."""
    kind = kind_of(state, roll)
    solved = chances(state, roll, member, up_to)
    if roll.hidden and member.role != GM:
        return OddsShown(headline="", game=state.game, roll=kind.name, facts=show_facts(kind, None, solved))
    ask = thaw(kind, roll.ask) if roll.ask is not None else Basis(state, roll).ask
    facts = show_facts(kind, ask, solved)
    return OddsShown(headline=kind.headline(ask), game=state.game, roll=kind.name, facts=facts)


def roll_advice(state: State, roll: Roll, member: Member, wish: str) -> AdviceShown:
    """The effect of each answer to a roll's open choice on the chances."""
    kind = kind_of(state, roll)
    if not wishes_of(kind):
        raise Unknown("This roll has no choices that a wish could guide.")
    found = [advice(state, roll, member, wish)] if wish else every_advice(state, roll, member)
    headline = kind.headline(thaw(kind, roll.ask)) if roll.ask is not None else ""
    differs = next((each for each in found if each.matters), found[0])
    return show_advice(state.game, kind, headline, next((each for each in found if each.helps), differs))


def roll_chances(state: State, roll: Roll, member: Member, offer: str) -> ChancesShown:
    """The chances of a roll, by tone."""
    found = tone_chances(state, roll, member, offer)
    return ChancesShown(
        show_tones(found.now, found.wins) if found.now else None,
        show_tones(found.spending, found.wins) if found.spending else None,
        found.points,
        {name: show_tones(tones, found.wins) for name, tones in found.options.items()},
        found.best,
        {id: show_tones(tones, found.wins) for id, tones in found.helps.items()},
        found.why,
    )


def stats(state: State, member: Member, entries: Raw) -> Stats:
    """Everyone's luck in a list of stored entries, as far as this member may see it."""
    found = luck_of(map(decode_entry, _read_list(entries)), state, member)
    return Stats(
        [
            LuckShown(
                luck.who,
                _name(state, luck.who, member),
                luck.throws,
                luck.total,
                show_number(luck.mean),
                format_percent(luck.percentile),
                float(luck.percentile),
                luck.typed,
                luck.again,
            )
            for luck in found.luck
        ],
        found.left_out,
        found.too_much,
    )


def _name(state: State, id: str, member: Member) -> str:
    """The name of a member or holder, if this member may see it."""
    kept = state.world.holders.get(id)
    if id in state.members:
        return state.members[id].name
    if kept:
        return kept.name if may_see(member, holder_audience(kept)) else ""
    name, audience = state.world.retired.get(id, ("", ""))
    return name if may_see(member, audience) else ""
