/** Calls by which people come to a table: invitations, codes, knocks, and the screen of the room. */

import { at, call, json } from "./client.js";
import type { Member, Role } from "./types.js";

/** What a link says before anybody sits down. */
export interface Invitation {
  table: string;
  title: string;
  game: string;
  game_title: string;
  role: Role;
  gms: string[];
  /** Whose own link it is, if it is one person’s. */
  member: { id: string; name: string } | null;
  /** The seat that this browser already has. */
  you: Member | null;
}

export interface Seat {
  table: string;
  member: string;
  role: Role;
}

/** A code and how long it works. */
export interface Code {
  code: string;
  seconds: number;
}

export interface Knocked {
  knock: string;
  title: string;
  game: string;
  game_title: string;
  gms: string[];
}

export interface Knock {
  id: string;
  name: string;
}

export interface Answered extends Partial<Seat> {
  state: "waiting" | "refused" | "in";
}

export const invitation = (table: string, token: string) => json<Invitation>("POST", at(table, "/invitation"), { token });

/** A code that brings a seat to another device: one’s own, or for GMs anybody’s. */
export const seatCode = (table: string, member?: string) => json<Code>("POST", at(table, "/seat/code"), member ? { member } : {});
export const takeSeatByCode = (code: string) => json<Seat>("POST", "/api/seat", { code });

/** A seat for the screen of the room, by any link of the table, or by the seat that this browser has. */
export const takeScreen = (table: string, token = "") => call("POST", at(table, "/screen/seat"), token ? { token } : {});

/** The code to read aloud. It works as long as this is asked again, every half minute. */
export const joinCode = (table: string, screen = false) => json<Code>("POST", at(table, screen ? "/screen/code" : "/code"), {});
export const endJoinCode = (table: string) => call("DELETE", at(table, "/code"));

export const knock = (code: string, name: string) => json<Knocked>("POST", "/api/knocks", { code, name });
export const waitAtDoor = (secret: string) => json<Answered>("POST", "/api/knocks/wait", { knock: secret });
export const knocks = async (table: string) => (await json<{ knocks: Knock[] }>("GET", at(table, "/knocks"))).knocks;
export const answerKnock = (table: string, id: string, letIn: boolean, role: "player" | "onlooker" = "player") =>
  call("POST", at(table, `/knocks/${encodeURIComponent(id)}`), { let_in: letIn, role });

/** Whether this page is open at an address that only this machine knows, so that no phone could follow it. */
export const isLocal = () => /^(localhost|127\.|\[::1\])/.test(location.hostname);

/** A QR code of a text, as an SVG picture. */
export const qrCode = async (text: string) => (await call("POST", "/api/qr", { text })).text();

/** Whether what somebody typed is the code of a seat: two groups of four. A code that is read aloud has words. */
export const isSeatCode = (typed: string) => /^[a-z0-9]{4}[\s-]*[a-z0-9]{4}$/i.test(typed.trim());
