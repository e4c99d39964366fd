/**
 * The page as an app: installing it, reading offline, and notifications. Browsers allow these over https alone (and on
 * the machine itself); elsewhere `whyNoApp` has the sentence that says so.
 */

import { t } from "../strings/words.js";

/** The browser’s own offer to install, which it makes once; it can be used later. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallOffer | undefined;

/** Call once at the start: keeps the offer to install, and starts the worker that lets tables be read offline. */
export function startApp(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event as InstallOffer;
  });
  window.addEventListener("appinstalled", () => {
    offer = undefined;
  });
  if (import.meta.env.PROD && "serviceWorker" in navigator) {
    // Without the worker everything works but reading offline.
    navigator.serviceWorker.register("/worker.js").catch(() => undefined);
  }
}

export const whyNoApp = (): string => (window.isSecureContext ? "" : t("app.insecure"));

export const mayInstall = (): boolean => offer !== undefined;

export async function offerInstall(): Promise<void> {
  await offer?.prompt();
  offer = undefined;
}

/** Whether notifications are allowed; "none" where the browser has none. */
export const mayNotify = (): NotificationPermission | "none" => ("Notification" in window ? Notification.permission : "none");

export async function askToNotify(): Promise<void> {
  await Notification.requestPermission();
}

/** Tell somebody who is not looking that they are asked for something; a tap on it brings the table back. */
export async function notify(title: string, body: string): Promise<void> {
  if (mayNotify() !== "granted" || document.visibilityState === "visible") return;
  const worker = await navigator.serviceWorker?.getRegistration();
  // Phones show notifications of workers only.
  if (worker) await worker.showNotification(title, { body, tag: "astragal", icon: "/icon-192.png", data: location.href });
}
