/**
 * What the server says and takes: names for the types of `schema.d.ts`, which `make page-types` makes from the
 * server's own schema.
 */

import type { components, operations } from "./schema.js";

type Schemas = components["schemas"];

// What a game declares.

export type Input = Schemas["InputDeclared"];
export type Section = Schemas["SectionDeclared"];
export type Kind = Schemas["KindDeclared"];
export type Move = Schemas["MoveDeclared"];
export type Game = Schemas["Declaration"];

// A table, as a seat sees it.

export type You = Schemas["MemberView"];
export type Role = You["role"];
export type TablePart = Schemas["TableView"];
export type HolderKind = Schemas["HolderView"]["kind"];
export type Seen = Schemas["RollView"]["seen"] | "veiled";
/** By hand: which fields an item has is for the game to say, so the schema knows none; `seen` every item may have. */
export type Item = Record<string, unknown> & { seen?: Seen };
export type Sheet = Record<string, Record<string, Item>>;
export type Holder = Omit<Schemas["HolderView"], "sheet"> & { sheet: Sheet };
export type Offer = Schemas["OfferView"];
export type Option = Schemas["OptionView"];
export type OpenChoice = Schemas["OpenChoice"];
export type OpenDice = Schemas["OpenDice"];
export type Roll = Schemas["RollView"];
/** By hand: dice of the log and of a picture are not of any throw. */
export type Die = Omit<Schemas["DieView"], "throw"> & { throw?: string };
export type Line = Schemas["LogLine"];
export type Entry = Schemas["EntryShown"];
export type Part = TablePart | You | Holder | Roll;
export type Snapshot = Schemas["Snapshot"];
export type Parts = Schemas["News"]["parts"];
export type News = Schemas["News"];
export type Frame = Schemas["Hello"] | News | Schemas["Here"] | Schemas["Ping"] | Schemas["Bye"];
export type LogPage = Schemas["LogShown"];
export type Luck = Schemas["LuckShown"];

// Links and what is asked for.

export type NewTable = Schemas["NewTable"];
export type Made = Schemas["Founded"];
export type Sat = Schemas["Sat"];
export type Link = Schemas["LinkShown"];
export type NewLink = Schemas["NewLink"];
export type Action = operations["act"]["requestBody"]["content"]["application/json"];
export type Done = Schemas["Done"];
export type Problem = Schemas["Problem"];

// Chances.

export type Odds = Schemas["Odds"];
export type OddsTable = Schemas["Table"];
export type Advice = Schemas["Advice"];
