/** Modal dialogs. The browser keeps the focus inside and gives it back; a closed dialog is removed. */

import { html, render } from "lit";
import { t } from "../strings/words.js";
import { icon } from "./icons.js";

/** What the window hears when a dialog was opened or closed. */
export const DIALOGS = "dialogs";

let count = 0;

/** Open a dialog with a title and a close button around the content. */
export function openDialog(title: string, content: unknown, onClose?: () => void): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  const id = `dialog-${++count}`;
  dialog.setAttribute("aria-labelledby", id);
  const close = () => dialog.close();
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
    window.dispatchEvent(new Event(DIALOGS));
  });
  // A tap outside the dialog closes it, as people expect.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  render(
    html`<div class="spread"><h2 id=${id}>${title}</h2>
        <button class="icon" @click=${close} aria-label=${t("close")}>${icon.close}</button></div>
      <div class="stack">${content}</div>`,
    dialog,
  );
  dialog.showModal();
  window.dispatchEvent(new Event(DIALOGS));
  return dialog;
}

/** The dialog that lies on top: nothing outside of it can be tapped. */
export const topDialog = (): HTMLElement | undefined => [...document.querySelectorAll<HTMLElement>("dialog[open]")].at(-1);

/** Close the dialog that contains the element. */
export function closeDialogOf(element: Element): void {
  element.closest("dialog")?.close();
}

/** Ask before something that is hard to take back; true if the answer is yes. */
export function confirmDialog(question: string, yes: string): Promise<boolean> {
  return new Promise((decide) => {
    let answer = false;
    const accept = (event: Event) => {
      answer = true;
      closeDialogOf(event.target as Element);
    };
    openDialog(
      question,
      html`<div class="row"><button class="main" @click=${accept}>${yes}</button>
      <button @click=${(event: Event) => closeDialogOf(event.target as Element)}>${t("cancel")}</button></div>`,
      () => decide(answer),
    );
  });
}

/** Show the texts of the rules that a `show-rule` event names, such as "RW-8, RW-9". */
export function openRules(event: Event, rules: Readonly<Record<string, string>> | undefined): void {
  const { detail } = event as CustomEvent<string>;
  const texts = detail.split(/,\s*/).map((number) => rules?.[number] ?? t("noSuchRule"));
  openDialog(detail, html`${texts.map((text) => html`<p class="rule-text serif">${text}</p>`)}`);
}
