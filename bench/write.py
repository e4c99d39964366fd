"""Measures everything and writes docs/benchmarks.md: ``make bench``."""

from __future__ import annotations

import os
import platform
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

from bench import again, append, defaults, general, growth, helpers, notation, odds, play, start, table
from bench.memory import left_over
from bench.questions import QUESTIONS

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
PEERS = ("icepool", "dyce", "lea", "d20", "xdice")


def main() -> None:
    warnings.simplefilter("ignore")  # dyce calls its survey experimental
    parts = [*_head(), *_said("plays", _plays), *_said("starts", _starts), *_said("odds", _odds)]
    parts += [*_said("general questions", _general), *_said("helpers", _helpers)]
    parts += [*_said("odds asked again", _again), *_said("defaults of the peers", _defaults)]
    parts += [*_said("notation and audit", _notation), *_said("tables", _tables)]
    print("Measuring how the cost grows …", flush=True)
    growth.main()
    PAGE.write_text("\n".join([*parts, *_growth()]) + "\n", encoding="utf-8")
    print(f"Wrote docs/{PAGE.name}.")


def _said(what: str, part: Callable[[], Iterable[str]]) -> Iterable[str]:
    print(f"Measuring {what} …", flush=True)
    return part()


def _head() -> Iterable[str]:
    peers = ", ".join(f"{name} {version(name)}" for name in PEERS)
    yield "# Benchmarks"
    yield ""
    yield "Written by `make bench`; do not edit. Ratios carry over to other machines,"
    yield "times do not."
    yield ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield f"Measured with {python} on {os.cpu_count()} cores, beside"
    yield f"{peers}. Contestants take turns, and the best of several rounds"
    yield "counts."
    yield ""


def _plays() -> Iterable[str]:
    ours, theirs = play.measure()
    yield "## One play"
    yield ""
    yield "A Razorweave Check with one Edge, from the ask to the outcome, beside d20's `5d6kh4+2`."
    yield ""
    ratio = theirs / ours
    yield from _table(
        ("ours", "d20", "ratio", "at least", "reached"),
        [(_time(ours), _time(theirs), _times(ratio), f"{play.WANTED:g} ×", _yes(ratio >= play.WANTED))],
    )


def _starts() -> Iterable[str]:
    bare, rolls = start.measure()
    yield "## One command"
    yield ""
    yield '`astragal roll GAME … --json` from start to end, beside `python -c "import json, argparse"`,'
    yield f"which takes {_time(bare)}."
    yield ""
    rows = [
        (game, _time(seconds), _times(seconds / bare), f"{start.WANTED:g} ×", _yes(seconds <= start.WANTED * bare))
        for game, seconds in rolls.items()
    ]
    yield from _table(("game", "ours", "ratio", "at most", "reached"), rows)


def _notation() -> Iterable[str]:
    timed = notation.measure()
    yield "## Notation and audit"
    yield ""
    yield "`5d6kh4+2` parsed and rolled, beside d20 and xdice; all three cache parsed notation."
    yield ""
    rows = [(_time(timed.ours), _time(timed.d20), _time(timed.xdice), _times(timed.ratio), f"{notation.WANTED:g} ×")]
    reached = _yes(timed.ratio >= notation.WANTED)
    yield from _table(("ours", "d20", "xdice", "ratio to d20", "at least", "reached"), [(*rows[0], reached)])
    seconds = notation.audit_seconds()
    yield f"The audit of a book with 1,000 figures takes {_time(seconds)}"
    yield f"(goal: under {notation.WANTED_SECONDS:g} s)."
    yield ""


def _tables() -> Iterable[str]:
    yield "## Tables"
    yield ""
    yield "Actions from `decide` to disk, in the mix that the page sends: a note, a roll that is"
    yield "opened, built and thrown, a Clock ticked, a roll in one go, the Clock ticked back. Beside them a bare group"
    yield "commit: a thread that takes the waiting records, writes the same bytes with their keys, syncs,"
    yield "commits and answers. Both sides have as many waiting at once; the goal is set for sixteen."
    yield ""
    found = [append.measure_appends(game, writers) for writers in append.WAITING for game in append.ROLLS]
    rows = [
        (
            str(one.writers),
            one.game,
            f"{one.ours:,.0f} /s",
            f"{one.plain:,.0f} /s",
            _times(one.ratio),
            *(
                (f"{append.WANTED:g} ×", _yes(one.ratio >= append.WANTED))
                if one.writers == append.WRITERS
                else ("", "")
            ),
        )
        for one in found
    ]
    yield from _table(("waiting", "game", "actions", "group commit", "ratio", "at least", "reached"), rows)
    yield from _long_tables()


