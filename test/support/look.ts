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
  /** Who looks; a visitor without it. */
  as?: { token: string };
  baseURL?: string;
  allow?: RegExp[];
  /** Brought about by what a script does and no finger or key: what stands in its way may move. */
  moves?: boolean;
}
/** Brings the page into the state that is looked at; the document's response, when that is another one than before. */
export type Open = (page: Page) => Promise<Response | null>;

/**
 * Tests pages as they are met at 360, 768, 992 and 1280 px: no violation of axe, valid HTML as the server sent it, nothing wider than the window, nothing
 * that moves by itself while it loads, marks on the line of their word, a learner's page also with letters twice as large,
 * room for a finger, an order for the keyboard, no error on the console, and no text that was never written.
 */
export function lookAt(
  t: Test,
  site: { url: string },
): (name: string, how: Case, open: (...given: [...Parameters<Open>, Test]) => ReturnType<Open>) => void {
  const file = t;
  /** Pages of the site are looked at in one page of the browser: axe need not be compiled for each. */
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
      // Without movement nothing is looked at half-way, and what would leave stays.
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
      if (as) await presentSession(page, { url: baseURL }, as);
      const response = await open(page, t);
      if (!moves) await assertStill(t, page);
      if (response) await assertValidHtml(t, await response.text(), name);
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.pause();
      });
      // One page that grows: what it shows was brought about once.
      for (const width of [360, 768, 992, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await assertNoOverflow(t, page);
        await assertControlsFit(t, page);
        if (width === 360) {
          await assertTargets(t, page);
          await assertFieldsKeepZoom(t, page);
          await assertMarksStay(t, page);
          // The administration is no phone's.
          if (await page.evaluate(() => document.body.dataset.area === 'learner')) await assertLargeTextFits(t, page);
          await assertNothingMissing(t, page);
          // Of a page that has nothing but what others have shown: other texts, which have the least room here.
          if (!isLongForm && !(await showsNewParts(page))) break;
        }
        if (width === 992 && !frozen.has(page)) await assertFocusOrder(t, page);
        // Between the narrowest and the widest there is nothing that axe has not seen in one of them; the long form makes sure.
        if (width === 992 || (width === 768 && !isLongForm)) {
          await stepScreenshot(page, `page-${name.replaceAll(/[^\p{L}\d]+/gu, '-')}-light`);
          continue;
        }
        // Dark colours of one width are those of all.
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

/** Not when its clock was taken over, or it opened others. */
async function isRenewable(page: Page): Promise<boolean> {
  return page.context().pages().length === 1 && !(await page.evaluate(() => '__pwClock' in window));
}

/** axe waits for timers, which a page whose clock stands still is given one millisecond at a time. */
async function assertAccessibleInTime(t: Test, page: Page, as: Parameters<typeof assertAccessibleAnew>[2]): Promise<void> {
  let waiting = frozen.has(page);
  const checked = assertAccessibleAnew(t, page, as).finally(() => {
    waiting = false;
  });
  while (waiting) await page.clock.runFor(1);
  await checked;
}

const frozen = new WeakSet<Page>();

/** From now on the page's clock stands still: what it would do later it does not do. */
export async function freeze(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000);
  frozen.add(page);
}

export const at =
  (path: string): Open =>
  (page) =>
    page.goto(path);

/** Sends a form as a browser without script would, and answers what came back. */
export async function post(page: Page, selector: string, values: Record<string, string> = {}): Promise<Response> {
  for (const [name, value] of Object.entries(values)) await page.locator(`${selector} [name="${name}"]`).fill(value);
  const answer = page.waitForResponse((response) => response.request().isNavigationRequest() && response.request().method() === 'POST');
  const loaded = page.waitForEvent('load');
  await page.locator(selector).evaluate((form: HTMLFormElement) => HTMLFormElement.prototype.submit.call(form));
  await loaded;
  return answer;
}
