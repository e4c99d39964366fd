/** Coming in with a code: one that is read aloud, after which somebody opens the door, or that of one’s own seat. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { gameNamed, mayRetry, Refused, sentence } from "../api/client.js";
import { isSeatCode, type Knocked, knock, takeSeatByCode, waitAtDoor } from "../api/joining.js";
import type { Game } from "../api/types.js";
import { list, t } from "../strings/words.js";
import "../style/start.css";
import { announce } from "../ui/announce.js";
import { brandBar } from "../frame/brand.js";
import { PlainElement } from "../ui/element.js";
import { formValue } from "../ui/helpers.js";
import { myName, setMyName } from "../ui/preferences.js";
import { navigate } from "../frame/router.js";
import { welcome } from "../frame/welcome.js";

/** Milliseconds before the door is asked again where the server was not reached. */
const RETRY_MS = 3000;

@customElement("code-page")
export class CodePage extends PlainElement {
  /** What was typed, if it is a code that is read aloud; then the name is asked. */
  @state() private code = "";
  @state() private knocked: Knocked | undefined;
  @state() private game: Game | undefined;
  @state() private refusal = "";
  @state() private busy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t("code.title")} · ${t("astragal")}`;
    // The big screen's QR code brings its words along.
    this.code = decodeURIComponent(location.hash.slice(1)).replace(/-/g, " ");
  }

  protected override render(): TemplateResult {
    if (this.knocked) return this.door(this.knocked);
    return html`${brandBar(nothing)}${welcome({ above: t("astragal"), title: t("code.title") }, undefined, [
      this.refusal ? html`<p class="refusal" role="alert">${this.refusal}</p>` : nothing,
      this.code ? this.nameForm() : this.codeForm(),
    ])}`;
  }

  private codeForm(): TemplateResult {
    return html`<form class="stack" @submit=${this.take}>
      <label class="tight"><span class="question">${t("code.label")}</span><span class="quiet">${t("code.help")}</span>
        <input class="code" name="code" required maxlength="60" autocomplete="off" autocapitalize="none" spellcheck="false" autofocus /></label>
      <button class="main big" ?disabled=${this.busy}>${t("code.next")}</button>
      <p class="quiet">${t("code.seatHelp")}</p><p class="quiet">${t("code.link")}</p>
    </form>`;
  }

  private nameForm(): TemplateResult {
    return html`<form class="stack" @submit=${this.knock}>
      <label class="tight"><span class="question">${t("join.who")}</span>
        <input name="name" required maxlength="80" autocomplete="nickname" .defaultValue=${myName()} autofocus /></label>
      <button class="main big" ?disabled=${this.busy}>${t("code.knock")}</button>
      <button type="button" class="plain" @click=${this.startAgain}>${t("code.again")}</button>
    </form>`;
  }

  private door({ title, gms }: Knocked): TemplateResult {
    const host = gms[0];
    return welcome(
      { above: host ? t("join.invites", { name: host }) : t("join.invited"), face: host ?? "", title },
      this.game,
      html`
      <div class="door" role="status"><span class="knuckles" aria-hidden="true"></span>
        <h2>${t("code.waiting", { gms: gms.length ? list(gms) : t("theGm") })}</h2><p class="quiet">${t("code.waitingHelp")}</p></div>
      <button class="plain" @click=${this.startAgain}>${t("cancel")}</button>`,
    );
  }

  private take = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const typed = formValue(event.target as HTMLFormElement, "code");
    this.refusal = "";
    if (!isSeatCode(typed)) {
      this.code = typed;
      return;
    }
    await this.try(async () => navigate(`/t/${(await takeSeatByCode(typed)).table}`));
  };

  private knock = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = formValue(event.target as HTMLFormElement, "name");
    await this.try(async () => {
      const knocked = await knock(this.code, name);
      setMyName(name);
      this.knocked = knocked;
      this.game = await gameNamed(knocked.game);
      void this.wait(knocked);
    });
  };

  /** Ask again and again until somebody opens, or nobody does. */
  private async wait(knocked: Knocked): Promise<void> {
    while (this.isConnected && this.knocked === knocked) {
      try {
        const answer = await waitAtDoor(knocked.knock);
        if (this.knocked !== knocked) return;
        if (answer.state === "in") return navigate(`/t/${answer.table}`);
        if (answer.state === "refused") return this.startAgain(t("code.refused"));
      } catch (error) {
        if (!mayRetry(error)) return this.startAgain(sentence(error));
        await new Promise((done) => setTimeout(done, RETRY_MS));
      }
    }
  }

  private startAgain = (why: unknown = ""): void => {
    this.knocked = undefined;
    this.code = "";
    this.refusal = typeof why === "string" ? why : "";
    if (this.refusal) announce(this.refusal);
  };

  private async try(request: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    try {
      await request();
    } catch (error) {
      const wrong = error instanceof Refused && error.status === 404;
      this.startAgain(wrong ? t("code.wrong") : sentence(error));
    }
    this.busy = false;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "code-page": CodePage;
  }
}
