"""A decision: the context that it may look at, and the ledger that collects its events in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.errors import Illegal, Refusal, Unknown
from astragal.rule.inputs.input import Numbers
from astragal.rule.inputs.total import counted, signed
from astragal.rule.sheets.sheet import Item, Section
from astragal.rule.sheets.table_rules import Change
from astragal.rule.tree.note import Note
from astragal.table import event as e
from astragal.table.access import CLOSED, GM, both, either, holder_audience, item_audience, mark_of, may_see
from astragal.table.entry import Entry
from astragal.table.fold import fold_events
from astragal.table.rolls.basis import Bases, Basis
from astragal.table.rolls.hand import Roller
from astragal.table.rolls.picks import hidden_name
from astragal.table.rolls.ticket import TicketDice, Tickets, used
from astragal.table.ruleset import Ruleset, ruleset_of
from astragal.table.state import HolderState, Member, Roll, State

History = Callable[[int], Iterable[Entry]]
"""The entries of the log after a version, in order."""


def no_history(since: int) -> Iterable[Entry]:
    """The history of a table without a log."""
    return ()


class Context(NamedTuple):
    """The input of a decision: the state, the acting member, the new entry's id, the dice, the log."""

    state: State
    member: Member
    id: str
    dice: Roller
    history: History
    bases: Bases
    tickets: Tickets | None = None
    """What the machine throws with, so that everybody can check it; without them, ``dice`` throw."""
    at: int = 0
    """When the member acts, in milliseconds."""

    def ticket(self, lane: str, roll: str, nonce: str) -> TicketDice | None:
        """The acting seat's ticket for dice that will be seen in this lane, for a roll or move."""
        if self.tickets is None:
            return None
        seat = self.member.id
        n, confirmed = used(self.state, seat, lane), seat not in self.state.unconfirmed
        return TicketDice(self.tickets, seat, lane, n, about=(roll, self.id), nonce=nonce, confirmed=confirmed)

    def basis(self, roll: Roll) -> Basis:
        """The basis of a roll before the decision."""
        return self.bases.of(self.state, roll)

    def ledger(self, audience: str = "", asker: Member | None = None) -> Ledger:
        """A new ledger for the decision's events."""
        return Ledger(self.state, audience, asker, self.bases)

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the table's game."""
        return ruleset_of(self.state.game)


