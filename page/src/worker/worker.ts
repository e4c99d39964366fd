/**
 * The worker that lets a table be read without a network.
 *
 * It answers with what the network says; only without an answer does it say what was kept. It keeps nothing that is
 * sent, queues nothing and sends nothing: a roll that could not be sent stays with the person who made it.
 */

/** Files of this build, put in when the page is built. */
const FILES: readonly string[] = JSON.parse("__FILES__");
/** One cache for each build. */
const SHELL = `shell-${FILES.join().length}-${hash(FILES.join())}`;
/** Tables as this browser saw them last: the page itself puts them here. */
const TABLES = "tables";

const worker = self as unknown as ServiceWorkerGlobalScope;

function hash(text: string): string {
  let sum = 0;
  for (const sign of text) sum = (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) | 0;
  return (sum >>> 0).toString(36);
}

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(["/", ...FILES])));
  void worker.skipWaiting();
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldBuilds().then(() => worker.clients.claim()));
});

async function forgetOldBuilds(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== SHELL);
  await Promise.all(old.map((name) => caches.delete(name)));
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== worker.location.origin) return;
  if (address.pathname.startsWith("/assets/")) event.respondWith(keptFirst(request));
  else if (request.mode === "navigate") event.respondWith(networkFirst(request, "/"));
  else if (/^\/api\/games(\/|$)/.test(address.pathname)) event.respondWith(networkFirst(request, request, true));
  else if (/^\/api\/tables\/[\w-]+$/.test(address.pathname)) event.respondWith(networkFirst(request, request));
});

/** Files with a hash in their name never change. */
async function keptFirst(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

async function networkFirst(request: Request, otherwise: RequestInfo, keep = false): Promise<Response> {
  try {
    const response = await fetch(request);
    if (keep && response.ok) await (await caches.open(TABLES)).put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await caches.match(otherwise, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

/** A tap on a notification brings the table back. */
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(String(event.notification.data ?? "/")));
});

async function show(address: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: "window" });
  const open = pages.find((page) => page.url === address);
  await (open ? open.focus() : worker.clients.openWindow(address));
}
