"""Explain and report: a played roll as sentences with their rules, and as plain data for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from astragal.dice.dice import Dice, Faces, Pool
from astragal.explain.hint import Hint, hints_about
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input, Summed
from astragal.rule.inputs.total import capital, listed
from astragal.rule.tree.effect import Effect, is_theirs
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.note import Die, Note
from astragal.rule.tree.play import ChoiceStep, Played, ThrowStep
from astragal.rule.verdict import Verdict, verdict_of


class Explanation(NamedTuple):
    """The dice of every throw with what each did, and the notes in order."""

    throws: tuple[tuple[str, tuple[Die, ...]], ...]
    notes: tuple[Note, ...]


def explain(played: Played[Any]) -> Explanation:
    """Explain a played roll, die by die and rule by rule."""
    throws: list[tuple[str, tuple[Die, ...]]] = []
    notes: list[Note] = []
    steps = played.steps
    last = len(steps) - 1
    while last >= 0 and not isinstance(steps[last], ThrowStep):
        last -= 1
    for place, step in enumerate(steps):
        if isinstance(step, ChoiceStep):
            # The outcome explains the answers after the last throw.
            notes.extend(_tell_answer(step) if place < last else step.choice.tell())
        else:
            telling = step.throw.tell(step.faces)
            throws.append((step.throw.title, labelled(telling.dice, step.throw.pool)))
            notes.extend(telling.notes)
    if not isinstance(played.node, Throw):
        notes.extend(played.node.tell())
    return Explanation(tuple(throws), tuple(notes))


def last_notes(played: Played[Any]) -> list[Note]:
    """What the rules say after the last throw, without what was put in."""
    notes: list[Note] = []
    for step in reversed(played.steps):
        if isinstance(step, ThrowStep):
            break
        notes[:0] = step.choice.tell()
    return [*notes, *(() if isinstance(played.node, Throw) else played.node.tell())]


def labelled(dice: tuple[Die, ...], pool: Pool) -> tuple[Die, ...]:
    """The dice of a throw with the texts on their faces, where those are not numbers."""
    labels = {kind.title: kind.labels for kind in pool if kind.labels}
    if not labels:
        return dice
    return tuple(die._replace(label=labels[die.name][die.face - 1]) if die.name in labels else die for die in dice)


def _tell_answer(step: ChoiceStep) -> list[Note]:
    option = step.choice.options[step.answer.option]
    words = f": {step.answer.words}" if step.answer.words else ""
    return [*step.choice.tell(), Note(f"{option.label}{words}.", option.rule)]


def judged(kind: Kind, result: Any) -> Verdict:
    """The verdict on a result, or on the result so far."""
    said = kind.verdict(result)
    return said if isinstance(said, Verdict) else verdict_of(said, result)


def in_a_line(verdict: Verdict) -> str:
    """The verdict as one line: "Near miss: 2 Marks, 3 needed"."""
    tier, numbers = verdict.tier, verdict.sum
    return verdict.line or "; ".join((f"{tier}: {numbers}" if numbers else tier, *verdict.gains))


class Laid(NamedTuple):
    """How a die lies among the others of its throw: its wave, the place of the die that earned it, role and side."""

    wave: int = 0
    earned_by: int = -1
    role: str = ""
    side: str = ""


PLAIN = Laid()


def laid(step: ThrowStep, dice: Sequence[Die], opposed: str = "") -> list[Laid]:
    """How each die of a throw lies; nothing if all are plain and none was earned by another."""
    if len(step.faces) == 1 and len(step.faces[0]) == 1 and not opposed and not step.throw.pool[0].role:
        return []  # the usual case
    pool, found = step.throw.pool, list[Laid]()
    for group, waves, side in zip(pool, step.faces, _sides(step.throw, opposed), strict=False):
        role = _role(pool, group, bool(opposed))
        for wave, shown in enumerate(waves):
            found += [Laid(wave, -1, role, side)] * len(shown)
    if len(found) != len(dice):
        return []  # the game tells its dice in its own way
    for place, earner in _earners(pool, step.faces).items():
        found[place] = found[place]._replace(earned_by=earner)
    return found if set(found) != {PLAIN} else []


def _earners(pool: Pool, faces: Faces) -> dict[int, int]:
    """For each die that was earned, the place of the die that earned it: in the order of the wave before."""
    found: dict[int, int] = {}
    place = 0
    for dice, waves in zip(pool, faces, strict=False):
        before: list[int] = []
        for wave, shown in enumerate(waves):
            places = range(place, place + len(shown))
            found.update(zip(places, before, strict=False))
            if wave + 1 < len(waves):
                rerolled = dice.again if wave else dice.again | dice.retry
                before = [n for n, face in zip(places, shown, strict=True) if face in rerolled]
            place += len(shown)
    return found


def _role(pool: Pool, dice: Dice, opposed: bool) -> str:
    if dice.role == "card":
        return "card"
    named_otherwise = dice.name != pool[0].name and not opposed
    return "special" if (dice.role or ("special" if named_otherwise else "")) == "special" else ""


def _sides(throw: Throw[Any, Any], opposed: str) -> list[str]:
    """The side of each kind of dice: two pools against each other, or that of the one who throws."""
    if opposed == "pairs" and len(throw.pool) > 1:
        return ["ours", "theirs"]
    return ["" if not opposed else "theirs" if is_theirs(throw.by) else "ours"] * len(throw.pool)


def report(game: Game, kind: Kind, ask: Ask, played: Played[Any], notes: bool = False) -> dict[str, Any]:
    """A played roll as one object: game, faces, the result's fields, the open node if there is one."""
    result = played.result
    explanation = explain(played)
    return {
        "game": game.name,
        "roll": kind.name,
        "ask": ask.values(),
        "faces": played.faces,
        **(plain(result) if result is not None else {}),
        "verdict": in_a_line(judged(kind, result)) if result is not None else None,
        "settled": played.outcome is not None,
        "open": open_node(played.node),
        "dice": [{"throw": title, **_die(die)} for title, dice in explanation.throws for die in dice],
        "effects": [_effect(effect) for effect in played.effects],
        "prompts": [prompt._asdict() for prompt in played.outcome.prompts] if played.outcome else [],
        **({"notes": [note._asdict() for note in explanation.notes]} if notes else {}),
        **({"hints": [hint._asdict() for hint in hints_for(game, kind, ask, played)]} if notes else {}),
    }