class Ledger:
    """Events so far, and the state after them. Only ``audience`` may learn why things change.

    Refusals rest on what ``asker`` may see, without one on everything.
    """

    def __init__(
        self, state: State, audience: str = "", asker: Member | None = None, bases: Bases | None = None
    ) -> None:
        self.audience = audience
        self.asker = asker
        self.events: list[e.Event] = []
        self.game = state.game
        self.roll = ""
        """The roll that all changes come of."""
        self.only_hidden = False
        """Whether changes that others than GMs would see wait in ``delayed`` (T-11)."""
        self.delayed: list[Change] = []
        self._state = state
        self._folded = 0
        self._bases = bases or Bases()

    @property
    def state(self) -> State:
        """The state after all events so far, folded on demand."""
        if self._folded < len(self.events):
            self._state = fold_events(self._state, self.events[self._folded :])
            self._folded = len(self.events)
        return self._state

    def basis(self, roll: Roll) -> Basis:
        """The basis of a roll after all events so far."""
        return self._bases.of(self.state, roll)

    def add(self, event: e.Event) -> None:
        """Append an event."""
        self.events.append(event)

    def do(self, changes: Iterable[Change | Note], strict: bool = False) -> None:
        """Apply the changes that a game's rules ask for; with ``strict``, refuse to spend more than there is.

        Otherwise a change that cannot be made becomes a note, and the rest is applied.
        """
        for change in changes:
            if isinstance(change, Note):
                self.add(e.Noted(text=change.text, rule=change.rule, audience=self.audience))
                continue
            try:
                self.change(change, strict)
            except Refusal as refusal:
                if strict:
                    raise
                self.add(e.Noted(text=refusal.sentence, rule=refusal.rule, audience=self.audience))

    def change(self, change: Change, strict: bool = False) -> None:
        """Append a change for those who may see the item, with its cause for those who may know it."""
        kept = self._holder(change.holder)
        section = ruleset_of(self.game).sections.get((kept.kind, change.section))
        _refuse_game_error(kept, section, change)
        assert section is not None
        if not change.item:
            self._shuffle(kept, section, change)
            return
        before: Item | None = kept.sheet.get(section.name, {}).get(change.item)
        if change.field and before is None:
            raise Unknown(f'{_whose(kept)} has no "{change.item[:40]}" in {section.title}.', change.rule)
        if strict and before is not None and change.by is not None:
            self._check_price(kept, section, before, change)
        seen = item_audience(kept, mark_of(kept, section.name, before)) if before else ""
        if before and section.answered(change.item, change.to) and both(seen, self.audience) != seen:
            before = None  # some who see the item may not know of this decision, so it becomes another item
        if before and not change.field and isinstance(change.to, dict) and "seen" in before:
            if section.names or before["seen"] == "veiled" or both(self.audience, seen) == self.audience:
                change = change._replace(to={"seen": before["seen"], **change.to})
            else:
                self._set_aside(change, before, seen)
                before = None
        change = self._clamped(section, before, change)
        if _changes_nothing(before, change):
            return
        if before is None and self.roll and isinstance(change.to, dict) and kept.seen == CLOSED and not self.audience:
            # Everybody has seen what an open roll does to a character, although the sheet is closed.
            change = change._replace(to={"seen": "all", **change.to})
        audience = self._audience(kept, before, change)
        if before is None and isinstance(change.to, dict) and both(audience, self.audience) != audience:
            # An item that comes from something hidden would give it away, so it is hidden too. Its name is none that
            # an open one takes, also when that is undone and done again.
            taken = self.state.world.holders[change.holder].sheet.get(change.section, {})
            change = change._replace(item=hidden_name(change.item, taken), to={**change.to, "seen": "gm"})
            audience = self._audience(kept, before, change)
        if self.only_hidden and audience != GM:
            self.delayed.append(change)
            return
        self._write(change, audience, _stands(section, before, change))
        if before and before.get("seen") == "veiled" and audience == GM and self._seen_now(change) != "veiled":
            self.veil(kept, section.name, change.item)  # the views of all who saw it must be built again
        self._tell_if_full(section, change, before)

    def _seen_now(self, change: Change) -> str | None:
        """The visibility of a changed item after all events so far."""
        items = self.state.world.holders[change.holder].sheet.get(change.section, {})
        return items.get(change.item, {}).get("seen")

    def _set_aside(self, change: Change, hidden: Item, audience: str) -> None:
        """Rename a hidden item silently, to make room for a visible one of the same name."""
        name = hidden_name(change.item, self.state.world.holders[change.holder].sheet.get(change.section, {}))
        at: dict[str, Any] = {"holder": change.holder, "section": change.section, "audience": audience}
        self.add(e.Changed(**at, item=name, to=dict(hidden)))
        self.add(e.Changed(**at, item=change.item))

    def is_out_of_sight(self, change: Change, new_is_hidden: bool) -> bool:
        """True if only those who may know its reason notice a change: of a hidden item, or a new one to hide."""
        kept = self._holder(change.holder)
        before = kept.sheet.get(change.section, {}).get(change.item)
        section = ruleset_of(self.game).sections.get((kept.kind, change.section))
        answered = section is not None and section.answered(change.item, change.to)
        new_is_hidden = new_is_hidden or (section is not None and section.secret)
        if new_is_hidden and isinstance(change.to, dict) and (before is None or answered):
            return True
        audience = self._audience(kept, before, change)
        return both(audience, self.audience) == audience

    def _write(self, change: Change, audience: str, stands: tuple[int, int] | None = None) -> None:
        """The event, with its cause if all who see it may know that."""
        if both(audience, self.audience) != audience:
            change = change._replace(cause="", deed="", silent=False)
        told = {name: value for name, value in change._asdict().items() if name != "whole"}
        self.add(e.Changed(**told, of=self.roll, stands=stands, audience=audience))

    def _shuffle(self, kept: HolderState, section: Section, change: Change) -> None:
        """All cards of a deck go back, if some are missing."""
        whole = {name: section.start(name) for name in section.names}
        if kept.sheet.get(section.name, whole) != whole:
            self.add(
                e.Changed(
                    holder=kept.id,
                    section=section.name,
                    item="",
                    cause=change.cause,
                    rule=change.rule,
                    of=self.roll,
                    audience=holder_audience(kept),
                )
            )

    def _clamped(self, section: Section, before: Item | None, change: Change) -> Change:
        """The change as far as the bounds of its field let it go."""
        if before is None or change.by is None or isinstance(section.fields[change.field], Numbers):
            return change
        held = before.get(change.field)
        if type(held) is not int:
            return change
        return change._replace(by=section.moved(before, change.field, change.by, self.state.options) - held)

    def find(self, holder: str, name: str) -> tuple[HolderState, Section]:
        """A holder and one of its sections by name, or a refusal."""
        kept, ruleset = self._holder(holder), ruleset_of(self.game)
        section = ruleset.sections.get((kept.kind, name))
        if section is None:
            names = ", ".join(part.name for part in ruleset.table_rules.sections(kept.kind))
            raise Unknown(f'{_whose(kept)} has no section "{name[:40]}"; there are {names or "none"}.')
        return kept, section

    def _holder(self, id: str) -> HolderState:
        kept = self.state.world.holders.get(id)
        if kept is None:
            raise Unknown(f'There is no "{id[:40]}" at this table.')
        return kept

    def _check_price(self, kept: HolderState, section: Section, item: Item, change: Change) -> None:
        """Refuse a price that cannot be paid; where that would give away something hidden, a note tells the GM."""
        try:
            self._refuse_overdraft(kept, section, item, change)
        except Illegal as refusal:
            if self.asker is None or may_see(self.asker, item_audience(kept, mark_of(kept, section.name, item))):
                raise
            short = refusal.sentence.replace("nothing is spent", "it goes as far as it can")
            self.add(e.Noted(text=short, rule=refusal.rule, audience=GM))

    def _refuse_overdraft(self, kept: HolderState, section: Section, item: Item, change: Change) -> None:
        """Refuse to spend more than there is, and to pay what counts up where there is no room for it."""
        held = item.get(change.field, 0)
        low, high = section.bounds(item, change.field, self.state.options)
        if not isinstance(held, int) or change.by is None:
            return
        if held + change.by < low and section.look == "clock":
            ticks = counted(held, "tick")
            raise Illegal(f"{change.item} has {ticks}; {-change.by} cannot be taken back.", change.rule or section.rule)
        if held + change.by < low:
            raise Illegal(
                f"{_whose(kept)} has {held} {change.item} and {-change.by} were asked for; nothing is spent.",
                change.rule or section.rule,
            )
        if change.whole and change.by > 0 and held + change.by > high:
            raise Illegal(
                f"{_whose(kept)} has room for {max(0, high - held)} {change.item} and {change.by} were asked for; "
                "nothing is spent.",
                change.rule or section.rule,
            )

    def _audience(self, kept: HolderState, before: Item | None, change: Change) -> str:
        now = before or (change.to if isinstance(change.to, dict) else {})
        audience = item_audience(kept, mark_of(kept, change.section, now))
        return either(audience, item_audience(kept, change.to)) if change.field == "seen" else audience

    def _tell_if_full(self, section: Section, change: Change, before: Item | None) -> None:
        """Announce a Clock once, when it fills."""
        if section.look != "clock":
            return
        kept = self.state.world.holders[change.holder]
        after = kept.sheet.get(section.name, {}).get(change.item)
        if after is None or not section.full(after) or (before is not None and section.full(before)):
            return
        rival = after.get("against") or ""
        other = kept.sheet[section.name].get(rival)
        audience = item_audience(kept, mark_of(kept, section.name, after))
        known = (
            other is not None and both(audience, item_audience(kept, mark_of(kept, section.name, other))) == audience
        )
        for place, event in enumerate(self.events):
            beaten = (kept.id, section.name, change.item)
            if isinstance(event, e.Filled) and (event.holder, event.section, event.beats) == beaten:
                self.events[place] = replace(event, beats="")  # a Clock that fills with its rival was not before it
        won = rival if known and other is not None and not section.full(other) else ""
        self.add(e.Filled(holder=kept.id, section=section.name, item=change.item, beats=won, audience=audience))

    def veil(self, kept: HolderState, section: str, item: str) -> None:
        """Announce that an item exists, and nothing else about it."""
        self.add(e.Veiled(holder=kept.id, section=section, item=item, audience=holder_audience(kept)))


