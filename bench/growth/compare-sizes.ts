import { ensureBuilt } from '../../scripts/build.ts';
import { sql } from '../../test/support/sql.ts';
import { onServer } from '../../test/support/template.ts';
import { Report } from '../support/report.ts';
import { loadDemonstration, productionSettings } from '../support/site.ts';
import { inWorkshop } from '../support/workshop.ts';
import { fill } from './fill.ts';
import { judgeGrowth } from './judge.ts';
import { openSide } from './side.ts';
import { large, small } from './sizes.ts';

const minutes = 60;

/**
 * `GROWTH=1 make bench`: compares the cost of each page, API call and command on a small and a large database. SCALE is the part of the
 * large size to fill (1 by default); SMALL and LARGE name databases that are already filled; ROUTE is part of the routes to visit, without
 * the commands.
 */
export function compareSizes(): Promise<never> {
  const { SCALE = '1', SEED = '1', SMALL, LARGE, ROUTE } = process.env;
  // The pg_stat_statements extension counts page reads at once, for all connections, without those of the planner.
  return inWorkshop(
    minutes,
    async (workshop) => {
      const report = new Report();
      ensureBuilt();
      const filled = async (name: string, size: ReturnType<typeof large>) => {
        const url = onServer(await workshop.server(), name);
        await sql(await workshop.server(), `create database ${name} template growth_demonstration strategy file_copy`);
        report.section(`Filling '${name}': ${JSON.stringify(size)}`);
        await fill(url, size, { seed: Number(SEED), say: (line) => console.log(`  ${line}`) });
        return url;
      };
      if (!SMALL || !LARGE)
        await loadDemonstration(workshop, productionSettings(workshop.folder, await workshop.database('growth_demonstration')));
      const smallUrl = SMALL ?? (await filled('growth_small', small));
      const largeUrl = LARGE ?? (await filled('growth_large', large(Number(SCALE))));
      await judgeGrowth(await openSide(workshop, 'small', smallUrl), await openSide(workshop, 'large', largeUrl), report, ROUTE);
      return report.finish();
    },
    { shared_preload_libraries: 'pg_stat_statements' },
  );
}
