"""Secret actions of a GM: hidden people, things, rolls, helpers, requests, turns and pools, which nobody may notice."""

from __future__ import annotations

from typing import Literal

from astragal.table import action as a
from astragal.table.access import GM
from astragal.table.ruleset import ruleset_of
from tests.table.wild import Wild

VEIL = "Veil"
"""Begins the names of what is hidden from the beginning, and at one of two tables only."""


class Secret(Wild):
    """Wild actions of a GM who hides what they do."""

    def action(self) -> a.Action:
        return self.at_random() if self.maybe(0.08) else self.latest_undone() if self.maybe(0.08) else self.secret()

    def secret(self) -> a.Action:
        makers = (self.secret_note, self.lurker, self.secret_clock, self.secret_item, self.tick)
        rolls = (self.secret_roll, self.secret_roll, self.secret_helper, self.secret_request)
        turns = (self.secret_turn, self.secret_turn, self.secret_pool)
        return self.rng.choice((*makers, *rolls, *turns))()

    def at_random(self) -> a.Action:
        """Anything at all; it is done only if nobody hears of it."""
        return super().action()

    def latest_undone(self) -> a.Action:
        """The latest of all is undone; that is done only if it was hidden."""
        return a.UndoAction()

    def name(self) -> str:
        return f"{VEIL} {self.rng.randrange(1000)}"

    def secret_note(self) -> a.Action:
        return a.NoteAction(text=self.name(), seen="gm")

    def lurker(self) -> a.Action:
        return a.CreateAction(name=self.name(), template=self.one(self._templates(), ""), seen="gm")

    def tick(self) -> a.Action:
        """A count of something hidden goes up or down."""
        found = [
            (kept.id, section, name)
            for kept in self.state.world.holders.values()
            for section, items in kept.sheet.items()
            for name in items
            if (kept.name if kept.seen == GM else name).startswith(VEIL)
        ]
        holder, section, item = self.one(found, ("table", "clocks", "Plot"))
        return a.ChangeAction(holder=holder, section=section, item=item, by=self.rng.choice((-1, 1, 3)))

    def secret_helper(self) -> a.Action:
        """Somebody hidden helps, on either side; the table refuses it where others would see."""
        hidden = self.hidden_people()
        rolls = [roll.id for roll in self.state.world.rolls.values() if roll.ask is None]
        if not hidden or not rolls:
            return self.lurker()
        side: Literal["ours", "theirs"] = self.rng.choice(("ours", "theirs"))
        return a.AssistAction(who=self.rng.choice(hidden), roll=self.rng.choice(rolls), side=side)

    def hidden_people(self) -> list[str]:
        holders = self.state.world.holders.values()
        return [kept.id for kept in holders if kept.kind == "character" and kept.name.startswith(VEIL)]

    def _templates(self) -> list[str]:
        return list(ruleset_of(self.state.game).templates)

    def secret_clock(self) -> a.Action:
        return a.EditAction(holder="table", section="clocks", item=self.name(), to={"segments": 4, "seen": "gm"})

    def secret_turn(self) -> a.Action:
        """Somebody of whom only GMs know comes into the turn order, and has their turn."""
        if self.maybe(0.5):
            return a.TurnAction(add=[self.name()], at=self.rng.choice((None, 0, 1)), secret=True)
        return a.TurnAction(next=True) if self.maybe(0.5) else super().turn()

    def secret_pool(self) -> a.Action:
        return a.SaveAction(name=self.name(), who=self.one((*self.hidden_people(), ""), ""))

    def secret_request(self) -> a.Action:
        """Somebody hidden is asked for a roll, and a GM rolls for them."""
        hidden = self.hidden_people()
        asked = [one for one in self.state.world.requests.values() if set(one.asked) <= set(hidden)]
        if asked and self.maybe(0.5):
            request = self.rng.choice(asked)
            return a.RollAction(request=request.id, who=self.rng.choice(list(request.asked)))
        if not hidden:
            return self.lurker()
        opening = self.opening()
        return a.AskAction(who=[self.rng.choice(hidden)], kind=opening["kind"], inputs=opening["inputs"])

    def secret_item(self) -> a.Action:
        """Something hidden on a sheet that everybody sees."""
        kept = self.holder("character")
        sections = [part for part in ruleset_of(self.state.game).table_rules.sections(kept.kind) if not part.names]
        if not sections:
            return self.secret_note()
        section = self.rng.choice(sections)
        to = {name: self.value(input) for name, input in section.fields.items() if input.required}
        return a.EditAction(holder=kept.id, section=section.name, item=self.name(), to={**to, "seen": "gm"})

    def secret_roll(self) -> a.Action:
        """By anybody or somebody hidden, against somebody hidden, helped by somebody hidden."""
        opening, hidden = {**self.opening(), "seen": "gm", "hide": []}, self.hidden_people()
        if hidden and self.maybe(0.5):
            who, against, helper = (self.rng.choice(hidden) for _ in range(3))
            opening |= {"who": who, "against": against, "helpers": [helper]}
            opening = {**opening, "who": self.ref("character")} if self.maybe(0.5) else opening
        return a.RollAction(**opening) if self.maybe(0.6) else a.OpenAction(**opening)
