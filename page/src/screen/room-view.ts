/** `<room-view>`: a table for a whole room: the scene and its Clocks, the last verdict large, the party and the code below. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Entry, Item } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { avatar } from "../ui/avatar.js";
import { dial } from "../ui/welcome.js";

const MOST_CLOCKS = 6;
const MOST_PARTY = 6;

@customElement("room-view")
export class RoomView extends TableElement {
  @property() code = "";
  /** Whether only what happens is shown, for a stream. */
  @property({ type: Boolean }) obs = false;

  protected override render(): TemplateResult | typeof nothing {
    const last = this.lastVerdict();
    if (this.obs)
      return last
        ? html`<div class="lower"><article class="bar3"><div><p>${last.who}</p><h2>${last.verdict}</h2></div></article></div>`
        : nothing;
    const { scene, title } = this.table.about;
    return html`<section class="tv-stage felt">${dial()}
        <header class="tv-head"><div class="grow"><p class="eyebrow">${title}</p><h1>${scene.open && scene.title ? scene.title : this.table.game?.title}</h1></div>
          <ul class="clocks">${this.clocks().map(([name, filled, of]) => html`<li><b>${name}</b> <small>${t("ofTop", { now: filled, top: of })}</small></li>`)}</ul></header>
        <div class="tv-center">${last ? html`<p class="tv-deed">${avatar(last.who)}<span>${last.who}</span></p><p class="tv-verdict">${last.verdict}</p>` : html`<p class="tv-empty">${t("screen.empty")}</p>`}</div>
      </section>${this.party()}`;
  }

  private lastVerdict(): { who: string; verdict: string } | undefined {
    const told = (entry: Entry) => entry.lines.find((line) => line.kind === "verdict");
    const entry = this.table.log.findLast((one) => !one.struck && told(one));
    const line = entry && told(entry);
    if (!entry || !line) return undefined;
    const roll = line.roll ? this.table.roll(line.roll) : undefined;
    return { who: roll?.who ? this.table.nameOf(roll.who) : entry.name, verdict: line.text };
  }

  private clocks(): [string, number, number][] {
    const sheet = this.table.holder("table")?.sheet ?? {};
    const found = this.table
      .sections("table")
      .filter((section) => section.look === "clock")
      .flatMap((section) =>
        Object.entries(sheet[section.name] ?? {}).map(([name, item]: [string, Item]): [string, number, number] => [
          name,
          Number(item[section.counts] ?? 0),
          Number(item[section.top] ?? 1),
        ]),
      );
    return found.slice(0, MOST_CLOCKS);
  }

  private party(): TemplateResult {
    const played = this.table.characters.filter((holder) => this.table.member(holder.owner ?? "")?.role === "player").slice(0, MOST_PARTY);
    return html`<footer class="tv-party"><ul>${played.map(
      (holder) =>
        html`<li>${avatar(holder.name)}<span><b>${holder.name}</b><small>${this.table.member(holder.owner ?? "")?.name}</small></span></li>`,
    )}</ul>${this.code ? html`<p class="tv-code">${t("screen.joinAt", { address: `${location.host}/join` })} <b>${this.code}</b></p>` : nothing}</footer>`;
  }
}
