// Caches the page, so that it works offline. The build inserts the files and their version.

/// <reference lib="webworker" />

declare const FILES: string[];
declare const VERSION: string;

const worker = self as unknown as ServiceWorkerGlobalScope;
/** Files that are cached when they are first used. */
const ON_USE = ["/tokenizer.js"];
const CACHE = `signature-ls-${VERSION}`;

worker.addEventListener("install", (event) => {
  const fill = async () => (await caches.open(CACHE)).addAll(FILES);
  event.waitUntil(fill().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter((it) => it.startsWith("signature-ls-") && it !== CACHE);
    await Promise.all(old.map((it) => caches.delete(it)));
    await worker.clients.claim();
  };
  event.waitUntil(clean());
});

worker.addEventListener("fetch", (event) => {
  const isOurs = event.request.method === "GET" && new URL(event.request.url).origin === location.origin;
  if (!isOurs) return;
  const answer = async () => {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(event.request, { ignoreSearch: true });
    if (kept) return kept;
    const fetched = await fetch(event.request);
    if (ON_USE.some((it) => event.request.url.endsWith(it)) && fetched.ok) await cache.put(event.request, fetched.clone());
    return fetched;
  };
  event.respondWith(answer());
});
