/** When the text can be read on a slow phone behind a slow network. */
import type { Browser } from 'playwright-core';
import { newPhone, newTab } from './browser.ts';
import { median, type Report, spread } from './report.ts';
import type { Site } from './site.ts';

const runs = 5;
const bytesPerSecond = 400_000 / 8;
const latencyMs = 400;
const cpuSlowdown = 6;

/** largest-contentful-paint; TypeScript does not know it. */
type Paint = PerformanceEntry & { element: Element | null; url: string };

interface Paints {
  first: number;
  largest: number;
  /** Whether the largest was a part of the text that the page is for. */
  inText: boolean;
}

export async function measureSlowNetwork(browser: Browser, site: Site, report: Report): Promise<void> {
  report.section(`Slow 3G (400 kbit/s both ways, ${latencyMs} ms), CPU slowed ${cpuSlowdown} times, empty cache`);
  const [lesson] = site.lessons;
  if (!lesson) throw new Error('no lesson');

  const study = await repeat(() => paints(browser, site.origin, site.studyPath(lesson), '.prose', 1));
  if (!study.every(({ inText }) => inText)) throw new Error("the largest text painted is not the lesson's");
  const readable = study.map(({ largest }) => largest / 1000);
  report.budget({
    what: 'study page: text readable (largest text paint)',
    measured: median(readable),
    limit: 2,
    unit: 's',
    detail: `${spread(readable)}; first paint ${median(study.map(({ first }) => first / 1000)).toFixed(2)} s`,
  });

  const landing = await repeat(() => paints(browser, site.origin, '/', 'main'));
  const [first, largest] = [landing.map((run) => run.first / 1000), landing.map((run) => run.largest / 1000)];
  report.fact('landing page', `first paint ${median(first).toFixed(2)} s, largest ${median(largest).toFixed(2)} s (${spread(largest)})`);
}

async function repeat(run: () => Promise<Paints>): Promise<Paints[]> {
  const all: Paints[] = [];
  for (let count = 0; count < runs; count += 1) all.push(await run());
  return all;
}

/** @param text selects what the page is for */
async function paints(browser: Browser, origin: string, path: string, text: string, learner?: number): Promise<Paints> {
  const context = await newPhone(browser, origin, learner);
  const { page, protocol } = await newTab(context);
  await protocol.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await page.goto(origin + path, { waitUntil: 'load' });
  // What comes after the text: scripts, hydration. It must not paint anything larger.
  await page.waitForTimeout(1_500);
  const found = await page.evaluate(async (selector) => {
    const entries = await new Promise<PerformanceEntryList>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'largest-contentful-paint', buffered: true });
    });
    // Pictures come later and are no text: they have an address.
    const largest = (entries as Paint[]).filter(({ url }) => url === '').at(-1);
    return {
      first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      largest: largest?.startTime ?? Number.NaN,
      inText: Boolean(largest?.element?.closest(selector)),
    };
  }, text);
  await context.close();
  return found;
}
