/** The check of an exported table: what `astragal verify` does, in a browser and without a server. */

import { hashedOf, removedIn, type Head } from "./chain.js";
import { isSigned } from "./signature.js";
import { LogCheck, type LogEntry } from "./log-check.js";
import { hex, joined, sha256, utf8 } from "./hashes.js";

interface Seal {
  file: string;
  chains: Record<string, [number, string]>;
  key: string;
  signature: string;
}

export interface FileCheck {
  log: LogCheck;
  title: string;
  entries: number;
  key: string;
}

/** Check the bytes of a file, perhaps against a head that somebody's page kept; undefined if it is no table. */
export async function checkFile(file: Uint8Array, kept?: Head): Promise<FileCheck | undefined> {
  const text = new TextDecoder().decode(file);
  const lines = text.split("\n").map((line, n, all) => (n < all.length - 1 ? `${line}\n` : line));
  if (lines.at(-1) === "") lines.pop();
  const header = parsed<{ astragal?: string; table?: string; title?: string; version?: number }>(lines[0] ?? "");
  if (header?.astragal !== "table") return undefined;
  const log = new LogCheck();
  const sealAt = lines.findIndex((line) => line.startsWith('{"astragal":"seal",'));
  const entries = sealAt < 0 ? lines.slice(1) : lines.slice(1, sealAt);
  let waits = kept;
  for (const [n, line] of entries.entries()) {
    take(log, line, n + 1);
    const now = log.chains.get("");
    if (waits && now?.n === waits.n) {
      if (now.head !== waits.head) log.blame("kept");
      waits = undefined;
    }
  }
  if (waits) log.blame("dropped", "");
  if (header.version !== entries.length) log.blame("dropped", "");
  const seal = sealAt < 0 ? undefined : parsed<Seal>(lines[sealAt] ?? "");
  if (sealAt < 0) log.notes.push({ entry: "", what: "unsealed" });
  else await checkSeal(log, lines, sealAt, seal, header.table ?? "", file);
  return { log, title: header.title ?? "", entries: entries.length, key: seal?.key ?? "" };
}

function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

function take(log: LogCheck, line: string, n: number): void {
  const entry = parsed<LogEntry & { version: number }>(line);
  if (!entry || !Array.isArray(entry.events)) {
    log.blame("unreadable", String(n));
    return;
  }
  if (entry.version !== n) log.blame("order", entry.id);
  const hashed = hashedOf(line.trimEnd());
  log.take(entry, hashed.leaves, removedIn(hashed));
}

async function checkSeal(
  log: LogCheck,
  lines: string[],
  at: number,
  seal: Seal | undefined,
  table: string,
  file: Uint8Array,
): Promise<void> {
  const before = utf8(lines.slice(0, at).join("")).length;
  const written = seal && `${JSON.stringify({ astragal: "seal", ...pick(seal) })}\n`;
  if (!seal || written !== lines[at] || at !== lines.length - 1) return log.blame("seal", "");
  // A sign that is no text would have become another one: the rest of the file must be as it was read.
  const whole = joined(utf8(lines.slice(0, at).join("")), utf8(lines[at] ?? ""));
  if (hex(sha256(file.slice(0, before))) !== seal.file || whole.length !== file.length) log.blame("file", "");
  const heads = Object.entries(seal.chains);
  const fits = heads.length === log.chains.size && heads.every(([name, [n, head]]) => same(log.chains.get(name), { n, head }));
  if (!fits) log.blame("rewritten", "");
  const sorted = heads.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, [n, head]]) => `${name} ${n} ${head}\n`);
  const signed = utf8(`astragal seal 1\n${table}\n${seal.file}\n${sorted.join("")}`);
  if (!(await isSigned(signed, seal.key, seal.signature))) log.blame("signature", "");
}

const pick = ({ file, chains, key, signature }: Seal) => ({ file, chains, key, signature });
const same = (one: Head | undefined, other: Head) => one?.n === other.n && one.head === other.head;
