/** Taking a seat by a link: who invites to what, and the name of whoever comes. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { gameNamed, sentence, takeSeat } from "../api/client.js";
import { type Invitation, invitation } from "../api/joining.js";
import type { Game } from "../api/types.js";
import { learn, t } from "../strings/words.js";
import "../style/start.css";
import { PlainElement } from "../ui/element.js";
import { formValue } from "../ui/helpers.js";
import { myName, setMyName } from "../ui/preferences.js";
import { welcome } from "../frame/welcome.js";

@customElement("join-form")
export class JoinForm extends PlainElement {
  @property() tableId = "";
  @property() token = "";
  @state() private invited: Invitation | undefined;
  @state() private game: Game | undefined;
  @state() private refusal = "";
  /** Whether the link opens nothing. */
  @state() private dead = false;
  /** Whether somebody else than the one who sits here wants to sit down on this device. */
  @state() private other = false;
  @state() private busy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.arrive();
  }

  /** A personal link needs no name. */
  private async arrive(): Promise<void> {
    try {
      await learn("start");
      this.invited = await invitation(this.tableId, this.token);
      document.title = `${this.invited.title} · ${t("astragal")}`;
      if (this.invited.member) await this.sit();
      this.game = await gameNamed(this.invited.game);
    } catch (error) {
      this.refusal = sentence(error);
      this.dead = !this.invited;
    }
  }

  protected override render(): TemplateResult {
    const { invited } = this;
    if (this.dead) return this.deadLink();
    // Its texts may not be there yet.
    if (!invited) return html`<main class="front"><p class="quiet" role="status">${t("loading")}</p></main>`;
    const [host] = invited.gms;
    const above = invited.you ? t("join.invitesBack") : host ? t("join.invites", { name: host }) : t("join.invited");
    return welcome({ above, face: host ?? "", title: invited.title }, this.game, [
      this.refusal ? html`<p class="refusal" role="alert">${this.refusal}</p>` : nothing,
      invited.you && !this.other ? this.known(invited.you.name) : this.form(invited),
    ]);
  }

  private known(name: string): TemplateResult {
    const turn = () => {
      this.other = true;
    };
    return html`<h2>${t("join.known", { name })}</h2>
      <button class="main big" @click=${this.done}>${t("join.continue", { name })}</button>
      <button class="plain" @click=${turn}>${t("join.other")}</button>`;
  }

  private form(invited: Invitation): TemplateResult {
    const note = invited.role === "onlooker" ? t("join.watch") : invited.role === "gm" ? t("join.asGm") : "";
    return html`<form class="stack" @submit=${this.join}>
        <label class="tight"><span class="question">${t("join.who")}</span>
          <input name="name" required maxlength="80" autocomplete="nickname" .defaultValue=${this.other ? "" : myName()} /></label>
        ${note ? html`<p class="quiet">${note}</p>` : nothing}
        <button class="main big" ?disabled=${this.busy}>${t("join.sit")}</button>
      </form>
      <details><summary>${t("join.before")}</summary><div class="tight"><p class="quiet">${t("join.beforeHelp")}</p>
        <a class="button" href="/join">${t("start.code")}</a></div></details>`;
  }

  private deadLink(): TemplateResult {
    return welcome(
      { above: t("astragal"), title: t("join.dead") },
      undefined,
      html`
      <p role="alert">${this.refusal}</p><p class="quiet">${t("join.deadHelp")}</p>
      <a class="button main" href="/join">${t("start.code")}</a><a class="button" href="/">${t("join.home")}</a>
      <button class="plain" @click=${() => location.reload()}>${t("tryAgain")}</button>`,
    );
  }

  private join = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = formValue(event.target as HTMLFormElement, "name");
    if (!name) return;
    this.busy = true;
    try {
      await this.sit(name);
      setMyName(name);
    } catch (error) {
      this.refusal = sentence(error);
    }
    this.busy = false;
  };

  private async sit(name?: string): Promise<void> {
    await takeSeat(this.tableId, this.token, name);
    this.done();
  }

  private done = (): void => {
    this.dispatchEvent(new Event("seated"));
  };
}
