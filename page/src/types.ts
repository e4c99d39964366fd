/**
 * What the server says and takes, as far as the page needs it.
 *
 * Written by hand until `schema.d.ts` is generated from the server's /openapi.json; then each of these becomes
 * a name for a type of the schema, and nothing else in the page changes.
 */

export type Role = "gm" | "player" | "onlooker" | "gone";
export type Seen = "all" | "owner" | "gm" | "veiled" | "blind";
export type Look = "pips" | "boxes" | "bar" | "dots" | "clock" | "list" | "words";
export type InputKind = "whole" | "summed" | "numbers" | "one_of" | "flag" | "words" | "named";

export interface Input {
  name: string;
  option: string;
  kind: InputKind;
  help: string;
  rule: string;
  required: boolean;
  default: unknown;
  guided: boolean;
  min?: number;
  max?: number;
  n?: number;
  options?: (string | number)[];
  max_length?: number;
}

export interface Section {
  name: string;
  title: string;
  look: Look;
  names: string[];
  counts: string;
  top: string;
  rule: string;
  help: string;
  fields: Input[];
}

export interface Wish {
  name: string;
  help: string;
}

export interface Kind {
  name: string;
  title: string;
  inputs: Input[];
  wishes: Wish[];
  tables: { name: string; title: string }[];
}

export interface Move {
  name: string;
  title: string;
  by: "owner" | "gm";
  against: boolean;
  rule: string;
  inputs: Input[];
}

export type HolderKind = "character" | "player" | "table" | "scene";

export interface Game {
  name: string;
  title: string;
  blurb: string;
  kinds: Kind[];
  rules: Record<string, string>;
  sample: { title: string; blurb: string } | null;
  templates: { name: string; blurb: string }[];
  options: Input[];
  sheets: Partial<Record<HolderKind, Section[]>>;
  moves: Move[];
}

// A table, as a seat sees it.

export interface You {
  id: string;
  name: string;
  role: Role;
}

export interface TablePart {
  game: string;
  title: string;
  options: Record<string, unknown>;
  scene: { title: string; open: boolean };
  you: You | null;
}

export type Item = Record<string, unknown> & { seen?: Seen };
export type Sheet = Record<string, Record<string, Item>>;

export interface Holder {
  id: string;
  kind: HolderKind;
  name: string;
  owner: string;
  seen: Seen;
  yours: boolean;
  sheet: Sheet;
}

export interface Offer {
  id: string;
  group: string;
  label: string;
  input: string;
  gives: unknown;
  most: number;
  price: { item: string; by: number }[];
  rule: string;
  yours: boolean;
}

export interface Die {
  throw?: string;
  name: string;
  sides: number;
  face: number;
  did: string;
  counts: boolean;
}

export interface Option {
  name: string;
  label: string;
  cost: number;
  words: string;
  needs_words: boolean;
  rule: string;
}

export interface OpenChoice {
  choice: string;
  by: string;
  question: string;
  options: Option[];
  barred: { name: string; label?: string; why?: string; rule?: string }[];
}

export interface OpenDice {
  throw: string;
  dice: { name: string; sides: number; n: number }[];
}

export interface Roll {
  id: string;
  kind: string;
  title: string;
  by: string;
  who: string;
  against: string;
  helpers: string[];
  seen: Seen;
  hidden: string[];
  over: boolean;
  thrown: boolean;
  blind?: boolean;
  yours?: boolean;
  headline?: string;
  ask?: Record<string, unknown>;
  // While it is built.
  inputs?: Record<string, unknown>;
  use?: Record<string, number>;
  offers?: Offer[];
  missing?: string;
  // Once it is thrown.
  dice?: Die[];
  verdict?: string;
  waits?: "" | "choice" | "dice" | "gm";
  open?: OpenChoice | OpenDice | null;
}

export type LineKind =
  | "done" | "change" | "full" | "scene" | "open" | "dice" | "answer" | "headline" | "note" | "verdict" | "undo";

export interface Line {
  text: string;
  kind?: LineKind;
  rule?: string;
  roll?: string;
  dice?: [name: string, sides: number, face: number, did: string, counts: boolean][];
}

export interface Entry {
  id: string;
  at: number;
  by: string;
  name: string;
  do: string;
  struck: boolean;
  lines: Line[];
}

export type Part = TablePart | You | Holder | Roll;
export type Parts = Record<string, Part | null>;

export interface Snapshot {
  version: number;
  you: You | null;
  parts: Parts;
  log: Entry[];
  here: string[];
}

export type Frame =
  | ({ type: "hello" } & Snapshot)
  | { type: "news"; version: number; entries: Entry[]; parts: Parts; all: boolean }
  | { type: "here"; here: string[] }
  | { type: "ping" }
  | { type: "bye"; why: string };

export interface Links {
  gm?: string;
  player?: string;
  onlooker?: string;
}

export interface Link {
  id: string;
  role: Role;
  member: string | null;
  path: string;
}

export interface OddsTable {
  name: string;
  title: string;
  denominator: string;
  mean: { exact: string; shown: string } | null;
  rows: { label: string; numerator: string; percent: string; share: number }[];
}

export interface Odds {
  headline: string;
  tables: OddsTable[];
}

export interface Advice {
  choice: string;
  question: string;
  wish: string;
  best: string;
  options: {
    name: string;
    label: string;
    cost: number;
    percent: string;
    exact: string;
    total_cost: string | number;
    best: boolean;
  }[];
}

export type Action = { do: string } & Record<string, unknown>;
