import { join } from 'node:path';
import fastifyView from '@fastify/view';
import type { Eta } from 'eta';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Config } from '../settings/config.ts';
import { projectRoot } from '../settings/project-root.ts';
import type { MenuEntry } from './administration-menu.ts';
import type { Assets } from './assets.ts';
import { type Toast, takeFlash } from './flash.ts';
import { type Fragment, storedFragment } from './fragment.ts';
import { tagOf } from './page-etag.ts';
import { placeStyles } from './style-sheets.ts';
import { takesLayout, templateEngine } from './template-engine.ts';

/** Whose pages these are: they differ in header and colour. */
type Area = 'learner' | 'admin';

/** What the layout knows of a person; modules contribute to it. Nothing else in a page may depend on who reads it. */
interface PersonalLocals {
  viewer: {
    learner: { username: string; initial: string; email: string } | null;
    /** Shown in the administration's pages only, as the learner is in all others. */
    administrator: {
      username: string;
      initial: string;
      role: string;
      /** Of the page of their own account, as `aria-current` has it. */
      onAccount: 'page' | 'true' | null;
      /** The menu; `current` as `aria-current` has it, `waiting` how much of it needs somebody. */
      sections: { href: string; name: string; current: 'page' | 'true' | null; waiting: number }[];
      /** What waits in all of them. */
      waiting: number;
    } | null;
  };
  /** HTML before the learner's menu; '' without any. */
  learnerTools: string;
  /** HTML of the dialog that it opens; '' where there is none. */
  learnerPanel: string;
  toasts: Toast[];
}

/**
 * What each view is given beside what the layout is told, by its name under `views/`. Every module merges its pages into it, as it does its events. A name
 * is always given, null where there is nothing: outside production a view that reads another one fails.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules merge their pages into it.
export interface PageLocals {}

/** What a page tells the layout. */
export interface LayoutLocals {
  title: string;
  description?: string;
  canonical?: string;
  og?: { image?: string; width?: number; height?: number; type?: string };
  /** True of an administrators' page that does not say otherwise. */
  noindex?: boolean;
  area?: Area;
  bodyClass?: string;
  /** The page needs what the learner's space adds to the style sheet. */
  learnerCss?: boolean;
  /** The page shows formulas: their font comes with it. */
  formulas?: boolean;
  /** The page asks for itself again after so many seconds. */
  refreshSeconds?: number;
  refreshTo?: string;
  toasts?: Toast[];
}

/** What of a page the header depends on. */
interface PersonalPage extends Pick<LayoutLocals, 'area' | 'toasts'> {
  /** The messages for the person's next page are not for this one. */
  leavesFlash?: boolean;
}

export type ViewName = keyof PageLocals;

export type PageData<View extends ViewName> = PageLocals[View] & LayoutLocals;

type LayoutContributor = (request: FastifyRequest, reply: FastifyReply) => Promise<Partial<PersonalLocals>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page so hot that its header does without what costs a query, and asks for it once it is there. */
    lightHeader?: boolean;
  }
  interface FastifyInstance {
    contributeToLayout(contributor: LayoutContributor): void;
    /** Adds an entry to the administration's menu; whoever serves its page does. */
    contributeToMenu(entry: MenuEntry): void;
    administrationMenu: readonly MenuEntry[];
    /** Holds the templates that have been rendered. */
    templateEngine: Eta;
    /** A page's HTML with `personal` in the place of the personal part, and markers (`styleMarkers`) in those of its style. */
    renderPage<View extends ViewName>(request: FastifyRequest, view: View, data: PageData<View>, personal: string): Promise<string>;
    /** The same in two: the view's HTML alone, and what it tells the layout; `renderFrame` makes the page of them. */
    renderBody<View extends ViewName>(request: FastifyRequest, view: View, data: PageData<View>): Promise<{ body: string; frame: Frame }>;
    /** The layout around `body`. */
    renderFrame(frame: Frame, body: string, personal: string): Promise<string>;
    /** The personal part alone: header of the person, toasts. Never compressed with what stands beside it (BREACH). */
    renderPersonal(request: FastifyRequest, reply: FastifyReply, page?: PersonalPage): Promise<Fragment>;
    /** The site's origin as the person sees it, without a trailing slash. */
    siteOrigin(request: FastifyRequest): string;
  }
  interface FastifyReply {
    /** Answers `views/<view>.eta` inside the layout. */
    page<View extends ViewName>(view: View, data: PageData<View>): Promise<FastifyReply>;
  }
}

/** Memory for the headers of those who read at the moment, in bytes: 15,000 each. */
const headerBytes = 16 * 1024 * 1024;
/** Texts that many headers have in common, at most: bells, panels. */
const maxCommonTexts = 1_000;

