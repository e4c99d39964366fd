import { describe, expect, it } from "vitest";
import type { Action, Entry } from "../../src/api/types.js";
import { HeldTickets } from "../../src/live/tickets.js";
import { heldAfter, Promises, wasShown } from "../../src/verify/promises.js";
import { ticketOf } from "../../src/verify/throw.js";

const key = (n: number) => n.toString(16).padStart(64, "0");
const ticket = (n: number) => ticketOf(key(n));
const thrown = (nonce: string, used: number, next: number) =>
  ({ id: nonce, lines: [{ thrown: [{ faces: [], proof: [nonce, key(used), ticket(next), "place", "1d6"] }] }] }) as unknown as Entry;
const hidden = (used: number, next: number) => ({ id: "h", lines: [{ ticket: [ticket(used), ticket(next)] }] }) as unknown as Entry;

describe("the tickets that a page holds", () => {
  it("give way to the next where they are used, each in its lane", () => {
    const given = { "": ticket(1), "m~": ticket(5) };
    expect(heldAfter(given, [thrown("a", 1, 2), thrown("b", 2, 3), hidden(5, 6)])).toEqual({ "": ticket(3), "m~": ticket(6) });
    expect(heldAfter(given, [thrown("somebody's", 8, 9)])).toEqual(given);
  });
});

/** A page that threw twice with an answer in between. */
function page(): Promises {
  const promises = Promises.read(null);
  promises.send("a", { "": ticket(1), m: ticket(9) });
  promises.answer("a");
  promises.send("b", { "": ticket(2), m: ticket(9) });
  return promises;
}

describe("what was promised before a throw", () => {
  it("is one ticket for each lane, and no older one", () => {
    for (const promises of [page(), Promises.read(page().written())]) {
      expect(wasShown(promises, [], ticket(1), "a")).toBe("yes");
      expect(wasShown(promises, [], ticket(2), "b")).toBe("yes");
      expect(wasShown(promises, [], ticket(1), "b")).toBe("no");
      expect(wasShown(promises, [], ticket(3), "b")).toBe("no");
      expect(wasShown(promises, [], ticket(1), "somebody else's")).toBeUndefined();
    }
  });

  it("is not known of a ticket that another throw of this page showed on its way", () => {
    expect(wasShown(page(), [thrown("a", 1, 3)], ticket(3), "b")).toBe("unsure");
    expect(wasShown(page(), [thrown("somebody's", 1, 3)], ticket(3), "b")).toBe("no");
  });

  it("is remembered with what got no answer", () => {
    expect(Promises.read(page().written()).unanswered).toEqual(["b"]);
  });

  it("is kept of the latest throws only, in little room", () => {
    const promises = Promises.read(null);
    for (let n = 0; n < 1000; n++) promises.send(`nonce ${n}`, { "": ticket(n), "m~": ticket(5000 + Math.floor(n / 600)) });
    expect(promises.at("nonce 799")).toBeUndefined();
    expect(promises.at("nonce 800")).toEqual({ "": ticket(800), "m~": ticket(5001) });
    expect(promises.at("nonce 999")).toEqual({ "": ticket(999), "m~": ticket(5001) });
    expect(promises.written().length).toBeLessThan(25_000);
  });

  it("is nothing where what was kept cannot be read", () => {
    for (const text of ["", "{}", "[]", "null", '{"first":{},"throws":5}', "nonsense"]) expect(Promises.read(text).unanswered).toEqual([]);
  });
});

describe("what a server does with a nonce", () => {
  it("counts each refusal, also of a nonce that is sent again", () => {
    const promises = page();
    promises.refuse("b");
    expect(promises.unanswered).toEqual([]);
    promises.send("b", { "": ticket(7), m: ticket(9) });
    expect(promises.unanswered).toEqual(["b"]);
    promises.refuse("b");
    expect(Promises.read(promises.written()).refusals).toBe(2);
    expect(promises.at("b"), "what was promised first counts").toEqual({ "": ticket(2), m: ticket(9) });
  });

  it("knows which nonce was sent for an entry", () => {
    const promises = page();
    promises.answer("b", "entry");
    expect(Promises.read(promises.written()).sentFor("entry")).toBe("b");
    expect(promises.sentFor("another")).toBeUndefined();
    expect(promises.sentFor("")).toBeUndefined();
  });
});

describe("the tickets of a page", () => {
  const roll = { do: "roll" } as Action;

  it("send a nonce again that was refused, so that a refusal buys no other dice", () => {
    const tickets = new HeldTickets();
    tickets.begin({ "": ticket(1) }, "road.1");
    const first = tickets.withNonce(roll) as { nonce: string; book: string };
    expect(first.book).toBe("road.1");
    tickets.refuse(first.nonce);
    expect(tickets.withNonce(roll).nonce).toBe(first.nonce);
    expect(tickets.withNonce(roll).nonce).not.toBe(first.nonce);
  });

  it("send no nonce of an older book", () => {
    const tickets = new HeldTickets();
    tickets.begin({ "": ticket(1) }, "road.1");
    const { nonce = "" } = tickets.withNonce(roll);
    tickets.refuse(nonce);
    tickets.begin({ "": ticket(5) }, "road.2");
    expect(tickets.withNonce(roll).nonce).not.toBe(nonce);
  });
});
