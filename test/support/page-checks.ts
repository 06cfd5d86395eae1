import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import { type ConfigData, HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { isScriptless } from './browser.ts';
import { isLongForm } from './long-form.ts';

const htmlRules = JSON.parse(readFileSync(new URL('./html-validate.json', import.meta.url), 'utf8')) as ConfigData;
const validator = new HtmlValidate({ root: true, ...htmlRules });

/** Sent to each page that it looks at: the smaller one. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Axe {
  /** `only`: where all the rest has been looked at. False leaves out contrast, the slowest rule by far, where the same colours are looked at elsewhere. */
  colours?: boolean | 'only';
  /** Selector of the part that is looked at; the whole document without it. */
  within?: string;
}

/** No violation of any rule that axe has switched on. Evaluated from outside the page, which the page's policy does not forbid. */
export async function assertAccessible(t: Test, page: Page, { colours = true, within }: Axe = {}): Promise<void> {
  await runAxe(t, page, {
    within,
    options: colours === 'only' ? { runOnly: ['color-contrast'] } : { rules: { 'color-contrast': { enabled: colours } } },
  });
}

interface AxeRun {
  within?: string;
  options: RunOptions;
  /** Of the elements whose contrast is looked at; all without it. */
  contrastOf?: string;
}

async function runAxe(t: Test, page: Page, { within, options, contrastOf = '*' }: AxeRun): Promise<void> {
  // axe waits for timers, which do not run in a page without JavaScript.
  if (isScriptless(page)) throw new Error('axe needs JavaScript: look at the same page in a context that has it');
  if (!(await page.evaluate(() => 'axe' in window))) await load(page, axe);
  const [context, rules] = [within ? JSON.stringify(within) : 'document', { rules: [{ id: 'color-contrast', selector: contrastOf }] }];
  // Its violations alone: all that it has passed is much more to hand over than to find.
  const violations = (await page.evaluate(
    `axe.configure(${JSON.stringify(rules)}), axe.run(${context}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})
      .then(({ violations }) => violations)`,
  )) as AxeResults['violations'];
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}: ${node.html}`));
  t.same(found, [], `axe finds nothing on ${page.url()}`);
}

/** What axe has looked at, of all pages of this process: the colours of texts with what they are drawn on, and what other widths show besides. */
const [coloursSeen, changesSeen] = [new Set<string>(), new Set<string>()];

/**
 * The same for one of many pages that share their style. In the short form contrast is looked at where a text's colours, on the colours behind it, are those
 * of no text before; and another width only where it shows or hides what none has before.
 *
 * @param as `page` at its first width, then `colours` in other colours, and `width` at another width.
 */
export async function assertAccessibleAnew(t: Test, page: Page, as: 'page' | 'colours' | 'width'): Promise<void> {
  if (isLongForm) return assertAccessible(t, page, { colours: as === 'colours' ? 'only' : true });
  const mark = 'data-new-colours';
  const marked = await page.evaluate(markNewColours, { mark, seen: [...coloursSeen] });
  for (const colours of marked) coloursSeen.add(colours);
  const contrast = marked.length > 0;
  const changes = as === 'colours' ? [] : await page.evaluate(changesOfWidth, as === 'page');
  const rest = as === 'page' || changes.some((change) => !changesSeen.has(change));
  for (const change of changes) changesSeen.add(change);
  if (rest) await runAxe(t, page, { contrastOf: `[${mark}]`, options: { rules: { 'color-contrast': { enabled: contrast } } } });
  else if (contrast) await runAxe(t, page, { contrastOf: `[${mark}]`, options: { runOnly: ['color-contrast'] } });
  if (contrast) {
    await page.evaluate((mark) => {
      for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark);
    }, mark);
  }
}

/** Marks the first text of each look that is not among those seen, and answers their looks. Runs in the page. */
function markNewColours({ mark, seen }: { mark: string; seen: string[] }): string[] {
  const known = new Set(seen);
  const found: string[] = [];
  /** What an element is drawn on, and how much of it is seen. */
  const grounds = new Map<Element | null, string>([[null, '']]);
  const groundOf = (element: Element | null): string => {
    const kept = grounds.get(element);
    if (kept !== undefined || !element) return kept ?? '';
    const parts = [groundOf(element.parentElement)];
    for (const pseudo of [null, '::before', '::after']) {
      const style = getComputedStyle(element, pseudo);
      if (pseudo && style.content === 'none') continue;
      const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } = style;
      const own = [
        backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : backgroundColor,
        backgroundImage === 'none' ? '' : backgroundImage,
        opacity === '1' ? '' : opacity,
        filter === 'none' ? '' : filter,
        mixBlendMode === 'normal' ? '' : mixBlendMode,
        position === 'static' || position === 'relative' ? '' : position,
      ].join('');
      if (own) parts.push(`${pseudo ?? ''}${own}`);
    }
    const ground = parts.filter((part) => part).join('/');
    grounds.set(element, ground);
    return ground;
  };
  for (const element of document.body.querySelectorAll('*')) {
    const text = [...element.childNodes].some((node) => node instanceof Text && node.data.trim());
    if (!(text || element.matches('input, select, textarea')) || !element.checkVisibility()) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    // Large letters, and bold ones somewhat smaller, may do with less.
    const isLarge = Number.parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
    const state = element.matches(':disabled, [aria-disabled]') ? 'disabled' : '';
    const look = [groundOf(element), color, isLarge, textShadow, state].join(' ');
    if (known.has(look)) continue;
    known.add(look);
    found.push(look);
    element.setAttribute(mark, '');
  }
  return found;
}

/** What is shown or hidden unlike when it was asked with `isFirst`. Runs in the page. */
function changesOfWidth(isFirst: boolean): string[] {
  const kept = window as unknown as { shownFirst?: Set<Element> };
  const all = [...document.body.querySelectorAll('*')];
  const shown = new Set(all.filter((element) => element.checkVisibility({ visibilityProperty: true })));
  if (isFirst) kept.shownFirst = shown;
  const before = kept.shownFirst ?? new Set();
  return all
    .filter((element) => shown.has(element) !== before.has(element))
    .map((element) => {
      const attributes = element.getAttributeNames().filter((name) => name !== 'class' && element.getAttribute(name) !== '');
      const text = element.textContent?.trim() ? 'text' : '';
      return `${shown.has(element) ? '+' : '-'}${element.localName}.${element.className} ${attributes.sort()} ${text}`;
    });
}

/** Through the debugging protocol: the browser keeps what it has compiled for the next page, which it does not for what `page.evaluate` is given. */
async function load(page: Page, script: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: `${script};undefined` });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.text);
}

/** `html` is a whole document as the server sent it, not what a browser made of it. */
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

/** Nothing makes the page scroll sideways. */
export async function assertNoOverflow(t: Test, page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > width + 1);
    return wide.slice(0, 5).map((element) => `${element.outerHTML.slice(0, 120)} ends at ${element.getBoundingClientRect().right}`);
  });
  t.same(found, [], `nothing is wider than the window on ${page.url()}`);
}

/** What pages of this process have shown. */
const partsSeen = new Set<string>();

/** Whether the page shows anything that no page before has shown: an element, where it stands, in the state it is in. */
export async function showsNewParts(page: Page): Promise<boolean> {
  const parts = await page.evaluate(() => {
    const states = /^(tabindex|inert|hidden|open|disabled|type|role|aria-.+|alt|href|for|title|lang|style|required|placeholder)$/;
    const own = (element: Element | null): string => {
      if (!element) return '';
      const attributes = element.getAttributeNames().filter((name) => states.test(name) && element.getAttribute(name) !== '');
      return `${element.localName}.${element.className.toString()}[${attributes.sort()}]${element.getAttribute('type') ?? ''}`;
    };
    const shown = [...document.querySelectorAll('body, body *')].filter((element) => !element.closest('script, style, template'));
    const visible = (element: Element) => (element.checkVisibility({ visibilityProperty: true }) ? '' : ' hidden');
    const text = (element: Element) => (element.textContent?.trim() ? ' text' : '');
    return [...new Set(shown.map((element) => `${own(element)}${visible(element)}${text(element)} in ${own(element.parentElement)}`))];
  });
  const isNew = parts.some((part) => !partsSeen.has(part));
  for (const part of parts) partsSeen.add(part);
  return isNew;
}

/** Its texts say nothing that was never written, those that only another width shows included. */
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
  t.same(texts.match(/.{0,40}(?:undefined|NaN|\[object|\bnull\b)/g), null, `nothing is missing in the texts of ${page.url()}`);
}

/** How far the browser lets a page move by itself, in its own measure. */
const maxShift = 0.01;

/** What is read stays where it is, from the page's beginning until somebody acts: what moves then is an answer, however late it comes. */
export async function assertStill(t: Test, page: Page, what = page.url()): Promise<void> {
  const moved = await page.evaluate(async () => {
    // Frames of a page whose clock was taken over come when the test says so.
    if (!('__pwClock' in window)) await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const entries = <Entry extends PerformanceEntry>(type: string): Entry[] => {
      const observer = new PerformanceObserver(() => {});
      observer.observe({ type, buffered: true });
      const records = observer.takeRecords() as Entry[];
      observer.disconnect();
      return records;
    };
    const acted = entries('first-input')[0]?.startTime ?? Number.POSITIVE_INFINITY;
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    const shifts = entries<Shift>('layout-shift').filter(({ startTime }) => startTime < acted);
    const named = ({ node }: { node: Node | null }) =>
      (node instanceof Element ? node.outerHTML : (node?.textContent ?? '?')).slice(0, 100);
    return { sum: shifts.reduce((sum, { value }) => sum + value, 0), what: shifts.flatMap(({ sources }) => sources.map(named)) };
  });
  t.ok(moved.sum <= maxShift, `${what} stays where it is: ${moved.sum}, ${moved.what.join(' | ')}`);
}

/**
 * No line begins with a mark of French or ends with the one that opens a quotation, in what is shown; and no such mark was set apart from its text by a box
 * that lays its parts out side by side.
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
        // A mark beside a formula: formula-lines.test.ts.
        before = null;
        continue;
      }
      for (let offset = 0; offset < text.data.length; offset += 1) {
        const character = text.data.charAt(offset);
        if (/\s/.test(character)) continue;
        const marked: boolean = /[;:!?»]/.test(character) || before?.text.data.charAt(before.offset) === '«';
        const near: Element | null | undefined =
          marked && before
            ? before.text.parentElement?.closest('p, li, h1, h2, h3, h4, td, th, dt, dd, figcaption, label, legend, summary')
            : null;
        if (before && near?.contains(text)) {
          const [box, last] = [lineOf(text, offset), lineOf(before.text, before.offset)];
          // Lower, and not to the right of it: on the next line.
          if (box && last && box.top >= last.bottom - 2 && box.left < last.right)
            faults.push(`${character} begins a line: ${(near.textContent ?? '').slice(0, 80)}`);
        }
        before = { text, offset };
      }
    }
    for (const mark of document.querySelectorAll<HTMLElement>('.nobreak')) {
      const parent = mark.parentElement as HTMLElement;
      if (
        /« | [;:!?»]/.test(mark.textContent ?? '') &&
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
 * With letters twice as large nothing makes the page scroll sideways, and nothing that can be pressed is cut off at its edge: in the page's own font
 * and in the widest that systems fall back to.
 */
export async function assertLargeTextFits(t: Test, page: Page): Promise<void> {
  // What fits in the widest fits in ours.
  for (const font of isLongForm ? ['', 'DejaVu Sans'] : ['DejaVu Sans']) {
    const found = await page.evaluate((font) => {
      const { style, clientWidth } = document.documentElement;
      style.fontSize = '200%';
      style.fontFamily = font;
      const scrolls = document.documentElement.scrollWidth > clientWidth;
      const selector = scrolls ? 'body *' : 'main :is(a[href], button)';
      const wide = [...document.querySelectorAll(selector)].filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        // What scrolls in itself may hold wider things, and what is not shown is nowhere.
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

/** A finger hits whatever can be pressed: 44 px each way, or what it stands in is as large. Links within a sentence are as high as its line. */
export async function assertTargets(t: Test, page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('a[href], button, input:not([type=hidden]), select, textarea, summary')) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('[inert]')) continue;
      if (getComputedStyle(element).display === 'inline') continue;
      const label = element instanceof HTMLInputElement ? element.closest('label') : null;
      const { width, height, right, bottom } = (label ?? element).getBoundingClientRect();
      // Out of the window until it is focused: the way past the header.
      if (right <= 0 || bottom <= 0 || width <= 1) continue;
      // Half a pixel is a matter of rounding.
      if (Math.min(width, height) < 43.5) found.push(`${Math.round(width)} x ${Math.round(height)}: ${element.outerHTML.slice(0, 120)}`);
    }
    return found;
  });
  t.same(small, [], `what can be pressed is 44 px on ${page.url()}`);
}

/** What has the focus after a press of the Tab key. */
interface Stop {
  /** Among all elements; null where it is none of the page's. */
  index: number | null;
  isSeen: boolean;
  html: string;
}

/** What the Tab key has gone to, on all pages of this process. */
const stopsSeen = new Set<string>();

/**
 * The Tab key goes through the page in the order of its texts, to nothing that is not seen, and out of it again. In the short form only from before
 * the first to after the last of what it has gone to on no other page.
 */
export async function assertFocusOrder(t: Test, page: Page): Promise<void> {
  let part: { start: number; presses: number } | undefined;
  if (!isLongForm) {
    const names = await page.evaluate(stopsOfFocus, focusable);
    const isNew = (name: string) => !stopsSeen.has(name);
    const [first, last] = [names.findIndex(isNew), names.findLastIndex(isNew)];
    if (names.length > 0 && first < 0) return;
    for (const name of names) stopsSeen.add(name);
    part = { start: first - 1, presses: last - first + 2 };
  }
  const stops = await pressTab(page, part);
  const faults = stops.filter(({ isSeen }) => !isSeen).map(({ html }) => `not seen: ${html}`);
  t.ok(stops.length > 0, `something can be focused on ${page.url()}`);
  t.same(faults, [], `what has the focus is seen on ${page.url()}`);
}

const focusable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex], [contenteditable]';

/** Each thing that may have the focus, by what it is and where it stands. Runs in the page. */
function stopsOfFocus(focusable: string): string[] {
  const own = (element: Element): string => {
    const state = [...element.attributes].filter(({ name }) => /^(tabindex|inert|hidden|open|disabled|style|popover|type)$/.test(name));
    const { width, height } = element.getBoundingClientRect();
    return `${element.localName}.${element.className}${state.map(({ name, value }) => `[${name}=${value}]`)}${width && height ? '' : '-'}`;
  };
  const nameOf = (element: Element): string => {
    const within = [element];
    for (let outer = element.parentElement; outer && within.length < 4; outer = outer.parentElement) within.push(outer);
    return within.map(own).join(' in ');
  };
  const stops = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }),
  );
  return stops.map((element) => nameOf(element));
}

/** What the Tab key leads to from the page's beginning, or from the thing with the number `start`, until it leads out of the page or back. */
async function pressTab(page: Page, { start, presses: most } = { start: -1, presses: 80 }): Promise<Stop[]> {
  const record = await page.evaluateHandle(
    ({ focusable, start }) => {
      (document.activeElement as HTMLElement | null)?.blur();
      if (start >= 0) {
        const things = document.querySelectorAll<HTMLElement>(focusable);
        [...things].filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }))[start]?.focus();
      }
      const presses: Stop[] = [];
      // Each press tells where the one before has led: by then the page has scrolled there.
      const note = () => {
        const element = document.activeElement;
        if (!element || element === document.body) return presses.push({ index: null, isSeen: false, html: '' });
        const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
        const isSeen = width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
        const index = [...document.querySelectorAll('*')].indexOf(element);
        return presses.push({ index, isSeen, html: element.outerHTML.slice(0, 120) });
      };
      addEventListener('keydown', note, true);
      return { presses, stop: () => removeEventListener('keydown', note, true) };
    },
    { focusable, start },
  );
  let stops: Stop[] = [];
  for (let pressed = 0; pressed < most; pressed += 10) {
    // Held down, as by a hand in a hurry: one message for each stop.
    for (let press = 0; press < 10; press += 1) await page.keyboard.down('Tab');
    // The first press tells where the focus was before any, and the second may lead out, from there.
    const presses = (await record.evaluate(({ presses }) => presses)).slice(1);
    if (presses[0]?.index === null) presses.shift();
    stops = untilRound(presses);
    if (stops.length < presses.length) break;
  }
  await page.keyboard.up('Tab');
  await record.evaluate(({ stop }) => stop());
  await record.dispose();
  return stops;
}

function untilRound(presses: Stop[]): Stop[] {
  const end = presses.findIndex(({ index }, press) => index === null || index <= (presses[press - 1]?.index ?? -1));
  return end < 0 ? presses : presses.slice(0, end);
}