/** What a page that says nothing of them tells the layout. */
const layoutDefaults = {
  description: null,
  canonical: null,
  og: null,
  area: 'learner',
  bodyClass: null,
  learnerCss: false,
  formulas: false,
  refreshSeconds: null,
  refreshTo: null,
} as const;

/** All that the layout reads, but the page's own parts and the assets' addresses. */
const frameNames = [...Object.keys(layoutDefaults), 'title', 'noindex', 'site'];

/** What a page tells the layout, as it is rendered: two pages with the same have the same frame. */
export type Frame = Record<string, unknown>;

export const views = fp<{ config: Config; assets: Assets }>(
  async (app, { config, assets }) => {
    const contributors: LayoutContributor[] = [];
    const eta = templateEngine({ strict: config.environment !== 'production' });
    app.decorate('templateEngine', eta);
    await app.register(fastifyView, {
      engine: { eta },
      templates: join(projectRoot, 'views'),
      production: assets.folder !== null,
    });

    app.decorate('contributeToLayout', (contributor: LayoutContributor) => {
      contributors.push(contributor);
    });
    const menu: MenuEntry[] = [];
    app.decorate('administrationMenu', menu);
    app.decorate('contributeToMenu', (entry: MenuEntry) => {
      menu.push(entry);
      menu.sort((one, other) => one.order - other.order);
    });
    app.decorate('siteOrigin', (request: FastifyRequest) => config.publicUrl ?? `${request.protocol}://${request.host}`);

    // Of one person, from one page to the next, it changes when they have other notifications or a toast.
    const headers = new LRUCache<string, Fragment>({ maxSize: headerBytes, sizeCalculation: ({ size }, key) => size + key.length });
    // A key that held these texts would be as long as the header.
    const numbers = new LRUCache<string, number>({ max: maxCommonTexts });
    let lastNumber = 0;
    const numberOf = (text: string): number => {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      lastNumber += 1;
      numbers.set(text, lastNumber);
      return lastNumber;
    };
    app.decorate(
      'renderPersonal',
      async (request: FastifyRequest, reply: FastifyReply, { area = 'learner', toasts = [], leavesFlash = false } = {}) => {
        const locals: PersonalLocals = {
          viewer: { learner: null, administrator: null },
          learnerTools: '',
          learnerPanel: '',
          toasts: [...(leavesFlash ? [] : takeFlash(request, reply)), ...toasts],
        };
        // A header without its badge is better than no page, and the error page has the same header.
        const attempt = (contribute: LayoutContributor) =>
          contribute(request, reply).catch((error: unknown) => {
            request.log.error({ err: error }, 'part of the header failed');
            return {};
          });
        for (const contribution of await Promise.all(contributors.map(attempt))) Object.assign(locals, contribution);
        const key = JSON.stringify([area, ...Object.values(locals).map((shown) => (typeof shown === 'string' ? numberOf(shown) : shown))]);
        const known = headers.get(key);
        if (known !== undefined) return known;
        const header = storedFragment(await app.view('partials/personal', { ...locals, area, site: config.site }));
        if (assets.folder !== null) headers.set(key, header);
        return header;
      },
    );

    const localsOf = (request: FastifyRequest, data: LayoutLocals) => ({
      ...layoutDefaults,
      // What only administrators may read is nothing to be found.
      noindex: data.area === 'admin',
      ...data,
      site: { ...config.site, url: app.siteOrigin(request) },
      assets,
    });
    app.decorate('renderPage', (request: FastifyRequest, view: ViewName, data: LayoutLocals, personal: string) =>
      app.view(view, { ...localsOf(request, data), personal }),
    );
    app.decorate('renderBody', async (request: FastifyRequest, view: ViewName, data: LayoutLocals) => {
      const frame: Record<string, unknown> = {};
      const take = (locals: Record<string, unknown>) => {
        for (const name of frameNames) frame[name] = locals[name];
      };
      const body = await app.view(view, { ...localsOf(request, data), [takesLayout]: take });
      return { body, frame };
    });
    app.decorate('renderFrame', (frame: Frame, body: string, personal: string) => app.view('layout', { ...frame, assets, body, personal }));

    app.decorateReply('page', async function page<View extends ViewName>(this: FastifyReply, view: View, data: PageData<View>) {
      const personal = await app.renderPersonal(this.request, this, data);
      const page = await app.renderPage(this.request, view, data, personal.html);
      // Also: a browser that goes back after signing in or out must not find the other's page.
      if (!this.hasHeader('cache-control')) this.header('cache-control', 'private, no-cache').header('vary', 'cookie');
      const { html, tagged } = placeStyles(this.request, this, page);
      if (this.request.method === 'GET' && this.statusCode === 200) this.header('etag', tagOf(tagged));
      return this.type('text/html; charset=utf-8').send(html);
    });
  },
  { name: 'views', dependencies: ['@fastify/cookie', 'style-sheets'] },
);
