/** Whether dice fall as bodies here: the device can draw them, was quick the last time, and nobody switched it off. */

import { preferences, prefersStillness } from "../ui/preferences.js";
import type { Die } from "../api/types.js";
import { type AnyDie, toDie } from "./die.js";

const SHAPES = new Set([4, 6, 8, 10, 12, 20]);
/** More dice fall onto each other, and cannot be read. */
const MOST_DICE = 12;
let able: boolean | undefined;
/** A throw that needed longer than it may was the last one of this visit. */
let slow = false;

export function throws3d(dice: readonly AnyDie[]): boolean {
  if (slow || prefersStillness() || !preferences().dice3d) return false;
  if (!dice.length || dice.length > MOST_DICE || !dice.every((one) => isBody(toDie(one)))) return false;
  able ??= measured();
  return able;
}

/** Whether it can fall as a body: no card, and nothing but a number on it. */
const isBody = (one: Die): boolean => SHAPES.has(one.sides) && !one.label && one.role !== "card";

export function wasSlow(): void {
  slow = true;
}

/** Drawn by a graphics card, on a machine with several cores; a software renderer would stutter. */
function measured(): boolean {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2");
  if (!context) return false;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const renderer = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return !/swiftshader|llvmpipe|software|basic render/i.test(renderer) && (navigator.hardwareConcurrency ?? 4) >= 4;
}
