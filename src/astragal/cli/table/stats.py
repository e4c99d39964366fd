"""``astragal table stats``: the luck of each member, exactly and in plain words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from astragal.cli.parser import Parsed, command
from astragal.cli.render.screen import Screen, print_json
from astragal.cli.table.seat import HOW, Seat, name_of, sit_down
from astragal.dice.render.text import format_number, format_percent
from astragal.questions.wire import show_number
from astragal.rule.inputs.total import counted, listed
from astragal.table.log.luck import LuckReport, luck_of
from astragal.table.log.percentile import Luck

READINGS = (
    (Fraction(1, 20), "very unlucky"),
    (Fraction(1, 4), "unlucky"),
    (Fraction(3, 4), "neither lucky nor unlucky"),
    (Fraction(19, 20), "lucky"),
)


@command("table stats [TABLE]", long=True, how=HOW)
def run_stats(parsed: Parsed) -> None:
    """Show the luck of each character and member: the chance of a lower result, plus half the chance of
    the same.

    astragal table stats
    astragal table stats --as Jonas
    """
    with sit_down(parsed, parsed.place()) as seat:
        found = luck_of(seat.stored_table.history(), seat.state, seat.member)
        if parsed.flag("json"):
            luck = [_as_data(seat, luck) for luck in found.luck]
            print_json({"luck": luck, "left_out": found.left_out, "too_much": found.too_much})
        else:
            _show(seat, found)


def _as_data(seat: Seat, luck: Luck) -> dict[str, Any]:
    return {
        "who": luck.who,
        "name": name_of(seat.state, luck.who),
        "throws": luck.throws,
        "total": luck.total,
        "mean": show_number(luck.mean),
        "percentile": show_number(luck.percentile),
        "reading": reading(luck.percentile),
        "typed": luck.typed,
        "again": luck.again,
    }


def reading(percentile: Fraction) -> str:
    """A percentile in plain words."""
    return next((words for most, words in READINGS if percentile < most), "very lucky")


def _show(seat: Seat, found: LuckReport) -> None:
    if found.luck:
        _show_luck(seat, found.luck)
    else:
        print("No throw can be counted." if found.left_out + found.too_much else "Nobody has thrown dice yet.")
    for n, why in ((found.left_out, "since the rules have changed"), (found.too_much, "to keep the work small")):
        if n:
            print(f"Left out, {why}: {counted(n, 'throw')}.")


def _show_luck(seat: Seat, found: list[Luck]) -> None:
    rows = [
        (
            name_of(seat.state, luck.who),
            str(luck.throws),
            str(luck.total),
            format_number(luck.mean),
            format_percent(luck.percentile),
            reading(luck.percentile),
        )
        for luck in found
    ]
    Screen().show_grid(("who", "throws", "gave", "on average", "luck", ""), rows, left=(0, 5))
    print("Luck is the chance of a lower result, plus half the chance of the same.")
    for what, counts in (
        ("Typed", [(luck.who, luck.typed) for luck in found]),
        ("Reused after an undo", [(luck.who, luck.again) for luck in found]),
    ):
        people = [f"{name_of(seat.state, who)} {n}" for who, n in counts if n]
        if people:
            print(f"{what}: {listed(people)}.")
