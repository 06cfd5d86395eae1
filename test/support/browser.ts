import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';

interface PageOptions {
  /** Of the window, in CSS pixels; under 768 the browser behaves like a phone's. */
  width: number;
  /** The site's address, so that `page.goto('/login')` works. */
  baseURL: string;
  javaScript?: boolean;
  /** Console errors that belong to the test, for instance a refused request: `/status of 422/`. */
  allow?: RegExp[];
}

const allowed = new WeakMap<BrowserContext, RegExp[]>();
const scriptless = new WeakSet<BrowserContext>();
let shared: Promise<Browser> | undefined;

/**
 * The browser of this test file, closed with the test that opened it first: open it with the file's own `t`.
 *
 * @throws Error outside `npm test`, which unpacks the browser.
 */
export function openBrowser(t: Test): Promise<Browser> {
  if (shared) return shared;
  const opening = launch();
  shared = opening;
  t.teardown(async () => {
    shared = undefined;
    await (await opening).close();
  });
  return opening;
}

async function launch(): Promise<Browser> {
  const executablePath = process.env.TEST_BROWSER;
  if (executablePath === undefined) throw new Error('no browser: run this file with `npm test -- <file>`');
  // Nothing outside this machine: a page that asks for it gets an error, which fails the test.
  const args = [
    '--font-render-hinting=none',
    '--disable-gpu',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ];
  if (executablePath === '') return chromium.launch({ channel: 'chrome', args });
  const env = { ...process.env, FONTCONFIG_FILE: join(dirname(executablePath), 'fonts.conf') } as Record<string, string>;
  return chromium.launch({ executablePath, args, env });
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
  allowed.set(context, [...allow]);
  if (!javaScript) scriptless.add(context);
  watch(t, context);
  return context.newPage();
}

/** From now on, errors that match belong to the test. */
export function allowErrors(page: Page, ...patterns: RegExp[]): void {
  allowed.get(page.context())?.push(...patterns);
}

/** Whether the page was opened with `javaScript: false`. */
export function isScriptless(page: Page): boolean {
  return scriptless.has(page.context());
}

function watch(t: Test, context: BrowserContext): void {
  const report = (text: string) => {
    if (!allowed.get(context)?.some((pattern) => pattern.test(text))) t.fail(text);
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
