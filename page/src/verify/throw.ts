/** A throw of the machine: whether its faces follow from its key and its nonce. */

import type { LogLine } from "../api/types.js";
import { hex, hmac, joined, sha256, unhex, utf8 } from "./hashes.js";

/** Nonce, key, the thrower's next ticket, place, pool, and whether the ticket was confirmed where a restore brought it. */
export type Proof = readonly [nonce: string, key: string, next: string, place: string, pool: string, confirmed?: boolean];
/** For each sort of dice, wave by wave. */
export type Faces = readonly (readonly (readonly number[])[])[];

/** The number of a throw among those of its action, from 0: the end of its place. */
export const turnOf = ([, , , place]: Proof): string => place.slice(place.lastIndexOf("/") + 1);

/** The ticket for a key. */
export function ticketOf(key: string): string {
  const bytes = unhex(key);
  return bytes ? hex(sha256(bytes)) : "";
}

/** The bytes of a key for one throw, one after the other. */
class KeyedBytes {
  private left: Uint8Array = new Uint8Array();
  private block = 0;

  constructor(
    private readonly key: Uint8Array,
    private readonly message: string,
  ) {}

  take(n: number): Uint8Array {
    while (this.left.length < n) this.left = joined(this.left, hmac(this.key, utf8(`${this.message}\n${this.block++}`)));
    const taken = this.left.slice(0, n);
    this.left = this.left.slice(n);
    return taken;
  }

  /** A fair face: a number that would favour some faces is rejected. */
  face(sides: number): number {
    const wide = sides > 255;
    const all = wide ? 2 ** 32 : 256;
    for (;;) {
      const number = this.take(wide ? 4 : 1).reduce((found, byte) => found * 256 + byte, 0);
      if (number < all - (all % sides)) return (number % sides) + 1;
    }
  }
}

interface Part {
  n: number;
  sides: number;
  /** Of cards: how many of each are left. */
  left?: number[];
}

/** The dice and cards of a pool, such as 4d6+1d10 or 2c1.1.4; undefined if it is none. */
export function parsePool(text: string): Part[] | undefined {
  const parts = text.split("+").map(partOf);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function partOf(text: string): Part | undefined {
  const dice = /^(0|[1-9]\d{0,3})d([1-9]\d{0,3})$/.exec(text);
  if (dice) {
    const [n, sides] = [Number(dice[1]), Number(dice[2])];
    return n <= 1000 && sides <= 1000 ? { n, sides } : undefined;
  }
  const cards = /^(0|[1-9]\d{0,3})c(\d{1,4}(\.\d{1,4})*)$/.exec(text);
  const left = cards?.[2]?.split(".").map(Number) ?? [];
  const all = left.reduce((sum, copies) => sum + copies, 0);
  return cards && Number(cards[1]) <= all && all <= 10_000 ? { n: Number(cards[1]), sides: left.length, left } : undefined;
}

/** Whether faces follow from a proof; how many dice were rolled again is taken from the faces. */
export function follows(faces: Faces, proof: Proof): boolean {
  const [nonce, key, , , pool] = proof;
  const [bytes, parts] = [unhex(key), parsePool(pool)];
  if (!bytes || !parts || parts.length !== faces.length) return false;
  const source = new KeyedBytes(bytes, `astragal throw 2\n${turnOf(proof)}\n${nonce}`);
  return parts.every((part, n) => followsPart(faces[n] ?? [], part, source));
}

function followsPart(waves: readonly (readonly number[])[], part: Part, source: KeyedBytes): boolean {
  const [first] = waves;
  if (first?.length !== part.n) return false;
  if (part.left) return waves.length === 1 && isDrawn(first, part.left, source);
  return waves.every((wave, n) => {
    const most = n ? (waves[n - 1]?.length ?? 0) : wave.length;
    const fits = n === 0 || (wave.length > 0 && wave.length <= most);
    return fits && wave.every((face) => source.face(part.sides) === face);
  });
}

function isDrawn(drawn: readonly number[], left: number[], source: KeyedBytes): boolean {
  const stock = left.flatMap((copies, n) => Array.from({ length: copies }, () => n + 1));
  return drawn.every((card) => stock.splice(source.face(stock.length) - 1, 1)[0] === card);
}

/** The faces in any order. */
export const flat = (faces: Faces): number[] => faces.flat(2).sort((one, other) => one - other);

type Thrown = NonNullable<LogLine["thrown"]>[number];

/** Which throw of its action one is, by the lines of its roll; undefined for dice that came up again, or were revealed. */
export function turnIn(lines: readonly LogLine[], { proof }: Thrown): number | undefined {
  const fresh = lines.filter((line) => line.kind === "dice" && !line.reused).flatMap((line) => line.thrown ?? []);
  const turn = fresh.filter((one) => one.proof[1] === proof[1]).findIndex((one) => one.proof[3] === proof[3]);
  return turn < 0 ? undefined : turn;
}
