/** The check of a story that was saved with its dice: what `astragal verify` does with one. */

import type { Announcement } from "./books.js";
import type { FileCheck } from "./file.js";
import { isSigned } from "./signature.js";
import { LogCheck } from "./log-check.js";
import { hex, sha256, utf8 } from "./hashes.js";
import { follows, ticketOf, turnOf, type Faces, type Proof } from "./throw.js";

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
  const told = new StoryLines(log, titled >= 0);
  for (const [n, line] of lines.slice(0, sealAt < 0 ? undefined : sealAt).entries()) if (n >= begins) told.take(line, String(n + 1));
  if (!log.throws.checked && !log.throws.restored && !log.throws.unproven && !log.wrong.length) return undefined;
  let key = "";
  if (sealAt >= 0) key = await checkSeal(log, lines, sealAt, file);
  else if (titled >= 0) log.blame("noSeal", "");
  else log.notes.push({ entry: "", what: "onlyDice" });
  return { log, title: (lines[0] ?? "").replace(/^# |\n/g, ""), entries: 0, key };
}

/** A line of the appendix: about seats and announced tickets, a confirmation, hidden dice, or a throw. */
interface Told extends Partial<Thrown> {
  seats?: Readonly<Record<string, string>>;
  confirmed?: string;
  covered?: readonly [ticket: string, next: string];
  book?: string;
  tickets?: Announcement;
  why?: string;
  seal?: string;
  founding?: boolean;
  lost?: number;
  by?: string;
  lane?: string;
}

class StoryLines {
  private readonly known = new Set<string>();
  private readonly rolls = new Map<string, string>();
  private readonly turns = new Map<string, number>();
  /** By ticket: whether it was confirmed when it was used. */
  private readonly confirmed = new Map<string, boolean>();

  constructor(
    private readonly log: LogCheck,
    /** False for throws that somebody copied: their tickets cannot be followed. */
    private readonly whole: boolean,
  ) {}

  take(line: string, at: string): void {
    if (!/^\{"(seats|confirmed|covered|faces)":/.test(line)) return;
    const told = toldOf(line);
    this.log.place(at);
    if (!told) this.log.blame("unreadable");
    else if (told.faces && told.proof) this.throw(told as Told & Thrown);
    else if (this.whole) this.tickets(told);
  }

  private tickets({ seats, confirmed, covered, founding, by = "", lane = "", ...event }: Told): void {
    if (covered) this.use(by, lane, this.log.books.book, ...covered);
    else if (confirmed !== undefined) this.log.confirmed({ ...event, member: confirmed }, confirmed);
    else {
      for (const [member, role] of Object.entries(seats ?? {})) this.log.books.seat(member, role);
      if (event.book) this.log.announced(event, founding ?? false);
      this.log.seated();
    }
  }

  private use(by: string, lane: string, book: string, ticket: string, next: string): void {
    this.confirmed.set(ticket, this.log.books.isConfirmed(by));
    const what = this.log.books.use(by, lane, book, ticket, next);
    if (what) this.log.blame(what);
  }

  private throw({ faces, proof, by, lane = "" }: Told & Thrown): void {
    const [, key, next, place] = proof;
    if (this.known.has(place)) this.log.blame("twoWays");
    this.known.add(place);
    const roll = `${place.split("/").slice(0, 2).join("/")} ${next}`;
    if (!follows(faces, proof)) this.log.blame("faces");
    if ((this.rolls.get(key) ?? roll) !== roll) this.log.blame("twice");
    this.rolls.set(key, roll);
    const ticket = ticketOf(key);
    if (this.whole && by && !this.confirmed.has(ticket)) this.use(by, lane, place.split("/")[0] ?? "", ticket, next);
    // Dice that came up again may be of the middle of an action: a number out of turn is not wrong, but no proof.
    const turn = this.turns.get(key) ?? 0;
    this.turns.set(key, turn + 1);
    const proves = turnOf(proof) === `${turn}` && (this.confirmed.has(ticket) || !this.whole);
    this.log.count(proof, this.confirmed.get(ticket) ?? proof[5] ?? true, proves);
  }
}

function toldOf(line: string): Told | undefined {
  try {
    const told = JSON.parse(line) as Told;
    if (!told.faces && !told.proof) return told;
    const isWhole =
      Array.isArray(told.proof) && told.proof.length === 6 && told.proof.slice(0, 5).every((part) => typeof part === "string");
    return isWhole && Array.isArray(told.faces) ? told : undefined;
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
