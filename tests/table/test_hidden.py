"""What is hidden leaves no trace: with and without it, a table looks the same from every other seat."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from astragal.errors import Refusal
from astragal.games.registry import names
from astragal.table import action as a
from astragal.table.access import may_see, seat_version
from astragal.table.entry import Entry
from astragal.table.log.lines import shown
from astragal.table.log.luck import luck_of
from astragal.table.state import Member, State
from astragal.table.table import Table
from astragal.table.view.build import view
from tests.share import record, share
from tests.table.tables import seeded_dice, started
from tests.table.wild import WORDS, Wild

DONE: Counter[str] = Counter()
SECRETS = ("Plot", "Traitor", "Omen")


class Twin:
    """One of two tables at which the same is done."""

    def __init__(self, game: str) -> None:
        state, self.entries, self.ids = started(game)[0], list(started(game)[1]), started(game)[2]
        first = len(self.entries)
        self.table = Table(state, lambda since: self.entries[since:first])
        self.hidden: list[str] = []
        self.others = [id for name, id in self.ids.items() if name != "Mira"]

    def member(self, id: str) -> Member | None:
        return self.table.state.members.get(id)

    def decide(self, by: str, action: a.Action, key: str) -> Entry | Refusal:
        try:
            return self.table.decide(by, action, key, 1, seeded_dice(key))
        except Refusal as refusal:
            return refusal

    def apply(self, entry: Entry) -> None:
        self.table.apply(entry)
        self.entries.append(entry)

    def seen(self, id: str) -> tuple[Any, ...]:
        """All that this seat can see."""
        state, member = self.table.state, self.member(id)
        log = [line for entry in self.entries if (line := shown(entry, state, member))]
        return view(state, member), seat_version(state, member), log

    def is_hidden(self, entry: Entry) -> bool:
        return not any(may_see(self.member(id), event.audience) for event in entry.events for id in (*self.others, ""))

    def keep_a_secret(self, rng: Random, key: str) -> None:
        """Something that nobody but the GM may learn of."""
        gm = self.ids["Mira"]
        entry = self.decide(gm, Secret(rng, self.table.state, [], self.hidden).secret(), key)
        if isinstance(entry, Entry) and self.is_hidden(entry):
            self.apply(entry)
            self.hidden.append(entry.id)
            DONE[f"secret {entry.do}"] += 1


class Secret(Wild):
    """Makes up hidden things, and things about hidden things."""

    def __init__(self, rng: Random, state: State, log: list[str], hidden: list[str]) -> None:
        super().__init__(rng, state, log)
        self.hidden = hidden

    def secret(self) -> a.Action:
        return self.rng.choice(
            [self.note, self.item, self.item, self.tick, self.person, self.throw_hidden, self.undo]
        )()

    def undo(self) -> a.Action:
        return a.UndoAction(entry=self.one(self.hidden, "nonsense"))

    def tick(self) -> a.Action:
        """A count of something hidden goes up or down."""
        found = [
            (kept.id, section, name)
            for kept in self.state.world.holders.values()
            for section, items in kept.sheet.items()
            for name, item in items.items()
            if name in SECRETS or kept.name in SECRETS
        ]
        holder, section, item = self.one(found, ("table", "clocks", "Plot"))
        return a.ChangeAction(holder=holder, section=section, item=item, by=self.rng.choice((-1, 1, 3)))

    def note(self) -> a.Action:
        return a.NoteAction(text=self.rng.choice(WORDS), seen="gm")

    def item(self) -> a.Action:
        kept, section, _ = self.place()
        if section is None or section.names:
            return self.note()
        to = {name: self.value(input) for name, input in section.fields.items() if self.maybe(0.7)}
        return a.EditAction(
            holder=kept.id, section=section.name, item=self.rng.choice(SECRETS), to={**to, "seen": "gm"}
        )

    def person(self) -> a.Action:
        return a.CreateAction(name=self.rng.choice(SECRETS), seen="gm", owner="", sheet={})

    def throw_hidden(self) -> a.Action:
        people = [kept.id for kept in self.state.world.holders.values() if kept.name in SECRETS]
        opening = {**self.opening(), "seen": "gm", "hide": [], "helpers": []}
        return a.RollAction(**{**opening, "who": self.one(people, ""), "against": self.one(people, "")})


def is_vague(by: str, gm: str, action: a.Action) -> bool:
    """A GM's "the latest one" may be a hidden one; that is no leak."""
    return by == gm and not all(getattr(action, name, "x") for name in ("roll", "entry"))


@given(st.sampled_from(names()), st.lists(st.integers(0, 2**40), min_size=8, max_size=25))
@settings(
    max_examples=share(4_000, 80),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_nobody_can_tell_whether_there_is_something_hidden(game: str, numbers: list[int]) -> None:
    plain, full = Twin(game), Twin(game)
    gm = plain.ids["Mira"]
    for place, number in enumerate(numbers):
        rng = Random(number)
        full.keep_a_secret(rng, f"secret {place}")
        by = rng.choice([*plain.ids.values(), gm, gm])
        action = Wild(rng, plain.table.state, [entry.id for entry in plain.entries]).action()
        if is_vague(by, gm, action) or isinstance(action, a.SeatAction):
            continue
        ours, theirs = plain.decide(by, action, f"{place}"), full.decide(by, action, f"{place}")
        if by == gm and (isinstance(ours, Refusal) or isinstance(theirs, Refusal)):
            continue
        DONE["refused" if isinstance(ours, Refusal) else "acts"] += 1
        assert (type(ours), str(ours)) == (type(theirs), str(theirs)) if isinstance(ours, Refusal) else True
        if isinstance(ours, Refusal) or isinstance(theirs, Refusal):
            assert type(ours) is type(theirs)
            continue
        plain.apply(ours)
        full.apply(theirs)
        for id in (*plain.others, ""):
            assert plain.seen(id) == full.seen(id)
    for id in (*plain.others, ""):
        assert luck_of(plain.entries, plain.table.state, plain.member(id)) == luck_of(
            full.entries, full.table.state, full.member(id)
        )
    DONE["sequences"] += 1


def test_the_secrets_were_there() -> None:
    secrets = sum(n for what, n in DONE.items() if what.startswith("secret "))
    assert secrets > DONE["sequences"]
    assert DONE["acts"] > DONE["sequences"]
    record(
        "tables with and without hidden things, seen from every seat",
        f"{DONE['sequences']:,} pairs, {DONE['acts']:,} entries beside {secrets:,} hidden ones: no difference",
    )
