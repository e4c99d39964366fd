/** SHA-256, HMAC-SHA-256 and bytes as text. A library computes them, since a page without HTTPS has no WebCrypto. */

import { hmac as hmacOf } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

export { bytesToHex as hex, concatBytes as joined, utf8ToBytes as utf8 } from "@noble/hashes/utils.js";
export { sha256 };

export const hmac = (key: Uint8Array, text: Uint8Array): Uint8Array => hmacOf(sha256, key, text);

/** The bytes of a text in lower-case hex; undefined if it is anything else. */
export function unhex(text: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})*$/.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, n) => Number.parseInt(text.slice(2 * n, 2 * n + 2), 16));
}
