/** Ed25519 signatures: checked by the browser where it can, else here. Nothing secret passes through, so time may vary. */

import { joined, unhex } from "./sha256.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * inverse(121666n));
const ROOT = power(2n, (P - 1n) / 4n);
/** x, y, z, and x·y/z. */
type Point = readonly [bigint, bigint, bigint, bigint];
const ZERO: Point = [0n, 1n, 1n, 0n];

function mod(number: bigint, by = P): bigint {
  const rest = number % by;
  return rest < 0n ? rest + by : rest;
}

function power(base: bigint, exponent: bigint, by = P): bigint {
  let [found, square] = [1n, mod(base, by)];
  for (let left = exponent; left; left >>= 1n) {
    if (left & 1n) found = (found * square) % by;
    square = (square * square) % by;
  }
  return found;
}

function inverse(number: bigint): bigint {
  return power(number, P - 2n);
}

function add(one: Point, other: Point): Point {
  const a = mod((one[1] - one[0]) * (other[1] - other[0]));
  const b = mod((one[1] + one[0]) * (other[1] + other[0]));
  const c = mod(2n * one[3] * other[3] * D);
  const d = mod(2n * one[2] * other[2]);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(point: Point, n: bigint): Point {
  let [found, doubled] = [ZERO, point];
  for (let left = n; left; left >>= 1n) {
    if (left & 1n) found = add(found, doubled);
    doubled = add(doubled, doubled);
  }
  return found;
}

function same(one: Point, other: Point): boolean {
  return mod(one[0] * other[2] - other[0] * one[2]) === 0n && mod(one[1] * other[2] - other[1] * one[2]) === 0n;
}

function number(bytes: Uint8Array): bigint {
  return bytes.reduceRight((found, byte) => (found << 8n) | BigInt(byte), 0n);
}

/** The point that 32 bytes stand for, if they stand for one. */
function point(bytes: Uint8Array): Point | undefined {
  const all = number(bytes);
  const y = all & (2n ** 255n - 1n);
  const odd = all >> 255n;
  if (y >= P) return undefined;
  const [u, v] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  let x = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n));
  if (mod(v * x * x) === mod(-u)) x = mod(x * ROOT);
  if (mod(v * x * x) !== u || (x === 0n && odd)) return undefined;
  if ((x & 1n) !== odd) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

const BASE = point(Uint8Array.from({ length: 32 }, (_, n) => (n ? 0x66 : 0x58))) as Point;

/** Whether a signature is by a public key, computed here; all as bytes. */
export function isSignedHere(text: Uint8Array, key: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  const [a, r, s] = [point(key), point(signature.slice(0, 32)), number(signature.slice(32))];
  if (!a || !r || s >= L) return false;
  const k = mod(number(sha512(joined(signature.slice(0, 32), key, text))), L);
  return same(times(BASE, s), add(r, times(a, k)));
}

/** Whether a signature is by a public key; both as hex. */
export async function isSigned(text: Uint8Array, key: string, signature: string): Promise<boolean> {
  const [bytes, signed] = [unhex(key), unhex(signature)];
  if (!bytes || !signed) return false;
  try {
    const known = await crypto.subtle.importKey("raw", bytes as BufferSource, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", known, signed as BufferSource, text as BufferSource);
  } catch {
    return isSignedHere(text, bytes, signed);
  }
}

// SHA-512, in whole numbers of 64 bits.

const MASK = 2n ** 64n - 1n;
const PRIMES = firstPrimes(80);
const BEGIN = PRIMES.slice(0, 8).map((prime) => root(prime << 128n, 2n) & MASK);
const MIX = PRIMES.map((prime) => root(prime << 192n, 3n) & MASK);

function firstPrimes(n: number): bigint[] {
  const found: bigint[] = [];
  for (let candidate = 2n; found.length < n; candidate++) if (found.every((prime) => candidate % prime)) found.push(candidate);
  return found;
}

/** The whole part of a root, by halving. */
function root(of: bigint, degree: bigint): bigint {
  let [low, high] = [0n, 1n << 80n];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= of) low = middle;
    else high = middle;
  }
  return low;
}

const turned = (word: bigint, by: bigint) => ((word >> by) | (word << (64n - by))) & MASK;

export function sha512(text: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((text.length + 17) / 128) * 128);
  padded.set(text);
  padded[text.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(text.length) * 8n);
  let state = BEGIN;
  for (let at = 0; at < padded.length; at += 128) state = block(state, view, at);
  const out = new DataView(new ArrayBuffer(64));
  for (const [n, word] of state.entries()) out.setBigUint64(n * 8, word);
  return new Uint8Array(out.buffer);
}

function block(state: bigint[], view: DataView, at: number): bigint[] {
  const w = Array.from({ length: 16 }, (_, n) => view.getBigUint64(at + n * 8));
  for (let n = 16; n < 80; n++) {
    const [early, late] = [w[n - 15] as bigint, w[n - 2] as bigint];
    const small = turned(early, 1n) ^ turned(early, 8n) ^ (early >> 7n);
    const large = turned(late, 19n) ^ turned(late, 61n) ^ (late >> 6n);
    w.push(((w[n - 16] as bigint) + small + (w[n - 7] as bigint) + large) & MASK);
  }
  let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
  for (let n = 0; n < 80; n++) {
    const one =
      h + (turned(e, 14n) ^ turned(e, 18n) ^ turned(e, 41n)) + ((e & f) ^ (~e & MASK & g)) + (MIX[n] as bigint) + (w[n] as bigint);
    const two = (turned(a, 28n) ^ turned(a, 34n) ^ turned(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & MASK, c, b, a, (one + two) & MASK];
  }
  return [a, b, c, d, e, f, g, h].map((word, n) => (word + (state[n] as bigint)) & MASK);
}
