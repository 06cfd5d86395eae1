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
 * Where a page's style stands: at the head's beginning, with the names of its sheets, and at the body's end. What is put there depends on what the browser
 * has, see `StyleSheets.choose`.
 */
export const styleMarkers = { head: /<!--styles:([\w,]+)-->/, end: '<!--late-styles-->' } as const;

/** Names the sheets that a browser has by the first letters of their hashes, `Ab3d.x9Yz`. */
const cookieName = 'css';
/** Of a sheet that has left the browser's own cache, pages wait again until this cookie has gone, in seconds. */
const cookieAge = 30 * 86_400;
/** Different sets of rules that are kept, 25 KB each. */
const keptStyles = 200;

/** A text that was drawn before its sheet keeps the letters that it has: the font would move its lines. Outside the layers, so that it stands above them. */
const withoutFont = 'math{font-family:"Formules","Latin Modern Math","Cambria Math","Noto Sans Math",math}';

type SheetName = 'main' | 'learner';

interface Sheet {
  link: string;
  tag: string;
  rules: ReturnType<typeof readRules>;
}

/** The rules that a page needs, as an element for its head. */
export class InlineStyle extends Fragment {
  /** How a policy names it. */
  readonly source: string;

  constructor(css: string, source: string) {
    super(`<style>${css}</style>`, compressedPiece);
    this.source = source;
  }
}

/** What stands in a page's two places for style. */
interface Chosen {
  head: Fragment;
  end: Fragment;
}

/** Of a page without style, or with nothing at its end. */
export const noStyle: Chosen = { head: storedFragment(''), end: storedFragment('') };

/**
 * How a page's style comes to a browser. Whoever has the sheets gets links to them. On a first visit the page brings the rules that it has elements for, so
 * that it can be read after one round trip; the links stand behind the text then, which does not wait for them, and scripts do.
 */
class StyleSheets {
  readonly #sheets: Record<SheetName, Sheet>;
  readonly #fontLink: string;
  /** Vite serves the sheets in development, each changing by itself: there are links only. */
  readonly #inline: boolean;
  readonly #styles = new LRUCache<string, InlineStyle>({ max: keptStyles });
  /** Pages have few combinations of them. */
  readonly #linksByNames = new Map<string, Fragment>();
  readonly #lateLinksByNames = new Map<string, Fragment>();
  readonly #sheetsByNames = new Map<string, Sheet[]>();

  constructor({ css, learnerCss, mathFont, folder }: Assets) {
    const sheet = (address: string): Sheet => ({
      link: `<link rel="stylesheet" href="${address}">`,
      tag: createHash('sha1').update(address).digest('base64url').replaceAll(/\W|_/g, '').slice(0, 4),
      rules: folder === null ? [] : readRules(readFileSync(join(folder, address), 'utf8')),
    });
    this.#inline = folder !== null;
    this.#sheets = { main: sheet(css), learner: sheet(learnerCss) };
    this.#fontLink = `<link rel="preload" href="${mathFont}" as="font" type="font/woff2" crossorigin>`;
  }

  /** For the head. @param names as the marker has them, `main,learner`; with `formulas` the font of formulas is asked for too */
  links(names: string): Fragment {
    return keptValue(this.#linksByNames, names, () => this.#linked(names, names.split(',').includes('formulas') ? [this.#fontLink] : []));
  }

  /**
   * What a page that may be read again without its HTML changing is given for its style. Tells the browser to remember that it has the sheets once this page
   * is loaded, and its policy that the rules in it are ours.
   * @param names of the sheets  @param style the rules for this page, asked for on a first visit only
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
    // Without the font: it would come with the sheet, and move the lines that are being read.
    return { head: inline, end: keptValue(this.#lateLinksByNames, names, () => this.#linked(names)) };
  }

  /** The rules for a page in which these names occur: the same object for all pages that need the same. */
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

/** The value of a key, made when it is asked for first. */
function keptValue<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

/**
 * A page's HTML with its style in place. Its ETag is of the HTML with links, whichever it gets: both are the same page to whoever has it already.
 * @returns the HTML, and what its ETag is made of
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

/** The same with links alone: for a page that is kept, and shown for others than the one that it was asked for. */
export function linkStyles({ styleSheets }: FastifyInstance, page: string): string {
  return page.replace(styleMarkers.head, (_, names: string) => styleSheets.links(names).html).replace(styleMarkers.end, '');
}

export const styleSheets = fp<{ assets: Assets }>(
  async (app, { assets }) => {
    app.decorate('styleSheets', new StyleSheets(assets));
  },
  { name: 'style-sheets', dependencies: ['@fastify/cookie', 'security'] },
);
