import { join } from 'node:path';
import fastifyView from '@fastify/view';
import type { Eta } from 'eta';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { type Appearance, appearanceCookie, isInitial, readAppearance } from '../../shared/appearance.ts';
import { ownCookie } from '../http/cookies.ts';
import type { Config } from '../settings/config.ts';
import { projectRoot } from '../settings/project-root.ts';
import type { MenuEntry } from './administration-menu.ts';
import type { Assets } from './assets.ts';
import { type Toast, takeFlash } from './flash.ts';
import { compressedFragment, type Fragment, joinedFragment, storedFragment } from './fragment.ts';
import { tagOf } from './page-etag.ts';
import { placeStyles } from './style-sheets.ts';
import { takesLayout, templateEngine } from './template-engine.ts';

/** Part of the site; the parts differ in header and colour. */
type Area = 'learner' | 'admin';

/** Personal data of the layout, from modules' contributors. Nothing else in a page may depend on the reader. */
interface PersonalLocals {
  viewer: {
    learner: { username: string; initial: string; email: string } | null;
    /** Set on administration pages only; `learner` on all others. */
    administrator: {
      username: string;
      initial: string;
      role: string;
      /** `aria-current` of the link to their own account. */
      onAccount: 'page' | 'true' | null;
      /** Menu entries: `current` is the `aria-current` value, `waiting` the number of open tasks. */
      sections: { href: string; name: string; current: 'page' | 'true' | null; waiting: number }[];
      /** Sum of `waiting` over all sections. */
      waiting: number;
    } | null;
  };
  /** HTML of the learner's navigation; '' for visitors. */
  learnerBar: string;
  /** HTML placed before the learner's menu; may be ''. */
  learnerTools: string;
  /** HTML of the dialog that `learnerTools` opens; may be ''. */
  learnerPanel: string;
  /** Colours and letter size that this browser has chosen; null for the initial ones. */
  appearance: Appearance | null;
  toasts: Toast[];
}

/**
 * Locals of each view besides the layout's, by the view's name under `views/`. Modules add their pages by declaration merging. Every name
 * must be given, null for an absent value: outside production a view that reads a missing name fails.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules merge their pages into it.
export interface PageLocals {}

/** Locals that a page passes to the layout. */
export interface LayoutLocals {
  title: string;
  description?: string;
  canonical?: string;
  og?: { image?: string; width?: number; height?: number; type?: string };
  /** Default: true on administrators' pages. */
  noindex?: boolean;
  area?: Area;
  bodyClass?: string;
  /** Adds the learner style sheet. */
  learnerCss?: boolean;
  /** Adds the style sheet of mock exams. */
  examCss?: boolean;
  /** False: the page has no manifest, and so cannot be installed. Pages without the learner style sheet never have one. */
  manifest?: boolean;
  /** The page shows formulas: adds their font. */
  formulas?: boolean;
  /** The page reloads after this many seconds. */
  refreshSeconds?: number;
  refreshTo?: string;
  toasts?: Toast[];
}

/** Page data on which the header depends. */
interface PersonalPage extends Pick<LayoutLocals, 'area' | 'toasts'> {
  /** The response is not the person's next page: pending toasts stay for that one. */
  leavesFlash?: boolean;
}

export type ViewName = keyof PageLocals;

export type PageData<View extends ViewName> = PageLocals[View] & LayoutLocals;

/** A link in the learner's menu. */
interface LearnerMenuEntry {
  href: string;
  label: string;
  /** Path data of its icon, drawn on 24 by 24. */
  icon: string;
}

type LayoutContributor = (request: FastifyRequest, reply: FastifyReply) => Promise<Partial<PersonalLocals>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A frequently requested page: its header leaves out parts that cost a query, and a script loads them afterwards. */
    lightHeader?: boolean;
  }
  interface FastifyInstance {
    contributeToLayout(contributor: LayoutContributor): void;
    /** Adds an entry to the learner's menu. */
    contributeToLearnerMenu(entry: LearnerMenuEntry): void;
    /** Adds an entry to the administration's menu; called by the module that serves the entry's page. */
    contributeToMenu(entry: MenuEntry): void;
    administrationMenu: readonly MenuEntry[];
    /** Caches compiled templates. */
    templateEngine: Eta;
    /** Returns a page's HTML with `personal` in its place and style markers (`styleMarkers`) that are still to be replaced. */
    renderPage<View extends ViewName>(request: FastifyRequest, view: View, data: PageData<View>, personal: string): Promise<string>;
    /** Returns the view's HTML without the layout, and the locals for the layout; `renderFrame` joins both to a page. */
    renderBody<View extends ViewName>(request: FastifyRequest, view: View, data: PageData<View>): Promise<{ body: string; frame: Frame }>;
    /** Returns the layout around `body`. */
    renderFrame(frame: Frame, body: string, personal: string): Promise<string>;
    /**
     * Returns the personal part: the person's header, and toasts. Must never be compressed together with its neighbours (BREACH attack).
     * Texts that many headers share are compressed, each by itself.
     */
    renderPersonal(request: FastifyRequest, reply: FastifyReply, page?: PersonalPage): Promise<Fragment>;
    /** Returns the personal part of a page without the reader's header, which devices keep: the colours and letter size that this browser has chosen. */
    renderAppearance(request: FastifyRequest): Fragment;
    /** Returns the site's public origin, without a trailing slash. */
    siteOrigin(request: FastifyRequest): string;
  }
  interface FastifyRequest {
    /** Whether the reader is a signed-in learner: their pages end in a short footer. The module that reads sessions sets it. */
    isSignedIn: boolean;
  }
  interface FastifyReply {
    /** Sends `views/<view>.eta` inside the layout. */
    page<View extends ViewName>(view: View, data: PageData<View>): Promise<FastifyReply>;
  }
}

