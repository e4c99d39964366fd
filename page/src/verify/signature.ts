/** Ed25519 signatures, checked by the browser if it can, otherwise by a library. */

import { hashes, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { unhex } from "./hashes.js";

hashes.sha512 = sha512;

/** True if the signature is by the public key, computed by the library; all as bytes. Strict, as the server is. */
export function isSignedHere(text: Uint8Array, key: Uint8Array, signature: Uint8Array): boolean {
  return key.length === 32 && signature.length === 64 && verify(signature, text, key, { zip215: false });
}

/** True if the signature is by the public key; both as hex. */
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
