import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';
import { isLongForm } from './long-form.ts';
import { running } from './running.ts';

interface PageOptions {
  /** Viewport width in CSS pixels; below 768 the browser emulates a phone. */
  width: number;
  /** The site's origin, for relative URLs such as `page.goto('/login')`. */
  baseURL: string;
  javaScript?: boolean;
  /** Expected console errors, for example of a refused request: `/status of 422/`. */
  allow?: RegExp[];
}

/**
 * The short form uses one renderer process for all pages of a site, and reuses the frame for successive documents: starting a process per
 * page takes a tenth of a journey's time, creating a frame per document a third of a navigation's. `CDPScreenshotNewSurface` is
 * Playwright's own value of --enable-features, repeated here because the browser uses only the last such argument.
 */
const shortFormArguments = ['--process-per-site', '--enable-features=CDPScreenshotNewSurface,RenderDocument:level/crashed-frame'];

/** The test that a context belongs to. Errors of the context fail this test, except those in `allow`. */
const served = new WeakMap<BrowserContext, { t: Test; allow: RegExp[] }>();
const scriptless = new WeakSet<BrowserContext>();
let shared: Promise<Browser> | undefined;

/**
 * Returns the browser of this process, shared by all its test files. When a file runs alone, the browser is closed with `t`: pass the
 * file's own `t`.
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
  // Only local addresses resolve: a page's request to another host fails, which fails the test.
  const args = [
    '--font-render-hinting=none',
    '--disable-gpu',
    ...(running.process && !isLongForm ? shortFormArguments : []),
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ];
  // A UTF-8 locale, so that file names may have accents.
  const env = { ...process.env, LC_ALL: 'C.UTF-8', FONTCONFIG_FILE: join(dirname(executablePath), 'fonts.conf') } as Record<string, string>;
  const browser = await chromium.launch(executablePath === '' ? { channel: 'chrome', args } : { executablePath, args, env });
  // A new browser is opened for the next file if this one crashes.
  browser.once('disconnected', () => {
    shared = undefined;
  });
  return browser;
}

/**
 * Opens a page in a new context (no cookies, empty cache). Console errors, uncaught errors and violations of the content security policy
 * fail the test, in every tab of the context.
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

/** Allows errors that match, from now on. */
export function allowErrors(page: Page, ...patterns: RegExp[]): void {
  served.get(page.context())?.allow.push(...patterns);
}

/** Navigates to a URL that every site has and that has no effect: the icon. */
export async function goAway(page: Page, { url }: { url: string }): Promise<void> {
  const away = `${url}/favicon.svg`;
  if (page.url() !== away) await page.goto(away);
}

/**
 * Resets a page for another test: clears storage and interceptions. Its process keeps running, so that loaded and compiled scripts are
 * reused. Not for pages with a fake clock, which cannot be removed.
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

/** Returns whether the page was opened with `javaScript: false`. */
export function isScriptless(page: Page): boolean {
  return scriptless.has(page.context());
}

function watch(context: BrowserContext): void {
  const report = (text: string) => {
    const test = served.get(context);
    if (test?.allow.some((pattern) => pattern.test(text))) return;
    // A test that has already ended would fail without showing the message.
    console.error(text);
    test?.t.fail(text);
  };
  // The browser reports policy violations, failed requests and uncaught rejections on the console.
  context.on('console', (message) => {
    if (message.type() === 'error') report(`console: ${message.text()} (${message.location().url} on ${message.page()?.url()})`);
  });
  context.on('weberror', (error) => report(`uncaught: ${error.error().stack ?? error.error()} (on ${error.page()?.url()})`));
}

/** Saves a screenshot in the folder SCREENSHOTS; does nothing when the variable is not set. */
export async function stepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}-${page.viewportSize()?.width}.png`), fullPage: true });
}
