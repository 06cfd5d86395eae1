/** `make bench`: measures the budgets of docs/design.md §6 and fails when one is missed. README.md beside this file says how to read it. */
import { availableParallelism, cpus } from 'node:os';
import { ensureBuilt } from '../scripts/build.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { launchBrowser } from './browser.ts';
import { measureExpiry } from './expiry.ts';
import { measureFurtherLessons } from './further-lesson.ts';
import { measureNotifications } from './notifications.ts';
import { measurePages } from './page-load.ts';
import { measureQueries } from './queries.ts';
import { Report } from './report.ts';
import { openSite } from './site.ts';
import { measureSlowNetwork } from './slow-network.ts';
import { measureStudyLoad } from './study-load.ts';
import { measureTyping } from './typing.ts';
import { measureWire } from './wire.ts';
import { inWorkshop } from './workshop.ts';

process.chdir(projectRoot);
await inWorkshop(10, async (workshop) => {
  const report = new Report();
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
  ensureBuilt();

  const site = await openSite(workshop);
  await measureStudyLoad(workshop, site, report);
  await measurePages(workshop, site, report);
  const browser = await launchBrowser(workshop);
  await measureWire(browser, site, report);
  await measureFurtherLessons(browser, site, report);
  await measureSlowNetwork(workshop, browser, site, report);
  await measureTyping(workshop, browser, site, report);
  await browser.close();
  await measureNotifications(workshop, site, report);

  await measureQueries(workshop, report);
  await measureExpiry(workshop, report);
  return report.finish();
});
