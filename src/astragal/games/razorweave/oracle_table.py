"""The oracle's answers at a table: they add up until a Check uses their DC (RW-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from astragal.author import (
    Change,
    Effect,
    Flag,
    Holder,
    Item,
    Items,
    Offer,
    OneOf,
    Participants,
    Section,
    Whole,
    Words,
    free_name,
    signed,
)
from astragal.games.razorweave.names import is_whose, item_name
from astragal.games.razorweave.oracle import QUESTIONS
from astragal.games.razorweave.rules import because, cited, say
from astragal.games.razorweave.tiers import RUNG, START, held

MAX_TURNS = 1_000_000


def oracle_words(name: str, item: Item) -> str:
    """The answer, and its change of the DC."""
    counted, shift = item.get("counted"), item.get("shift", 0)
    return f"{item['answer']}{', already counted' if counted else ''}{f', {signed(shift)}' if shift else ''}"


SECTION = Section(
    "oracle",
    fields={
        "answer": OneOf(("yes", "mixed", "no"), rule="RW-14"),
        "yes": OneOf(("helps", "hinders"), default="helps", rule="RW-14"),
        "counted": Flag(rule="RW-14"),
        "shift": Whole(-RUNG, RUNG, default=0, rule="RW-14"),
        "whose": Words(default=None, rule="RW-14"),
        "turn": Whole(1, MAX_TURNS, default=1, rule="RW-14"),
        "used": Flag(rule="RW-14"),
    },
    rule="RW-14",
    told=False,
    says=oracle_words,
)


def answers_now(participants: Participants) -> dict[str, Item]:
    """The answers of the roller's own oracle, as long as no Check has used their DC."""
    return _latest({name: item for name, item in _unused(participants) if is_whose(item, participants.roller)})


def answers_for_check(participants: Participants) -> dict[str, Item]:
    """The answers whose DC a Check may use: of the roller's own oracle, else of the one who asked last."""
    return answers_now(participants) or _latest(dict(_unused(participants)))


def _unused(participants: Participants) -> Iterator[tuple[str, Item]]:
    return ((name, item) for name, item in participants.table.items("oracle").items() if not item["used"])


def _latest(items: dict[str, Item]) -> dict[str, Item]:
    latest = max((item["turn"] for item in items.values()), default=0)
    return {name: item for name, item in items.items() if item["turn"] == latest}


def reached_by(answers: Items) -> int:
    """Where these answers lead from 14, held within no bounds yet: they add up."""
    return START + sum(int(item["shift"]) for item in answers.values())


def keep_answers(participants: Participants, ask: Any, effects: Sequence[Effect]) -> Iterator[Change]:
    """Every question with its answer, or what turned out to be counted already.

    Answers of one oracle stand side by side; those of earlier ones make room.
    """
    items, now = participants.table.items("oracle"), answers_now(participants)
    goes_on = bool(now) and not ask.start_over
    latest = max((item["turn"] for item in items.values()), default=0)
    turn = next(iter(now.values()))["turn"] if goes_on else latest + 1
    standing = dict(now) if goes_on else {}
    words = dict(ask.question)
    for effect in effects:
        if effect.what == "counted":
            yield from _taken_back(participants.table, now, effect)
            continue
        name = free_name(effect.name, standing)
        standing[name] = item = {
            "answer": effect.cause.partition(",")[0],
            "yes": words[effect.name],
            "counted": effect.cause.endswith("counted"),
            "shift": effect.by,
            "whose": participants.roller.name if participants.roller else None,
            "turn": turn,
            "used": False,
        }
        yield Change(participants.table.id, "oracle", name, to=item, **because("RW-14.oracle_says"))


def _taken_back(table: Holder, now: Items, effect: Effect) -> Iterator[Change]:
    """An answer that was counted already moves nothing: the latest to this question that moved something."""
    asked = item_name(effect.name)
    moved = [name for name, item in now.items() if item["shift"] == -effect.by and name.startswith(asked)]
    for name in moved[-1:]:
        item = {**now[name], "counted": True, "shift": 0}
        yield Change(table.id, "oracle", name, to=item, **because("RW-14.was_counted"))


def use_up(effect: Effect, participants: Participants) -> Iterator[Change]:
    """A Check uses the oracle's DC, and the next question begins another oracle."""
    for name in answers_for_check(participants):
        yield Change(participants.table.id, "oracle", name, "used", to=True, rule=effect.rule)


def dc_offer(participants: Participants, by: str) -> Iterator[Offer]:
    """The DC that the oracle came to; putting it into a Check uses it up."""
    if answers := answers_for_check(participants):
        dc, id = held(reached_by(answers)), f"{participants.table.id}/oracle/!dc"
        price = (Effect("oracle", "table", -1, rule="RW-14", when="throw"),)
        label, rule = cited("RW-14.offer", dc=dc)
        yield Offer(id, say("offers.oracle"), label, "dc", dc, by, price=price, rule=rule)


def question_offers(table: Holder, by: str) -> Iterator[Offer]:
    """The usual questions, and those that were asked before."""
    asked = {name: item["yes"] for name, item in table.items("oracle").items()}
    group = say("offers.questions")
    for question, word in {**dict(QUESTIONS), **asked}.items():
        id, gives = f"{table.id}/oracle/{question}", (question, word)
        yield Offer(id, group, question, "question", gives, by, rule="RW-14")
