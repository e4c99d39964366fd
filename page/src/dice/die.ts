/** One die, drawn flat: on the felt with light and shade, in lists as a small plain mark. */

import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import type { DirectiveResult } from "lit/directive.js";
import { until } from "lit/directives/until.js";
import type { Die, LoggedDie } from "../api/types.js";
import { t } from "../strings/words.js";
import { PIPS, type Shape, shapeOf } from "./shapes.js";

/** A die as a roll sends it, or as the log does. */
export type AnyDie = Die | LoggedDie;

export function toDie(die: AnyDie): Die {
  if (!Array.isArray(die)) return die;
  const [name, sides, face, did, counts] = die;
  return { name, sides, face, did, counts };
}

/** The dice of a line of the log, each with what stands on it if that is no number. */
export function diceOf(line: { dice?: readonly LoggedDie[]; labels?: readonly string[]; cards?: readonly number[] }): Die[] {
  return (line.dice ?? []).map((die, place) => {
    const label = line.labels?.[place];
    return { ...toDie(die), ...(label && { label }), ...(line.cards?.includes(place) && { role: "card" as const }) };
  });
}

export interface DieLook {
  /** Pixels; without them the style sheet decides. */
  size?: number;
  /** Of another material: the die with a role of its own. */
  special?: boolean;
  /** It does not count. */
  dim?: boolean;
  /** Of gold, in a triumph. */
  hot?: boolean;
  /** Not thrown yet: an outline with "d6" in it, never a number that could be a result. */
  raw?: boolean;
  /** Without light and shade, for lists. */
  plain?: boolean;
  /** A card of a deck; raw, it shows its back. */
  card?: boolean;
  /** What is written on the face, where it is no number. */
  mark?: string;
  /** What screen readers say; "" hides the die from them. */
  label?: string;
}

/** The width of a face, of a letter, and how far above its base line the middle of a letter is, of its size. */
const [WIDTH, LETTER, BASE] = [76, 0.62, 0.35];

/** The size of "d6" on a die that is not thrown yet. */
const RAW_SIZE = 28;

const MATERIALS = ["special", "dim", "hot", "raw", "plain"] as const;

/** What is said of a die that nothing else is said of. */
function spoken(sides: number, face: number, raw = false): string {
  if (raw) return t("dieOf", { sides });
  return face ? t("dieShows", { sides, face }) : t("dieEmpty", { sides });
}

let drawCard: ((text: string, look: DieLook) => SVGTemplateResult) | undefined;

/** The drawing of a card; few games have any, so it is loaded with the first one. */
function card(text: string, look: DieLook): SVGTemplateResult | DirectiveResult {
  if (drawCard) return drawCard(text, look);
  return until(
    import("./card.js").then((loaded) => {
      drawCard = loaded.card;
      return drawCard(text, look);
    }),
  );
}

/** The drawing of a die; face 0 is empty. */
export function die(sides: number, face: number, look: DieLook = {}): TemplateResult {
  const classes = [look.card ? "die of-deck" : "die", ...MATERIALS.filter((name) => look[name])];
  const label = look.label ?? spoken(sides, face, look.raw);
  const text = look.mark || (look.raw ? t("dieShort", { sides }) : face ? String(face) : "");
  return html`<svg class=${classes.join(" ")} viewBox="0 0 100 100" width=${look.size ?? nothing} height=${look.size ?? nothing}
    role=${label ? "img" : nothing} aria-label=${label || nothing} aria-hidden=${label ? nothing : "true"}>${
      look.card ? card(text, look) : [shapeOf(sides).drawing, shown(sides, face, text, look)]
    }</svg>`;
}

/** What stands on a die: pips, words or a number. */
function shown(sides: number, face: number, text: string, { raw, mark }: DieLook) {
  const shape = shapeOf(sides);
  const pips = sides === 6 && !raw && !mark ? PIPS[face] : undefined;
  if (pips) return pips.map(([x, y]) => svg`<circle class="pip" cx=${x} cy=${y} r="9.2"></circle>`);
  if (mark) return words(mark, shape);
  const size = raw ? RAW_SIZE : text.length > 2 ? shape.size * 0.75 : shape.size;
  return text ? svg`<text x="50" y=${shape.line} font-size=${size}>${text}</text>` : nothing;
}

/** Words on a face, one below the other, as large as the longest allows. */
export function words(mark: string, { line, size }: Omit<Shape, "drawing">, width = WIDTH): SVGTemplateResult[] {
  const lines = mark.split("+");
  const fits = Math.min(size * 0.75, width / (LETTER * Math.max(...lines.map((word) => word.length))), width / lines.length);
  const middle = line - (size - fits) * BASE;
  return lines.map((word, n) => svg`<text x="50" y=${middle + (n - (lines.length - 1) / 2) * fits} font-size=${fits}>${word}</text>`);
}

/** A thrown die with what it did, for screen readers and as a title. */
export function thrownDie(thrown: AnyDie, look: DieLook = {}): TemplateResult {
  const one = toDie(thrown);
  const mark = one.label ? { mark: one.label } : {};
  return die(one.sides, one.face, {
    dim: !one.counts,
    special: isSpecial(one),
    card: one.role === "card",
    label: saidOf(one),
    ...mark,
    ...look,
  });
}

export function saidOf(one: Die): string {
  if (one.role === "card") return `${one.label || one.face}, ${one.name}`;
  const name =
    one.name && !byItsSides(one.name)
      ? t("dieOn", { face: one.label || one.face, name: one.name, sides: one.sides })
      : t("dieOnPlain", { face: one.label || one.face, sides: one.sides });
  return [name, one.did || (one.counts ? t("dieCounts") : "")].filter(Boolean).join(", ");
}

/** Whether a die has a role of its own: the game says so, or it is called something else than its sides. */
export function isSpecial(one: Die): boolean {
  // Of two sides, who began has dice of bone, and the other of the game's colour.
  if (one.side) return one.side === "theirs";
  const role = (one as Die & { role?: string }).role;
  return role ? role === "special" : Boolean(one.name) && !byItsSides(one.name);
}

/** Whether a die is called by its number of sides alone, in whatever language: d6, W6. */
const byItsSides = (name: string): boolean => /^\p{L}\d/u.test(name);

/** A row that shrinks with the screen holds this many; more of them wrap. */
export const IN_A_ROW = 7;

/** The size of each of `n` dice in pixels, if a few dice have `size`. */
export function sizeFor(n: number, size: number): number {
  const share = n > 40 ? 0.34 : n > 24 ? 0.45 : n > 12 ? 0.6 : n > IN_A_ROW ? 0.8 : 1;
  return Math.round(size * share);
}
