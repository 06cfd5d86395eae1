import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { isScriptless } from './browser.ts';
import { isLongForm } from './long-form.ts';
import { newPart } from './page-checks.ts';

/** Source of the minified axe, which is injected into each page. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Axe {
  /**
   * 'only' checks nothing but contrast. False leaves out contrast, by far the slowest rule, for pages whose colours another check covers.
   */
  colours?: boolean | 'only';
  /** Selector of the part to check; without it, the whole document. */
  within?: string;
}

/**
 * Asserts that axe's default rules find no violation. axe runs through the debugging protocol, which the page's policy does not restrict.
 */
export async function assertAccessible(t: Test, page: Page, { colours = true, within }: Axe = {}): Promise<void> {
  await runAxe(t, page, {
    within,
    options: colours === 'only' ? { runOnly: ['color-contrast'] } : { rules: { 'color-contrast': { enabled: colours } } },
  });
}

interface AxeRun {
  within?: string;
  options: RunOptions;
  /** Selector of elements to leave out. */
  without?: string;
  /** Selector of the elements whose contrast is checked; without it, all. */
  contrastOf?: string;
}

async function runAxe(t: Test, page: Page, { within, without, options, contrastOf = '*' }: AxeRun): Promise<void> {
  // axe waits for timers, which do not run in a page without JavaScript.
  if (isScriptless(page)) throw new Error('axe needs JavaScript: look at the same page in a context that has it');
  if (!(await page.evaluate(() => 'axe' in window))) await load(page, axe);
  await page.evaluate(movementEnds);
  const context = without ? JSON.stringify({ exclude: [without] }) : within ? JSON.stringify(within) : 'document';
  const rules = { rules: [{ id: 'color-contrast', selector: contrastOf }] };
  // Only violations: serializing the passed rules would take longer than the checks.
  const violations = (await page.evaluate(
    `axe.configure(${JSON.stringify(rules)}), axe.run(${context}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})
      .then(({ violations }) => violations)`,
  )) as AxeResults['violations'];
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}: ${node.html}`));
  t.same(found, [], `axe finds nothing on ${page.url()}`);
}

/**
 * Waits until running animations have ended, since elements are faint while they fade in. Does not wait for endless, paused or delayed
 * ones. Runs in the page.
 */
async function movementEnds(): Promise<void> {
  const moves = (animation: Animation): boolean => {
    const { delay = 0, endTime = 0 } = animation.effect?.getComputedTiming() ?? {};
    return animation.playState === 'running' && Number(animation.currentTime) >= delay && Number.isFinite(Number(endTime));
  };
  for (let moving = document.getAnimations().filter(moves); moving.length > 0; moving = document.getAnimations().filter(moves))
    await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** Checks done on all pages of this process: text colours with their backgrounds, and elements shown or hidden at other widths. */
const [coloursSeen, changesSeen] = [new Set<string>(), new Set<string>()];

/**
 * Like `assertAccessible`, for one of many pages with the same style. The short form skips elements that earlier pages had already. It
 * checks contrast only for texts with a new combination of text and background colours, and another width only for elements newly shown or
 * hidden there. `showsNewParts` must have run before.
 *
 * @param as `page` at its first width, then `colours` in other colours, and `width` at another width.
 */
export async function assertAccessibleAnew(t: Test, page: Page, as: 'page' | 'colours' | 'width'): Promise<void> {
  if (isLongForm) return assertAccessible(t, page, { colours: as === 'colours' ? 'only' : true });
  const marked = await page.evaluate(markNewColours, { mark: newColours, seen: [...coloursSeen] });
  for (const colours of marked) coloursSeen.add(colours);
  const contrast = marked.length > 0;
  const changes =
    as === 'colours' ? [] : await page.evaluate(markChangesOfWidth, { isFirst: as === 'page', mark: newlyShown, seen: [...changesSeen] });
  const rest = as === 'page' || changes.length > 0;
  for (const change of changes) changesSeen.add(change);
  const contrastOf = `[${newColours}]`;
  if (rest) {
    await page.evaluate(markSeen, { mark: seen, marks: as === 'page' ? `[${newPart}], ${contrastOf}` : `[${newlyShown}], ${contrastOf}` });
    await runAxe(t, page, { contrastOf, without: `[${seen}]`, options: { rules: { 'color-contrast': { enabled: contrast } } } });
  } else if (contrast) await runAxe(t, page, { contrastOf, options: { runOnly: ['color-contrast'] } });
  await page.evaluate(
    (marks) => {
      for (const mark of marks) for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark);
    },
    [newColours, newlyShown, seen],
  );
}

/** Attributes that mark elements of the page. */
const [newColours, newlyShown, seen] = ['data-new-colours', 'data-newly-shown', 'data-seen'];

/** Marks elements that neither have one of the other marks nor contain an element with one. Runs in the page. */
function markSeen({ mark, marks }: { mark: string; marks: string }): void {
  const markIn = (element: Element) => {
    for (const part of element.children) {
      if (part.matches(marks) || part.querySelector(marks)) markIn(part);
      else part.setAttribute(mark, '');
    }
  };
  markIn(document.body);
}

/** Marks the first text of each colour combination not yet seen, and returns these combinations. Runs in the page. */
function markNewColours({ mark, seen }: { mark: string; seen: string[] }): string[] {
  const known = new Set(seen);
  const found: string[] = [];
  /** The background colours and opacities behind an element. */
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
    // Large text, and somewhat smaller bold text, needs less contrast.
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

/**
 * Marks elements whose visibility differs from that at the first width, and returns their names without those already seen. Runs in the
 * page.
 */
function markChangesOfWidth({ isFirst, mark, seen }: { isFirst: boolean; mark: string; seen: string[] }): string[] {
  const kept = window as unknown as { shownFirst?: Set<Element> };
  const all = [...document.body.querySelectorAll('*')];
  const shown = new Set(all.filter((element) => element.checkVisibility({ visibilityProperty: true })));
  if (isFirst) kept.shownFirst = shown;
  const before = kept.shownFirst ?? new Set();
  const known = new Set(seen);
  const found = new Set<string>();
  for (const element of all) {
    if (shown.has(element) === before.has(element)) continue;
    const attributes = element.getAttributeNames().filter((name) => name !== 'class' && element.getAttribute(name) !== '');
    const text = element.textContent?.trim() ? 'text' : '';
    const change = `${shown.has(element) ? '+' : '-'}${element.localName}.${element.className} ${attributes.sort()} ${text}`;
    if (known.has(change)) continue;
    found.add(change);
    element.setAttribute(mark, '');
  }
  return [...found];
}

/**
 * Uses the debugging protocol: the browser caches compiled scripts of `Runtime.evaluate` across pages, which it does not for
 * `page.evaluate`.
 */
async function load(page: Page, script: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: `${script};undefined` });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.text);
}
