/** Opens the test suite's browser for benchmarks, with access to its debugging protocol. */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Test } from 'tap';
import { unpackBrowser } from '../../scripts/testing/browser.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { sessionToken } from './fixtures.ts';
import type { Workshop } from './workshop.ts';

const timeoutMs = 30_000;

export async function launchBrowser(workshop: Workshop): Promise<Browser> {
  process.env.TEST_BROWSER = unpackBrowser();
  // `openBrowser` calls only `teardown` of the test, and the workshop has the same method.
  return openBrowser(workshop as unknown as Test);
}

/** Opens a phone context with an empty cache. @param learner the signed-in learner's number; without it, a visitor */
export async function newPhone(browser: Browser, origin: string, learner?: number): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'fr-FR',
    timezoneId: 'Africa/Douala',
  });
  context.setDefaultTimeout(timeoutMs);
  if (learner !== undefined)
    await context.addCookies([{ name: 'userToken', value: sessionToken(learner), url: origin, httpOnly: true, sameSite: 'Lax' }]);
  return context;
}

/** Opens a new tab, so that `goto` to a URL that the phone has visited before is a navigation and not a reload. */
export async function newTab(context: BrowserContext): Promise<{ page: Page; protocol: CDPSession }> {
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Network.enable');
  return { page, protocol };
}
