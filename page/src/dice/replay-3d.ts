/**
 * Throws of the dice box, recorded and played back.
 *
 * The box simulates a throw, paints the faces so that it ends as wanted, and simulates it again on the
 * screen. Late frames change the course of the second run, and dice end on wrong faces. Here the first
 * run, the rehearsal, is recorded and shown instead.
 */

import type { BoxDie, default as DiceBox } from "@3d-dice/dice-box-threejs";

/** Seven numbers for each die: its position and its rotation. */
type Frame = Float32Array;

const NUMBERS = 7;
/** The simulation ends after most of a second of stillness, which is not shown. */
const STILL_STEPS = 40;
const MOST_REHEARSALS = 4;
/** The cosine of the angle by which the top face may lean. */
const FLAT = Math.cos(Math.PI / 20);
const DYNAMIC = 1;

/** Make the box play back its rehearsals: `pace` sets how long one takes, `settle` moves the dice to their end at once. */
export function replayRehearsals(box: DiceBox): { settle: () => void; pace: (ms: number) => void } {
  let frames: Frame[] = [];
  let lasts = 1000;
  box.simulateThrow = () => {
    const starts = box.diceList.map((die) => die.body.velocity.clone());
    frames = rehearse(box);
    const first = frames[0];
    for (let tries = 1; tries < MOST_REHEARSALS && box.diceList.some(isCocked); tries++) {
      place(box, first);
      box.diceList.forEach((die, n) => {
        throwAgain(die, starts[n]);
      });
      frames = rehearse(box);
    }
  };
  box.animateThrow = (running, done) => {
    box.animstate = "throw";
    const start = performance.now();
    const show = (now: number): void => {
      if (box.running !== running) return; // The dice were cleared, or thrown again.
      const shown = Math.max(1, frames.length - STILL_STEPS);
      const step = Math.floor(((now - start) / lasts) * shown);
      const ended = step >= shown;
      place(box, ended ? frames.at(-1) : frames[Math.max(0, step)]);
      box.renderer.render(box.scene, box.camera);
      if (!ended) {
        requestAnimationFrame(show);
        return;
      }
      box.running = false;
      box.rolling = false;
      box.animstate = "afterthrow";
      for (const die of box.diceList) if (die.result.length === 0) die.result.push(die.getFaceValue());
      done();
    };
    requestAnimationFrame(show);
  };
  return {
    settle: () => {
      box.running = false;
      place(box, frames.at(-1));
    },
    pace: (ms) => {
      lasts = ms;
    },
  };
}

function rehearse(box: DiceBox): Frame[] {
  box.animstate = "simulate";
  box.iteration = 0;
  box.rolling = true;
  const frames = [pose(box)];
  while (!box.throwFinished()) {
    box.iteration += 1;
    box.world.step(box.framerate);
    frames.push(pose(box));
  }
  return frames;
}

/** The same throw with slightly other speeds. */
function throwAgain(die: BoxDie, start: { x: number; y: number; z: number } | undefined): void {
  const { body } = die;
  const wobble = (): number => 0.7 + 0.6 * Math.random();
  die.result = [];
  body.type = DYNAMIC;
  if (start) body.velocity.set(start.x * wobble(), start.y * wobble(), start.z);
  body.angularVelocity.set(15 * wobble(), 15 * wobble(), 10 * wobble());
  body.wakeUp();
}

/** Whether a die leans on something, so that its face is in doubt. */
function isCocked({ shape, geometry, body: { quaternion: q } }: BoxDie): boolean {
  const normals = geometry.getAttribute("normal").array;
  const down = shape === "d4" ? -1 : 1; // A d4 is read by the face it lies on.
  const heights = geometry.groups.map(({ materialIndex }, n) => {
    if (materialIndex === 0) return -1;
    const [x = 0, y = 0, z = 0] = normals.slice(n * 9, n * 9 + 3);
    return down * (2 * (q.x * q.z - q.w * q.y) * x + 2 * (q.y * q.z + q.w * q.x) * y + (1 - 2 * (q.x ** 2 + q.y ** 2)) * z);
  });
  return Math.max(...heights) < FLAT;
}

function pose(box: DiceBox): Frame {
  const frame = new Float32Array(box.diceList.length * NUMBERS);
  box.diceList.forEach(({ body: { position: at, quaternion: turn } }, n) => {
    frame.set([at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w], n * NUMBERS);
  });
  return frame;
}

function place(box: DiceBox, frame: Frame | undefined): void {
  if (!frame) return;
  box.diceList.forEach((die, n) => {
    const [x = 0, y = 0, z = 0, i = 0, j = 0, k = 0, w = 1] = frame.subarray(n * NUMBERS, (n + 1) * NUMBERS);
    for (const placed of [die, die.body]) {
      placed.position.set(x, y, z);
      placed.quaternion.set(i, j, k, w);
    }
  });
}
