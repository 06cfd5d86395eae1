import { rmSync } from 'node:fs';
import { Writable } from 'node:stream';
import t from 'tap';
import { call, TestClock, visit } from '../../../../test/support/app.ts';
import { createDataFolder } from '../../../../test/support/data-folder.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import {
  createAdministrator,
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { buildApp } from '../../../app.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { createLog } from '../../../platform/observability/log.ts';

// Opening hundreds of items within minutes looks like copying a prepa: the learner must wait, whichever routes were used.

const { url: databaseUrl } = await createTestDatabase(t);
const clock = new TestClock();
let written = '';
const log = createLog(
  'warn',
  new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  }),
);
const config = loadConfig({ NODE_ENV: 'test', SHED_LOAD: 'off', DATA_DIR: createDataFolder(), ITEM_READS_PER_LEARNER_10_MINUTES: '3' });
const kernel = await createKernel(config, { databaseUrl, clock, log });
const app = await buildApp(kernel);
t.teardown(async () => {
  await app.close();
  await kernel.close();
  rmSync(config.dataDir, { recursive: true, force: true });
});
const home = { kernel, clock };
const prepa = await createPrepa(home);
const discipline = await createDiscipline(home, prepa.id);
const items: { id: number }[] = [];
for (const numeroPage of [1, 2, 3, 4, 5])
  items.push(await createItem(home, discipline.id, { kind: 'exercise', corrige: '<p>Oui.</p>', numeroPage }));
const document = await createDocument(home, items[4]?.id as number);
const warnings = () =>
  written
    .split('\n')
    .filter((line) => line.includes('item-reads'))
    .map((line) => JSON.parse(line));
const enrolled = async () => {
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa);
  return learner;
};
const id = (index: number) => items[index]?.id;
/** The routes through which an item can be read. */
const ways: Record<string, (index: number, session: string) => Promise<{ statusCode: number }>> = {
  page: (index, session) => visit(app, `/user/prepa/${prepa.id}/${discipline.id}?type=exercise&item=${id(index)}`, session),
  practice: (index, session) =>
    visit(app, `/user/prepa/${prepa.id}/${discipline.id}/entrainement?type=exercise&item=${id(index)}`, session),
  text: (index, session) => call(app, { url: `/api/items/${id(index)}/texte`, session }),
  call: (index, session) => call(app, { url: `/api/exercices/${id(index)}`, session }),
};

t.test('every route counts towards one common limit', async (t) => {
  for (const [name, open] of Object.entries(ways)) {
    const { session } = await enrolled();
    for (const index of [0, 1, 0, 2, 2]) t.equal((await open(index, session)).statusCode, 200, `${name} ${index}`);
    t.equal((await open(3, session)).statusCode, 429, `${name}: the fourth`);
    for (const [other, way] of Object.entries(ways)) {
      t.equal((await way(3, session)).statusCode, 429, `${other} after ${name}`);
      t.equal((await way(1, session)).statusCode, 200, `${other}: items already opened can be read again`);
    }
    t.equal((await call(app, { url: document.url, session })).statusCode, 429, 'documents of further items are refused');
  }
});

t.test('refusals last ten minutes and log one line without a name', async (t) => {
  const learner = await enrolled();
  const before = warnings().length;
  for (const index of [0, 1, 2]) await ways.page?.(index, learner.session);
  clock.advance(4 * 60_000);
  const refused = await visit(app, `/user/prepa/${prepa.id}/${discipline.id}?type=exercise&item=${id(3)}`, learner.session);
  t.equal(refused.statusCode, 429);
  t.equal(refused.headers['retry-after'], '360');
  t.match(refused.body, 'Trop de contenus à la fois');
  t.match(refused.body, 'Vous avez ouvert beaucoup de contenus en peu de temps.');
  t.match(refused.body, learner.username, 'the page header shows the name of the learner');
  await ways.text?.(4, learner.session);
  const [line, ...more] = warnings().slice(before);
  t.match(line, { level: 'warn', learner: learner.id, items: 3 });
  t.same(more, [], 'one line is logged for two refusals');
  t.notMatch(JSON.stringify(line), learner.email);
  clock.advance(6 * 60_000);
  t.equal((await ways.page?.(3, learner.session))?.statusCode, 200);
});

t.test('a list with all its texts is returned entirely, then further items are refused', async (t) => {
  const { session } = await enrolled();
  const list = () => call(app, { url: `/api/exercices/discipline/${discipline.id}`, session });
  t.equal((await list()).statusCode, 200);
  t.equal((await list()).statusCode, 200, 'items already opened can be read again');
  t.equal((await ways.call?.(4, session))?.statusCode, 200);
  t.equal((await call(app, { url: document.url, session })).statusCode, 429);
});

t.test('other readers are not limited: another learner, a visitor at the trial, an administrator', async (t) => {
  const { session } = await enrolled();
  t.equal((await ways.page?.(4, session))?.statusCode, 200);
  for (let again = 0; again < 5; again += 1) t.equal((await call(app, { url: `/api/exercices/${id(0)}` })).statusCode, 200);
  const administrator = await createAdministrator(home);
  for (const { id: item } of items)
    t.equal((await call(app, { url: `/api/exercices/${item}`, session: administrator.session })).statusCode, 200);
});
