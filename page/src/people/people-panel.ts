/** The people at the table; for the GM also the ways in, everybody’s seat, and who may type dice. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { links, makeLink, revokeLink, sentence } from "../api/client.js";
import type { Link, Member, NewLink, Role } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { list, t } from "../strings/words.js";
import "../style/menu.css";
import { showError } from "../ui/announce.js";
import "../style/people.css";
import { face } from "../ui/avatar.js";
import { confirmDialog } from "../ui/dialog.js";
import { oneOf } from "../field/field.js";
import { copyLine, formValue } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import { sign } from "../ui/page-icons.js";
import "./invite-panel.js";
import { showSeatCode } from "./seat-code.js";

/** Links in order of use. */
const ORDER: Role[] = ["player", "onlooker", "gm"];
const TYPISTS = ["everybody", "gm", "nobody"] as const;
const SEATS = ["gm", "player", "onlooker"] as const;

@customElement("people-panel")
export class PeoplePanel extends TableElement {
  /** Whether the ways in are shown at once. */
  @property({ type: Boolean }) invites = false;
  @state() private links: Link[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.table?.isGm) void this.load();
  }

  private async load(): Promise<void> {
    await this.try(async () => {
      this.links = await links(this.table.id);
    });
  }

  private async try(request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
    } catch (error) {
      showError(sentence(error));
    }
  }

  protected override render(): TemplateResult {
    const { table } = this;
    return html`
      ${table.isGm ? html`<section class="tight"><h3>${t("people.invite")}</h3><invite-panel .table=${table} ?open=${this.invites}></invite-panel></section>` : nothing}
      <section class="tight"><h3>${t("seats")}</h3>
        <ul class="people">${table.members.map((member) => this.member(member))}${table.hasScreen ? html`<li class="person"><div class="person-line"><span class="face">${sign.screen}</span><span class="grow"><b>${t("invite.screen")}</b><span class="quiet about">${t("isHere")}</span></span></div></li>` : nothing}</ul></section>
      ${table.isGm ? html`${this.typedDice()}${this.whoUndoes()}<details class="tight"><summary>${t("people.links")}</summary>${this.invitations()}</details>` : nothing}
      <div class="row"><button @click=${() => showSeatCode(table.id)}>${sign.key}${t("seatCode.mine")}</button>
        <button class="plain" @click=${this.leave}>${t("leaveTable")}</button></div>`;
  }

  private typedDice(): TemplateResult {
    const { table } = this;
    const set = (typed_dice: (typeof TYPISTS)[number]) => void table.act({ do: "set", typed_dice });
    const options = TYPISTS.map((who) => [who, t(`mayType.${who}`)] as const);
    return html`<section class="tight">${oneOf(t("typedDice"), "typed-dice", options, table.about.typed_dice, set)}
      <p class="quiet">${t("typedDiceHelp")}</p></section>`;
  }

  private whoUndoes(): TemplateResult {
    const { table } = this;
    const set = (undo: "gm" | "player") => void table.act({ do: "set", undo });
    const options = (["gm", "player"] as const).map((who) => [who, t(`undoes.${who}`)] as const);
    return html`<section class="tight">${oneOf(t("undoes"), "undoes", options, table.about.undo, set)}</section>`;
  }

  private invitations(): TemplateResult {
    const shared = this.links.filter((link) => !link.member).sort((one, other) => ORDER.indexOf(one.role) - ORDER.indexOf(other.role));
    return html`<section class="tight"><p class="quiet">${t("linksHelp")}</p>
      <ul class="tight">${shared.map((link) => this.link(link, t(`linkFor.${link.role}`)))}</ul>
      <div class="row">${SEATS.filter((role) => !shared.some((link) => link.role === role)).map(
        (role) => html`<button @click=${() => this.make({ role })}>${t("newLink", { role: t(`role.${role}`) })}</button>`,
      )}</div></section>
      ${this.ownLinks()}`;
  }

  /** The GM's own way back; the last of these links cannot be revoked. */
  private ownLinks(): TemplateResult {
    const own = this.links.filter((link) => link.member === this.table.you?.id);
    return html`<section class="tight"><div class="row"><h3>${t("ownLink")}</h3><span class="badge">${icon.hidden}${t("secret")}</span></div>
      <p class="quiet">${t("ownLinkHelp")}</p>
      ${
        own.length
          ? html`<ul class="tight">${own.map((link) => this.link(link, t("ownLinkLabel"), true, own.length > 1))}</ul>`
          : html`<button @click=${() => this.make({ member: this.table.you?.id ?? null })}>${t("ownLinkNew")}</button>`
      }
    </section>`;
  }

  private link(link: Link, label: string, secret = false, mayRevoke = true): TemplateResult {
    return html`<li class="link">${copyLine(label, link.path, secret)}
      ${
        mayRevoke
          ? html`<button class="plain" @click=${() => this.revoke(link, label)} aria-label=${t("revokeLink", { label })}>${t("revoke")}</button>`
          : nothing
      }</li>`;
  }

  private member(member: Member): TemplateResult {
    const { table } = this;
    const here = table.here.includes(member.id);
    const you = member.id === table.you?.id;
    const plays = table.characters.filter((holder) => holder.owner === member.id).map((holder) => holder.name);
    const about = [
      t(`role.${member.role}`),
      ...(plays.length ? [t("people.plays", { names: list(plays) })] : []),
      here ? t("isHere") : t("isAway"),
    ];
    const line = html`${face(member.name, "m", !here)}
      <span class="grow"><b>${member.name}</b> ${you ? html`<span class="quiet">${t("you")}</span>` : nothing}<span class="quiet about">${about.join(" · ")}</span></span>`;
    if (!table.isGm && !you) return html`<li class="person"><div class="person-line">${line}</div></li>`;
    return html`<li class="person"><details><summary class="person-line" title=${t("change")}>${line}${icon.edit}</summary>
      ${this.seat(member, you)}${this.personal(member, you)}</details></li>`;
  }

  private personal(member: Member, you: boolean): TemplateResult[] {
    const found = you ? [] : this.links.filter((link) => link.member === member.id);
    return found.map((link) => this.link(link, t("personalLink", { name: member.name }), true));
  }

  private seat(member: Member, you: boolean): TemplateResult {
    const gm = this.table.isGm;
    const role = () =>
      html`<label><span class="label">${t("seat")}</span><select name="role">${SEATS.map(
        (one) => html`<option value=${one} ?selected=${one === member.role}>${t(`role.${one}`)}</option>`,
      )}</select></label>`;
    return html`<form class="tight" @submit=${(event: SubmitEvent) => this.reseat(event, member)}>
      <div class="two"><label><span class="label">${t("name")}</span><input name="name" required maxlength="80" .value=${member.name} /></label>
      ${gm ? role() : nothing}</div>
      <div class="row"><button>${t("save")}</button>
        ${gm && !you ? html`<button type="button" @click=${() => showSeatCode(this.table.id, member.id)}>${sign.key}${t("seatCode.theirs")}</button>` : nothing}
        ${gm ? html`<button type="button" @click=${() => this.make({ member: member.id })}>${t("personalLinkNew")}</button>` : nothing}
        ${gm && !you ? html`<button type="button" class="plain" @click=${() => this.sendAway(member)}>${t("sendAway")}</button>` : nothing}</div>
    </form>`;
  }

  private async reseat(event: SubmitEvent, member: Member): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = formValue(form, "name");
    const role = SEATS.find((seat) => seat === formValue(form, "role"));
    const changed = { ...(name !== member.name ? { name } : {}), ...(role && role !== member.role ? { role } : {}) };
    if (Object.keys(changed).length) await this.table.act({ do: "seat", member: member.id, ...changed });
  }

  private async sendAway(member: Member): Promise<void> {
    if (await confirmDialog(t("sendAwaySure", { name: member.name }), t("sendAway")))
      await this.table.act({ do: "leave", member: member.id });
  }

  private leave = async (): Promise<void> => {
    if (await confirmDialog(t("leaveSure"), t("leaveTable"))) await this.table.act({ do: "leave" });
  };

  private make(about: NewLink): Promise<void> {
    return this.try(async () => {
      await makeLink(this.table.id, about);
      await this.load();
    });
  }

  private async revoke(link: Link, label: string): Promise<void> {
    if (!(await confirmDialog(t("revokeSure", { label }), t("revoke")))) return;
    await this.try(async () => {
      await revokeLink(this.table.id, link.id);
      await this.load();
    });
  }
}
