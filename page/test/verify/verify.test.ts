import { describe, expect, it } from "vitest";
import { codeOf, isSignedHead, leafOf, link, START, type Head } from "../../src/verify/chain.js";
import { isSignedHere } from "../../src/verify/signature.js";
import { checkFile } from "../../src/verify/file.js";
import { hex, hmac, unhex, utf8 } from "../../src/verify/hashes.js";
import type { Promises } from "../../src/verify/promises.js";
import { checkSeat, type ChainShown } from "../../src/verify/seat-chain.js";
import { checkStory } from "../../src/verify/story.js";
import { follows, ticketOf, type Faces, type Proof } from "../../src/verify/throw.js";
import shared from "./shared.json";

const bytes = (text: string) => unhex(text) ?? new Uint8Array();
const proofOf = (thrown: (typeof shared.throws)[number]): Proof => [thrown.nonce, thrown.key, "", thrown.place, thrown.pool];

describe("hashes and signatures without WebCrypto", () => {
  it("make the HMAC of RFC 4231", () => {
    expect(hex(hmac(utf8("Jefe"), utf8("what do ya want for nothing?")))).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  it("know a signature of Python's from another", () => {
    const { chain } = shared.honest;
    const text = utf8(`astragal head 1\nroad\n\n${chain.n}\n${chain.head}\n`);
    expect(isSignedHere(text, bytes(chain.key), bytes(chain.signature))).toBe(true);
    expect(isSignedHere(utf8("another text"), bytes(chain.key), bytes(chain.signature))).toBe(false);
    for (const at of [0, 31, 32, 63]) {
      const changed = bytes(chain.signature);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(isSignedHere(text, bytes(chain.key), changed)).toBe(false);
    }
  });
});

describe("a throw", () => {
  it.each(shared.throws)("of $pool follows from its key, as in Python", (thrown) => {
    expect(ticketOf(thrown.key)).toBe(thrown.ticket);
    expect(follows(thrown.faces as Faces, proofOf(thrown))).toBe(true);
  });

  it.each(shared.throws)("of $pool does not follow from anything else", (thrown) => {
    const [nonce, key, next, place, pool] = proofOf(thrown);
    const faces = thrown.faces as Faces;
    expect(follows(faces, [`${nonce}x`, key, next, place, pool])).toBe(false);
    expect(follows(faces, [nonce, `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`, next, place, pool])).toBe(false);
    expect(follows(faces, [nonce, key, next, `${place}1`, pool])).toBe(false);
    expect(follows(faces, [nonce, key, next, place, `${pool}+1d6`])).toBe(false);
    const other = faces.map((waves) => waves.map((wave) => wave.map((face) => (face === 1 ? 2 : 1))));
    expect(follows(other, [nonce, key, next, place, pool])).toBe(false);
  });
});

describe("a story with its dice", () => {
  it("is right as the server wrote it", async () => {
    const found = await checkStory(utf8(shared.story));
    expect(found?.log.wrong).toEqual([]);
    expect(found?.log.throws.checked).toBe(7);
    expect(found?.key).toBe(shared.honest.chain.key);
  });

  it("is wrong whichever of its bytes is another, or missing", async () => {
    const file = utf8(shared.story);
    for (let n = 0; n < 60; n++) {
      const at = n < 40 ? (n * 7919) % file.length : file.length - 1 - (n - 40) * 7;
      const changed = file.map((byte, place) => (place === at ? byte ^ (1 << (n % 7)) : byte));
      for (const other of [changed, file.filter((_, place) => place !== at)]) {
        const found = await checkStory(other);
        expect(found === undefined || found.log.wrong.length > 0, `byte ${at}`).toBe(true);
      }
    }
  });

  it("is none without throws", async () => {
    expect(await checkStory(utf8("# Road\n\nNothing happened.\n"))).toBeUndefined();
  });
});

/** The head that a page would have kept, had the server been honest. */
const kept: Head = { n: shared.honest.chain.n, head: shared.honest.chain.head };
const check = (file: string, head?: Head) => checkFile(utf8(file), head);

describe("an exported table", () => {
  it("is right if the server was honest", async () => {
    const found = await check(shared.honest.file, kept);
    expect(found?.log.wrong).toEqual([]);
    expect(found?.log.throws).toEqual({ checked: 7, restored: 0, unproven: 0, typed: 1, again: 1 });
    expect(found?.log.chains.get("")).toEqual(kept);
  });

  it.each(Object.entries(shared.cheats))("tells of: %s", async (name, { file, what, outcome }) => {
    const byHead = shared.by_head.includes(name);
    const log = (await check(file, byHead ? kept : undefined))?.log;
    expect(log?.outcome).toBe(outcome);
    expect(
      [...(log?.wrong ?? []), ...(log?.open ?? []), ...(log?.throws.restored ? [{ what: "across" }] : [])].map((one) => one.what),
    ).toContain(what);
    if (byHead) expect((await check(file))?.log.wrong).toEqual([]);
  });

  it.each(Object.entries(shared.evenings))("comes to the same as in Python: %s", async (_, { file, story, outcome }) => {
    const [table, told] = [(await check(file))?.log, (await checkStory(utf8(story)))?.log];
    expect([table?.wrong, told?.wrong]).toEqual([[], []]);
    expect([table?.outcome, told?.outcome]).toEqual([outcome, outcome]);
    expect(told?.throws.restored).toBe(table?.throws.restored);
  });

  it.each(Object.entries(shared.cheating_stories))("is told in a story, too: %s", async (name, story) => {
    const { outcome } = shared.cheats[name as keyof typeof shared.cheats];
    expect((await checkStory(utf8(story)))?.log.outcome).toBe(outcome);
  });

  it("is wrong whichever of its bytes is another", async () => {
    const file = utf8(shared.honest.file);
    for (let n = 0; n < 60; n++) {
      const changed = file.slice();
      const at = (n * 7919) % file.length;
      changed[at] = (changed[at] ?? 0) ^ (1 << (n % 8));
      const found = await checkFile(changed);
      expect(found === undefined || found.log.wrong.length > 0, `byte ${at}`).toBe(true);
    }
  });
});

const seat = (name: keyof typeof shared.seats) => shared.seats[name] as unknown as { page: ChainShown; dice: Record<string, number[]> };
const seatCheck = (name: keyof typeof shared.seats, page: ChainShown = seat(name).page, held?: Promises) =>
  checkSeat("road", async () => page, undefined, new Map(Object.entries(seat(name).dice)), held);

describe("what a seat was told", () => {
  it.each(["Mira", "Jonas", "Ada"] as const)("is right for %s, also where dice came with a reveal", async (name) => {
    const { log } = await seatCheck(name);
    expect(log.wrong).toEqual([]);
    expect(log.throws).toEqual({ checked: 7, restored: 0, unproven: 0, typed: 1, again: 1 });
  });

  it("is wrong if what is revealed is another throw than the one whose ticket was told", async () => {
    const changed = (from: string, to: string): ChainShown => JSON.parse(JSON.stringify(seat("Jonas").page).replaceAll(from, to));
    const covered = /Covered.*?ticket\W+(\w{64})/.exec(JSON.stringify(seat("Jonas").page))?.[1] ?? "";
    const { log } = await seatCheck("Jonas", changed(covered, "0".repeat(64)));
    expect(log.wrong.map(({ what }) => what)).toContain("otherTicket");
  });

  it("is wrong if a throw used another ticket than the page was promised", async () => {
    const promised = (ticket: string) =>
      ({ at: (nonce: string) => (nonce === "nonce-0" ? { "": ticket } : undefined), sentFor: () => undefined }) as unknown as Promises;
    const key = /nonce-0\W+(\w{64})/.exec(JSON.stringify(seat("Jonas").page))?.[1] ?? "";
    expect((await seatCheck("Jonas", undefined, promised(ticketOf(key)))).log.wrong).toEqual([]);
    const { log } = await seatCheck("Jonas", undefined, promised("0".repeat(64)));
    expect(log.wrong.map(({ what }) => what)).toEqual(["promised"]);
  });
});

describe("what only the thrower's page can know", () => {
  const entry = (
    JSON.parse(seat("Jonas").page.entries.find(({ contents }) => contents[""]?.includes("nonce-0"))?.contents[""] ?? "[]") as string[]
  )[0];
  const own = (sent: string) =>
    ({ at: () => undefined, seat: "", confirmed: [], sentFor: (id: string) => (id === entry ? sent : undefined) }) as unknown as Promises;

  it("is whether a throw has the nonce that was sent", async () => {
    expect((await seatCheck("Jonas", undefined, own("nonce-0"))).log.wrong).toEqual([]);
    expect((await seatCheck("Jonas", undefined, own("another"))).log.wrong.map(({ what }) => what)).toEqual(["nonce"]);
  });
});

describe("what everybody saw", () => {
  it("makes the signed head, and the same words as in Python", async () => {
    const { contents, n, head, key, signature, code } = shared.honest.chain;
    expect(contents.reduce((found, content) => link(found, leafOf(content)), START)).toBe(head);
    expect(await isSignedHead("road", "", { n, head }, key, signature)).toBe(true);
    expect(codeOf(head, "en")).toBe(code);
    expect(codeOf(head, "de")).toBe(shared.german);
  });
});
