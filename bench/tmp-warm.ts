import { ensureBuilt } from '../scripts/build.ts';
import { root } from '../scripts/root.ts';
import { Report } from './report.ts';
import { openSite } from './site.ts';
import { measureStudyLoad } from './study-load.ts';
import { inWorkshop } from './workshop.ts';

process.chdir(root);
await inWorkshop(10, async (workshop) => {
  const report = new Report();
  if (!process.env.NOBUILD) ensureBuilt();
  const site = await openSite(workshop);
  await measureStudyLoad(workshop, site, report);
  return report.finish();
});
