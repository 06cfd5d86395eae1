/** `make bench`: measures the budgets of docs/design.md §6 and fails when one is missed. README.md beside this file says how to read it. */
import { availableParallelism, cpus } from 'node:os';
import { unpackBrowser } from '../scripts/browser.ts';
import { ensureBuilt } from '../scripts/build.ts';
import { root } from '../scripts/root.ts';
import { Report } from './report.ts';
import { openSite } from './site.ts';
import { measureStudyLoad } from './study-load.ts';
import { inWorkshop } from './workshop.ts';

process.chdir(root);
await inWorkshop(10, async (workshop) => {
  const report = new Report();
  ensureBuilt();
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}`);
  const site = await openSite(workshop);
  await measureStudyLoad(workshop, site, report);
  return report.finish();
});