def _effect(effect: Effect) -> dict[str, Any]:
    rare = {"price": effect.price, "to": effect.to is not None}
    return {name: value for name, value in effect._asdict().items() if rare.get(name, True)}


def _die(die: Die) -> dict[str, Any]:
    found = die._asdict()
    return found if die.label else {name: value for name, value in found.items() if name != "label"}


def hints_for(game: Game, kind: Kind, ask: Ask, played: Played[Any]) -> tuple[Hint, ...]:
    """The game's hints for what was put in, for the result or the result so far, and for the choice that is open."""
    data, choice = plain(played.result), {played.node.name: ""} if isinstance(played.node, Choice) else {}
    inputs = {name: value for name, value in ask.__dict__.items() if value != ""}
    return (
        *hints_about(game, kind.name, "input", inputs),
        *hints_about(game, kind.name, "result", data if isinstance(data, dict) else {}),
        *hints_about(game, kind.name, "choice", choice),
    )


def headline_of(kind: Kind, ask: Ask, played: Played[Any]) -> str:
    """The roll in a line, with what the dice have changed about it."""
    turned = kind.turned(ask, played.steps) if kind.turned else ""
    return "; ".join(filter(None, (kind.headline(ask), turned)))


def open_node(node: object) -> dict[str, Any] | None:
    """What a roll waits for: a choice with its options, or dice to be thrown."""
    if isinstance(node, Choice):
        return {
            "type": "choice",
            "choice": node.name,
            "by": node.by,
            "question": node.question,
            "options": _options(node),
            "barred": [
                {"name": name, "label": barred.label, "why": barred.why, "needs": barred.short, "rule": barred.rule}
                for name, barred in node.barred.items()
            ],
            **({"assumes": node.assumes} if node.assumes else {}),
            **({"offered": node.offered._asdict()} if node.offered else {}),
        }
    if isinstance(node, Throw):
        return {
            "type": "dice",
            "throw": node.title,
            "dice": [_dice(dice) for dice in node.pool],
            **({"instead": _options(node.instead)} if node.instead else {}),
        }
    return None


