/** Measures when the text is readable on a slow phone with a slow network, compared with the same HTML without style sheets. */
import type { Browser } from 'playwright-core';
import { newPhone, newTab } from '../support/browser.ts';
import { median, type Report, spread } from '../support/report.ts';
import type { Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';
import { serveUnstyled } from './unstyled.ts';

const runs = 7;
const bytesPerSecond = 400_000 / 8;
const latencyMs = 400;
const cpuSlowdown = 6;

/** The largest-contentful-paint entry, which TypeScript's DOM types lack. */
type Paint = PerformanceEntry & { element: Element | null; url: string };

interface Paints {
  /** Time after the request, in seconds. */
  first: number;
  largest: number;
  /** Whether the largest paint was a part of the page's main text. */
  inText: boolean;
}

interface Visit {
  name: string;
  path: string;
  /** CSS selector of the page's main text. */
  text: string;
  learner?: number;
}

export async function measureSlowNetwork(workshop: Workshop, browser: Browser, site: Site, report: Report): Promise<void> {
  report.section(`Slow 3G (400 kbit/s both ways, ${latencyMs} ms), CPU slowed ${cpuSlowdown} times, empty cache`);
  const [lesson] = site.lessons;
  if (!lesson) throw new Error('no lesson');
  const unstyled = await serveUnstyled(workshop, site);
  const visits: Visit[] = [
    { name: 'landing page', path: '/', text: 'main' },
    { name: 'trial page', path: site.trialPath(lesson), text: '.study__main' },
    { name: 'study page', path: site.studyPath(lesson), text: '.study__main', learner: 1 },
  ];
  for (const visit of visits) {
    const { ours, bare } = await compare(browser, site.origin, unstyled, visit);
    if (!ours.every(({ inText }) => inText)) throw new Error(`${visit.name}: the largest text painted is not in the main content`);
    const [readable, floor] = [ours, bare].map((side) => side.map(({ largest }) => largest)) as [number[], number[]];
    report.budget({
      what: `${visit.name}: largest text paint ÷ no style sheet`,
      measured: median(readable.map((time, run) => time / (floor[run] ?? Number.NaN))),
      limit: 1.3,
      unit: 'x',
      detail: `${median(readable).toFixed(2)} s (${spread(readable)}), without ${median(floor).toFixed(2)} s (${spread(floor)})`,
    });
    if (visit.name !== 'study page') continue;
    report.budget({
      what: 'study page: text readable (largest text paint)',
      measured: median(readable),
      limit: 2,
      unit: 's',
      detail: `${spread(readable)}; first paint ${median(ours.map(({ first }) => first)).toFixed(2)} s`,
    });
  }
}

/**
 * Visits both sides in turn; the side that begins alternates. The first pair is a warm-up of the servers and the browser, and is not
 * counted.
 */
async function compare(browser: Browser, ourOrigin: string, bareOrigin: string, visit: Visit) {
  const [ours, bare]: [Paints[], Paints[]] = [[], []];
  for (let run = 0; run <= runs; run += 1) {
    const sides = [
      { origin: ourOrigin, into: ours },
      { origin: bareOrigin, into: bare },
    ];
    for (const { origin, into } of run % 2 === 0 ? sides : sides.toReversed()) {
      const found = await paints(browser, origin, visit);
      if (run > 0) into.push(found);
    }
  }
  return { ours, bare };
}

async function paints(browser: Browser, origin: string, { path, text, learner }: Visit): Promise<Paints> {
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
  // Scripts and hydration that run after the text must not paint anything larger.
  await page.waitForTimeout(1_500);
  const found = await page.evaluate(async (selector) => {
    const entries = await new Promise<PerformanceEntryList>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'largest-contentful-paint', buffered: true });
    });
    // Pictures have a URL and load later; only text counts.
    const largest = (entries as Paint[]).filter(({ url }) => url === '').at(-1);
    return {
      first: (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN) / 1000,
      largest: (largest?.startTime ?? Number.NaN) / 1000,
      inText: Boolean(largest?.element?.closest(selector)),
    };
  }, text);
  await context.close();
  return found;
}
