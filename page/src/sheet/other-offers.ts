/** What a sheet shows besides its own: things of the scene, and what may be used against the other side. */

import { html, nothing, type TemplateResult } from "lit";
import type { Holder, Offer, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { offersAt } from "../live/tray.js";
import { t } from "../strings/words.js";
import { tapItem } from "./tap-item.js";
import { worthOf } from "./worth.js";

/** Offers under their titles; those of the other side are marked. What all of a group cost is said once. */
export function offerGroups(table: TableStore, roll: Roll, offers: readonly Offer[]): TemplateResult[] {
  const groups = new Map<string, Offer[]>();
  for (const offer of offers) groups.set(offer.group, [...(groups.get(offer.group) ?? []), offer]);
  return [...groups].map(([title, some]) => {
    const foe = roll.against !== "" && some.every((offer) => offer.id.startsWith(`${roll.against}/`));
    const details = new Set(some.map(detailOf));
    const common = details.size === 1 ? [...details][0] : "";
    return html`<section class="part ${foe ? "foe-part" : ""}" aria-label=${title}><h3>${title}${common ? html`<span class="each">${common}</span>` : nothing}</h3>
      ${some.map((offer) => tappable(table, roll, offer, { foe, detail: !common }))}</section>`;
  });
}

/** What it costs, and what the other gains. */
const detailOf = (offer: Offer): string =>
  [offer.cost ? t("costsWords", { price: offer.cost }) : "", offer.gains ?? ""].filter(Boolean).join(" · ");

function tappable(table: TableStore, roll: Roll, offer: Offer, shows: { foe: boolean; detail: boolean }): TemplateResult {
  const n = offer.dice?.reduce((sum, dice) => sum + dice.n, 0) ?? 0;
  const adds = offer.adds || (n ? t("diceN", { n }) : "");
  return tapItem({
    name: shows.foe ? withoutOwner(table, roll, offer.label) : offer.label,
    look: "thing",
    times: table.tray.times(roll, offer.id),
    most: offer.most,
    free: true,
    worth: adds ? html`<span class="amount">${adds}</span>` : nothing,
    ...(shows.detail ? { detail: detailOf(offer) } : {}),
    more: () => table.tray.step(roll, offer, 1),
    less: () => table.tray.step(roll, offer, -1),
  });
}

/** Below a title that names the other side, its things need no name before them. */
function withoutOwner(table: TableStore, roll: Roll, label: string): string {
  const owner = `${table.nameOf(roll.against)}'s `;
  return label.startsWith(owner) ? label.slice(owner.length) : label;
}

/** What lies in the scene, before a roll is begun: a tap begins it. */
export function sceneBefore(table: TableStore, holder: Holder): TemplateResult[] {
  const scene = table.holder("scene");
  const open = async (place: string) => {
    const roll = await table.tray.begin(table.tray.wantedOf(holder));
    const offer = roll && offersAt(roll, `scene/${place}`)[0];
    if (roll && offer) table.tray.step(roll, offer, 1);
  };
  return table
    .sections("scene")
    .filter((section) => section.offers && Object.keys(scene?.sheet[section.name] ?? {}).length)
    .map(
      (section) =>
        html`<section class="part" aria-label=${section.offers}><h3>${section.offers}</h3>${Object.entries(
          scene?.sheet[section.name] ?? {},
        ).map(([name, item]) =>
          tapItem({
            name,
            look: "thing",
            worth: worthOf(section, item, 0).drawn,
            times: 0,
            most: 1,
            free: true,
            more: () => void open(`${section.name}/${name}`),
            less: () => undefined,
          }),
        )}</section>`,
    );
}
