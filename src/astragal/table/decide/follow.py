"""What an action means for rolls that are being gathered: what left the table leaves them (T-4), sides gather again."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.errors import Refusal
from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table import event as e
from astragal.table.access import GM, roll_audience, seen_rolls
from astragal.table.decide.ledger import Ledger
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.ready import dice_basis, sides_of
from astragal.table.state import Member, Roll, State


def follow(before: State, ledger: Ledger, member: Member | None, at: int) -> None:
    """Add what follows from the events so far for every open roll that the acting member may see.

    Other rolls are looked at when a member who sees them acts: what follows for them must not show in this entry.
    """
    rolls = _open_rolls(ledger.state, member)
    for roll in rolls:
        was = before.world.rolls.get(roll.id)
        same = before.world.holders is ledger.state.world.holders and was is not None and was.against == roll.against
        if roll.seen != "all" or not same:  # something may have left with this action, or unseen before it
            ledger.events.extend(losses(Basis(before, was or roll), ledger.basis(roll)))
    for roll in rolls and _open_rolls(ledger.state, member):
        ledger.events.extend(_gathering(before, ledger.basis(roll), at))


def _open_rolls(state: State, member: Member | None) -> list[Roll]:
    return seen_rolls(
        state, member, [roll for roll in state.world.rolls.values() if roll.ask is None and not roll.over]
    )


def losses(before: Basis, after: Basis) -> Iterator[e.Event]:
    """Events about everything in a roll that has left the table, for those who saw it there."""
    roll, holders = after.roll, after.state.world.holders
    audience = roll_audience(after.state, roll)
    if roll.against and roll.against not in holders:
        yield e.Lost(roll=roll.id, left=roll.against, opponent=True, audience=audience)
    for helper in (*roll.helpers, *roll.their_helpers):
        if helper not in holders:
            yield e.Lost(roll=roll.id, left=helper, helpers=[helper], audience=audience)
    if roll.use:
        yield from _lost_offers(before, after)


def _lost_offers(before: Basis, after: Basis) -> Iterator[e.Event]:
    there, roll = _labels(after), after.roll
    if all(id in there for id in roll.use):
        return
    was = _labels(before)
    groups: dict[tuple[str, str], dict[str, str]] = {}
    taking_part = (roll.who, roll.against, *roll.helpers, *roll.their_helpers, TABLE, SCENE)
    for id in roll.use:
        if id not in there:
            holder = id.partition("/")[0]
            left = "" if holder in taking_part and holder in after.state.world.holders else holder
            audience = GM if id in roll.secret else roll_audience(after.state, roll)
            label = was.get(id) or id.rpartition("/")[2].partition("!")[0]
            groups.setdefault((audience, left), {})[id] = label
    for (audience, left), lost in groups.items():
        yield e.Lost(roll=roll.id, use=lost, left=left, audience=audience)


def _labels(basis: Basis) -> dict[str, str]:
    """The labels of a roll's offers."""
    try:
        return {id: offer.label for id, offer in basis.offers.items()}
    except Refusal:  # the game no longer has this kind of roll
        return dict.fromkeys(basis.roll.use, "")


def _gathering(before: State, basis: Basis, at: int) -> Iterator[e.Event]:
    """Both sides of a new roll gather, and again whenever either side's dice change (T-8)."""
    after, roll = basis.state, basis.roll
    was = before.world.rolls.get(roll.id)
    if was is roll and before.world.holders is after.world.holders:
        return
    try:
        both = sides_of(after, roll)
        same = not both or (was and was.ask is None and dice_basis(Basis(before, was)) == dice_basis(basis))
    except Refusal:  # the game no longer has this kind of roll
        return
    if not same:
        again = bool(was and was.ready)
        yield e.Awaited(roll=roll.id, at=at, whom=both[1].seat, again=again, audience=roll_audience(after, roll))
