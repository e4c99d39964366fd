/** Dialogs: the browser keeps the focus inside and gives it back; here they get a title, a way out, and are cleared away. */

import { html, render } from "lit";
import { icon } from "./icons.js";
import { s } from "../strings/page.js";

let count = 0;

export function openDialog(title: string, content: unknown, onClose?: () => void): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  const id = `dialog-${++count}`;
  dialog.setAttribute("aria-labelledby", id);
  const close = () => dialog.close();
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
  });
  // A tap beside the dialog closes it, as people expect.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  render(
    html`<div class="spread"><h2 id=${id}>${title}</h2>
        <button class="icon" @click=${close} aria-label=${s.close}>${icon.close}</button></div>
      <div class="stack">${content}</div>`,
    dialog,
  );
  dialog.showModal();
  return dialog;
}

/** Close the dialog that something is in. */
export function closeAround(element: Element): void {
  element.closest("dialog")?.close();
}

/** Ask before something that is hard to take back. */
export function confirmed(question: string, yes: string): Promise<boolean> {
  return new Promise((decide) => {
    let answer = false;
    const say = (event: Event) => {
      answer = true;
      closeAround(event.target as Element);
    };
    openDialog(question, html`<div class="row"><button class="main" @click=${say}>${yes}</button>
      <button @click=${(event: Event) => closeAround(event.target as Element)}>${s.cancel}</button></div>`, () => decide(answer));
  });
}
