/**
 * 3D dice that land on faces that are known already.
 *
 * This module and its physics are loaded only where `can-3d.ts` finds that the device can. It draws on a canvas without
 * textures or sounds, so it requests nothing from the server.
 */

import type DiceBox from "@3d-dice/dice-box-threejs";
import type { Die } from "../api/types.js";
import { wasSlow } from "./can-3d.js";
import { isSpecial, toDie, type AnyDie } from "./die.js";
import { replayRehearsals } from "./replay-3d.js";
import { seeded } from "./path.js";

const LONGEST_THROW_STEPS = 450;
/** The physics run in the same space everywhere, so that every screen has the same throw; the canvas is scaled to fit. */
const SPACE = 640;
/** How many dice fit across it. */
const DICE_ACROSS = 8;
/** A device that needs this much longer than it may draws flat dice from then on. */
const PATIENCE = 1.6;
const WHITE = 0xffffff;

/** Created once and moved where it is needed: its listener on the window cannot be removed. */
let created: Promise<DiceBox | undefined> | undefined;
let settle = (): void => undefined;
let pace = (_ms: number): void => undefined;
let throwing: Promise<unknown> = Promise.resolve();

/** How a die lies: its face, and its place in the space that every screen has. */
export interface Lying {
  face: number;
  x: number;
  y: number;
}

/** Throw the dice over `host`, from a seed, within so many milliseconds; how they lie, or nothing if they cannot fall here. */
export function throw3d(host: HTMLElement, dice: readonly AnyDie[], seed: string, ms: number): Promise<Lying[] | undefined> {
  const next = throwing.then(() => throwNow(host, dice.map(toDie), seed, ms));
  throwing = next.catch(() => undefined);
  return next;
}

async function throwNow(host: HTMLElement, dice: readonly Die[], seed: string, ms: number): Promise<Lying[] | undefined> {
  const began = performance.now();
  const box = await boxAt(host);
  if (!box || !host.isConnected) return undefined;
  const { notation, order } = forced(dice);
  const special = pigment(host, "--felt-accent");
  pace(Math.max(200, ms - (performance.now() - began)));
  const random = Math.random;
  Math.random = seeded(seed);
  const rolled = box.roll(notation);
  Math.random = random;
  paint(box, order, special);
  await Promise.race([rolled, after(ms * PATIENCE)]);
  if (performance.now() - began > ms * PATIENCE) wasSlow();
  settle(); // A slow machine skips the rest of the throw and shows its end.
  correct(box, order);
  paint(box, order, special);
  box.renderer.render(box.scene, box.camera);
  return box.diceList.map((die) => ({ face: die.getFaceValue().value, x: Math.round(die.position.x), y: Math.round(die.position.y) }));
}

/** `5d6+1d10@6,5,4,2,1,7`, the box's notation for a throw with known faces, and the dice in that order. */
function forced(dice: readonly Die[]): { notation: string; order: Die[] } {
  const bySides = new Map<number, Die[]>();
  for (const die of dice) bySides.set(die.sides, [...(bySides.get(die.sides) ?? []), die]);
  const order = [...bySides.values()].flat();
  const kinds = [...bySides].map(([sides, each]) => `${each.length}d${sides}`);
  return { notation: `${kinds.join("+")}@${order.map((die) => die.face).join(",")}`, order };
}

/** Dice with a role of their own are of the game's colour, as the drawn ones are. */
function paint(box: DiceBox, order: readonly Die[], special: number): void {
  box.diceList.forEach((die, place) => {
    const one = order[place];
    if (one && isSpecial(one)) for (const side of die.material) side.color.setHex(special);
  });
}

/** A colour of the style sheet as a number, whatever way it is written there. */
function pigment(host: HTMLElement, name: string): number {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return WHITE;
  context.fillStyle = getComputedStyle(host).getPropertyValue(name).trim() || "white";
  context.fillRect(0, 0, 1, 1);
  const [red = 255, green = 255, blue = 255] = context.getImageData(0, 0, 1, 1).data;
  return (red << 16) + (green << 8) + blue;
}

/** Make sure that every die shows its true face, whatever the physics did. */
function correct(box: DiceBox, order: readonly Die[]): void {
  box.diceList.forEach((die, place) => {
    const face = order[place]?.face;
    const lies = die.getFaceValue();
    if (face === undefined || lies.value === face) return;
    die.result = [lies];
    box.swapDiceFace(die, face);
  });
}

async function boxAt(host: HTMLElement): Promise<DiceBox | undefined> {
  created ??= createBox(host).catch(() => undefined);
  const box = await created;
  if (!box) return undefined;
  if (box.renderer.domElement.parentElement !== host) host.append(box.renderer.domElement);
  box.container = host;
  box.setDimensions();
  box.clearDice();
  return box;
}

async function createBox(host: HTMLElement): Promise<DiceBox | undefined> {
  const { default: Box } = await import("@3d-dice/dice-box-threejs");
  const style = getComputedStyle(host);
  const colour = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
  // The box wants a selector; the options are read later, and their container wins.
  const box = new Box("body", {
    container: host,
    dimensions: { x: SPACE, y: SPACE },
    sounds: false,
    shadows: true,
    color_spotlight: 0xffffff,
    light_intensity: 0.95,
    iterationLimit: LONGEST_THROW_STEPS,
    theme_material: "plastic",
    theme_texture: "none",
    baseScale: (SPACE / DICE_ACROSS) * 2,
    theme_customColorset: {
      name: "astragal",
      foreground: colour("--bone-ink", "#1e1d1b"),
      background: colour("--bone", "#f4ecdb"),
      outline: "none",
      texture: "none",
      material: "plastic",
    },
  });
  keepSpace(box);
  await box.initialize();
  ({ settle, pace } = replayRehearsals(box));
  box.renderer.domElement.setAttribute("aria-hidden", "true"); // Screen readers read the flat dice.
  return box;
}

/** Whatever the size of the canvas, dice are thrown into the same space, and in the same light. */
function keepSpace(box: DiceBox): void {
  const within = box.setDimensions.bind(box);
  box.setDimensions = () => {
    within({ x: SPACE, y: SPACE });
    box.light_amb.color.setHex(WHITE); // The box's own light is yellow.
  };
  const throwing = box.startClickThrow.bind(box);
  box.startClickThrow = (notation) => {
    const { currentWidth, currentHeight } = box.display;
    Object.assign(box.display, { currentWidth: SPACE, currentHeight: SPACE });
    const vectors = throwing(notation);
    Object.assign(box.display, { currentWidth, currentHeight });
    return vectors;
  };
}

function after(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
