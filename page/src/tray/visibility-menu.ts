/** Who may see a roll, and of which kind it is: what a new roll and one in the tray are asked alike. */

import { html, type TemplateResult, nothing } from "lit";
import type { Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";

type Seen = Roll["seen"];

/** The choices of a GM, of a GM who asks players, or of a player. */
function choices(table: TableStore, asks: boolean): [Seen, string][] {
  const gm = table.gms[0]?.name ?? t("theGmName");
  if (!table.isGm)
    return [
      ["all", t("everybody")],
      ["owner", t("gmAndMe", { name: gm })],
      ["blind", t("onlyName", { name: gm })],
    ];
  const own: [Seen, string][] = asks
    ? [["owner", t("themAndMe")]]
    : [
        ["owner", t("ownerAndGm")],
        ["gm", t("onlyGm")],
      ];
  return [["all", t("everybody")], ...own, ["blind", t("blindGm")]];
}

export function whoSees(table: TableStore, now: Seen, pick: (seen: Seen) => void, asks = false): TemplateResult {
  const words = t(`seen_${now}`, { name: table.gms[0]?.name ?? t("theGmName") });
  return html`<section><h3>${t("whoSees")}</h3>${segments(t("whoSees"), choices(table, asks), now, (seen) => pick(seen as Seen))}
    <p class="quiet">${words}</p></section>`;
}

/** Of which kind it is, where a game has several. */
export function whichKind(table: TableStore, now: string, pick: (kind: string) => void, asks = false): TemplateResult | typeof nothing {
  // What takes a GM's place is nothing that a GM asks players for.
  const kinds = (table.game?.kinds ?? []).filter((kind) => !asks || !kind.solo);
  if (kinds.length < 2) return nothing;
  const named = kinds.map((kind): [string, string] => [kind.name, kind.title]);
  return html`<section><h3>${t("kindOfRoll")}</h3>${segments(t("kindOfRoll"), named, now, pick)}</section>`;
}

/** One of a few options, as buttons side by side on the felt. */
export function segments(
  label: string,
  options: readonly (readonly [value: string, words: string])[],
  now: string,
  pick: (value: string) => void,
): TemplateResult {
  return html`<div class="seg" role="group" aria-label=${label}>${options.map(
    ([value, words]) =>
      html`<button type="button" aria-pressed=${value === now} @click=${() => (value === now ? undefined : pick(value))}>${words}</button>`,
  )}</div>`;
}
