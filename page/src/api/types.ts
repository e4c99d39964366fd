/**
 * Short names for the server's types, which `make page` generates into `schema.d.ts`. Nothing else in the page
 * names a type of the schema.
 */

import type { components, operations } from "./schema.js";

type Schemas = components["schemas"];
type Body<Name extends "act" | "odds"> = operations[Name]["requestBody"]["content"]["application/json"];

// What a game declares.

export type Input = Schemas["InputDeclared"];
export type Section = Schemas["SectionDeclared"];
export type Kind = Schemas["KindDeclared"];
export type Move = Schemas["MoveDeclared"];
export type Game = Schemas["Declaration"];
/** The cover of a game on the shelf. */
export type Cover = Schemas["OnShelf"];
export type Hint = Schemas["HintDeclared"];

// A table, as a member sees it.

export type Member = Schemas["MemberView"];
export type Role = Member["role"];
export type TablePart = Schemas["TableView"];
export type HolderKind = Schemas["HolderView"]["kind"];
export type Seen = Schemas["RollView"]["seen"] | "veiled";
/** By hand: the game decides which fields an item has, so the schema knows none; every item may have `seen`. */
export type Item = Record<string, unknown> & { seen?: Seen };
export type Sheet = Record<string, Record<string, Item>>;
export type Holder = Omit<Schemas["HolderView"], "sheet"> & { sheet: Sheet };
export type Offer = Schemas["OfferView"];
export type Option = Schemas["OptionView"];
export type Prompt = Schemas["PromptView"];
export type OpenChoice = Schemas["OpenChoice"];
export type OpenDice = Schemas["OpenDice"];
export type Roll = Schemas["RollView"];
/** By hand: dice of a roll say which throw they belong to, dice in the log do not. */
export type Die = Omit<Schemas["DieView"], "throw"> & { throw?: string };
/** A die as the log sends it. */
export type LoggedDie = NonNullable<Schemas["LogLine"]["dice"]>[number];
export type LogLine = Schemas["LogLine"];
export type Entry = Schemas["EntryShown"];
export type RollRequest = Schemas["RequestView"];
/** What a player asks a GM to undo. */
export type Plea = Schemas["PleaView"];
export type Turns = Schemas["TurnsView"];
export type Pools = Schemas["PoolsView"];
export type Part = TablePart | Member | Holder | Roll | RollRequest | Plea | Turns | Pools;
export type Snapshot = Schemas["Snapshot"];
export type Parts = Schemas["News"]["parts"];
export type News = Schemas["News"];
export type Frame = Schemas["Hello"] | News | Schemas["Here"] | Schemas["Knocks"] | Schemas["Ping"] | Schemas["Now"] | Schemas["Bye"];
export type LogPage = Schemas["LogShown"];
export type Stats = Schemas["Stats"];

// Requests and their replies.

export type NewTable = Schemas["NewTable"];
export type CreatedTable = Schemas["CreatedTable"];
export type Seated = Schemas["SeatShown"];
export type Link = Schemas["LinkShown"];
export type NewLink = Schemas["NewLink"];
export type Action = Body<"act">;
export type Done = Schemas["Done"];
export type Problem = Schemas["Problem"];

// Odds: `odds/chart-rows.ts` alone reads their rows.

export type OddsQuestion = Body<"odds">;
export type Odds = Schemas["OddsShown"];
export type Advice = Schemas["AdviceShown"];

// The stage.

export type Tone = NonNullable<Roll["tone"]>;
export type SomeDice = Schemas["DiceView"];
export type Pool = Schemas["PoolView"];
export type Chances = Schemas["ChancesShown"];
export type Tones = Schemas["TonesShown"];

// Chats.

export type Chat = Schemas["ChatShown"];
export type Tie = Schemas["TieShown"];
export type Webhook = Schemas["WebhookShown"];
export type NewWebhook = Schemas["NewWebhook"];
export type WebhookMade = Schemas["WebhookMade"];