def _wanted(ratio: float, least: float) -> tuple[str, str]:
    return f"{least:g} ×", _yes(ratio >= least)


def _long_tables() -> Iterable[str]:
    log = table.long_log(max(table.LENGTHS))
    folding = table.measure_folding(log)
    yield f"Folding {folding.events:,} events into a state, beside reading and decoding them from the file:"
    yield ""
    reached = _yes(folding.ratio <= table.WANTED_FOLD)
    row = (_time(folding.fold), _time(folding.read), _times(folding.ratio), f"{table.WANTED_FOLD:g} ×", reached)
    yield from _table(("folding", "reading", "ratio", "at most", "reached"), [row])
    opening = table.measure_opening(log)
    first = opening[min(opening)]
    yield "Opening a table from its snapshot, beside the shortest one; length must not matter."
    yield ""
    lines = [(f"{length:,}", _time(seconds), _times(seconds / first)) for length, seconds in opening.items()]
    yield from _table(("entries", "opening", "ratio"), lines)
    yield "Looking at a table with finished rolls, which are shown as they were stored, beside playing them back:"
    yield ""
    looks = [
        (
            look.game,
            f"{look.rolls}",
            _time(look.fold),
            _time(look.view),
            _time(look.replay),
            _times(look.ratio),
            *_wanted(look.ratio, table.WANTED_LOOK),
        )
        for look in map(table.measure_looking, append.ROLLS)
    ]
    yield from _table(("game", "rolls", "folding", "looking", "playing back", "ratio", "at least", "reached"), looks)


def _odds() -> Iterable[str]:
    yield "## Exact odds, first time"
    yield ""
    yield "Our time is that of the public call, including building and checking the ask; caches are"
    yield "cleared before each call. Before anything is timed, all answers are compared: they are"
    yield "the same fractions. The ratio is to the fastest peer."
    yield ""
    rows = odds.measure_all()
    yield from _table(
        ("question", "ours", "icepool", "dyce", "lea", "ratio", "at least", "reached"), [_row(row) for row in rows]
    )
    for name in left_over([question.ours for question in QUESTIONS]):
        yield f"`forget()` leaves what `{name}` remembers; the bench empties it all the same."
        yield ""
    yield from METHOD.strip().splitlines()
    yield ""


def _row(row: odds.Row) -> tuple[str, ...]:
    peers = (_time(row.peers[name]) if name in row.peers else "–" for name in ("icepool", "dyce", "lea"))
    return row.name, _time(row.ours), *peers, _times(row.ratio), f"{row.wanted:g} ×", _yes(row.reached)


METHOD = """
The peers are used in the fastest way that we found, and do all counting themselves (`bench/peers/`).

- 10-again: as many rerolls as successes asked for, the rest taken together; dice are joined by repeated squaring,
  weights reduced after each step. lea cannot reduce whole-number weights, so 200 dice are out of its reach.
- Narraject: for each face of the Step Die the d6s are compared with it, and joined by squaring.
- TGIMH: faces are tagged with their side, so that each step of the evaluator takes one side; each side's wins are
  evaluated separately, and equal pools are mirrored. lea would have to list every throw; dyce's survey
  of 40 against 40 dice is slower than icepool's and is left out.
- Razorweave: kept sums are computed once for each Edge and used for all 54 targets. Ours are 270 separate calls.
- Race: rounds are joined until one Clock is full in every case.
"""


