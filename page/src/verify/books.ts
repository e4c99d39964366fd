/** Books of tickets, checked: every ticket was announced before it was used, and none was passed over or used twice. */

import type { Finding } from "./log-check.js";

/** Tickets by seat and lane. */
export type Announcement = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The lanes that a seat may throw in, by everybody's roles. */
export function lanesOf(seat: string, roles: ReadonlyMap<string, string>): string[] {
  if (roles.get(seat) === "player") return ["", "~", seat, `${seat}~`];
  if (roles.get(seat) !== "gm") return [];
  const others = [...roles].flatMap(([id, role]) => (role === "player" || role === "onlooker" ? [id, `${id}~`] : []));
  return ["", "~", "gm", ...others];
}

export class Books {
  /** Books that began later than the table: restores and imports. */
  restores = 0;
  book = "";
  private readonly known = new Set<string>();
  private readonly roles = new Map<string, string>();
  private next = new Map<string, string>();
  private readonly used = new Set<string>();
  private unconfirmed = new Set<string>();

  seat(member: string, role: string): void {
    this.roles.set(member, role);
  }

  /** Take in tickets that are announced, `founding` if that is in the table's first entry; what is wrong with that. */
  announce(book: string, tickets: Announcement, founding: boolean): Finding[] {
    const wrong: Finding[] = [];
    if (book !== this.book) {
      if (this.known.has(book)) wrong.push("oldBook");
      this.book = book;
      this.known.add(book);
      this.next = new Map();
      if (!founding) {
        this.restores++;
        this.unconfirmed = new Set(this.roles.keys());
      }
    }
    for (const [seat, held] of Object.entries(tickets)) {
      for (const [lane, ticket] of Object.entries(held)) {
        if (this.next.has(`${seat} ${lane}`)) wrong.push("announcedTwice");
        this.next.set(`${seat} ${lane}`, ticket);
      }
    }
    return wrong;
  }

  /** Whether a seat lacks tickets, after an entry that seats somebody or announces tickets. */
  get isWithheld(): boolean {
    const due = [...this.roles.keys()].flatMap((seat) => lanesOf(seat, this.roles).map((lane) => `${seat} ${lane}`));
    return this.book !== "" && due.some((each) => !this.next.has(each));
  }

  /** Take in that a member's page confirmed a book; false if there is nothing for it to confirm. */
  confirm(member: string, book: string): boolean {
    return book === this.book && this.unconfirmed.delete(member);
  }

  /** False for a seat whose page has not confirmed the tickets that a restore brought. */
  isConfirmed(seat: string): boolean {
    return !this.unconfirmed.has(seat);
  }

  /** The ticket that a seat has to use next in a lane. */
  expected(seat: string, lane: string): string | undefined {
    return this.next.get(`${seat} ${lane}`);
  }

  /** Take in that a ticket is used in a lane, and the following one is shown; what is wrong with that. */
  use(seat: string, lane: string, book: string, ticket: string, following: string): Finding | undefined {
    const expected = this.expected(seat, lane);
    const isUsed = this.used.has(ticket);
    this.used.add(ticket);
    this.next.set(`${seat} ${lane}`, following);
    if (book !== this.book) return "otherBook";
    if (isUsed) return "twice";
    if (expected === undefined) return "unannounced";
    return expected === ticket ? undefined : "aborted";
  }
}
