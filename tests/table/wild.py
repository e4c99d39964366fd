"""Wild actions: sensible ones and nonsense, made up from the state as it is and a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Flag, Input, Numbers, OneOf, Whole
from astragal.rule.inputs.word import Named
from astragal.rule.tree.node import Choice
from astragal.table import action as a
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.playback import played_of
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, Roll, State

T = TypeVar("T")
WORDS = ("Doom", "Rain", "Oath", "the Wall", "x")
SEEN = ("all", "all", "owner", "gm", "veiled")
ANSWERS = ("settle", "reroll", "add", "partial", "none", "make", "make: Off balance", "yes", "disarmed", "x")
ROLL_SEEN = ("all", "all", "all", "owner", "gm", "blind")


class Wild:
    """Makes up an action at a table. ``log`` are the ids of its entries."""

    def __init__(self, rng: Random, state: State, log: list[str]) -> None:
        self.rng = rng
        self.state = state
        self.log = log
        self.ruleset = ruleset_of(state.game)

    def action(self) -> a.Action:
        names, weights = zip(*MAKERS.items(), strict=True)
        make: Callable[[Wild], a.Action] = self.rng.choices(names, weights)[0]
        action = make(self)
        nonce = f"nonce-{self.rng.randrange(1000)}" if self.maybe(0.7) else ""
        book = "table.elsewhere" if nonce and self.maybe(0.05) else ""
        action = replace(action, nonce=nonce, book=book) if hasattr(action, "nonce") else action
        return replace(action, steps=self.rng.randrange(4)) if hasattr(action, "steps") and self.maybe(0.1) else action

    # What actions are about.

    def one(self, things: Iterable[T], otherwise: T) -> T:
        found = list(things)
        return self.rng.choice(found) if found and self.rng.random() < 0.97 else otherwise

    def maybe(self, chance: float) -> bool:
        return self.rng.random() < chance

    def holder(self, *kinds: str) -> HolderState:
        found = [kept for kept in self.state.world.holders.values() if not kinds or kept.kind in kinds]
        return self.rng.choice(found or list(self.state.world.holders.values()))

    def ref(self, *kinds: str) -> str:
        kept = self.holder(*kinds)
        return self.one((kept.id, kept.id, kept.name or kept.id), "Nobody")

    def roll(self) -> Roll | None:
        rolls = list(self.state.world.rolls.values())
        unfinished = [roll for roll in rolls if not roll.over]
        return self.one(unfinished or rolls, None) if rolls else None

    def roll_id(self) -> str:
        roll = self.roll()
        return roll.id if roll and self.maybe(0.8) else self.one(("",), "r0")

    def value(self, input: Input) -> Any:
        """Something that the input takes; now and then something that it does not."""
        rng = self.rng
        if self.maybe(0.03):
            return rng.choice([None, -1, 10**6, "", "nonsense", [], {"a": 1}, True])
        if isinstance(input, Numbers):
            n = input.n or rng.randint(0, 2)
            return [rng.randint(input.lowest, min(input.highest, input.lowest + 6)) for _ in range(n)]
        if isinstance(input, Whole):
            return rng.randint(max(input.lowest, -2), min(input.highest, max(input.lowest, 0) + 8))
        if isinstance(input, Flag):
            return self.maybe(0.5)
        if isinstance(input, OneOf):
            return rng.choice(input.options)
        if isinstance(input, Named):
            return [[rng.choice(WORDS), rng.choice(input.options)] for _ in range(rng.randint(0, 2))]
        return rng.choice(WORDS)

    def inputs(self, ask: type[Ask], chance: float = 0.25) -> dict[str, Any]:
        given = {
            name: self.value(input)
            for name, input in ask.inputs.items()
            if (input.required and self.maybe(0.9)) or self.maybe(chance / len(ask.inputs) * 4)
        }
        return given if self.maybe(0.98) else {**given, "nonsense": 1}

    # Actions.

    def note(self) -> a.Action:
        return a.NoteAction(text=self.rng.choice(WORDS), seen=self.rng.choice(("all", "owner", "gm")))

    def describe(self) -> a.Action:
        roll = self.one(self.state.world.rolls, "r0") if self.maybe(0.7) else ""
        return a.DescribeAction(text=self.rng.choice(("", *WORDS)), roll=roll)

    def scene(self) -> a.Action:
        lasting = [name for items in self.state.world.holders["scene"].sheet.values() for name in items]
        ends = [self.one(lasting, "x")] if self.maybe(0.3) else []
        return a.SceneAction(title=self.rng.choice(WORDS), ends=ends) if self.maybe(0.7) else a.CloseAction(ends=ends)

    def create(self) -> a.Action:
        owner = self.one((None, None, *self.state.members), "Nobody")
        template = self.one(ruleset_of(self.state.game).templates, "Nobody") if self.maybe(0.7) else ""
        seen: a.Seen = self.rng.choice(("all", "all", "owner", "gm"))
        sheet: dict[str, Any] | None = {} if not template and self.maybe(0.3) else None
        free, name = self.maybe(0.2), self.rng.choice(WORDS)
        return a.CreateAction(name=name, template=template, sheet=sheet, owner=owner, seen=seen, free=free)

    def join(self) -> a.Action:
        role: a.Role = self.rng.choice(("player", "player", "onlooker"))
        return a.JoinAction(name=f"{self.rng.choice(WORDS)} {len(self.state.members)}", role=role)

    def place(self) -> tuple[HolderState, Any, str]:
        kept = self.holder()
        sections = self.ruleset.table_rules.sections(kept.kind)
        section = self.rng.choice(sections) if sections else None
        there = list(kept.sheet.get(section.name, {})) if section else []
        return kept, section, self.one(there, "x") if self.maybe(0.7) else self.rng.choice(WORDS)

    def edit(self) -> a.Action:
        kept, section, item = self.place()
        if section is None:
            return a.EditAction(holder=kept.id, section="nonsense", item=item)
        to = {name: self.value(input) for name, input in section.fields.items() if self.maybe(0.5)}
        if self.maybe(0.4):
            to["seen"] = self.rng.choice(SEEN)
        remove, why = self.maybe(0.15), self.rng.choice(("", *WORDS))
        return a.EditAction(holder=kept.id, section=section.name, item=item, to=to, remove=remove, why=why)

    def change(self) -> a.Action:
        kept, section, item = self.place()
        field = self.one(section.fields, "nonsense") if section and self.maybe(0.3) else ""
        name = section.name if section else "nonsense"
        by = self.rng.choice((-1000, -3, -2, -1, -1, 0, 1, 1, 2, 3, 1000))
        why = self.rng.choice(("", *WORDS))
        return a.ChangeAction(holder=kept.id, section=name, item=item, by=by, field=field, why=why)

    def hold(self) -> a.Action:
        seen: a.Seen | None = self.rng.choice((None, "all", "owner", "gm"))
        owner = self.one((None, "", *self.state.members), "Nobody")
        name, free = self.one((None, "Rain"), "x"), self.rng.choice((None, None, True, False))
        return a.HoldAction(holder=self.ref("character"), name=name, owner=owner, seen=seen, free=free)

    def take(self) -> a.Action:
        return a.TakeAction(holder=self.ref("character"))

    def retire(self) -> a.Action:
        return a.RetireAction(holder=self.ref("character"))

    def opening(self) -> dict[str, Any]:
        kind = self.rng.choice(list(self.ruleset.game.kinds.values()))
        helpers = [self.ref("character") for _ in range(self.rng.choice((0, 0, 0, 1, 2)))]
        return {
            "kind": kind.name,
            "who": self.ref("character") if self.maybe(0.8) else "",
            "against": self.ref("character") if self.maybe(0.3) else "",
            "helpers": helpers,
            "inputs": self.inputs(kind.ask),
            "use": self.taps(kind.name) if self.maybe(0.3) else {},
            "hide": [self.one(kind.ask.inputs, "nonsense")] if self.maybe(0.1) else [],
            "seen": self.rng.choice(ROLL_SEEN),
            "request": self.one(self.state.world.requests, "q0") if self.maybe(0.2) else "",
            "again": self.maybe(0.1),
            "pool": self.rng.choice(WORDS) if self.maybe(0.05) else "",
            "name": self.rng.choice(WORDS) if self.maybe(0.05) else "",
            "against_name": self.rng.choice(WORDS) if self.maybe(0.05) else "",
        }

    def taps(self, kind: str) -> dict[str, int]:
        """Something that a character has to offer for a roll of this kind, by its id or by its name."""
        offers = list(Basis(self.state, Roll("", kind, "", self.holder("character").id)).offers.values())
        return {self.rng.choice((offer.id, offer.label)): 1 for offer in self.rng.sample(offers, min(len(offers), 1))}

    def ask(self) -> a.Action:
        opening = self.opening()
        use = self.taps(opening["kind"])
        seen: a.AskSeen = self.rng.choice(("all", "all", "owner", "blind"))
        hide = [self.rng.choice(list(opening["inputs"]))] if opening["inputs"] and self.maybe(0.3) else []
        who = [self.ref("character") for _ in range(self.rng.choice((0, 1, 2)))]
        about = {"kind": opening["kind"], "against": opening["against"], "inputs": opening["inputs"]}
        return a.AskAction(who=who, **about, use=use, hide=hide, seen=seen, note=self.rng.choice(("", *WORDS)))

    def reply(self) -> a.Action:
        """The answer to a request as it stands, by whoever is asked or a GM."""
        requests = list(self.state.world.requests.values())
        request = self.one(requests, None) if requests else None
        who = self.one(request.asked, "") if request and self.maybe(0.7) else ""
        action = a.RollAction if self.maybe(0.6) else a.OpenAction
        return action(request=request.id if request else "q0", who=who, again=self.maybe(0.1))

    def save(self) -> a.Action:
        name, remove, who = self.rng.choice(WORDS), self.maybe(0.2), self.ref("character") if self.maybe(0.8) else ""
        if self.maybe(0.4):
            return a.SaveAction(name=name, who=who, roll=self.roll_id(), remove=remove)
        kind = self.rng.choice(list(self.ruleset.game.kinds.values()))
        use = self.taps(kind.name) if self.maybe(0.5) else {}
        return a.SaveAction(name=name, who=who, kind=kind.name, inputs=self.inputs(kind.ask), use=use, remove=remove)

    def turn(self) -> a.Action:
        places = [place[0] for place in self.state.world.turns.order]
        some = self.rng.sample(places, min(len(places), 2))
        return self.rng.choice(
            (
                a.TurnAction(add=[self.ref("character"), self.rng.choice(WORDS)], at=self.one((None, 0), 1)),
                a.TurnAction(add=[self.ref("character")], secret=True),
                a.TurnAction(next=True),
                a.TurnAction(next=True),
                a.TurnAction(back=True),
                a.TurnAction(remove=some[:1], order=some[1:]),
                a.TurnAction(now=self.one(places, "x"), end=self.maybe(0.1)),
            )
        )

    def open(self) -> a.Action:
        return a.OpenAction(**self.opening())

    def roll_at_once(self) -> a.Action:
        answers = [self.rng.choice(ANSWERS) for _ in range(self.rng.choice((0, 0, 1, 1, 2)))]
        return a.RollAction(**self.opening(), answers=answers, faces="6 5 4 | 3" if self.maybe(0.05) else "")

    def build(self) -> a.Action:
        roll = self.roll()
        if roll is None:
            return a.BuildAction(inputs={"nonsense": 1})
        ask = self.ruleset.game.kind(roll.kind).ask
        offers = list(Basis(self.state, roll).offers.values())
        taps = {offer.id: self.rng.randint(0, 2) for offer in self.rng.sample(offers, min(len(offers), 2))}
        hide = [self.one(ask.inputs, "nonsense")] if self.maybe(0.1) else None
        helpers = [self.ref("character")] if self.maybe(0.1) else None
        against = self.ref("character") if self.maybe(0.1) else None
        inputs = {name: self.value(ask.inputs[name]) for name in self.rng.sample(list(ask.inputs), 1)}
        return a.BuildAction(
            roll=roll.id,
            inputs=inputs if self.maybe(0.5) else {},
            use=taps,
            hide=hide,
            helpers=helpers,
            against=against,
            against_name=self.rng.choice(("", *WORDS)) if self.maybe(0.05) else None,
            remove=self.removed(roll) if self.maybe(0.1) else {},
        )

    def removed(self, roll: Roll) -> dict[str, list[str]]:
        """Somebody's entry of an input whose sources add up (T-5)."""
        name = self.one(roll.shares, "nonsense")
        return {name: [self.one(roll.shares.get(name, {}), "Nobody")]}

    def assist(self) -> a.Action:
        roll = self.roll()
        helpers = (*roll.helpers, *roll.their_helpers) if roll else ()
        leave = bool(helpers) and self.maybe(0.3)
        who = self.rng.choice(helpers) if leave else self.ref("character")
        side: Literal["ours", "theirs"] = "theirs" if self.maybe(0.2) else "ours"
        return a.AssistAction(who=who, roll=roll.id if roll else "", side=side, leave=leave)

    def set_dice(self) -> a.Action:
        typed_dice: Any = self.rng.choice((None, "everybody", "gm", "nobody"))
        undo: Any = self.rng.choice((None, "gm", "player"))
        ready_limit = self.rng.choice((None, None, 0, 120))
        return a.SetAction(typed_dice=typed_dice, undo=undo, ready_limit=ready_limit)

    def ready(self) -> a.Action:
        """Either side is ready, or takes it back, from its own seat or by a GM (T-8)."""
        side: Literal["", "ours", "theirs"] = self.rng.choice(("", "ours", "theirs"))
        return a.ReadyAction(roll=self.roll_id(), side=side, ready=self.maybe(0.9))

    def confirm(self) -> a.Action:
        return a.ConfirmAction(book=self.state.book, lost=self.rng.randrange(2))

    def throw(self) -> a.Action:
        faces = "1 2 3" if self.maybe(0.03) else ""
        answers = [self.rng.choice(ANSWERS)] if self.maybe(0.1) else []
        return a.ThrowAction(roll=self.roll_id(), faces=faces, answers=answers, fresh=self.maybe(0.1))

    def answer(self) -> a.Action:
        waiting = [roll for roll in self.state.world.rolls.values() if roll.ask is not None and not roll.over]
        roll = self.one(waiting, None) if waiting else None
        node = played_of(Basis(self.state, roll)).node if roll else None
        if not isinstance(node, Choice) or roll is None:
            return a.AnswerAction(answer="settle", roll=self.roll_id(), faces="3" if self.maybe(0.1) else "")
        name = self.rng.choice(list(node.options))
        words = f": {self.rng.choice(WORDS)}" if node.options[name].words and self.maybe(0.9) else ""
        return a.AnswerAction(answer=f"{name}{words}", roll=roll.id)

    def withdraw(self) -> a.Action:
        if self.state.world.requests and self.maybe(0.5):
            who = [self.ref("character")] if self.maybe(0.5) else []
            return a.WithdrawAction(request=self.one(self.state.world.requests, "q0"), who=who)
        return a.WithdrawAction(roll=self.roll_id())

    def reveal(self) -> a.Action:
        return a.RevealAction(roll=self.roll_id() if self.maybe(0.5) else "")

    def move(self) -> a.Action:
        moves = self.ruleset.table_rules.moves
        if not moves:
            return a.MoveAction(name="nonsense")
        move = self.rng.choice(moves)
        inputs = self.inputs(move.ask, chance=1.0)
        for name, input in move.ask.inputs.items():
            if input.kind == "words" and self.maybe(0.8):
                inputs[name] = self.rng.choice([*self.item_names(), *WORDS])
        who, against = self.ref("character"), self.ref("character")
        seen: Any = "gm" if self.maybe(0.05) else "all"
        who = who if self.maybe(0.9) else ""
        faces, fresh = "3" if self.maybe(0.03) else "", self.maybe(0.03)
        return a.MoveAction(
            name=move.name, who=who, against=against, inputs=inputs, seen=seen, faces=faces, fresh=fresh
        )

    def item_names(self) -> list[str]:
        kept = self.holder("character", "table")
        return [item for items in kept.sheet.values() for item in items]

    def undo(self) -> a.Action:
        return a.UndoAction(entry=self.one(self.log, "nonsense") if self.maybe(0.5) else "")

    def redo(self) -> a.Action:
        return a.RedoAction(entry=self.one(self.state.struck, "") if self.maybe(0.4) else "")

    def plea(self) -> a.Action:
        """A GM allows or declines what a player asked to undo."""
        plea = self.one(self.state.pleas, "nonsense") if self.maybe(0.5) else ""
        return a.AllowAction(plea=plea) if self.maybe(0.7) else a.DeclineAction(plea=plea)

    def correct(self) -> a.Action:
        rolls = [roll for roll in self.state.world.rolls.values() if roll.undone.dice]
        roll = self.one(rolls, None) if rolls else self.roll()
        lines = (
            [dice for dice in roll.undone.dice.values() if any(die.typed_by for die in dice.values())] if roll else []
        )
        faces = " | ".join(" ".join(str(self.rng.randint(1, 6)) for _ in dice) for dice in lines)
        return a.CorrectAction(faces=faces or "1", roll=roll.id if roll else "")

    def seat(self) -> a.Action:
        member = self.one(self.state.members, "Nobody")
        if self.maybe(0.3):
            return a.LeaveAction(member=member)
        name = self.rng.choice((None, *WORDS))
        return a.SeatAction(member=member, role=self.rng.choice((None, "gm", "player", "onlooker")), name=name)


MAKERS: dict[Callable[[Wild], a.Action], int] = {
    Wild.note: 4,
    Wild.describe: 4,
    Wild.join: 1,
    Wild.scene: 3,
    Wild.create: 4,
    Wild.edit: 12,
    Wild.change: 12,
    Wild.hold: 3,
    Wild.take: 1,
    Wild.ask: 5,
    Wild.reply: 6,
    Wild.save: 2,
    Wild.turn: 5,
    Wild.retire: 1,
    Wild.open: 10,
    Wild.roll_at_once: 10,
    Wild.build: 12,
    Wild.assist: 5,
    Wild.ready: 6,
    Wild.confirm: 1,
    Wild.set_dice: 1,
    Wild.throw: 12,
    Wild.answer: 14,
    Wild.withdraw: 2,
    Wild.reveal: 4,
    Wild.move: 8,
    Wild.undo: 8,
    Wild.redo: 6,
    Wild.plea: 6,
    Wild.correct: 1,
    Wild.seat: 1,
}
