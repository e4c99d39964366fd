"""Accessibility checks: axe-core, and sizes that it does not measure."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"
ABSENT = "axe-core is not there: npm ci in page/ brings it."
RUN = """async (rules) => {
    const only = rules.length ? {runOnly: {type: "rule", values: rules}} : {};
    const within = document.querySelector("dialog[open]:last-of-type") ?? document;
    const found = await axe.run(within, {resultTypes: ["violations"], ...only});
    const told = (id) => (node) => `${id}: ${node.target} ${node.failureSummary}`;
    return found.violations.flatMap(({id, nodes}) => nodes.map(told(id)));
}"""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

TARGETS = """() => {
    const targets = "button, a[href], summary, select, textarea, input, [role=button]";
    const seen = (one) => one.checkVisibility({checkVisibilityCSS: true});
    const all = (root) => [...root.querySelectorAll("*")].flatMap((one) =>
        [...(one.matches(targets) && seen(one) ? [one] : []), ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
    const within = document.querySelector("dialog[open]:last-of-type") ?? document.body;
    return all(within).filter((one) => !one.disabled).flatMap((one) => {
        const area = one.matches("input") && one.closest("label") ? one.closest("label") : one;
        const box = area.getBoundingClientRect();
        const after = getComputedStyle(area, "::after");
        const grown = after.content !== "none" && after.position === "absolute";
        const more = (side) => (grown ? Math.max(0, -parseFloat(after[side]) || 0) : 0);
        const [wide, high] = [box.width + more("left") + more("right"), box.height + more("top") + more("bottom")];
        // A link in a sentence is as high as the sentence.
        if (one.matches("a") && getComputedStyle(one).display === "inline") return [];
        const name = one.getAttribute("aria-label") ?? one.innerText ?? one.name;
        const fits = wide >= 43.5 && high >= 43.5;
        return fits ? [] : [`${one.localName} ${name}: ${wide.toFixed(0)} by ${high.toFixed(0)}`];
    });
}"""
SIDEWAYS = """() => {
    const wide = (one) => one.scrollWidth > one.clientWidth + 1;
    const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
    const all = [document.documentElement, ...document.querySelectorAll(".side, .stage, dialog, main, .log-list")];
    return all.filter((one) => wide(one) && (one === document.documentElement || scrolls(one)))
        .map((one) => `${one.localName}.${one.className}: ${one.scrollWidth} in ${one.clientWidth}`);
}"""


@cache
def _axe() -> str:
    assert AXE.is_file(), ABSENT
    return AXE.read_text("utf-8")


SETTLED = """() => Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished.catch(() => undefined)))"""
"""What fades in has its colours only when it is there."""


def barriers(page: Page) -> list[str]:
    """Every violation, in light and in dark. Only colours differ in dark, so only contrast is checked there."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(f"() => {{ const setTimeout = window.realTimeout ?? window.setTimeout; {_axe()} }}")
    page.evaluate(SETTLED)
    found = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {one}" for one in page.evaluate(RUN, [] if scheme == "light" else ["color-contrast"])]
    return found


def small_targets(page: Page) -> list[str]:
    """Every control that is less than 44 pixels wide or high."""
    found: list[str] = page.evaluate(TARGETS)
    return found


def sideways(page: Page) -> list[str]:
    """Every element that scrolls sideways."""
    found: list[str] = page.evaluate(SIDEWAYS)
    return found
