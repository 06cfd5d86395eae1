import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import type { Assets } from '../../../platform/pages/assets.ts';
import { matches, tagOf } from '../../../platform/pages/page-etag.ts';
import { maxEntriesPerCall } from '../../../shared/offline/offline-copy.ts';

// The service worker, and the web app manifest with its icons. Both are the same for all visitors.

/**
 * Replaces the worker when the feature is switched off. Deletes the copies, which no script would remove at their end any more, sends the
 * outbox and unregisters itself. Entries that cannot be sent stay in the browser's database (islands/offline/both/store).
 */
const withdrawnWorker = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(leave()));
async function leave() {
  try {
    for (const name of await caches.keys()) await caches.delete(name);
    await emptyDatabase();
    await send();
  } finally {
    await self.registration.unregister();
  }
}
async function emptyDatabase() {
  await change(['copies', 'disciplines', 'items', 'marks'], (store) => store.clear());
}
async function send() {
  const waiting = (await change(['outbox'], (store) => store.getAll())) ?? [];
  for (const learner of new Set(waiting.map((entry) => entry.learner))) {
    const own = waiting.filter((entry) => entry.learner === learner);
    while (own.length > 0) {
      const entrees = own.splice(0, ${maxEntriesPerCall}).map(({ learner, prepa, ...entry }) => entry);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/api/hors-ligne/marques', { method: 'POST', headers, body: JSON.stringify({ learner, entrees }) });
      // Of somebody else than who is signed in.
      if (!answer.ok) break;
      await change(['outbox'], (store) => entrees.forEach(({ cle }) => store.delete(cle)));
    }
  }
}
function change(wanted, work) {
  return new Promise((resolve) => {
    const asked = indexedDB.open('prepa-hors-ligne');
    asked.onupgradeneeded = () => asked.transaction.abort();
    asked.onerror = () => resolve();
    asked.onsuccess = () => {
      const database = asked.result;
      const names = wanted.filter((name) => database.objectStoreNames.contains(name));
      if (names.length === 0) return resolve();
      const transaction = database.transaction(names, 'readwrite');
      const [request] = names.map((name) => work(transaction.objectStore(name)));
      transaction.oncomplete = transaction.onabort = () => {
        database.close();
        resolve(request?.result);
      };
    };
  });
}
`;

/** Icons of the installed site. The phone crops the maskable one to its own shape. */
const icons = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
];
const pictures = ['icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'apple-touch-icon.png'];

const config = { quiet: true, anonymous: true, load: 'essential' as const };

export async function workerPages(app: FastifyInstance, { assets: { folder }, open }: { assets: Assets; open: boolean }): Promise<void> {
  const read = (name: string): Buffer | null =>
    folder !== null && existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : null;
  const worker = open ? (read('service-worker.js')?.toString('utf8') ?? null) : withdrawnWorker;

  // Browsers request the worker often, to look for a new version.
  app.get('/service-worker.js', { config }, async (request, reply) => {
    if (worker === null) throw notFound();
    const etag = tagOf(worker);
    // A worker is subject to the policy of its own script's response.
    reply.header('content-security-policy', "default-src 'none'; script-src 'self'; connect-src 'self'");
    reply.header('cache-control', 'no-cache').header('etag', etag);
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(worker);
  });

  app.get('/manifest.webmanifest', { config }, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('application/manifest+json; charset=utf-8')
      .send(
        JSON.stringify({
          id: '/user/dashboard',
          name: app.site.name,
          short_name: app.site.name,
          lang: 'fr',
          start_url: '/user/dashboard',
          scope: '/',
          display: 'standalone',
          // Same as the page's light colours (views/layout.eta).
          background_color: '#fffdfb',
          theme_color: '#fffdfb',
          shortcuts: [{ name: 'Séance du jour', url: '/user/seance', icons: icons.slice(0, 1) }],
          icons,
        }),
      ),
  );

  for (const name of pictures) {
    const bytes = read(name);
    if (bytes === null) continue;
    app.get(`/${name}`, { config }, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=604800').type('image/png').send(bytes),
    );
  }
}
