/** A table's chats, for its GM: what is tied to Discord, and the webhooks. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { at, call, json, sentence } from "../api/client.js";
import type { Chat, NewWebhook, Tie, Webhook, WebhookMade } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import "../style/menu.css";
import { showError } from "../ui/announce.js";
import { confirmDialog } from "../ui/dialog.js";
import { formValue } from "../ui/helpers.js";

const AUDIENCES = ["all", "gm"] as const;
const FORMS = ["astragal", "discord"] as const;

@customElement("chat-panel")
export class ChatPanel extends TableElement {
  @state() private chat: Chat | undefined;
  @state() private secret = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.do(async () => undefined);
  }

  /** Do something, and show what is there then. */
  private async do(request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
      this.chat = await json<Chat>("GET", at(this.table.id, "/chat"));
    } catch (error) {
      showError(sentence(error));
    }
  }

  protected override render(): TemplateResult {
    const { chat } = this;
    if (!chat) return html`<p>${t("loading")}</p>`;
    return html`<section class="tight"><h3>Discord</h3>
        <p class="quiet">${chat.discord ? t("chat.discordHelp") : t("chat.noDiscord")}</p>
        ${chat.ties.length ? html`<ul class="tight">${chat.ties.map((tie) => this.tie(tie))}</ul>` : html`<p>${t("chat.noTies")}</p>`}</section>
      <section class="tight"><h3>${t("chat.webhooks")}</h3><p class="quiet">${t("chat.webhooksHelp")}</p>
        <ul class="tight">${chat.webhooks.map((webhook) => this.webhook(webhook))}</ul>
        ${this.secret ? html`<p role="status">${t("chat.secret")} <code>${this.secret}</code></p>` : nothing}
        ${this.form()}</section>`;
  }

  private tie(tie: Tie): TemplateResult {
    const member = this.table.members.find((one) => one.id === tie.member)?.name ?? "";
    const channel = tie.id.startsWith("channel-");
    const name = channel ? t("chat.channel", { id: tie.id.slice("channel-".length) }) : [tie.name, member].filter(Boolean).join(" · ");
    const end = async () => {
      if (await confirmDialog(t("chat.endSure", { name }), t("chat.end")))
        await this.do(() => call("DELETE", at(this.table.id, `/chat/ties/${tie.id}`)));
    };
    return html`<li class="row"><span class="grow">${name}</span>
      <button class="plain" @click=${end} aria-label=${t("chat.endOne", { name })}>${t("chat.end")}</button></li>`;
  }

  private webhook(webhook: Webhook): TemplateResult {
    const name = webhook.host;
    const state = [
      webhook.stopped ? t("chat.stopped") : webhook.behind ? t("chat.behind", { n: webhook.behind }) : t("chat.well"),
      webhook.dropped ? t("chat.dropped", { n: webhook.dropped }) : "",
      webhook.said,
    ];
    const remove = async () => {
      if (await confirmDialog(t("chat.removeSure", { name }), t("remove")))
        await this.do(() => call("DELETE", at(this.table.id, `/webhooks/${webhook.id}`)));
    };
    return html`<li class="row"><span class="grow">${name} · ${t(`chat.audience.${webhook.audience}`)}
        <span class="quiet about">${state.filter(Boolean).join(" ")}</span></span>
      <button class="plain" @click=${remove} aria-label=${t("chat.removeOne", { name })}>${t("remove")}</button></li>`;
  }

  private form(): TemplateResult {
    const audiences = AUDIENCES.map((one) => html`<option value=${one}>${t(`chat.audience.${one}`)}</option>`);
    const forms = FORMS.map((one) => html`<option value=${one}>${t(`chat.form.${one}`)}</option>`);
    return html`<form class="tight" @submit=${this.add}>
      <label><span class="label">${t("chat.address")}</span><input name="address" type="url" required maxlength="1000" placeholder="https://" /></label>
      <div class="two"><label><span class="label">${t("chat.audience")}</span><select name="audience">${audiences}</select></label>
        <label><span class="label">${t("chat.form")}</span><select name="form">${forms}</select></label></div>
      <button>${t("chat.add")}</button></form>`;
  }

  private add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const about: NewWebhook = {
      address: formValue(form, "address"),
      audience: AUDIENCES.find((one) => one === formValue(form, "audience")) ?? "all",
      form: FORMS.find((one) => one === formValue(form, "form")) ?? "astragal",
    };
    await this.do(async () => {
      this.secret = (await json<WebhookMade>("POST", at(this.table.id, "/webhooks"), about)).secret;
      form.reset();
    });
  };
}
