/** The check of a story that was saved with its dice: what `astragal verify` does with one. */

import type { FileCheck } from "./file.js";
import { isSigned } from "./ed25519.js";
import { LogCheck } from "./log-check.js";
import { hex, sha256, utf8 } from "./sha256.js";
import { follows, turnOf, type Faces, type Proof } from "./throw.js";

const TITLE = "## The dice, to be checked";
const FENCE = "```\n";

interface Thrown {
  faces: Faces;
  proof: Proof;
}

interface Seal {
  astragal: string;
  table: string;
  file: string;
  key: string;
  signature: string;
}

/** Check the bytes of a story; undefined if there are no throws in it. */
export async function checkStory(file: Uint8Array): Promise<FileCheck | undefined> {
  const lines = new TextDecoder().decode(file).split(/(?<=\n)/);
  const titled = lines.findLastIndex((line) => line.trimEnd() === TITLE);
  const begins = Math.max(titled, 0);
  const sealAt = lines.findIndex((line, n) => n >= begins && line.startsWith('{"astragal":"story",'));
  const log = new LogCheck();
  checkThrows(log, lines.slice(0, sealAt < 0 ? undefined : sealAt), begins);
  if (!log.throws.checked && !log.throws.unproven && !log.wrong.length) return undefined;
  let key = "";
  if (sealAt >= 0) key = await checkSeal(log, lines, sealAt, file);
  else if (titled >= 0) log.blame("noSeal", "");
  else log.notes.push({ entry: "", what: "onlyDice" });
  return { log, title: (lines[0] ?? "").replace(/^# |\n/g, ""), entries: 0, key };
}

function checkThrows(log: LogCheck, lines: readonly string[], begins: number): void {
  const [known, rolls, turns] = [new Map<string, string>(), new Map<string, string>(), new Map<string, number>()];
  for (const [n, line] of lines.entries()) {
    if (n < begins || !line.startsWith('{"faces":')) continue;
    const thrown = thrownOf(line);
    if (!thrown) log.blame("unreadable", String(n + 1));
    else if (known.has(thrown.proof[3])) {
      if (known.get(thrown.proof[3]) !== JSON.stringify(thrown)) log.blame("twoWays", String(n + 1));
    } else {
      known.set(thrown.proof[3], JSON.stringify(thrown));
      const turn = turns.get(thrown.proof[1]) ?? 0;
      turns.set(thrown.proof[1], turn + 1);
      checkThrow(log, thrown, turn, rolls, String(n + 1));
    }
  }
}

function checkThrow(log: LogCheck, { faces, proof }: Thrown, turn: number, rolls: Map<string, string>, at: string): void {
  const [nonce, key, next, place] = proof;
  const roll = `${place.split("/").slice(0, 2).join("/")} ${next}`;
  if (!follows(faces, proof)) log.blame("faces", at);
  if ((rolls.get(key) ?? roll) !== roll) log.blame("twice", at);
  rolls.set(key, roll);
  // Dice that came up again may be of the middle of an action: a number out of turn is not wrong, but no proof.
  log.throws[nonce && turnOf(proof) === `${turn}` ? "checked" : "unproven"]++;
}

function thrownOf(line: string): Thrown | undefined {
  try {
    const thrown = JSON.parse(line) as Thrown;
    const whole = Array.isArray(thrown.proof) && thrown.proof.length === 5 && thrown.proof.every((part) => typeof part === "string");
    return whole && Array.isArray(thrown.faces) ? thrown : undefined;
  } catch {
    return undefined;
  }
}

/** Check the seal, and that the fence alone follows it; the key that made it. */
async function checkSeal(log: LogCheck, lines: readonly string[], at: number, file: Uint8Array): Promise<string> {
  let seal: Seal;
  try {
    seal = JSON.parse(lines[at] ?? "") as Seal;
  } catch {
    log.blame("seal", "");
    return "";
  }
  const { table, key, signature } = seal;
  const end = utf8(`${JSON.stringify({ astragal: "story", table, file: seal.file, key, signature })}\n${FENCE}`);
  const before = file.slice(0, Math.max(0, file.length - end.length));
  if (hex(file.slice(before.length)) !== hex(end)) log.blame("seal", "");
  if (hex(sha256(before)) !== seal.file) log.blame("file", "");
  if (!(await isSigned(utf8(`astragal story 1\n${table}\n${seal.file}\n`), key, signature))) log.blame("signature", "");
  return key;
}