GAME_ERROR = "an error of the game"
"""What a change says that no sheet can take; the tests of every game look for it."""


def _refuse_game_error(kept: HolderState, section: Section | None, change: Change) -> None:
    """Refuse a change that no sheet could take; what people ask for is checked before it gets here."""
    fields = [change.field] if change.field else list(change.to or ())
    wrong = ""
    if section is None:
        wrong = f'{_whose(kept)} has no section "{change.section}"'
    elif section.look == "cards" and not change.item:
        return
    elif section.names and change.item not in section.names:
        wrong = f'{section.title} has no "{change.item}"'
    elif unknown := [name for name in fields if name != "seen" and name not in section.fields]:
        wrong = f'{section.title} has no field "{unknown[0]}"'
    if wrong:
        raise Unknown(f"{wrong}; this is {GAME_ERROR}.", change.rule)


def _stands(section: Section, before: Item | None, change: Change) -> tuple[int, int] | None:
    """The damage after a change, and its maximum; None for anything else."""
    if not section.damage or before is None or change.by is None or change.field != section.counts:
        return None
    return before[section.counts] + change.by, before[section.top]


def in_words(kept: HolderState, change: Change) -> str:
    """A change that is not made yet: "Wren: Stress +1"."""
    how = signed(change.by) if change.by is not None else "is gone" if change.to is None else "changes"
    return f"{_whose(kept)}: {change.item} {how}"


def _changes_nothing(before: Item | None, change: Change) -> bool:
    if not change.field:
        return bool(before == change.to)
    if change.by is None:
        usual = "all" if change.field == "seen" else None
        return before is not None and bool(before.get(change.field, usual) == change.to)
    held = before.get(change.field) if before else None
    return (abs(change.by) in held) == (change.by > 0) if isinstance(held, list) else change.by == 0


def _whose(kept: HolderState) -> str:
    return kept.name or f"The {kept.kind}"
