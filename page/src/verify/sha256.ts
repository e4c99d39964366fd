/** SHA-256 and HMAC-SHA-256 in plain TypeScript: a page without HTTPS has no WebCrypto. */

/** The first 32 bits of the fractional parts of the roots of the first primes: square roots begin, cube roots mix. */
const primes = firstPrimes(64);
const BEGIN = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const MIX = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));

function firstPrimes(n: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < n; number++) if (found.every((prime) => number % prime)) found.push(number);
  return found;
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

export function sha256(text: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64);
  padded.set(text);
  padded[text.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(text.length / 2 ** 29));
  view.setUint32(padded.length - 4, text.length << 3);
  const state = BEGIN.slice();
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) block(state, words, view, at);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (const [n, word] of state.entries()) out.setUint32(n * 4, word);
  return digest;
}

function block(state: Uint32Array, w: Uint32Array, view: DataView, at: number): void {
  for (let n = 0; n < 16; n++) w[n] = view.getUint32(at + n * 4);
  for (let n = 16; n < 64; n++) {
    const [early, late] = [w[n - 15] as number, w[n - 2] as number];
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    w[n] = (w[n - 16] as number) + small + (w[n - 7] as number) + large;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let n = 0; n < 64; n++) {
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (MIX[n] as number) + (w[n] as number);
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) state[n] = (state[n] as number) + word;
}

export function hmac(key: Uint8Array, text: Uint8Array): Uint8Array {
  const short = key.length > 64 ? sha256(key) : key;
  const padded = (by: number) => Uint8Array.from({ length: 64 }, (_, n) => (short[n] ?? 0) ^ by);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), text))));
}

export function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array => encoder.encode(text);
export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of a hex text; undefined if it is none. */
export function unhex(text: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})*$/.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, n) => Number.parseInt(text.slice(2 * n, 2 * n + 2), 16));
}
