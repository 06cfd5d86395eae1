import type { Page, Response } from 'playwright-core';
import type { Test } from 'tap';
import { assertAccessibleAnew } from './accessible.ts';
import { newPage, renew, stepScreenshot } from './browser.ts';
import { assertFocusOrder } from './focus-order.ts';
import { presentSession } from './journey.ts';
import { isLongForm } from './long-form.ts';
import {
  assertControlsFit,
  assertFieldsKeepZoom,
  assertLargeTextFits,
  assertMarksStay,
  assertNoOverflow,
  assertNothingMissing,
  assertStill,
  assertTargets,
  assertValidHtml,
  showsNewParts,
} from './page-checks.ts';

interface Case {
  /** The signed-in learner; without it, a visitor. */
  as?: { token: string };
  baseURL?: string;
  allow?: RegExp[];
  /** Whether a script changes the layout without user input; layout shifts are then allowed. */
  moves?: boolean;
}
/** Brings the page into the state to check; returns the document's response if a new document was loaded, otherwise null. */
export type Open = (page: Page) => Promise<Response | null>;

/**
 * Returns a function that tests a page in one state at 360, 768, 992 and 1280 px. It asserts: no axe violation, valid HTML from the server,
 * no horizontal overflow, no layout shift, punctuation on the line of its word (also at 320 and 400 px), touch targets of sufficient size,
 * the focus order of the Tab key, no console error, and no 'undefined' or similar text. Learners' pages are also tested with text twice as
 * large.
 */
export function lookAt(
  t: Test,
  site: { url: string },
): (name: string, how: Case, open: (...given: [...Parameters<Open>, Test]) => ReturnType<Open>) => void {
  const file = t;
  /** The page is reused for all states of the site, so that axe is compiled once. */
  let kept: Page | undefined;
  const openPage = async (t: Test, allow: RegExp[]): Promise<Page> => {
    const page = kept ?? (await newPage(file, { width: 360, baseURL: site.url }));
    kept = undefined;
    await renew(page, t, site, allow);
    return page;
  };
  return (name, { as, baseURL = site.url, allow = [], moves = false }, open) => {
    t.test(name, async (t) => {
      const shares = baseURL === site.url;
      const page = shares ? await openPage(t, allow) : await newPage(t, { width: 360, baseURL, allow });
      await page.setViewportSize({ width: 360, height: 740 });
      // Reduced motion: no state is checked during an animation, and toasts that would disappear stay.
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
      if (as) await presentSession(page, { url: baseURL }, as);
      const response = await open(page, t);
      if (!moves) await assertStill(t, page);
      if (response) await assertValidHtml(t, await response.text(), name);
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.pause();
      });
      // Resizing the page keeps its state, so `open` runs once.
      for (const width of [360, 768, 992, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await assertNoOverflow(t, page);
        await assertControlsFit(t, page);
        if (width === 360) {
          await assertTargets(t, page);
          await assertFieldsKeepZoom(t, page);
          for (const narrow of [320, 400, 360]) {
            await page.setViewportSize({ width: narrow, height: 800 });
            await assertMarksStay(t, page);
          }
          // The administration is not made for phones.
          if (await page.evaluate(() => document.body.dataset.area === 'learner')) await assertLargeTextFits(t, page);
          await assertNothingMissing(t, page);
          // Without new elements only the texts are new, and this width has the least space for them.
          if (!isLongForm && !(await showsNewParts(page))) break;
        }
        if (width === 992 && !frozen.has(page)) await assertFocusOrder(t, page);
        // In the short form axe checks the narrowest and the widest viewport: in between it finds nothing new.
        if (width === 992 || (width === 768 && !isLongForm)) {
          await stepScreenshot(page, `page-${name.replaceAll(/[^\p{L}\d]+/gu, '-')}-light`);
          continue;
        }
        // Dark colours are the same at all widths.
        for (const colorScheme of width === 360 ? (['light', 'dark'] as const) : (['light'] as const)) {
          await page.emulateMedia({ colorScheme });
          await assertAccessibleInTime(t, page, width !== 360 ? 'width' : colorScheme === 'dark' ? 'colours' : 'page');
          await stepScreenshot(page, `page-${name.replaceAll(/[^\p{L}\d]+/gu, '-')}-${colorScheme}`);
        }
      }
      if (shares && (await isRenewable(page))) kept = page;
    });
  };
}

/** Returns false when the page has a fake clock or has opened other pages. */
async function isRenewable(page: Page): Promise<boolean> {
  return page.context().pages().length === 1 && !(await page.evaluate(() => '__pwClock' in window));
}

/** axe waits for timers; a page with a paused clock is advanced one millisecond at a time. */
async function assertAccessibleInTime(t: Test, page: Page, as: Parameters<typeof assertAccessibleAnew>[2]): Promise<void> {
  let waiting = frozen.has(page);
  const checked = assertAccessibleAnew(t, page, as).finally(() => {
    waiting = false;
  });
  while (waiting) await page.clock.runFor(1);
  await checked;
}

const frozen = new WeakSet<Page>();

/** Pauses the page's clock: its timers no longer fire. */
export async function freeze(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000);
  frozen.add(page);
}

export const at =
  (path: string): Open =>
  (page) =>
    page.goto(path);

/** Submits a form without running the page's submit handlers, as a browser without JavaScript does; returns the response. */
export async function post(page: Page, selector: string, values: Record<string, string> = {}): Promise<Response> {
  for (const [name, value] of Object.entries(values)) await page.locator(`${selector} [name="${name}"]`).fill(value);
  const answer = page.waitForResponse((response) => response.request().isNavigationRequest() && response.request().method() === 'POST');
  const loaded = page.waitForEvent('load');
  await page.locator(selector).evaluate((form: HTMLFormElement) => HTMLFormElement.prototype.submit.call(form));
  await loaded;
  return answer;
}
