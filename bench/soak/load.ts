/**
 * `ONLY=load make soak`: behaviour under overload. Measures how many requests of a mix the site serves per second, then offers half of
 * that, as much, twice and three times as much, open loop. The site may refuse requests with a Retry-After header; accepted requests must
 * stay fast, and none may fail.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startClient } from '../support/client-process.ts';
import { openSite } from '../support/site.ts';
import type { StartedNode, Workshop } from '../support/workshop.ts';
import type { GroupResult, LoadPlan } from './load-client.ts';
import { givePasswords, loadMix } from './load-mix.ts';

/** Offered load, as a multiple of the site's capacity. */
const levels = [0.5, 1, 2, 3];
/** Load of an idle server, as a multiple of its capacity: so low that requests do not queue. */
const idle = 0.05;
/** Concurrent requests while the capacity is measured: fewer than the site's limit. */
const lanes = 10;
/** Largest accepted ratio of a response time under load to that of an idle server. */
const slower = 5;
/** Largest accepted ratio of readers' response times beside sign-ins at three times the capacity to those without sign-ins. */
const besideSignIns = 3;
/** Largest accepted ratio of the memory after the load to the memory before it. */
const grown = 1.5;

const token = 'a-token-for-the-load';

export async function soakLoad(workshop: Workshop, { seconds, seed }: { seconds: number; seed: number }): Promise<boolean> {
  const site = await openSite(workshop);
  await givePasswords(site);
  const settings = {
    METRICS_TOKEN: token,
    SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000000',
    SIGN_IN_FAILURES_PER_ACCOUNT: '100000',
    // Learners of the mix sign in again and again while their first session is used for reading.
    SESSIONS_PER_LEARNER: '0',
  };
  const crowd = crowdOf(seed);

  const everything = await site.restart({ ...settings, SHED_LOAD: 'off' });
  const closed = { origin: everything.origin, rate: null, lanes, seconds };
  // Warm-up: compiles hot functions and fills caches.
  await crowd({ ...closed, targets: loadMix(site), seconds: Math.min(10, seconds) });
  const capacity = goodOf(await crowd({ ...closed, targets: loadMix(site) })) / seconds;
  const signIns = goodOf(await crowd({ ...closed, targets: loadMix(site, ['signIn']) })) / seconds;
  console.log(`capacity ${capacity.toFixed(0)} requests of the mix a second, ${signIns.toFixed(0)} sign-ins alone`);
  await everything.stop();

  const server = await site.restart({ ...settings, SHED_LOAD: 'on' });
  const open = { origin: server.origin, lanes, seconds, targets: loadMix(site) };
  await crowd({ ...open, rate: null, lanes: 4, seconds: Math.min(10, seconds) });
  const verdicts: [string, boolean][] = [];
  const alone = await crowd({ ...open, rate: capacity * idle, seconds: Math.max(seconds, 15) });
  const before = memoryMb(server);
  print('idle', capacity * idle, Math.max(seconds, 15), alone, before);
  let top = before;
  for (const level of levels) {
    const watch = setInterval(() => {
      top = Math.max(top, memoryMb(server));
    }, 250);
    const found = await crowd({ ...open, rate: capacity * level });
    clearInterval(watch);
    print(`${level} × capacity`, capacity * level, seconds, found, memoryMb(server));
    const [calm, busy] = [p95(alone.pages), p95(found.pages)];
    verdicts.push([`${level} ×: p95 of pages ${(busy / calm).toFixed(1)} times the idle one, at most ${slower}`, busy <= slower * calm]);
    verdicts.push([
      `${level} ×: failed ${count(found, 'failed')}, refused without a time ${count(found, 'rude')}`,
      count(found, 'failed') + count(found, 'rude') === 0,
    ]);
    verdicts.push([`${level} ×: notifications refused ${found.providers?.refused ?? 0}`, (found.providers?.refused ?? 0) === 0]);
    await pause(2_000);
  }
  console.log(`refused, as /metrics says: ${await refusedOf(server)}`);

  const readers = loadMix(site, ['study', 'text', 'disciplines']);
  const reading = { origin: server.origin, lanes, seconds, targets: readers, rate: capacity * 0.3 };
  const undisturbed = await crowd(reading);
  const [disturbed, signing] = await Promise.all([
    crowd(reading),
    crowd({ ...reading, targets: loadMix(site, ['signIn']), rate: signIns * 3 }),
  ]);
  print('readers alone', reading.rate, seconds, undisturbed, memoryMb(server));
  print('beside 3 × sign-ins', reading.rate + signIns * 3, seconds, { ...disturbed, ...signing }, memoryMb(server));
  const ratio = p95(disturbed.pages) / p95(undisturbed.pages);
  verdicts.push([
    `readers beside 3 × the sign-ins: p95 ${ratio.toFixed(1)} times theirs alone, at most ${besideSignIns}`,
    ratio <= besideSignIns,
  ]);

  await pause(Math.min(15, seconds) * 1_000);
  const after = memoryMb(server);
  verdicts.push([
    `memory ${before.toFixed(0)} MB before, ${top.toFixed(0)} at the top, ${after.toFixed(0)} after`,
    after <= before * grown,
  ]);
  for (const [what, held] of verdicts) console.log(`${held ? 'ok    ' : 'MISSED'} ${what}`);
  return verdicts.every(([, held]) => held);
}

type Results = Record<string, GroupResult>;

/** Returns a function that runs each plan in a new client process. */
function crowdOf(seed: number) {
  let number = 0;
  return (plan: Omit<LoadPlan, 'seed'>): Promise<Results> => {
    number += 1;
    const client = startClient<LoadPlan, Results>(new URL('load-client.ts', import.meta.url));
    return client.run({ ...plan, seed: seed + number }).finally(client.stop);
  };
}

const goodOf = (results: Results): number => Object.values(results).reduce((sum, { times }) => sum + times.length, 0);

const count = (results: Results, what: 'failed' | 'rude'): number => Object.values(results).reduce((sum, group) => sum + group[what], 0);

function quantile(times: readonly number[] | undefined, part: number): number {
  const sorted = (times ?? []).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

const p95 = (group: GroupResult | undefined): number => quantile(group?.times, 0.95);

/** Returns the resident memory of the process, in MB. */
const memoryMb = ({ pid }: StartedNode): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function refusedOf({ origin }: StartedNode): Promise<string> {
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('prepa_requests_refused_total{'));
  return lines.map((line) => line.replace('prepa_requests_refused_total', '')).join(', ') || 'nothing';
}

/** Prints a line for each group: requests per second, and the response times of good responses, in ms. */
function print(name: string, offered: number, seconds: number, results: Results, memory: number): void {
  console.log(`\n${name}: ${offered.toFixed(0)} a second offered, ${(goodOf(results) / seconds).toFixed(0)} good, ${memory.toFixed(0)} MB`);
  console.log(
    `  ${'a second'.padEnd(12)}${['offered', 'good', 'refused', 'failed', 'p50', 'p95', 'p99'].map((head) => head.padStart(9)).join('')}`,
  );
  for (const [group, { sent, refused, rude, failed, times }] of Object.entries(results).toSorted()) {
    const rates = [sent, times.length, refused + rude, failed].map((many) => (many / seconds).toFixed(1));
    const quantiles = [0.5, 0.95, 0.99].map((part) => quantile(times, part).toFixed(1));
    console.log(`  ${group.padEnd(12)}${[...rates, ...quantiles].map((figure) => figure.padStart(9)).join('')}`);
  }
}
