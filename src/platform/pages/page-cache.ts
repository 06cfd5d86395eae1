import { hash } from 'node:crypto';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { AssembledPage, ownMarker, personalMarker } from './assembled-page.ts';
import type { Assets } from './assets.ts';
import { compressedFragment, type Fragment } from './fragment.ts';
import type { Frame, PageData, ViewName } from './views.ts';

/** Size of the cache of assembled pages, in bytes. */
const cacheBytes = 64 * 1024 * 1024;

/** Size of the cache of single learners' views, in bytes. It serves repeated visits while the data is unchanged. */
const ownBytes = 16 * 1024 * 1024;

interface OwnView {
  body: Fragment;
  frame: Frame;
}

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Sends a page that is the same for everybody with the same `data`, except for the header. It is compressed once. The data is the cache
     * key, so a cached page is never stale. `data` must not contain a learner's own values: each would make a cache entry.
     */
    sharedPage<View extends ViewName>(view: View, data: PageData<View>): Promise<FastifyReply>;
    /**
     * Sends a shared page whose data is expensive to read. The cache key is `versions`: the current versions in the database of everything
     * the page shows.
     * @param data called only if the page is not cached
     * @param withHeader false: without the reader's header, for a page that devices keep
     */
    versionedPage<View extends ViewName>(
      view: View,
      versions: unknown,
      data: () => Promise<PageData<View>>,
      withHeader?: boolean,
    ): Promise<FastifyReply>;
    /**
     * Sends a page with one learner's content. The content is compressed separately and cached by its `data`; the frame around it is shared
     * by all.
     */
    framedPage<View extends ViewName>(view: View, data: PageData<View>): Promise<FastifyReply>;
  }
}

/** @param asked number of look-ups, by `<cache> <hit or miss>` */
const pageCacheMetric = (asked: ReadonlyMap<string, number>) =>
  new Counter({
    name: 'prepa_page_cache_total',
    help: 'Pages that were asked for, by the cache (shared: for all; own: of one learner) and whether it had them (hit, miss)',
    labelNames: ['cache', 'result'] as const,
    registers: [],
    collect() {
      this.reset();
      for (const [kind, count] of asked) {
        const [cache = '', result = ''] = kind.split(' ');
        this.inc({ cache, result }, count);
      }
    },
  });

/** Caches pages that are compressed once for many readers. Permission is checked for each request and is not part of the cache key. */
export const pageCache = fp<{ assets: Assets }>(
  async (app, { assets }) => {
    const pages = new LRUCache<string, AssembledPage>({ maxSize: cacheBytes, sizeCalculation: (page, key) => page.size + key.length });
    const rendering = new Map<string, Promise<AssembledPage>>();
    const ownViews = new LRUCache<string, OwnView>({ maxSize: ownBytes, sizeCalculation: ({ body }) => body.size + 500 });
    const asked = new Map<string, number>();
    const count = (cache: 'shared' | 'own', found: boolean) => {
      const kind = `${cache} ${found ? 'hit' : 'miss'}`;
      asked.set(kind, (asked.get(kind) ?? 0) + 1);
    };
    app.addHook('onReady', async () => app.exposeMetrics(pageCacheMetric(asked)));
    const keyOf = (...shown: unknown[]) => JSON.stringify([...shown, assets.version]);
    /** Returns the page of a key. Concurrent requests wait for the first one's rendering; a failed rendering fails only these requests. */
    const find = (key: string, render: () => Promise<string>): AssembledPage | Promise<AssembledPage> => {
      const known = pages.get(key) ?? rendering.get(key);
      count('shared', known !== undefined);
      if (known) return known;
      const page = render()
        .then((html) => {
          const rendered = new AssembledPage(html, assets.version);
          pages.set(key, rendered);
          return rendered;
        })
        .finally(() => rendering.delete(key));
      rendering.set(key, page);
      return page;
    };

    app.decorateReply('sharedPage', async function sharedPage(view, data) {
      const { request } = this;
      const key = keyOf(view, data, app.siteOrigin(request), request.isSignedIn);
      const page = await find(key, () => app.renderPage(request, view, data, personalMarker));
      return page.send(request, this, await app.renderPersonal(request, this));
    });

    app.decorateReply('versionedPage', async function versionedPage(view, versions, data, withHeader = true) {
      const { request } = this;
      const key = keyOf(view, versions, app.siteOrigin(request), request.isSignedIn);
      const page = await find(key, async () => app.renderPage(request, view, await data(), personalMarker));
      return page.send(request, this, withHeader ? await app.renderPersonal(request, this) : app.renderAppearance(request));
    });

    app.decorateReply('framedPage', async function framedPage(view, data) {
      const { request } = this;
      // Hashed: these entries are many and each is used by one learner; the data as a key would be longer than the page.
      const ownKey = hash('sha256', keyOf(view, data, app.siteOrigin(request), request.isSignedIn));
      let own = ownViews.get(ownKey);
      count('own', own !== undefined);
      if (!own) {
        const { body, frame } = await app.renderBody(request, view, data);
        own = { body: compressedFragment(body), frame };
        ownViews.set(ownKey, own);
      }
      const key = keyOf(own.frame);
      const { frame } = own;
      const page = await find(key, () => app.renderFrame(frame, ownMarker, personalMarker));
      return page.send(request, this, await app.renderPersonal(request, this, data), [own.body]);
    });
  },
  { name: 'page-cache', dependencies: ['views'] },
);
