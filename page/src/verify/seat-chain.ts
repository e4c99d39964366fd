/** What a seat was told, as chains: whether it makes the heads that the server signs, and those that this browser kept. */

import type { components } from "../api/schema.js";
import { isHandover, isSignedHead, leafOf, link, removedIn, START, WHOLE, wholeLeaf, type Head } from "./chain.js";
import type { Promises } from "./promises.js";
import { LogCheck, toldFaces, type LogEvent } from "./log-check.js";

export type ChainShown = components["schemas"]["ChainShown"];

/** What a browser keeps of a seat: how far it has checked, the heads there, and the server's key. */
export interface Kept {
  version: number;
  heads: Record<string, Head>;
  key: string;
}

export interface SeatCheck {
  log: LogCheck;
  kept: Kept;
}

/** Dice that the page shows, by entry: any order. */
export type ShownDice = ReadonlyMap<string, readonly number[]>;

/** Check all that a seat was told, from the first entry on, against what was kept and what the page was promised.
 *
 * `fetch` reads what comes after a version.
 */
export async function checkSeat(
  table: string,
  fetch: (since: number) => Promise<ChainShown>,
  kept: Kept | undefined,
  shown: ShownDice = new Map(),
  promises?: Promises,
): Promise<SeatCheck> {
  const log = new LogCheck(promises);
  let version = 0;
  for (;;) {
    const page = await fetch(version);
    for (const entry of page.entries) {
      version++;
      take(log, entry, shown);
      if (kept?.version === version) compare(log, kept.heads);
    }
    if (version < page.version && page.entries.length) continue;
    if (kept && kept.version > version) log.blame("dropped", "");
    await checkHeads(log, table, page, kept);
    return { log, kept: { version, heads: headsOf(log, Object.keys(page.heads)), key: page.key } };
  }
}

/** Go on from what was kept: whether the new entries lead from those heads to the ones that the server signs. */
export async function goOn(table: string, fetch: (since: number) => Promise<ChainShown>, kept: Kept): Promise<SeatCheck> {
  const log = new LogCheck();
  for (const [audience, head] of Object.entries(kept.heads)) log.chains.set(audience, head);
  let { version } = kept;
  for (;;) {
    const page = await fetch(version);
    for (const entry of page.entries) {
      version++;
      const leaves = leavesOf(entry);
      if (!fitsWhole(entry, leaves)) log.blame("rewritten", entry.id);
      for (const [audience, leaf] of leaves) {
        const { n, head } = log.chains.get(audience) ?? { n: 0, head: START };
        log.chains.set(audience, { n: n + 1, head: link(head, leaf) });
      }
    }
    if (version < page.version && page.entries.length) continue;
    if (version > page.version) log.blame("dropped", "");
    await checkHeads(log, table, page, kept);
    return { log, kept: { version, heads: headsOf(log, Object.keys(page.heads)), key: page.key } };
  }
}

type Hashed = ChainShown["entries"][number];

function leavesOf({ contents, removed }: Hashed): Map<string, string> {
  const leaf = (audience: string, content: string) => (audience === WHOLE ? wholeLeaf(content) : leafOf(content, removed?.[audience]));
  return new Map(Object.entries(contents).map(([audience, content]) => [audience, leaf(audience, content)]));
}

/** Whether the leaves that the chain of the whole log names are those of what a GM was told. */
function fitsWhole({ contents }: Hashed, leaves: ReadonlyMap<string, string>): boolean {
  const named = contents[WHOLE] && (JSON.parse(contents[WHOLE]) as [0, 0, 0, 0, 0, Record<string, string>])[5];
  return !named || Object.entries(named).every(([audience, leaf]) => leaves.get(audience) === leaf);
}

function take(log: LogCheck, entry: Hashed, shown: ShownDice): void {
  const events: LogEvent[] = [];
  let by = "";
  for (const [audience, content] of Object.entries(entry.contents)) {
    if (audience === WHOLE) continue;
    const [id, , who, own] = JSON.parse(content) as [string, number, string, LogEvent[]];
    if (id !== entry.id) log.blame("rewritten", entry.id);
    by = who;
    events.push(...own);
  }
  const leaves = leavesOf(entry);
  const contents = new Map(Object.entries(entry.contents));
  log.take({ id: entry.id, by, events }, leaves, removedIn({ contents, removed: entry.removed ?? {} }));
  if (!fitsWhole(entry, leaves)) log.blame("rewritten", entry.id);
  const dice = shown.get(entry.id);
  if (dice && !sameDice(dice, diceOf(events))) log.blame("shown");
}

/** The dice that an entry tells of; other events have something else under that name. */
const diceOf = (events: readonly LogEvent[]) =>
  events.filter(({ event }) => /^(Thrown|MoveThrown|Revealed)$/.test(event)).flatMap(toldFaces);

function sameDice(one: readonly number[], other: readonly number[]): boolean {
  const sorted = (dice: readonly number[]) => [...dice].sort((a, b) => a - b).join();
  return sorted(one) === sorted(other);
}

function compare(log: LogCheck, heads: Kept["heads"]): void {
  for (const [audience, head] of Object.entries(heads)) {
    const now = log.chains.get(audience) ?? { n: 0, head: START };
    if (now.n !== head.n || now.head !== head.head) log.blame("kept");
  }
}

function headsOf(log: LogCheck, audiences: readonly string[]): Kept["heads"] {
  return Object.fromEntries(audiences.map((audience) => [audience, log.chains.get(audience) ?? { n: 0, head: START }]));
}

/** The signed heads are those that were found, and the key is the one from before, or its heir. */
async function checkHeads(log: LogCheck, table: string, page: ChainShown, kept: Kept | undefined): Promise<void> {
  for (const [audience, { n, head, signature }] of Object.entries(page.heads)) {
    const found = log.chains.get(audience) ?? { n: 0, head: START };
    if (found.n !== n || found.head !== head) log.blame("rewritten", "");
    if (!(await isSignedHead(table, audience, { n, head }, page.key, signature))) log.blame("signature", "");
  }
  if (kept && !(await isHeir(page, kept.key))) log.blame("key", "");
}

async function isHeir({ key, handovers }: ChainShown, from: string): Promise<boolean> {
  let known = from;
  for (const { old, new: next, signature } of handovers) {
    if (old === known && (await isHandover(old, next, signature))) known = next;
  }
  return known === key;
}
