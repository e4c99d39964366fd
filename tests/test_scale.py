"""The plan for a million tables: the simulation is the same each time, and the page is written from it."""

from __future__ import annotations

import re
from pathlib import Path

from bench.scale import storm
from bench.scale.measure import Evening, Measured, evenings
from bench.scale.page import page
from bench.scale.plan import plan
from bench.scale.week import STEP, Assumptions, simulate

ABOUT = Assumptions(sample=2_000)
FOUND = Measured([Evening("narraject", 36, 30_000)], 900, 1_100, 4_000, 500, 60_000_000, 150_000, 100_000, 200, 5)


def test_a_week_is_the_same_each_time_and_has_its_peak_on_an_evening() -> None:
    week = simulate(ABOUT)
    assert week == simulate(ABOUT)
    assert abs(week.evenings / (ABOUT.tables * ABOUT.evenings_a_week) - 1) < 0.05
    hours = sum(week.live) * STEP / 60
    assert abs(hours / (week.evenings * ABOUT.hours) - 1) < 0.05
    day = week.live.index(week.peak) * STEP // (24 * 60)
    assert day in (4, 5, 6) and week.peak > 2 * week.mean


def test_twice_the_tables_need_twice_the_servers() -> None:
    week, double = simulate(ABOUT), simulate(ABOUT._replace(tables=2 * ABOUT.tables))
    once, twice = plan(week, ABOUT, FOUND), plan(double, ABOUT._replace(tables=2 * ABOUT.tables), FOUND)
    assert abs(twice.servers - 2 * once.servers) <= 2 and abs(twice.year / once.year - 2) < 0.01
    assert twice.actions > 1.9 * once.actions


def test_a_server_with_less_memory_for_each_socket_decides_the_number() -> None:
    week = simulate(ABOUT)
    lean = plan(week, ABOUT, FOUND._replace(table=1_000, socket=1_000, actions=10))
    assert (plan(week, ABOUT, FOUND).by, lean.by) == ("memory", "work")


def test_a_storm_that_servers_can_take_is_over_before_the_second_try() -> None:
    calm, wild = storm.simulate(1_000, 10, 1_000), storm.simulate(1_000, 1, 20)
    assert calm.tries == 1 and calm.most < 1
    assert wild.tries > 1 and wild.most > 20 and wild.half < wild.most


def test_the_evenings_are_those_of_the_games() -> None:
    assert len(evenings()) >= 4 and all(each.entries > 20 and 300 < each.each < 5_000 for each in evenings())


def test_the_page_has_every_part_that_is_written_today() -> None:
    week = simulate(ABOUT)
    made = "\n".join(page(ABOUT, week, FOUND, plan(week, ABOUT, FOUND)))
    there = (Path(__file__).parents[1] / "docs" / "scale.md").read_text("utf-8")
    assert re.findall("^## .*$", made, re.MULTILINE) == re.findall("^## .*$", there, re.MULTILINE)
    assert max(map(len, made.splitlines())) <= 120