def _dice(dice: Dice) -> dict[str, Any]:
    left = {"left": dice.cards.left} if dice.cards else {}
    return {"name": dice.title, "sides": dice.sides, "n": int(dice.n), **left}


def _options(choice: Choice[Any]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "label": option.label,
            "cost": option.cost,
            "words": option.words,
            "needs_words": bool(option.words) and option.needs,
            "rule": option.rule,
            "detail": option.described,
            **({"by": option.by} if option.by else {}),
        }
        for name, option in choice.options.items()
    ]


_PLAIN = frozenset((int, str, bool, type(None)))


def plain(value: Any) -> Any:
    """A result as plain data: named tuples become objects, tuples lists, totals plain numbers."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, int):
        return int(value)
    if hasattr(value, "_asdict"):
        values = value._asdict().items()
        return {name: part if type(part) in _PLAIN else plain(part) for name, part in values}
    return [plain(part) for part in value] if isinstance(value, tuple) else value


# What was put into a roll, in words: aims, ways and sources by name, as logs and stories tell them.

WITH, AGAINST, DESPITE = "with {}", "against {}", "despite {}"
"""How sources that take something away are told, whatever their input says."""


def told_inputs(ask: type[Ask] | None, given: Mapping[str, Any], also: Iterable[tuple[str, str]] = ()) -> Iterator[str]:
    """Sentences about the inputs of a roll that are worth telling, from what was stored of them.

    The ``told`` of an input is its sentence. Inputs that the game no longer has are left out. ``also`` has further
    sources: the sentence of each, and its name. Sources of several people get a sentence for each person.
    """
    sources: dict[str, list[str]] = {}
    people: dict[str, dict[str, list[str]]] = {}
    for template, label in also:
        sources.setdefault(template, []).append(label)
    for name, input in ask.inputs.items() if ask else ():
        value = given.get(name)
        if not input.told or value in (None, "", False):
            continue
        if isinstance(input, Summed):
            for template, label in _sources(input, value):
                whose, _, thing = label.partition(": ") if input.apart else ("", "", label)
                labels = (people.setdefault(whose, {}) if whose else sources).setdefault(template, [])
                labels += [thing] if thing and thing not in labels else []
        else:
            yield sentence(input.told.format(value))
    each = [f"{name} {_listed_sources(own)}" for name, own in people.items() if any(own.values())]
    if each:
        yield sentence("; ".join(each))
    if sources:
        yield sentence(_listed_sources(sources))


def _listed_sources(sources: Mapping[str, list[str]]) -> str:
    """Sources as they are told: "with Agility and Climbing, despite Lame"."""
    ours, theirs = sources.get(WITH, []), sources.get(AGAINST, [])
    if ours and sorted(ours) == sorted(map(_thing, theirs)):
        rest = {template: labels for template, labels in sources.items() if template not in (WITH, AGAINST)}
        return ", ".join(filter(None, (f"{WITH.format(listed(ours))} on both sides", _listed_sources(rest))))
    return ", ".join(template.format(listed(_owned(labels))) for template, labels in sources.items() if labels)


def _thing(label: str) -> str:
    """What something is called without whose it is."""
    return label.partition("'s ")[2] or label


def _owned(labels: list[str]) -> list[str]:
    """Labels that each name their owner; if the owner is the same for all, only the first names them."""
    owners = {label.partition("'s ")[0] if "'s " in label else "" for label in labels}
    return labels if len(owners) != 1 or "" in owners else [labels[0], *map(_thing, labels[1:])]


def _sources(input: Input, value: Any) -> Iterator[tuple[str, str]]:
    """The sentence and the name of each source: the sentence of the input, or the one for a source against it."""
    for label, n, *_ in value["sources"] if isinstance(value, dict) else ():
        if label:
            yield (input.told if n >= 0 else DESPITE), label


def sentence(text: str) -> str:
    """The text with a capital at its start and a sign at its end."""
    text = text.strip()
    return f"{capital(text)}{'' if text[-1:] in '.!?…' else '.'}"
