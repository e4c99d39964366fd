"""Luck: how good the dice were, as an exact percentile of what the same throws could have given.

What a throw could have given, only the rules can say. A throw that today's rules read otherwise
than it was read then is left out and counted; so are old throws once the latest have taken all the
work that is allowed, and a throw that is too large by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from astragal.dice.estimates import LUCK_STEPS
from astragal.errors import Refusal
from astragal.rule.tree.play import ThrowStep
from astragal.table import event as e
from astragal.table.access import id_in_role, may_see
from astragal.table.entry import Entry
from astragal.table.fold import fold_roll, left_by_undo, opened_roll
from astragal.table.log.percentile import Luck, LuckThrow, luck_of_throws
from astragal.table.rolls.ask import thaw
from astragal.table.rolls.hand import dice_told, same_dice
from astragal.table.rolls.playback import BREAKS, replayed
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State

MAX_ENTRIES = 5_000
"""The latest entries that luck looks at, of those that a seat may see: many evenings."""
MAX_BYTES = 16 << 20
"""Most bytes of these entries, counted from the latest; a long evening has a hundredth of that."""
MAX_DICE = 100_000
"""Dice that are played back for one report, the latest first: about half a second's work."""


class LuckReport(NamedTuple):
    """Everybody's luck, and how many throws are left out: since the rules have changed, or to bound the work."""

    luck: list[Luck]
    left_out: int = 0
    too_much: int = 0


def luck_of(entries: Iterable[Entry], state: State, member: Member | None) -> LuckReport:
    """Everybody's luck, for characters and for members, in what this seat may see; undone rolls do not count."""
    throws: dict[str, list[LuckThrow]] = {}
    left_out = 0
    rolls, too_much = _latest(_seen_rolls(entries, state, member))
    for throw in (throw for seen in rolls for throw in _throws(seen, state)):
        if throw is None:
            left_out += 1
            continue
        throws.setdefault(throw.who, []).append(throw)
        holder = state.world.holders.get(throw.who)
        if holder and holder.owner and holder.owner != throw.who:
            throws.setdefault(holder.owner, []).append(throw)
    share = LUCK_STEPS // max(1, len(throws))
    found = [luck_of_throws(who, thrown, state, share) for who, thrown in throws.items()]
    not_counted = {id(throw) for _, others in found for throw in others}  # a character's are its player's too
    typed, again = _by_hand(rolls, state)
    luck = [luck._replace(typed=typed[luck.who], again=again[luck.who]) for luck, _ in found if luck.throws]
    return LuckReport(luck, left_out, too_much + len(not_counted))


def _by_hand(rolls: list[_SeenRoll], state: State) -> tuple[Counter[str], Counter[str]]:
    """The number of typed throws of each character and member, and of those reused after an undo."""
    typed: Counter[str] = Counter()
    again: Counter[str] = Counter()
    for event in (event for seen in rolls for event in seen.thrown):
        holder = state.world.holders.get(event.by)
        for who in {event.by, holder.owner if holder and holder.owner else event.by}:
            typed[who] += bool(event.typed_by)
            again[who] += event.source == "again"
    return typed, again


class _SeenRoll:
    """A roll as a seat knows it while the log is read."""

    def __init__(self, opened: e.Opened) -> None:
        self.roll = opened_roll(opened)
        self.thrown: list[e.Thrown] = []
        self.dice: list[list[e.DieTold]] = []
        """The dice of each throw, with what they did."""
        self.valued: list[bool] = []
        """Whether its value is stored: not if it was hidden, or if the rules had changed before it was completed."""

    @property
    def n(self) -> int:
        """The number of its dice, rerolls included."""
        return sum(len(wave) for event in self.thrown for waves in event.faces for wave in waves)

    def read(self, event: e.Event) -> None:
        """Read the next event about the roll."""
        if isinstance(event, e.Thrown):
            self.thrown.append(event)
            self.dice.append(event.dice)
            self.valued.append(bool(event.by))
        elif isinstance(event, e.Told) and event.dice:
            self.dice[-len(event.dice) :] = event.dice
            self.valued[-len(event.dice) :] = [False] * len(event.dice)
        if isinstance(event, (e.Asked, e.Thrown, e.Answered)):
            self.roll = fold_roll(self.roll, event)


def throws_of(entries: Iterable[Entry], state: State, member: Member | None) -> Iterator[LuckThrow | None]:
    """Every throw in the log that matters to luck and that this seat may see whole; None for one to be left out."""
    for seen in _seen_rolls(entries, state, member):
        yield from _throws(seen, state)


def _seen_rolls(entries: Iterable[Entry], state: State, member: Member | None) -> list[_SeenRoll]:
    """The rolls that stand and that this seat may see whole, in the order in which they were opened."""
    rolls: dict[str, _SeenRoll] = {}
    for entry in entries:
        for event in left_by_undo(entry) if entry.id in state.struck else entry.events:
            if not may_see(member, event.audience):
                continue
            if isinstance(event, e.Opened):
                rolls[event.roll] = _SeenRoll(event)
            elif isinstance(event, (e.Asked, e.Thrown, e.Answered, e.Told)) and event.roll in rolls:
                rolls[event.roll].read(event)
    return [seen for seen in rolls.values() if seen.roll.ask is not None and seen.thrown]


def _latest(rolls: list[_SeenRoll]) -> tuple[list[_SeenRoll], int]:
    """The latest rolls that have no more than ``MAX_DICE`` together, in order, and the number of throws left out."""
    kept: list[_SeenRoll] = []
    dice = too_much = 0
    for seen in reversed(rolls):
        if dice + seen.n > MAX_DICE:
            too_much += len(seen.thrown)
            continue
        dice += seen.n
        kept.append(seen)
    return kept[::-1], too_much


def _throws(seen: _SeenRoll, state: State) -> Iterator[LuckThrow | None]:
    ruleset, roll = ruleset_of(state.game), seen.roll
    try:
        kind = ruleset.game.kind(roll.kind)
        played = replayed(kind, thaw(kind, roll.ask or {}), roll.steps)
        steps = [step for step in played.steps if isinstance(step, ThrowStep)]
        values = [ruleset.table_rules.luck(roll.kind, step.value) for step in steps]
        told = [dice_told(step.throw.tell(step.faces).dice) for step in steps]
    except (Refusal, *BREAKS):
        yield from (
            None
            for event, valued in zip(seen.thrown, seen.valued, strict=True)
            if event.value is not None or not valued
        )
        return
    for place, (event, step, value) in enumerate(zip(seen.thrown, steps, values, strict=False)):
        if not same_dice(seen.dice[place], told[place]) or (seen.valued[place] and value != event.value):
            yield None
        elif value is not None and (who := event.by or id_in_role(roll, step.throw.by)):
            yield LuckThrow(who, value, step, roll.kind)
