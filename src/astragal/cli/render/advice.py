"""Advice as words for a person and as data for a program."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from astragal.cli.commands.advise import RESOURCE, Advising
from astragal.cli.render.charts import describe_chance, describe_table, format_bar, show_columns
from astragal.cli.render.screen import Screen
from astragal.dice.distribution import Distribution
from astragal.dice.render.text import (
    format_exact,
    format_number,
    format_one_in,
    format_percent,
    format_points,
    listed_values,
    rows,
)
from astragal.rule.advise import Advised
from astragal.rule.explain import explain
from astragal.rule.fact import facts_of

BEST = "★"
BAR = 12


def is_chance(advising: Advising) -> bool:
    """Whether the wish comes true or not; otherwise it counts things, and its worth is an average."""
    return not advising.advice.wish.counts


def show(advising: Advising) -> None:
    """The dice, the options with what they are worth, the chances of each outcome, and the verdict."""
    screen = Screen()
    kind, played, advice = advising.kind, advising.played, advising.advice
    screen.say(kind.headline(advising.ask), "bold")
    for title, dice in explain(played).throws:
        screen.show_dice(title, dice)
    screen.say(f"So far: {kind.verdict(played.result)}", "bold")
    screen.show_choice(advice.choice)
    screen.say("")
    screen.say(f'For the wish "{advice.wish.name}": {advice.wish.help}', "bold")
    _show_options(screen, advising)
    for name in shown_tables(advising):
        screen.say("")
        _show_outcomes(screen, advising, name)
    screen.say("")
    for line in verdict_lines(advising):
        screen.say(line)


def _show_options(screen: Screen, advising: Advising) -> None:
    advice = advising.advice
    chance = is_chance(advising)
    heads = ("", "", "", "chance" if chance else "worth", "", "cost now", "cost in all")
    cells = [
        (
            BEST if option.name == advice.best and advice.matters else "",
            option.name,
            format_bar(_share(option.worth, advising, chance), BAR),
            _worth(option.worth, chance),
            format_one_in(option.worth) if chance else "",
            str(option.cost),
            format_number(option.total_cost),
        )
        for option in advice.options
    ]
    screen.show_grid(heads, cells, (0, 1, 2, 4))


def _share(worth: Fraction, advising: Advising, chance: bool) -> Fraction:
    """How much of a bar: a chance by itself, an average between the least and the greatest of them."""
    worths = [option.worth for option in advising.advice.options]
    least, most = (Fraction(0), Fraction(1)) if chance else (min(worths), max(worths))
    return (worth - least) / (most - least) if most > least else Fraction(1)


def _show_outcomes(screen: Screen, advising: Advising, name: str) -> None:
    """The outcome's chances, a column for each option; later choices are answered as well as can be."""
    options = advising.advice.options
    each = [outcomes(advising, option, name) for option in options]
    values = listed_values(each, domain(advising, name))
    title = facts_of(advising.kind)[name].title
    show_columns(
        screen, f"{title} after each", [option.name for option in options], each, [rows(one, values) for one in each]
    )


def shown_tables(advising: Advising) -> tuple[str, ...]:
    """The tables asked for; without any, the first one that tells outcomes by a word."""
    if advising.wanted:
        return advising.wanted
    known = facts_of(advising.kind)
    first = advising.advice.options[0]
    worded = (name for name in known if any(isinstance(value, str) for value in outcomes(advising, first, name)))
    return (next(worded, next(iter(known))),) if known else ()


def outcomes(advising: Advising, option: Advised, name: str) -> Distribution[Any]:
    return facts_of(advising.kind)[name].of_results(option.results, advising.up_to)


def domain(advising: Advising, name: str) -> list[Hashable] | None:
    values = facts_of(advising.kind)[name].domain
    return list(values(advising.ask)) if values else None


def verdict_lines(advising: Advising) -> list[str]:
    """What is best, what saving the points is worth, and what the last point is worth."""
    advice = advising.advice
    chance = is_chance(advising)
    best = next(option for option in advice.options if option.name == advice.best)
    if len({option.worth for option in advice.options}) == 1:
        costs = any(option.cost for option in advice.options)
        lines = [f"Nothing here changes the wish{': save the points for later' if costs else ''}."]
    else:
        lines = [f"Best: {best.name} ({_worth(best.worth, chance)})."]
    gain = advice.worth - advice.saved
    rest = advice.choice.rest
    if rest and rest != best.name:
        each = f", or {_more(gain / best.total_cost, chance)} for each point that it costs" if best.total_cost else ""
        lines.append(f"Leaving it ({rest}) comes to {_worth(advice.saved, chance)}.")
        lines.append(f"{best.name.capitalize()} gains {_more(gain, chance)}{each}.")
    if advising.last_point is not None:
        lines.append(f"The last {RESOURCE.upper()} held is worth {_more(advising.last_point, chance)} here.")
    return lines


def _worth(worth: Fraction, chance: bool) -> str:
    return format_percent(worth) if chance else format_number(worth)


def _more(gain: Fraction, chance: bool) -> str:
    return f"{format_points(gain).lstrip('+')} percentage points" if chance else format_number(gain)


def describe(advising: Advising) -> dict[str, Any]:
    """The advice as plain data."""
    advice = advising.advice
    last = advising.last_point
    return {
        "game": advising.game.name,
        "roll": advising.kind.name,
        "ask": advising.ask.values(),
        "faces": advising.played.faces,
        "choice": advice.choice.name,
        "by": advice.choice.by,
        "question": advice.choice.question,
        "wish": advice.wish.name,
        "best": advice.best,
        "options": [_described(advising, option) for option in advice.options],
        "barred": [{"name": name, **barred._asdict()} for name, barred in advice.choice.barred.items()],
        "saved": _saved(advising) if advice.choice.rest else None,
        "last_point": describe_chance(last) if last is not None else None,
    }


def _described(advising: Advising, option: Advised) -> dict[str, Any]:
    names = shown_tables(advising) if advising.wanted else tuple(facts_of(advising.kind))
    return {
        "name": option.name,
        "label": option.label,
        "rule": option.rule,
        "cost": option.cost,
        "worth": describe_chance(option.worth),
        "total_cost": _number(option.total_cost),
        "tables": {name: describe_table(outcomes(advising, option, name), domain(advising, name)) for name in names},
    }


def _saved(advising: Advising) -> dict[str, Any]:
    """What leaving things as they are comes to, what the best plan gains over it, and the gain for each point spent."""
    advice = advising.advice
    best = next(option for option in advice.options if option.name == advice.best)
    gain = advice.worth - advice.saved
    return {
        "by": advice.choice.rest,
        "worth": describe_chance(advice.saved),
        "gain": describe_chance(gain),
        "per_point": describe_chance(gain / best.total_cost) if best.total_cost else None,
    }


def _number(number: Fraction) -> dict[str, Any]:
    return {"exact": format_exact(number), "number": float(number)}
