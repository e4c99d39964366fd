"""What a game keeps, tried without a table: sheets go into rolls, and rolls and moves go back onto sheets."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from astragal import Hand, Typed, play
from astragal.rule.game import Game
from astragal.rule.inputs.input import Summed
from astragal.rule.inputs.total import Source, Total, sources_of
from astragal.rule.inputs.word import Named
from astragal.rule.sheets.sheet import Options, Section, read_sheet, section_of
from astragal.rule.sheets.table_rules import Change, Holder, Offer, Participants, TableRules, read_inputs
from astragal.rule.tree.note import Note
from astragal.table.log.sample import play_sample
from tests.someone import Someone

Answers: TypeAlias = Mapping[str, Iterable[str]] | None
Sheets: TypeAlias = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Trial:
    """A game, what it keeps, and what every test of that does."""

    game: Game
    table_rules: TableRules
    tidies: bool = False
    """Whether it also makes room on sheets, which no rule asks for."""

    @property
    def options(self) -> Options:
        """The settings of a table that has chosen none."""
        return self.table_rules.options().values()

    def sections(self, id: str) -> tuple[Section, ...]:
        """The sections of a holder's sheet: a table, a scene, a player such as p1 or a character such as c1."""
        kind = id if id in ("table", "scene") else "player" if id.startswith("p") else "character"
        return self.table_rules.sections(kind)

    def holder(self, id: str, name: str = "", /, **sheet: Any) -> Holder:
        """Someone, or something, with these sections written on a sheet."""
        return Someone(id, name, read_sheet(self.sections(id), sheet))

    def participants(
        self,
        who: Holder | None,
        *,
        player: Holder | None = None,
        against: Holder | None = None,
        helpers: tuple[Holder, ...] = (),
        table: Holder | None = None,
        scene: Holder | None = None,
        options: Options | None = None,
        in_scene: bool = False,
    ) -> Participants:
        """Everybody whom a roll concerns; a table or a scene that is not given is empty."""
        table, scene = table or self.holder("table"), scene or self.holder("scene")
        options = {**self.options, **(options or {})}
        known = Participants(who, player, against, helpers, table, scene, options, in_scene)
        return known._replace(sections=self.table_rules.every_section())

    def offers(self, kind: str, given: Participants) -> dict[str, Offer]:
        """What may be put into a roll, by id; each cites a rule and goes into an input that there is."""
        found = list(self.table_rules.offers(kind, given))
        assert len({offer.id for offer in found}) == len(found)
        assert {offer.rule for offer in found} <= set(self.game.rules)
        assert {offer.input for offer in found} <= set(self.game.kinds[kind].ask.inputs)
        for offer in found:
            assert {effect.rule for effect in offer.price} <= set(self.game.rules)
            assert {effect.when for effect in offer.price} <= {"throw"}
        return {offer.id: offer._replace(changes=self._paid(kind, given, offer)) for offer in found}

    def _paid(self, kind: str, given: Participants, offer: Offer) -> tuple[Change, ...]:
        paid = self.checked(self.table_rules.apply(kind, None, offer.price, given))
        return tuple(change for change in paid if isinstance(change, Change))

    def reads(self, kind: str, given: Participants) -> dict[str, Any]:
        """What a roll reads by itself."""
        return {**read_inputs(self.game.kinds[kind].ask, given), **self.table_rules.reads(kind, given)}

    def asked(self, kind: str, given: Participants, use: Mapping[str, int], **typed: Any) -> Any:
        """The ask that comes of what is read, typed and put in so many times."""
        ask = self.game.kinds[kind].ask
        values: dict[str, Any] = {**self.reads(kind, given), **typed}
        for id, taps in use.items():
            offer = self.offers(kind, given)[id]
            for name, gives in ((offer.input, offer.gives), *offer.also):
                if isinstance(ask.inputs[name], Summed):
                    source = Source(offer.label, gives * taps, offer.held, offer.id)
                    values[name] = Total((*sources_of(values.get(name, 0)), source))
                elif isinstance(ask.inputs[name], Named):
                    values[name] = (*values.get(name, ()), gives)
                else:
                    values[name] = gives
        return ask(**{**values, **self.table_rules.completes(kind, values, given)})

    def written(
        self, kind: str, given: Participants, ask: Any, faces: str, answers: Answers = None
    ) -> list[Change | Note]:
        """What the outcome of these dice and answers changes."""
        hand = Typed(faces, answers) if faces else Hand(answers)
        played = play(self.game.kinds[kind].rule(ask), hand)
        assert played.outcome is not None
        came = [effect for effect in played.effects if effect.when in ("fallen", "end")]
        return self.checked(self.table_rules.apply(kind, ask, came, given))

    def rolled(
        self, kind: str, given: Participants, faces: str, answers: Answers = None, /, **inputs: Any
    ) -> list[Change | Note]:
        """What is written when these dice fall, with what the roll reads by itself."""
        ask = self.game.kinds[kind].ask(**{**self.reads(kind, given), **inputs})
        used = self.checked(self.table_rules.uses_up(kind, ask, given))
        return [*used, *self.written(kind, given, ask, faces, answers)]

    def moved(self, name: str, given: Participants, /, **inputs: Any) -> list[Change | Note]:
        """What a move does."""
        move = next(move for move in self.table_rules.moves if move.name == name)
        return self.checked(move.does(move.ask.read(inputs), given))

    def checked(self, written: Iterable[Change | Note]) -> list[Change | Note]:
        """The changes and notes; each must cite a known rule, and each change must be of something that exists."""
        found = list(written)
        for each in found:
            assert each.rule in self.game.rules or (self.tidies and not each.rule)
            if isinstance(each, Change):
                self._check(each)
        return found

    def _check(self, change: Change) -> None:
        section = section_of(self.sections(change.holder), change.section)
        section.check_name(change.item)
        if change.field and change.by is not None:
            section.field(change.field)
        elif change.field:
            section.field(change.field).read(change.to)
        elif change.to is not None:
            assert section.read(change.to, change.item) == change.to

    def after(self, given: Participants, written: Iterable[Change | Note]) -> Sheets:
        """The sheets after these changes; every change must be of something that there is, within its bounds."""
        everybody = (given.roller, given.player, given.target, *given.helpers, given.scene, given.table)
        sheets = {holder.id: _copied(holder) for holder in everybody if holder}
        for each in self.checked(written):
            if isinstance(each, Change):
                self._apply(each, sheets[each.holder][each.section], given.options)
        return sheets

    def _apply(self, change: Change, items: dict[str, Any], options: Options) -> None:
        if not change.field and change.to is None:
            del items[change.item]
        elif not change.field:
            items[change.item] = change.to
        elif change.by is not None:
            section = section_of(self.sections(change.holder), change.section)
            items[change.item][change.field] = section.moved(items[change.item], change.field, change.by, options)
        else:
            items[change.item][change.field] = change.to

    def rules_of_sections(self) -> set[str]:
        """The rules that sheets cite, and "" for a part that cites none."""
        kinds = ("character", "player", "table", "scene")
        sections = [section for kind in kinds for section in self.table_rules.sections(kind)]
        return {rule for part in sections for rule in (part.rule, *(field.rule for field in part.fields.values()))}

    def rules_of_moves(self) -> set[str]:
        """The rules that moves and settings cite, and "" for a part that cites none."""
        asks = (self.table_rules.options, *(move.ask for move in self.table_rules.moves))
        inputs = {input.rule for ask in asks for input in ask.inputs.values()}
        return inputs | {move.rule for move in self.table_rules.moves}

    def templates(self) -> Iterator[dict[str, Any]]:
        """The sheets of the ready-made characters, of whom each has a name of its own and a sentence about it."""
        made = tomllib.loads(Path(self.table_rules.templates).read_text("utf-8"))["character"]
        assert len({character["name"] for character in made}) == len(made) >= 2
        for character in made:
            assert character["blurb"].endswith(".")
            yield read_sheet(self.table_rules.character, character["sheet"])

    def rules_of_sample(self) -> set[str]:
        """The rules that the sample campaign tells of, in which every roll must come to its end."""
        table, entries = play_sample(self.game.name, 0)
        assert all(roll.over for roll in table.state.world.rolls.values())
        return {getattr(event, "rule", "") for entry in entries for event in entry.events}


def _copied(holder: Holder) -> dict[str, Any]:
    return {name: {item: dict(fields) for item, fields in items.items()} for name, items in holder.sheet.items()}
