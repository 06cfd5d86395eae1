import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { isLongForm } from './long-form.ts';

/** The focused element after a press of the Tab key. */
interface Stop {
  /** Index among all elements; null when no element of the page has the focus. */
  index: number | null;
  isSeen: boolean;
  html: string;
}

/** Focus stops seen on all pages of this process. */
const stopsSeen = new Set<string>();

/**
 * Asserts that the Tab key visits the page in document order, only visible elements, and then leaves the page. The short form checks only
 * the part of the page with stops that no other page had.
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
  t.ok(stops.length > 0, `the page has a focusable element: ${page.url()}`);
  t.same(faults, [], `every focused element is visible on ${page.url()}`);
}

const focusable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex], [contenteditable]';

/** Returns a name for each focusable element, from its kind and position. Runs in the page. */
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

/** Presses Tab from the start of the page, or from the focusable element number `start`, until the focus leaves the page or returns. */
async function pressTab(page: Page, { start, presses: maxPresses } = { start: -1, presses: 80 }): Promise<Stop[]> {
  const record = await page.evaluateHandle(
    ({ focusable, start }) => {
      (document.activeElement as HTMLElement | null)?.blur();
      if (start >= 0) {
        const things = document.querySelectorAll<HTMLElement>(focusable);
        [...things].filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }))[start]?.focus();
      }
      const presses: Stop[] = [];
      // Each keydown records the previous stop, because the page has scrolled to it by then.
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
  for (let pressed = 0; pressed < maxPresses; pressed += 10) {
    // Repeated keydown without keyup, which needs one message per stop.
    for (let press = 0; press < 10; press += 1) await page.keyboard.down('Tab');
    // The first record is the focus before any press; the second may be outside the page.
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