/** Size of the cache of headers, in bytes; one takes about 15,000. */
const headerBytes = 16 * 1024 * 1024;
/** Maximum number of cached texts that many headers share (bells, panels). */
const maxCommonTexts = 1_000;
/** Stands before and after each compressed text of partials/personal. Such texts have no name, no message and nothing that a request chose. */
const commonMarker = '<!--common-->';

/** Defaults of the layout's locals. */
const layoutDefaults = {
  description: null,
  canonical: null,
  og: null,
  area: 'learner',
  bodyClass: null,
  learnerCss: false,
  examCss: false,
  manifest: true,
  formulas: false,
  refreshSeconds: null,
  refreshTo: null,
} as const;

/** Returns the colours and the letter size that the browser has chosen; null for the initial ones. */
function appearanceOf(request: FastifyRequest): Appearance | null {
  const chosen = readAppearance(request.cookies?.[ownCookie(request, appearanceCookie).name]);
  return isInitial(chosen) ? null : chosen;
}

/** As in partials/personal. */
const appearanceMark = ({ theme, letters }: Appearance): string =>
  `<span class="appearance" data-theme="${theme}" data-letters="${letters}" hidden></span>`;

/** Names of all locals that the layout reads, except the page's own parts and the assets. */
const frameNames = [...Object.keys(layoutDefaults), 'title', 'noindex', 'site', 'isSignedIn'];

/** The layout's locals of a page; pages with equal values have the same frame. */
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

    app.decorateRequest('isSignedIn', false);
    app.decorate('contributeToLayout', (contributor: LayoutContributor) => {
      contributors.push(contributor);
    });
    const learnerMenu: LearnerMenuEntry[] = [];
    app.decorate('contributeToLearnerMenu', (entry: LearnerMenuEntry) => {
      learnerMenu.push(entry);
    });
    const menu: MenuEntry[] = [];
    app.decorate('administrationMenu', menu);
    app.decorate('contributeToMenu', (entry: MenuEntry) => {
      menu.push(entry);
      menu.sort((one, other) => one.order - other.order);
    });
    app.decorate('siteOrigin', (request: FastifyRequest) => config.publicUrl ?? `${request.protocol}://${request.host}`);

    // A person's header changes only with their notifications and toasts, so consecutive pages share it.
    const headers = new LRUCache<string, Fragment>({ maxSize: headerBytes, sizeCalculation: ({ size }, key) => size + key.length });
    // Long texts are replaced by numbers in the cache key; the key would otherwise be as long as the header.
    const numbers = new LRUCache<string, number>({ max: maxCommonTexts });
    let lastNumber = 0;
    const numberOf = (text: string): number => {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      lastNumber += 1;
      numbers.set(text, lastNumber);
      return lastNumber;
    };
    const common = new LRUCache<string, Fragment>({ max: maxCommonTexts, memoMethod: compressedFragment });
    app.decorate(
      'renderPersonal',
      async (request: FastifyRequest, reply: FastifyReply, { area = 'learner', toasts = [], leavesFlash = false } = {}) => {
        const locals: PersonalLocals = {
          viewer: { learner: null, administrator: null },
          learnerBar: '',
          learnerTools: '',
          learnerPanel: '',
          appearance: appearanceOf(request),
          toasts: [...(leavesFlash ? [] : takeFlash(request, reply)), ...toasts],
        };
        // If a part fails, the header is shown without it: the error page has the same header.
        const attempt = (contribute: LayoutContributor) =>
          contribute(request, reply).catch((error: unknown) => {
            request.log.error({ err: error }, 'part of the header failed');
            return {};
          });
        for (const contribution of await Promise.all(contributors.map(attempt))) Object.assign(locals, contribution);
        const key = JSON.stringify([area, ...Object.values(locals).map((shown) => (typeof shown === 'string' ? numberOf(shown) : shown))]);
        const known = headers.get(key);
        if (known !== undefined) return known;
        const html = await app.view('partials/personal', { ...locals, learnerMenu, area, site: config.site });
        // split() puts the texts between two markers at the odd indexes.
        const parts = html.split(commonMarker).map((part, index) => (index % 2 === 1 ? common.memo(part) : storedFragment(part)));
        const header = joinedFragment(parts);
        if (assets.folder !== null) headers.set(key, header);
        return header;
      },
    );

    app.decorate('renderAppearance', (request: FastifyRequest) => {
      const chosen = appearanceOf(request);
      return storedFragment(chosen ? appearanceMark(chosen) : '');
    });

    const localsOf = (request: FastifyRequest, data: LayoutLocals) => ({
      ...layoutDefaults,
      // Administrators' pages are not for search engines.
      noindex: data.area === 'admin',
      ...data,
      isSignedIn: request.isSignedIn,
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
      // Revalidate always: after signing in or out, the back button must not show the other person's page.
      if (!this.hasHeader('cache-control')) this.header('cache-control', 'private, no-cache').header('vary', 'cookie');
      const { html, tagged } = placeStyles(this.request, this, page);
      if (this.request.method === 'GET' && this.statusCode === 200) this.header('etag', tagOf(tagged));
      return this.type('text/html; charset=utf-8').send(html);
    });
  },
  { name: 'views', dependencies: ['@fastify/cookie', 'style-sheets'] },
);
