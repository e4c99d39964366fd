/** The head of the stage: the scene, what is in it, the open Clocks, and whose turn it is. */

import { html, nothing, type TemplateResult } from "lit";
import type { Holder, Item, Section } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { namedClock } from "../sheet/marks.js";
import { t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import { signed } from "../ui/helpers.js";

/** More Clocks than this stand in a grid, the fullest first. */
const MANY_CLOCKS = 4;
/** Names of the turn order that are shown after the one whose turn it is. */
const NEXT_TURNS = 5;

export function stageHead(table: TableStore, small: boolean): TemplateResult {
  const { open, title } = table.about.scene;
  const clocks = clocksOf(table);
  const many = clocks.length > MANY_CLOCKS;
  // Without a scene there is nothing to head; what to do first stands in the middle.
  if (!open && !clocks.length) return html`${turnStrip(table)}`;
  return html`<div class="head desk ${small ? "small" : ""}"><div class="grow"><p class="eyebrow">${t("scene")}</p><h2>${open && title ? title : t("noScene")}</h2>
      ${small ? nothing : html`<div class="row tags">${tagsOf(table).map(([name, gives]) => html`<span class="tag">${name} <b>${gives}</b></span>`)}</div>`}</div>
      ${clocks.length && !many ? html`<div class="clocks">${clocks.map((clock) => drawn(table, clock, small ? 44 : 64))}</div>` : nothing}</div>
    ${many && !small ? html`<div class="clocks many desk">${[...clocks].sort((one, other) => fullness(other) - fullness(one)).map((clock) => drawn(table, clock, 44))}</div>` : nothing}
    ${turnStrip(table)}`;
}

interface SeenClock {
  holder: Holder;
  section: Section;
  name: string;
  item: Item;
}

/** Every Clock of the table that this seat may see. */
export function clocksOf(table: TableStore): SeenClock[] {
  const holder = table.holder("table");
  if (!holder) return [];
  return table
    .sections("table")
    .filter((section) => section.look === "clock")
    .flatMap((section) => Object.entries(holder.sheet[section.name] ?? {}).map(([name, item]) => ({ holder, section, name, item })));
}

export function drawn(table: TableStore, { holder, section, name, item }: SeenClock, size: number): TemplateResult {
  const filled = item[section.counts];
  const tick = holder.yours
    ? () => void table.act({ do: "change", holder: holder.id, section: section.name, item: name, by: 1 })
    : undefined;
  return namedClock({
    name,
    size,
    tick,
    segments: Number(item[section.top] ?? 1),
    filled: typeof filled === "number" ? filled : undefined,
    ...(typeof item["kind"] === "string" ? { kind: item["kind"] } : {}),
    hidden: item.seen !== undefined && item.seen !== "all",
  });
}

const fullness = ({ section, item }: SeenClock) => Number(item[section.counts] ?? 0) / Number(item[section.top] ?? 1);

/** What lies in the scene, with the number that it gives. */
function tagsOf(table: TableStore): [string, string][] {
  const sheet = table.holder("scene")?.sheet ?? {};
  return table.sections("scene").flatMap((section) =>
    Object.entries(sheet[section.name] ?? {}).map(([name, item]): [string, string] => {
      const number = section.fields.find((field) => typeof item[field.name] === "number");
      const n = number ? Number(item[number.name]) : 0;
      return [name, n ? (number?.name === "dice" || (number?.min ?? 0) < 0 ? signed(n) : String(n)) : ""];
    }),
  );
}

/** Whose turn it is, and who comes next. */
export function turnStrip(table: TableStore): TemplateResult | typeof nothing {
  const turns = table.turns;
  if (!turns?.order.length) return nothing;
  const at = Math.max(
    0,
    turns.order.findIndex((turn) => turn.id === turns.now),
  );
  const [now, ...rest] = [...turns.order.slice(at), ...turns.order.slice(0, at)];
  const mine = now?.who && table.holder(now.who)?.yours;
  const next = () => void table.act({ do: "turn", next: true });
  return html`<div class="turns"><ol aria-label=${t("turnOrder")}><li class="now" aria-current="true">${face(now?.name ?? "")}<span><small>${t("turnNow")}</small><b>${now?.name}</b></span></li>
    ${rest.slice(0, NEXT_TURNS).map((turn) => html`<li title=${turn.name} class=${turn.secret ? "secret-turn" : ""}>${face(turn.name)}<b>${turn.name.split(" ")[0]}</b></li>`)}</ol>
    ${rest.length > NEXT_TURNS ? html`<span class="quiet">+${rest.length - NEXT_TURNS}</span>` : nothing}
    ${table.isGm || mine ? html`<button class="fbtn" @click=${next}>${t("nextTurn")}</button>` : nothing}</div>`;
}
