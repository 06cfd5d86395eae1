import { hash } from 'node:crypto';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { AssembledPage, ownMarker, personalMarker } from './assembled-page.ts';
import type { Assets } from './assets.ts';
import { compressedFragment, type Fragment } from './fragment.ts';
import type { Frame, PageData, ViewName } from './views.ts';

/** Memory for assembled pages, in bytes. */
const cacheBytes = 64 * 1024 * 1024;

/** The same for views of single learners, who look again before anything of theirs has changed. */
const ownBytes = 16 * 1024 * 1024;

interface OwnView {
  body: Fragment;
  frame: Frame;
}

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Answers a page that is the same for all who would get the same `data`, but for the header: it is compressed once. The data itself is what it is kept by, so
     * that nothing is ever stale. Nothing of one learner's belongs into it: that would be kept once for each.
     */
    sharedPage<View extends ViewName>(view: View, data: PageData<View>): Promise<FastifyReply>;
    /**
     * The same for what costs to be read: `versions` are what the database has said for this request of all that shows in the page.
     * @param data asked for only when no such page is there
     */
    versionedPage<View extends ViewName>(view: View, versions: unknown, data: () => Promise<PageData<View>>): Promise<FastifyReply>;
    /** Answers a page whose view is one learner's: compressed by itself and kept by its `data` as long as there is room, within a frame that is kept for all. */
    framedPage<View extends ViewName>(view: View, data: PageData<View>): Promise<FastifyReply>;
  }
}

/** @param asked how often, by the cache and what came of it */
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

/** Pages that are compressed once for many. What decides who may see one is asked each time, and is no part of what it is kept by. */
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
    /** The page of this key; of all who wait for one that is not there yet the first renders it, and a failure is theirs alone. */
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
      const key = keyOf(view, data, app.siteOrigin(request));
      const page = await find(key, () => app.renderPage(request, view, data, personalMarker));
      return page.send(request, this, await app.renderPersonal(request, this));
    });

    app.decorateReply('versionedPage', async function versionedPage(view, versions, data) {
      const { request } = this;
      const key = keyOf(view, versions, app.siteOrigin(request));
      const page = await find(key, async () => app.renderPage(request, view, await data(), personalMarker));
      return page.send(request, this, await app.renderPersonal(request, this));
    });

    app.decorateReply('framedPage', async function framedPage(view, data) {
      const { request } = this;
      // Of many that are each asked for by few: their data would be longer than they are.
      const ownKey = hash('sha256', keyOf(view, data, app.siteOrigin(request)));
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
