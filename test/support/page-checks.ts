import { readFileSync } from 'node:fs';
import { type ConfigData, HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { isLongForm } from './long-form.ts';

const htmlRules = JSON.parse(readFileSync(new URL('./html-validate.json', import.meta.url), 'utf8')) as ConfigData;
const validator = new HtmlValidate({ root: true, ...htmlRules });

/** Asserts that HTML is valid. `html` is the document as the server sent it, not the browser's DOM. */
export async function assertValidHtml(t: Test, html: string, name = 'the document'): Promise<void> {
  const { results } = await validator.validateString(html);
  const lines = html.split('\n');
  const found = results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}: ${excerpt(lines[line - 1], column)}`),
  );
  t.same(found, [], `${name} is valid HTML`);
}

function excerpt(line = '', column = 1): string {
  return line.slice(Math.max(0, column - 20), column + 100).trim();
}

/** Asserts that the page has no horizontal overflow. */
export async function assertNoOverflow(t: Test, page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > width + 1);
    return wide.slice(0, 5).map((element) => `${element.outerHTML.slice(0, 120)} ends at ${element.getBoundingClientRect().right}`);
  });
  t.same(found, [], `no element is wider than the window on ${page.url()}`);
}

/** Elements shown by pages of this process. */
const partsSeen = new Set<string>();

/** Attribute that `showsNewParts` sets on new elements. */
export const newPart = 'data-new-part';

/** Returns whether the page has an element that no earlier page had, considering its position and state. */
export async function showsNewParts(page: Page): Promise<boolean> {
  const parts = await page.evaluate(partsOf, { mark: newPart, seen: [...partsSeen] });
  for (const part of parts) partsSeen.add(part);
  return parts.length > 0;
}

/** Marks new elements and returns their names. Runs in the page. */
function partsOf({ mark, seen }: { mark: string; seen: string[] }): string[] {
  const known = new Set(seen);
  const states = /^(tabindex|inert|hidden|open|disabled|type|role|aria-.+|alt|href|for|title|lang|style|required|placeholder)$/;
  const own = (element: Element | null): string => {
    if (!element) return '';
    const attributes = element.getAttributeNames().filter((name) => states.test(name) && element.getAttribute(name) !== '');
    return `${element.localName}.${element.className.toString()}[${attributes.sort()}]${element.getAttribute('type') ?? ''}`;
  };
  const shown = [...document.querySelectorAll('body, body *')].filter((element) => !element.closest('script, style, template'));
  const visible = (element: Element) => (element.checkVisibility({ visibilityProperty: true }) ? '' : ' hidden');
  const text = (element: Element) => (element.textContent?.trim() ? ' text' : '');
  const found = new Set<string>();
  for (const element of shown) {
    const part = `${own(element)}${visible(element)}${text(element)} in ${own(element.parentElement)}`;
    if (known.has(part)) continue;
    found.add(part);
    element.setAttribute(mark, '');
  }
  return [...found];
}

/** Asserts that the texts contain no 'undefined', 'NaN' or similar, including texts shown only at other widths. */
export async function assertNothingMissing(t: Test, page: Page): Promise<void> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (!walker.currentNode.parentElement?.closest('script, style, template, details:not([open]) > :not(summary)'))
        found.push(walker.currentNode.nodeValue ?? '');
    }
    return found.join('\n');
  });
  t.same(texts.match(/.{0,40}(?:undefined|NaN|\[object|\bnull\b)/g), null, `no missing value in the texts of ${page.url()}`);
}

/** Largest accepted layout shift score. */
const maxShift = 0.01;

/** Asserts that content does not move from the start of the page until user input; shifts after input are allowed, however late. */
export async function assertStill(t: Test, page: Page, what = page.url(), limit = maxShift): Promise<void> {
  const moved = await page.evaluate(async () => {
    // With a fake clock, frames come only when the test advances it.
    if (!('__pwClock' in window)) await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const entries = <Entry extends PerformanceEntry>(type: string): Entry[] => {
      const observer = new PerformanceObserver(() => {});
      observer.observe({ type, buffered: true });
      const records = observer.takeRecords() as Entry[];
      observer.disconnect();
      return records;
    };
    const acted = entries('first-input')[0]?.startTime ?? Number.POSITIVE_INFINITY;
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    const shifts = entries<Shift>('layout-shift').filter(({ startTime, hadRecentInput }) => startTime < acted && !hadRecentInput);
    const named = ({ node }: { node: Node | null }) =>
      (node instanceof Element ? node.outerHTML : (node?.textContent ?? '?')).slice(0, 100);
    return { sum: shifts.reduce((sum, { value }) => sum + value, 0), what: shifts.flatMap(({ sources }) => sources.map(named)) };
  });
  t.ok(moved.sum <= limit, `${what} stays where it is: ${moved.sum}, ${moved.what.join(' | ')}`);
}

/**
 * Asserts that no line begins with a French punctuation mark, a middle dot or a separating dash, or ends with an opening quotation mark, and
 * that no flex or grid layout separates such a mark from its text.
 */
export async function assertMarksStay(t: Test, page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const faults: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const lineOf = (text: Text, offset: number): DOMRect | undefined => {
      const range = document.createRange();
      range.setStart(text, offset);
      range.setEnd(text, offset + 1);
      return range.getClientRects()[0];
    };
    let before = null as { text: Text; offset: number } | null;
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const parent = text.parentElement as HTMLElement;
      if (parent.closest('script, style, select, textarea, pre, code, math, .visually-hidden') || !parent.checkVisibility()) {
        // formula-lines.test.ts checks marks beside formulas.
        before = null;
        continue;
      }
      for (let offset = 0; offset < text.data.length; offset += 1) {
        const character = text.data.charAt(offset);
        if (/\s/.test(character)) continue;
        // Texts of teachers are as they wrote them. A dash alone stands for a missing value.
        const separates =
          /[–-]/.test(character) &&
          /^(?:\s|$)/.test(text.data.slice(offset + 1)) &&
          !parent.closest('.prose') &&
          text.data.trim() !== character;
        // A word that is longer than a line breaks anywhere.
        if (/\S{40}\s?$/.test(text.data.slice(0, offset))) continue;
        const marked: boolean = /[;:!?»·]/.test(character) || separates || before?.text.data.charAt(before.offset) === '«';
        const near: Element | null | undefined =
          marked && before
            ? before.text.parentElement?.closest('p, li, h1, h2, h3, h4, td, th, dt, dd, figcaption, label, legend, summary')
            : null;
        if (before && near?.contains(text)) {
          const [box, last] = [lineOf(text, offset), lineOf(before.text, before.offset)];
          // The mark is below the previous character and not to its right, so it is on the next line.
          if (box && last && box.top >= last.bottom - 2 && box.left < last.right)
            faults.push(`${character} begins a line: ${(near.textContent ?? '').slice(0, 80)}`);
        }
        before = { text, offset };
      }
    }
    for (const mark of document.querySelectorAll<HTMLElement>('.nobreak')) {
      const parent = mark.parentElement as HTMLElement;
      if (
        /« | [;:!?»·–-]/.test(mark.textContent ?? '') &&
        /flex|grid/.test(getComputedStyle(parent).display) &&
        parent.textContent !== mark.textContent
      )
        faults.push(`${mark.textContent} may be a box of its own: ${parent.outerHTML.slice(0, 120)}`);
    }
    return faults;
  });
  t.same(found, [], `marks stay with their words on ${page.url()}`);
}

/**
 * Asserts that with text twice as large the page has no horizontal overflow and no clickable element is cut off at the edge, in the page's
 * own font and in the widest fallback font.
 */
export async function assertLargeTextFits(t: Test, page: Page): Promise<void> {
  // Text that fits in the widest font fits in ours.
  for (const font of isLongForm ? ['', 'DejaVu Sans'] : ['DejaVu Sans']) {
    const found = await page.evaluate((font) => {
      const { style, clientWidth } = document.documentElement;
      style.fontSize = '200%';
      style.fontFamily = font;
      const scrolls = document.documentElement.scrollWidth > clientWidth;
      const selector = scrolls ? 'body *' : 'main :is(a[href], button)';
      const wide = [...document.querySelectorAll(selector)].filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        // Scroll containers may have wider content; hidden elements have no position.
        return (
          width > 1 && (right > clientWidth + 1 || left < -1) && !element.closest('.table-scroll, .formula-block, .tabs, .skip, .toast')
        );
      });
      style.fontSize = '';
      style.fontFamily = '';
      return wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120));
    }, font);
    t.same(found, [], `letters twice as large fit the window on ${page.url()} in ${font || 'its own font'}`);
  }
}

/** Asserts a font size of at least 16 px in form fields: below that an iPhone zooms into the page on focus and does not zoom back. */
export async function assertFieldsKeepZoom(t: Test, page: Page): Promise<void> {
  const small = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), select, textarea, [contenteditable="true"]',
      ),
    ]
      .filter((element) => element.checkVisibility() && Number.parseFloat(getComputedStyle(element).fontSize) < 16)
      .map((element) => `${getComputedStyle(element).fontSize}: ${element.outerHTML.slice(0, 120)}`),
  );
  t.same(small, [], `fields have letters of 16 px on ${page.url()}`);
}

/** Asserts that clickable elements, or the labels around them, are at least 44 px wide and high. Links within a sentence are exempt. */
export async function assertTargets(t: Test, page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('a[href], button, input:not([type=hidden]), select, textarea, summary')) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('[inert]')) continue;
      if (getComputedStyle(element).display === 'inline') continue;
      const label = element instanceof HTMLInputElement ? element.closest('label') : null;
      const { width, height, right, bottom } = (label ?? element).getBoundingClientRect();
      // Off-screen until focused: the skip link.
      if (right <= 0 || bottom <= 0 || width <= 1) continue;
      // Allows half a pixel for rounding.
      if (Math.min(width, height) < 43.5) found.push(`${Math.round(width)} x ${Math.round(height)}: ${element.outerHTML.slice(0, 120)}`);
    }
    return found;
  });
  t.same(small, [], `touch targets are at least 44 px wide and high on ${page.url()}`);
}

/** Below this width the header may have two rows, and only the fonts of phones count, in px. */
const tabletWidth = 768;

/**
 * Asserts that no control is cut off, and that bars and tabs keep each name on one line and all entries in one row: in the page's own font,
 * which is as wide as those of Android, Windows and Apple; and, on wider screens, in DejaVu Sans, the font of a plain Debian.
 * Texts that end in an ellipsis are meant to be cut.
 */
export async function assertControlsFit(t: Test, page: Page): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < tabletWidth;
  for (const font of isPhone ? [''] : isLongForm ? ['', 'DejaVu Sans'] : ['DejaVu Sans']) {
    const found = await page.evaluate(controlFaults, font);
    t.same(found, [], `bars, tabs and buttons fit on ${page.url()} at ${page.viewportSize()?.width} px in ${font || 'its own font'}`);
  }
}

/** Returns the controls that are cut off or wrapped in the font. Runs in the page. */
function controlFaults(font: string): string[] {
  const faults: string[] = [];
  const root = document.documentElement;
  root.style.fontFamily = font;
  const shown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 1 && !element.closest('.skip');
  const name = (element: Element) => `${(element.textContent ?? '').trim().slice(0, 60)} (${element.className.toString().slice(0, 40)})`;
  /** Rectangles of the element's visible words, without counts over an icon, words that an ellipsis cuts off on purpose, and hidden ones. */
  const words = (element: Element): DOMRect[] => {
    const rects: DOMRect[] = [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const parent = texts.currentNode.parentElement as HTMLElement;
      let box: HTMLElement | null = parent;
      let left = !texts.currentNode.nodeValue?.trim() || parent.closest('.visually-hidden, .count, svg, option') !== null || !shown(parent);
      for (; box && !left && element.contains(box); box = box.parentElement) left = getComputedStyle(box).textOverflow === 'ellipsis';
      if (left) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      rects.push(...range.getClientRects());
    }
    return rects;
  };
  const clips = ({ overflowX }: CSSStyleDeclaration) => overflowX !== 'visible';
  for (const element of document.querySelectorAll('a[href], button, summary')) {
    if (!shown(element)) continue;
    const rects = words(element);
    if (rects.length === 0) continue;
    const [left, right] = [Math.min(...rects.map((rect) => rect.left)), Math.max(...rects.map((rect) => rect.right))];
    // Checks the element and its ancestors that hide their overflow, up to a toast or a scrolling table or formula.
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
      if (box.matches('.table-scroll, .formula-block, .toast')) break;
      const { left: start, right: end } = box.getBoundingClientRect();
      if ((box === element || clips(getComputedStyle(box))) && (left < start - 1 || right > end + 1)) {
        faults.push(`cut: ${name(element)} by ${box.className.toString().slice(0, 40)}`);
        break;
      }
    }
    const inBar = element.closest('.topbar, .tabs') && !element.closest('.menu__panel, .brand, .topbar__space');
    if (inBar && Math.max(...rects.map(({ top }) => top)) >= Math.min(...rects.map(({ bottom }) => bottom)))
      faults.push(`wraps: ${name(element)}`);
  }
  for (const row of document.querySelectorAll('.topbar__inner, .topbar__end, .sections ul, .tabs')) {
    if (!shown(row)) continue;
    const inFlow = (element: Element) => shown(element) && !/fixed|absolute/.test(getComputedStyle(element).position);
    const entries = [...row.children].filter(inFlow).map((element) => element.getBoundingClientRect());
    if (entries.some(({ top }) => entries.some(({ bottom }) => top >= bottom))) faults.push(`two rows: ${name(row)}`);
  }
  root.style.fontFamily = '';
  return faults;
}