def _general() -> Iterable[str]:
    rows = general.measure_all()
    yield "## General questions"
    yield ""
    yield "Pools, sets and symbol dice from the peers' own documents, first time as above: a text in backticks"
    yield "is asked as dice notation, the rest by the solver's functions. At least half of what the six mechanisms"
    yield f"reached as a study is wanted, and {general.LEAST:g} × for answers under 100 µs, where the call itself"
    yield f"decides. A peer that needs more than {general.PATIENCE} s is not waited for."
    yield ""
    yield from _table(
        ("question", "ours", "icepool", "dyce", "ratio", "at least", "reached"), [_general_row(row) for row in rows]
    )
    reached = _yes(general.median_ratio(rows) >= general.MEDIAN)
    yield f"At the median {_times(general.median_ratio(rows))}; at least {general.MEDIAN:g} × is wanted: {reached}."
    yield ""
    yield "Explosions are exact without end on our side and cut off on theirs (after 4 explosions of the dice that"
    yield "are kept, after 9 of those compared). The peers add symbols up as numbers that were packed by hand, and the"
    yield "pools against each other as faces that are tagged with their side. Our answer to many dice with symbols"
    yield "stays packed until it is looked at: a chance is then read from its slot. A row of its own lists all 53,196"
    yield "vectors."
    yield ""
    yield "The pushes of Cold March and Rustfall find the policy and need no tree; icepool is given it. It is given the"
    yield "policy of Fellwalk and Ironsworn, too, and for games of the shelf the comparisons that each question needs."
    yield "Ours evaluates the formulas of the file in every case, with and without the option."
    yield ""


def _general_row(row: general.Row) -> tuple[str, ...]:
    slow = dict.fromkeys(row.question.slow, f"> {general.PATIENCE} s")
    times = slow | {name: _time(seconds) for name, seconds in row.peers.items()}
    name = f"`{row.question.name}`" if row.question.written else row.question.name
    ratio = "–" if row.ratio is None else ("" if row.peers else "> ") + _times(row.ratio)
    peers = (times.get("icepool", "–"), times.get("dyce", "–"))
    wanted = ("", "") if row.ratio is None else (f"{row.wanted:g} ×", _yes(row.reached))
    return (name, _time(row.ours), *peers, ratio, *wanted)


def _helpers() -> Iterable[str]:
    yield "## Helpers of Chronicles"
    yield ""
    yield "Successes up to 30, first asked; 10s go again without end for helpers and leader."
    yield ""
    rows = []
    for name, seconds, beside, other, most in helpers.measure():
        reached = _yes(seconds <= most * other)
        rows.append((name, _time(seconds), beside, _time(other), _times(seconds / other), f"{most:g} ×", reached))
    yield from _table(("question", "time", "beside", "time", "ratio", "at most", "reached"), rows)
    yield "Helpers take longer than by the closed form that the game had before: most of it goes into building the"
    yield "nodes of the rule that is played, with their texts, for each number of dice that helpers give."
    yield ""


def _again() -> Iterable[str]:
    yield "## Exact odds, from cache"
    yield ""
    yield "Answered from our cache, beside icepool, which caches the states of an evaluator and the sums of a die. Our"
    yield "time includes building the ask; icepool's pools and dice are built beforehand."
    yield ""
    rows = [
        (row.name, _time(row.ours), _time(row.theirs), _times(row.theirs / row.ours), _yes(row.ours <= row.theirs))
        for row in again.measure()
    ]
    yield from _table(("question", "ours", "icepool", "ratio", "no slower"), rows)


def _defaults() -> Iterable[str]:
    yield "## Peers at their defaults"
    yield ""
    yield f"Rerolls without end, {defaults.DICE} dice with 10-again, at the libraries' default depth: not exact."
    yield ""
    rows = [
        (row.name, _time(row.seconds), f"{row.wrong_from}", f"{float(row.misplaced):.2g}") for row in defaults.measure()
    ]
    yield from _table(("default of", "time", "wrong from this many successes", "total chance misplaced"), rows)


def _growth() -> Iterable[str]:
    yield "## How the cost grows"
    yield ""
    yield "Time of a first answer by number of dice, both axes logarithmic. A library that took more than"
    yield f"{growth.PATIENCE:g} s was not asked for more dice."
    yield ""
    yield "![Time by number of dice: ours lies below the peers' in all three questions](images/growth.svg)"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[str]:
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _time(seconds: float) -> str:
    """Three digits, in the unit one would say it in."""
    unit, factor = ("s", 1.0) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("µs", 1e6)
    number = seconds * factor
    return f"{number:,.0f} {unit}" if number >= 100 else f"{number:.3g} {unit}"


def _times(ratio: float) -> str:
    return f"{ratio:,.0f} ×" if ratio >= 100 else f"{ratio:.3g} ×"


def _yes(reached: bool) -> str:
    return "yes" if reached else "**no**"


if __name__ == "__main__":
    main()
