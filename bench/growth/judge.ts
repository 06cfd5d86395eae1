import { loadConfig } from '../../src/config.ts';
import { createKernel } from '../../src/kernel.ts';
import type { Report } from '../support/report.ts';
import { commands, leftOutCommands } from './commands.ts';
import { leftOut } from './left-out.ts';
import type { Side } from './side.ts';
import type { Visit } from './visit.ts';
import { visitsOf } from './visits.ts';

/** Largest accepted ratio of the large database's cost to the small one's. */
const limit = 1.2;
/**
 * Differences below these do not count as growth. An index of millions of rows is two levels deeper than one of hundreds, so each lookup
 * reads two more pages: 500 pages are 250 lookups. 2 ms allow for garbage collection during one of the two runs.
 */
const floors = { buffers: 500, ms: 2 };

const warmups = 7;
const rounds = 10;
/** Rounds for a file. Its time to first byte is wall-clock time, which varies more than CPU time. */
const fileRounds = 20;
const commandRounds = 3;
/** Runs of a command; the smallest counts are used, because the running server sometimes sends statements of its own. */
const commandsCounted = 3;
/** Runs of a command that are timed together, because the CPU time of ended processes has steps of 10 ms. */
const commandsTimed = 10;
/** Responses whose buffer pages are counted together. */
const counted = 4;

interface Cost {
  ms: number;
  statements: number;
  buffers: number;
}

/**
 * Requests each page and API call alternately on both sides; compares times, statements and PostgreSQL pages read.
 * @param only part of the routes to visit; then no command is run
 */
export async function judgeGrowth(few: Side, many: Side, report: Report, only?: string): Promise<void> {
  const [smallVisits = [], largeVisits = []] = [few, many].map(({ places }) =>
    visitsOf(places).filter(({ route }) => route.includes(only ?? '')),
  );
  report.section(
    `Pages and calls, small and large: at most ${limit} times, with more than ${floors.buffers} pages of PostgreSQL's and ${floors.ms} ms between them`,
  );
  for (const [index, visit] of smallVisits.entries()) {
    const other = largeVisits[index] ?? visit;
    const [small, large] = [await costOf(few, visit), await costOf(many, other)];
    const timeOf = (side: Side, one: Visit) => (one.streamed ? side.visit(one) : cpuOf(side, one));
    const times = await inTurn(
      visit.streamed ? fileRounds : rounds,
      () => timeOf(few, visit),
      () => timeOf(many, other),
    );
    line(report, nameOf(visit), { ...small, ms: times[0] }, { ...large, ms: times[1] }, visit.streamed);
  }
  if (only !== undefined) return;
  await reportLeftOut(smallVisits, report);

  report.section(`Commands: the same, of PostgreSQL's time`);
  const [smallCommands, largeCommands] = [commands(few.places), commands(many.places)];
  for (const [index, args] of smallCommands.entries()) {
    const other = largeCommands[index] ?? args;
    const [small, large] = [await leastWorkOf(few, args), await leastWorkOf(many, other)];
    const times = await inTurn(
      commandRounds,
      () => commandCpuOf(few, args),
      () => commandCpuOf(many, other),
    );
    line(report, args.join(' ').slice(0, 50), { ...small, ms: times[0] }, { ...large, ms: times[1] });
  }
  report.fact('not run', leftOutCommands);
}

const nameOf = ({ route, of }: Visit): string => (of ? `${route}, ${of}` : route);

async function costOf(side: Side, visit: Visit): Promise<Omit<Cost, 'ms'>> {
  for (let n = 0; n < warmups; n += 1) await side.visit(visit);
  const { statements, buffers } = await side.workOf(async () => {
    for (let n = 0; n < counted; n += 1) await side.visit(visit);
  });
  // Writes that the server does once a second, after the responses, sometimes add a few statements.
  return { statements: Math.floor(statements / counted), buffers: Math.round(buffers / counted) };
}

/** Returns the CPU time of one response, in ms. Wall-clock time would depend on the machine's other load. */
async function cpuOf(side: Side, visit: Visit): Promise<number> {
  const cpu = await side.cpuOf(async () => {
    for (let n = 0; n < counted; n += 1) await side.visit(visit);
  });
  return cpu / counted;
}

async function leastWorkOf(side: Side, args: string[]): Promise<Omit<Cost, 'ms'>> {
  const runs: Omit<Cost, 'ms'>[] = [];
  for (let n = 0; n < commandsCounted; n += 1) runs.push(await side.workOf(() => side.command(args)));
  return { statements: Math.min(...runs.map(({ statements }) => statements)), buffers: Math.min(...runs.map(({ buffers }) => buffers)) };
}

/** Returns PostgreSQL's CPU time for one run, in ms. */
async function commandCpuOf(side: Side, args: string[]): Promise<number> {
  const cpu = await side.databaseCpuOf(async () => {
    for (let n = 0; n < commandsTimed; n += 1) await side.command(args);
  });
  return cpu / commandsTimed;
}

/** Returns the minimum of each side, because other load on the machine only adds time. The side that runs first alternates. */
async function inTurn(times: number, one: () => Promise<number>, other: () => Promise<number>): Promise<[number, number]> {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < times; round += 1) {
    if (round % 2 === 0) ones.push(await one());
    others.push(await other());
    if (round % 2 === 1) ones.push(await one());
  }
  return [Math.min(...ones), Math.min(...others)];
}

function line(report: Report, what: string, small: Cost, large: Cost, isFile = false): void {
  const grown = (before: number, after: number, floor: number) => (after - before <= floor ? 1 : after / before);
  const measured = Math.max(
    // A file has as many rows as the table, so PostgreSQL reads more pages for it in the large database.
    isFile ? 1 : grown(small.buffers, large.buffers, floors.buffers),
    grown(small.ms, large.ms, floors.ms),
    isFile || small.statements === large.statements ? 1 : large.statements / small.statements,
  );
  const detail = `statements ${small.statements}, ${large.statements}; pages ${small.buffers}, ${large.buffers}; ${small.ms.toFixed(1)}, ${large.ms.toFixed(1)} ms`;
  report.budget({ what, measured, limit, unit: '×', detail });
}

/** Lists every route that is not visited, with the reason. A route without a reason counts as a missed budget. */
async function reportLeftOut(visits: Visit[], report: Report): Promise<void> {
  await import('../../test/support/tsx-hook.mjs' as string);
  const { buildApp } = await import('../../src/app.ts');
  const kernel = await createKernel(
    loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', RECONCILE_PAYMENTS: 'off', PUBLISH_DRAFTS: 'off' }),
    {
      databaseUrl: 'postgresql://nobody@127.0.0.1:1/nothing',
    },
  );
  const app = await buildApp(kernel);
  await app.ready();
  const visited = new Set(visits.map(({ route }) => route));
  const others = [...new Set(app.routeTable.map(({ method, url }) => `${method} ${url}`))].filter((route) => !visited.has(route));
  const without: string[] = [];
  const reasons = new Map<string, number>();
  for (const route of others) {
    const [, reason] = leftOut.find(([pattern]) => pattern.test(route)) ?? [];
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else without.push(route);
  }
  for (const [reason, count] of reasons) report.fact(`not visited: ${count} routes`, reason);
  report.budget({
    what: 'neither visited nor left out',
    measured: without.length,
    limit: 0,
    unit: 'routes',
    digits: 0,
    detail: without.join(', '),
  });
  await app.close();
  await kernel.close();
}
