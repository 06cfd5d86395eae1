// Slow: thousands of random requests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { attack } from './support/fuzz/attack.ts';
import { campaign } from './support/fuzz/campaign.ts';
import { plantedFaults } from './support/fuzz/planted.ts';
import { described } from './support/fuzz/shrink.ts';
import { plant } from './support/fuzz/site-copy.ts';
import { isLongForm, onlyLong } from './support/long-form.ts';
import { seedOfRun } from './support/random.ts';

// Random requests of all roles to all routes: none may cause an error or hang, and none may show or change data of another account.
// `ONLY=fuzz make soak` sends many thousands. SEED repeats a run.

const requests = Number(process.env.REQUESTS ?? (isLongForm ? 4_000 : 2_000));
/** Time limit in ms: a busy machine sends fewer requests, because the file's timeout is 300 s. */
const time = 120_000;
const seed = seedOfRun();

t.test(`${requests} random requests, seed ${seed}`, async (t) => {
  const { findings, ...figures } = await campaign(await plant(t), { requests, perSequence: 1_000, seed, time });
  t.comment(JSON.stringify(figures));
  for (const { what, requests, repeats } of findings)
    t.fail(`${what}\n${repeats ? 'repeated by' : 'not repeated; its last requests:'}\n${requests.map(described).join('\n')}`);
  t.equal(figures.foundAfter, null, 'the campaign found no fault');
});

t.test('a planted fault is found', { skip: onlyLong }, async (t) => {
  const planted = plantedFaults.findIndex(({ what }) => what === 'everybody reads the notifications of all');
  const { foundAfter, findings } = await attack(t, { requests: 1_000, seed, planted });
  t.not(foundAfter, null);
  t.match(findings[0]?.what, /^shows a(?: deleted)? notification of /);
});

t.test('the code changed by each planted fault occurs exactly once', async (t) => {
  t.ok(plantedFaults.length >= 6);
  for (const { what, file, from } of plantedFaults) t.equal(readFileSync(join(projectRoot, file), 'utf8').split(from).length, 2, what);
});
