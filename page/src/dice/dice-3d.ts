/**
 * 3D dice that land on faces that are known already.
 *
 * This module and its physics are loaded only when somebody wants them. It draws on a canvas without
 * textures or sounds, so it requests nothing from the server. Where it cannot draw (no WebGL, reduced
 * motion, dice without a 3D shape) it does nothing, and the flat dice show the result.
 */

import type DiceBox from "@3d-dice/dice-box-threejs";
import type { Die } from "../api/types.js";
import { prefersStillness } from "../ui/preferences.js";
import { toDie, type AnyDie } from "./dice-row.js";
import { replayRehearsals } from "./replay-3d.js";

const SHAPES = new Set([4, 6, 8, 10, 12, 20]);
const MOST_DICE = 30;
const LONGEST_THROW_MS = 7000;
const LONGEST_THROW_STEPS = 450;
/** How many dice fit across the shorter side of the stage. */
const DICE_ACROSS = 11;

/** Created once and moved where it is needed: its listener on the window cannot be removed. */
let created: Promise<DiceBox | undefined> | undefined;
let settle = (): void => undefined;
let throwing: Promise<unknown> = Promise.resolve();

/** Whether this browser can draw 3D dice now. */
function can3d(): boolean {
  if (prefersStillness()) return false;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

/** Throw the dice over `host`; resolves when they lie still on the given faces. */
export function throw3d(host: HTMLElement, dice: readonly AnyDie[]): Promise<void> {
  const next = throwing.then(() => throwNow(host, dice.map(toDie)));
  throwing = next.catch(() => undefined);
  return next;
}

/** Remove the dice. */
export async function clear3d(): Promise<void> {
  const box = await created;
  if (!box) return;
  box.clearDice();
  box.renderer.domElement.remove();
}

async function throwNow(host: HTMLElement, dice: readonly Die[]): Promise<void> {
  const shown = dice.filter((die) => SHAPES.has(die.sides));
  if (shown.length === 0 || shown.length > MOST_DICE || !host.isConnected || prefersStillness()) return;
  const box = await boxAt(host);
  if (!box) return;
  const { notation, faces } = forced(shown);
  await Promise.race([box.roll(notation), after(LONGEST_THROW_MS)]);
  settle(); // A slow machine skips the rest of the throw and shows its end.
  correct(box, faces);
}

/** `5d6+1d10@6,5,4,2,1,7`, the box's notation for a throw with known faces, and the faces in that order. */
function forced(dice: readonly Die[]): { notation: string; faces: number[] } {
  const bySides = new Map<number, number[]>();
  for (const die of dice) bySides.set(die.sides, [...(bySides.get(die.sides) ?? []), die.face]);
  const faces = [...bySides.values()].flat();
  const kinds = [...bySides].map(([sides, each]) => `${each.length}d${sides}`);
  return { notation: `${kinds.join("+")}@${faces.join(",")}`, faces };
}

/** Make sure that every die shows its true face, whatever the physics did. */
function correct(box: DiceBox, faces: readonly number[]): void {
  box.diceList.forEach((die, place) => {
    const face = faces[place];
    const lies = die.getFaceValue();
    if (face === undefined || lies.value === face) return;
    die.result = [lies];
    box.swapDiceFace(die, face);
  });
  box.renderer.render(box.scene, box.camera);
}

async function boxAt(host: HTMLElement): Promise<DiceBox | undefined> {
  created ??= createBox(host).catch(() => undefined);
  const box = await created;
  if (!box) return undefined;
  if (box.renderer.domElement.parentElement !== host) host.append(box.renderer.domElement);
  box.container = host;
  box.setDimensions({ x: host.clientWidth, y: host.clientHeight });
  return box;
}

async function createBox(host: HTMLElement): Promise<DiceBox | undefined> {
  if (!can3d()) return undefined;
  const { default: Box } = await import("@3d-dice/dice-box-threejs");
  const style = getComputedStyle(host);
  const colour = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
  // The box wants a selector; the options are read later, and their container wins.
  const box = new Box("body", {
    container: host,
    dimensions: { x: host.clientWidth, y: host.clientHeight },
    sounds: false,
    shadows: true,
    color_spotlight: 0xffffff,
    light_intensity: 0.95,
    iterationLimit: LONGEST_THROW_STEPS,
    theme_material: "plastic",
    theme_texture: "none",
    baseScale: (Math.min(host.clientWidth, host.clientHeight) / DICE_ACROSS) * 2,
    theme_customColorset: {
      name: "astragal",
      foreground: colour("--panel", "#ffffff"),
      background: colour("--accent", "#2f5fb3"),
      outline: "none",
      texture: "none",
      material: "plastic",
    },
  });
  await box.initialize();
  settle = replayRehearsals(box);
  box.renderer.domElement.setAttribute("aria-hidden", "true"); // Screen readers read the flat dice.
  return box;
}

function after(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
