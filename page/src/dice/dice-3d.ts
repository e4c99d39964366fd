/**
 * 3D dice that land on faces that are known already.
 *
 * This module and the physics behind it are loaded only when somebody wants them. It draws on a
 * canvas without textures or sounds, so it asks the server for nothing. Where it cannot draw
 * (no WebGL, reduced motion, dice without a 3D shape) it does nothing, and the flat dice tell it all.
 */
import type DiceBox from "@3d-dice/dice-box-threejs";
import { replayRehearsals } from "./replay-3d.js";
import { toDie, wantsStillness, type DrawnDie, type LoggedDie } from "./dice-row.js";

const SHAPES = new Set([4, 6, 8, 10, 12, 20]);
const MOST_DICE = 30;
const LONGEST_THROW_MS = 7000;
const LONGEST_THROW_STEPS = 450;
/** A die is about this share of the stage's shorter side, whatever the screen. */
const DICE_ACROSS = 11;

/** The box is made once and moved to where it is wanted: it leaves a listener on the window that cannot be taken back. */
let made: Promise<DiceBox | undefined> | undefined;
let settle = (): void => undefined;
let throwing: Promise<unknown> = Promise.resolve();

/** Whether a throw would show anything; cheap, so that a switch for 3D dice can be hidden where it is no use. */
export function can3d(): boolean {
  if (wantsStillness()) return false;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

/** Throws the dice over `host`, and ends when they lie still on the given faces. */
export function throw3d(host: HTMLElement, dice: readonly (DrawnDie | LoggedDie)[]): Promise<void> {
  const next = throwing.then(() => throwNow(host, dice.map(toDie)));
  throwing = next.catch(() => undefined);
  return next;
}

/** Takes the dice off the table. */
export async function clear3d(): Promise<void> {
  const box = await made;
  if (!box) return;
  box.clearDice();
  box.renderer.domElement.remove();
}

async function throwNow(host: HTMLElement, dice: readonly DrawnDie[]): Promise<void> {
  const shown = dice.filter((die) => SHAPES.has(die.sides));
  if (shown.length === 0 || shown.length > MOST_DICE || !host.isConnected || wantsStillness()) return;
  const box = await boxAt(host);
  if (!box) return;
  const { notation, faces } = forced(shown);
  await Promise.race([box.roll(notation), after(LONGEST_THROW_MS)]);
  settle(); // A machine that is too slow to show the throw in time still shows how it ends.
  correct(box, faces);
}

/** `5d6+1d10@6,5,4,2,1,7`: each kind of die once, with its faces in that order. */
export function forced(dice: readonly DrawnDie[]): { notation: string; faces: number[] } {
  const bySides = new Map<number, number[]>();
  for (const die of dice) bySides.set(die.sides, [...(bySides.get(die.sides) ?? []), die.face]);
  const faces = [...bySides.values()].flat();
  const kinds = [...bySides].map(([sides, each]) => `${each.length}d${sides}`);
  return { notation: `${kinds.join("+")}@${faces.join(",")}`, faces };
}

/** Whatever went wrong on the way, what lies there in the end must be the truth. */
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
  made ??= make(host).catch(() => undefined);
  const box = await made;
  if (!box) return undefined;
  if (box.renderer.domElement.parentElement !== host) host.append(box.renderer.domElement);
  box.container = host;
  box.setDimensions({ x: host.clientWidth, y: host.clientHeight });
  return box;
}

async function make(host: HTMLElement): Promise<DiceBox | undefined> {
  if (!can3d()) return undefined;
  const { default: Box } = await import("@3d-dice/dice-box-threejs");
  const style = getComputedStyle(host);
  const colour = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
  // The box looks for its element in the document only, and ours may be in a shadow tree: options come later and win.
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
      foreground: colour("--surface", "#ffffff"),
      background: colour("--accent", "#2f5fb3"),
      outline: "none",
      texture: "none",
      material: "plastic",
    },
  });
  await box.initialize();
  settle = replayRehearsals(box);
  box.renderer.domElement.setAttribute("aria-hidden", "true"); // The flat dice say what lies there.
  return box;
}

function after(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
