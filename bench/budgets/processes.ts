/**
 * Compares the signed-in study page of one process with two processes and with one process whose metrics are read: pages per second, and
 * CPU time per page of all processes.
 */
import { readFileSync } from 'node:fs';
import { cpuTime } from '../support/cpu-time.ts';
import { LoadClient } from '../support/http-load.ts';
import { median, type Report, spread } from '../support/report.ts';
import type { Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';
import { studyTarget } from './study-load.ts';

const rounds = 11;
/** Warm-up rounds that are not counted: until V8 has compiled the hot functions, each round is faster than the one before. */
const warmUp = 5;
const requests = 1_500;

const sides = { two: { WEB_PROCESSES: '2' }, metrics: { METRICS_TOKEN: 'jeton-du-banc-d-essai' } };

interface Run {
  perSecond: number;
  cpuMs: number;
}

export async function measureProcesses(workshop: Workshop, site: Site, report: Report): Promise<void> {
  report.section('One process, two processes, and metrics that are counted; the client on the same cores');
  const origins = [
    { name: 'one', server: site },
    ...(await Promise.all(Object.entries(sides).map(async ([name, env]) => ({ name, server: await site.beside(name, env) })))),
  ];
  const clients = origins.map(({ name, server: { origin, pid } }) => ({
    name,
    pid,
    client: new LoadClient({ ...studyTarget(site, new Set()), origin, pid }),
  }));
  workshop.teardown(() => {
    for (const { client } of clients) client.close();
  });
  const runs: Record<string, Run>[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const found: Record<string, Run> = {};
    // Each round begins with another side.
    for (let at = 0; at < clients.length; at += 1) {
      const side = clients[(at + round + warmUp) % clients.length];
      if (!side) continue;
      const before = cpuTimeOfAll(side.pid);
      const { perSecond } = await side.client.run(requests);
      found[side.name] = { perSecond, cpuMs: (cpuTimeOfAll(side.pid) - before) / requests };
    }
    if (round >= 0) runs.push(found);
  }
  const figures = (name: string, of: keyof Run) => runs.map((run) => run[name]?.[of] ?? Number.NaN);
  for (const { name } of clients) {
    const [cpu, perSecond] = [median(figures(name, 'cpuMs')), median(figures(name, 'perSecond'))];
    report.fact(name, `${cpu.toFixed(3)} ms of CPU a page, ${Math.round(perSecond)} pages/s`);
  }
  for (const name of Object.keys(sides)) {
    for (const [of, what] of [
      ['perSecond', 'pages/s'],
      ['cpuMs', 'CPU a page'],
    ] as const) {
      const one = figures('one', of);
      const ratios = figures(name, of).map((figure, index) => figure / (one[index] ?? Number.NaN));
      report.fact(`${name}: ${what}`, `${median(ratios).toFixed(3)} × one   ${spread(ratios)}`);
    }
  }
}

/** Returns the CPU time of a process and its child processes, in ms. */
function cpuTimeOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return [pid, ...children].reduce((sum, one) => sum + cpuTime(one), 0);
}
