import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';
import { isLongForm } from './long-form.ts';
import { running } from './running.ts';

interface PageOptions {
  /** Of the window, in CSS pixels; under 768 the browser behaves like a phone's. */
  width: number;
  /** The site's address, so that `page.goto('/login')` works. */
  baseURL: string;
  javaScript?: boolean;
  /** Console errors that belong to the test, for instance a refused request: `/status of 422/`. */
  allow?: RegExp[];
}

/**
 * The short form has one process for a site's pages, and one document after another in the same frame: starting a process for each page takes a tenth of a
 * journey, making a frame for each document a third of a navigation. `CDPScreenshotNewSurface` is what Playwright asks for by an argument of this name itself:
 * the browser reads the last one alone.
 */
const shortFormArguments = ['--process-per-site', '--enable-features=CDPScreenshotNewSurface,RenderDocument:level/crashed-frame'];

/** The test that a context serves, which its errors fail but for those that it allows. */
const served = new WeakMap<BrowserContext, { t: Test; allow: RegExp[] }>();
const scriptless = new WeakSet<BrowserContext>();
let shared: Promise<Browser> | undefined;

/**
 * The browser of this process, for all test files that it runs; closed with `t` where a file runs by itself: open it with the file's own.
 *
 * @throws Error outside `npm test`, which unpacks the browser.
 */
export function openBrowser(t: Test): Promise<Browser> {
  if (shared) return shared;
  const opening = launch();
  shared = opening;
  (running.process ?? t).teardown(async () => (await opening).close());
  return opening;
}

async function launch(): Promise<Browser> {
  const executablePath = process.env.TEST_BROWSER;
  if (executablePath === undefined) throw new Error('no browser: run this file with `npm test -- <file>`');
  // Nothing outside this machine: a page that asks for it gets an error, which fails the test.
  const args = [
    '--font-render-hinting=none',
    '--disable-gpu',
    ...(running.process && !isLongForm ? shortFormArguments : []),
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ];
  // Names of files with accents, whatever the language of whoever runs this.
  const env = { ...process.env, LC_ALL: 'C.UTF-8', FONTCONFIG_FILE: join(dirname(executablePath), 'fonts.conf') } as Record<string, string>;
  const browser = await chromium.launch(executablePath === '' ? { channel: 'chrome', args } : { executablePath, args, env });
  // One that has died opens again for the next file.
  browser.once('disconnected', () => {
    shared = undefined;
  });
  return browser;
}

/**
 * A page in a context of its own (no cookies, empty cache). Errors on the console, uncaught errors and violations of the content
 * security policy fail the test, in every tab of the context.
 */
export async function newPage(t: Test, { width, baseURL, javaScript = true, allow = [] }: PageOptions): Promise<Page> {
  const browser = await openBrowser(t);
  const phone = width < 768;
  const context = await browser.newContext({
    baseURL,
    javaScriptEnabled: javaScript,
    viewport: { width, height: phone ? 740 : 900 },
    isMobile: phone,
    hasTouch: phone,
    locale: 'fr-FR',
    timezoneId: 'Africa/Douala',
  });
  t.teardown(() => context.close());
  context.setDefaultTimeout(15_000);
  served.set(context, { t, allow: [...allow] });
  if (!javaScript) scriptless.add(context);
  watch(context);
  return context.newPage();
}

/** From now on, errors that match belong to the test. */
export function allowErrors(page: Page, ...patterns: RegExp[]): void {
  served.get(page.context())?.allow.push(...patterns);
}

/** To an address that every site has, and that shows nothing and does nothing. */
export async function goAway(page: Page, { url }: { url: string }): Promise<void> {
  const away = `${url}/favicon.svg`;
  if (page.url() !== away) await page.goto(away);
}

/**
 * A page that has served one test serves another one as if it were new: nothing is stored, nothing intercepted; but its process is running, and
 * what it has loaded and compiled need not be again. Not for a page whose clock was taken over: it has no way back.
 */
export async function renew(page: Page, t: Test, { url }: { url: string }, allow: RegExp[] = []): Promise<void> {
  await page.unrouteAll();
  await goAway(page, { url });
  const context = page.context();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' });
  await session.detach();
  await context.clearCookies();
  served.set(context, { t, allow: [...allow] });
}

/** Whether the page was opened with `javaScript: false`. */
export function isScriptless(page: Page): boolean {
  return scriptless.has(page.context());
}

function watch(context: BrowserContext): void {
  const report = (text: string) => {
    const test = served.get(context);
    if (test?.allow.some((pattern) => pattern.test(text))) return;
    // A test that has ended fails without saying of what.
    console.error(text);
    test?.t.fail(text);
  };
  // The browser itself reports a violation of the policy, a failed request or an uncaught rejection on the console.
  context.on('console', (message) => {
    if (message.type() === 'error') report(`console: ${message.text()} (${message.location().url} on ${message.page()?.url()})`);
  });
  context.on('weberror', (error) => report(`uncaught: ${error.error().stack ?? error.error()} (on ${error.page()?.url()})`));
}

/** Keeps a picture of a journey's step in the folder SCREENSHOTS; does nothing when that is not set. */
export async function stepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}-${page.viewportSize()?.width}.png`), fullPage: true });
}
