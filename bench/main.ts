/**
 * `make bench`: measures the budgets of docs/design.md §6 and fails when one is missed. `ONLY=pages,wire` runs only these sections.
 * bench/README.md explains the output.
 */
import { availableParallelism, cpus } from 'node:os';
import { ensureBuilt } from '../scripts/build.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { measureExpiry } from './budgets/expiry.ts';
import { measureFurtherLessons } from './budgets/further-lesson.ts';
import { measureNotifications } from './budgets/notifications.ts';
import { measureOffline } from './budgets/offline.ts';
import { measureDownloads } from './budgets/offline-load.ts';
import { measurePages } from './budgets/page-load.ts';
import { measureProcesses } from './budgets/processes.ts';
import { measureQueries } from './budgets/queries.ts';
import { measureQuestions } from './budgets/questions.ts';
import { measureSlowNetwork } from './budgets/slow-network.ts';
import { measureStudyLoad } from './budgets/study-load.ts';
import { measureTyping } from './budgets/typing.ts';
import { measureLongTyping } from './budgets/typing-long.ts';
import { measureWire } from './budgets/wire.ts';
import { compareSizes } from './growth/compare-sizes.ts';
import { launchBrowser } from './support/browser.ts';
import { Report } from './support/report.ts';
import { openSite, type Site } from './support/site.ts';
import { inWorkshop, type Workshop } from './support/workshop.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

interface Parts {
  workshop: Workshop;
  report: Report;
  /** Opened by the first section that needs them. */
  site: () => Promise<Site>;
  browser: () => Promise<Browser>;
}

/** Sections in their order, by their names in ONLY. Sections that restart the site come after those that need its original settings. */
const sections: Record<string, (parts: Parts) => Promise<void>> = {
  study: async ({ workshop, report, site }) => measureStudyLoad(workshop, await site(), report),
  pages: async ({ workshop, report, site }) => measurePages(workshop, await site(), report),
  wire: async ({ report, site, browser }) => measureWire(await browser(), await site(), report),
  lessons: async ({ report, site, browser }) => measureFurtherLessons(await browser(), await site(), report),
  questions: async ({ workshop, report, site, browser }) => measureQuestions(workshop, await browser(), await site(), report),
  slow: async ({ workshop, report, site, browser }) => measureSlowNetwork(workshop, await browser(), await site(), report),
  offline: async ({ workshop, report, site, browser }) => measureOffline(workshop, await browser(), await site(), report),
  downloads: async ({ workshop, report, site }) => measureDownloads(workshop, await site(), report),
  typing: async ({ workshop, report, site, browser }) => measureTyping(workshop, await browser(), await site(), report),
  course: async ({ workshop, report, site, browser }) => measureLongTyping(workshop, await browser(), await site(), report),
  processes: async ({ workshop, report, site }) => measureProcesses(workshop, await site(), report),
  notifications: async ({ workshop, report, site }) => measureNotifications(workshop, await site(), report),
  queries: async ({ workshop, report }) => measureQueries(workshop, report),
  expiry: async ({ workshop, report }) => measureExpiry(workshop, report),
};

process.chdir(projectRoot);
const { ONLY = Object.keys(sections).join(',') } = process.env;
if (process.env.GROWTH) await compareSizes();
await inWorkshop(20, async (workshop) => {
  const chosen = ONLY.split(',');
  const unknown = chosen.filter((name) => !(name in sections));
  if (unknown.length > 0) throw new Error(`no section is called ${unknown.join(', ')}: there are ${Object.keys(sections).join(', ')}`);
  const report = new Report();
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
  ensureBuilt();

  const opened: { site?: Promise<Site>; browser?: Promise<Browser> } = {};
  const parts: Parts = {
    workshop,
    report,
    site: () => (opened.site ??= openSite(workshop)),
    browser: () => (opened.browser ??= launchBrowser(workshop)),
  };
  for (const [name, measure] of Object.entries(sections)) {
    // The browser would compete for the processor with the remaining sections, which do not need it.
    if (name === 'notifications') await (await opened.browser)?.close();
    if (chosen.includes(name)) await measure(parts);
  }
  return report.finish();
});
