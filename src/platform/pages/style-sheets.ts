import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { allowStyle } from '../http/security.ts';
import type { Assets } from './assets.ts';
import { Fragment, storedFragment } from './fragment.ts';
import { compressedPiece } from './gzip-member.ts';
import { type Names, namesIn, readRules, usedRules } from './style-rules.ts';

declare module 'fastify' {
  interface FastifyInstance {
    styleSheets: StyleSheets;
  }
}

/**
 * Markers for a page's style: at the beginning of the head, with the names of its sheets, and at the end of the body. `StyleSheets.choose`
 * decides what replaces them.
 */
export const styleMarkers = { head: /<!--styles:([\w,]+)-->/, end: '<!--late-styles-->' } as const;

/** Cookie with the sheets that the browser has: the first characters of their hashes, `Ab3d.x9Yz`. */
const cookieName = 'css';
/** Age of the cookie, in seconds. Until it expires, pages wait for a sheet that the browser has evicted from its own cache. */
const cookieAge = 30 * 86_400;
/** Number of rule sets in the cache, 25 KB each. */
const keptStyles = 200;

/**
 * Keeps the fallback font for formulas drawn before the sheet arrives: changing it would move the lines. Outside all layers, so that it
 * wins.
 */
const withoutFont = 'math{font-family:"Formules","Latin Modern Math","Cambria Math","Noto Sans Math",math}';

type SheetName = 'main' | 'learner' | 'exam';

interface Sheet {
  link: string;
  tag: string;
  rules: ReturnType<typeof readRules>;
}

/** The rules that a page needs, as a `<style>` element. */
export class InlineStyle extends Fragment {
  /** Its source expression in the content security policy. */
  readonly source: string;

  constructor(css: string, source: string) {
    super(`<style>${css}</style>`, compressedPiece);
    this.source = source;
  }
}

/** Content of a page's two style markers. */
interface Chosen {
  head: Fragment;
  end: Fragment;
}

/** Fragments of a page without style, or without late links. */
export const noStyle: Chosen = { head: storedFragment(''), end: storedFragment('') };

/**
 * Delivers a page's style. A browser that has the sheets gets links in the head. On a first visit the page contains the rules that it
 * needs, so that it is readable after one round trip. The links then follow at the end of the body, so only scripts wait for them.
 */
class StyleSheets {
  readonly #sheets: Record<SheetName, Sheet>;
  readonly #fontLink: string;
  /** False in development, where Vite serves the sheets and they change at any time: only links are used. */
  readonly #inline: boolean;
  readonly #styles = new LRUCache<string, InlineStyle>({ max: keptStyles });
  /** Unbounded, since pages use only few combinations of sheets. */
  readonly #linksByNames = new Map<string, Fragment>();
  readonly #lateLinksByNames = new Map<string, Fragment>();
  readonly #sheetsByNames = new Map<string, Sheet[]>();

  constructor({ css, learnerCss, examCss, mathFont, folder }: Assets) {
    const sheet = (address: string): Sheet => ({
      link: `<link rel="stylesheet" href="${address}">`,
      tag: createHash('sha1').update(address).digest('base64url').replaceAll(/\W|_/g, '').slice(0, 4),
      rules: folder === null ? [] : readRules(readFileSync(join(folder, address), 'utf8')),
    });
    this.#inline = folder !== null;
    this.#sheets = { main: sheet(css), learner: sheet(learnerCss), exam: sheet(examCss) };
    this.#fontLink = `<link rel="preload" href="${mathFont}" as="font" type="font/woff2" crossorigin>`;
  }

  /** Returns the links for the head. @param names as in the marker, `main,learner`; `formulas` adds a preload of the formula font */
  links(names: string): Fragment {
    return keptValue(this.#linksByNames, names, () => this.#linked(names, names.split(',').includes('formulas') ? [this.#fontLink] : []));
  }

  /**
   * Returns the style for a page that may be requested again with unchanged HTML. On a first visit it also sets the cookie that names these
   * sheets, and allows the inline rules in the content security policy.
   * @param names of the sheets @param style returns the rules for this page; called on a first visit only
   */
  choose(request: FastifyRequest, reply: FastifyReply, names: string, style: () => InlineStyle): Chosen {
    const tags = new Set(request.cookies?.[cookieName]?.split('.'));
    const missing = this.#named(names).filter(({ tag }) => !tags.has(tag));
    if (!this.#inline || missing.length === 0) return { ...noStyle, head: this.links(names) };
    const had = Object.values(this.#sheets).filter((sheet) => tags.has(sheet.tag) || missing.includes(sheet));
    const secure = request.server.siteOrigin(request).startsWith('https:');
    reply.setCookie(cookieName, had.map(({ tag }) => tag).join('.'), {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: cookieAge,
    });
    const inline = style();
    allowStyle(reply, inline.source);
    // No preload of the font: it would arrive with the sheet and move lines while they are read.
    return { head: inline, end: keptValue(this.#lateLinksByNames, names, () => this.#linked(names)) };
  }

  /** Returns the rules for a page in which these names occur; pages with equal rules share one object. */
  style(names: string, occurring: Names): InlineStyle {
    const rules = this.#named(names).flatMap((sheet) => sheet.rules);
    const css = usedRules(rules, occurring) + (occurring.elements.has('math') ? withoutFont : '');
    const source = `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
    const known = this.#styles.get(source);
    if (known) return known;
    const style = new InlineStyle(css, source);
    this.#styles.set(source, style);
    return style;
  }

  #linked(names: string, others: string[] = []): Fragment {
    return storedFragment([...this.#named(names).map(({ link }) => link), ...others].join('\n'));
  }

  #named(names: string): Sheet[] {
    return keptValue(this.#sheetsByNames, names, () =>
      names
        .split(',')
        .filter((name): name is SheetName => name in this.#sheets)
        .map((name) => this.#sheets[name]),
    );
  }
}

/** Returns the value of a key, and makes it at the first request. */
function keptValue<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

/**
 * Puts the style into a page's HTML. The ETag is always computed from the HTML with links, since both variants are the same page to a
 * browser that has it.
 * @returns the HTML, and the text for its ETag
 */
export function placeStyles(request: FastifyRequest, reply: FastifyReply, page: string): { html: string; tagged: string } {
  const marker = styleMarkers.head.exec(page);
  const end = page.lastIndexOf(styleMarkers.end);
  if (!marker || end < 0) return { html: page, tagged: page };
  const [found, names = ''] = marker;
  const { styleSheets } = request.server;
  const fill = ({ head, end: late }: Chosen) =>
    page.slice(0, marker.index) +
    head.html +
    page.slice(marker.index + found.length, end) +
    late.html +
    page.slice(end + styleMarkers.end.length);
  const chosen = styleSheets.choose(request, reply, names, () => styleSheets.style(names, namesIn(page)));
  const html = fill(chosen);
  const links = styleSheets.links(names);
  return { html, tagged: chosen.head === links ? html : fill({ ...noStyle, head: links }) };
}

/** Returns the page with links only: for a page that is kept and shown at other addresses than the requested one. */
export function linkStyles({ styleSheets }: FastifyInstance, page: string): string {
  return page.replace(styleMarkers.head, (_, names: string) => styleSheets.links(names).html).replace(styleMarkers.end, '');
}

export const styleSheets = fp<{ assets: Assets }>(
  async (app, { assets }) => {
    app.decorate('styleSheets', new StyleSheets(assets));
  },
  { name: 'style-sheets', dependencies: ['@fastify/cookie', 'security'] },
);
