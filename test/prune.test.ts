// Slow: thousands of rows are made and pruned, by runs that are killed.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { prune } from '../src/platform/pruning/pruning.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { dayMs } from '../src/shared/dates.ts';
import {
  createAdministrator,
  createDiscipline,
  createDocument,
  createItem,
  createLearner,
  createPayment,
  createPrepa,
} from './support/factories.ts';
import { bareEnvironment, startProcess } from './support/process.ts';
import { seeded } from './support/random.ts';
import { holding, sql, untilBlocked } from './support/sql.ts';
import { createWorld } from './support/world.ts';

// Tests which rows pruning removes with each setting, the counts of a dry run, and concurrent and killed runs.

// Files must be in a folder, because tests can set their age there; a store uses its own time.
const world = await createWorld(t, { env: { UPLOADS: 'folder' } });
const { databaseUrl, kernel } = world;
const query = (text: string, values?: unknown[]) => sql<{ id: unknown }>(databaseUrl, text, values);
const ids = async (text: string, values?: unknown[]) => (await query(text, values)).map(({ id }) => id);
const ago = (days: number) => new Date(Date.now() - days * dayMs);
const run = (dryRun = false) => prune(kernel.fork(), kernel.context, kernel.prunings, { retention: kernel.config.retention, dryRun });
const none = Object.fromEntries(kernel.prunings.map(({ name }) => [name, 0]));

const rows = () =>
  query(
    'select count(*)::int as id from session union all select count(*)::int from item_version union all select count(*)::int from notification',
  );

/** Runs a dry run, which must change nothing, then a run with the same counts, then another one that finds nothing. */
async function pruned(t: Test, expected: Record<string, number>) {
  const before = await rows();
  t.same(await run(true), { ...none, ...expected });
  t.same(await rows(), before);
  t.same(await run(), { ...none, ...expected });
  t.same(await run(), none, 'a second run removes no row');
}

t.test('sessions, devices, links and counters are removed some time after their end', async (t) => {
  const learner = await createLearner(world);
  const administrator = await createAdministrator(world);
  for (const days of [6, 8, 390]) {
    await query(`insert into session (id, user_id, expires_at, created_at) values ($1, $2, $3, $3)`, [`s${days}`, learner.id, ago(days)]);
    await query(`insert into administrator_session (id, administrator_id, expires_at, created_at) values ($1, $2, $3, $3)`, [
      `s${days}`,
      administrator.id,
      ago(days),
    ]);
    await query(`insert into password_reset (id, user_id, expires_at, created_at) values ($1, $2, $3, $3)`, [
      `r${days}`,
      learner.id,
      ago(days),
    ]);
    await query(`insert into known_device (device, user_id, known_at) values ($1, $2, $3)`, [`d${days}`, learner.id, ago(days)]);
    await query(`insert into attempt_limit (key, points, expire) values ($1, 1, $2)`, [`k${days}`, ago(days - 6).getTime()]);
  }
  await query(`insert into attempt_limit (key, points, expire) values ('for-ever', 1, null)`);
  await query(`insert into known_device (device, user_id, known_at) values ('d401', $1, $2)`, [learner.id, ago(401)]);
  await pruned(t, { sessions: 2, administrator_sessions: 2, password_resets: 2, known_devices: 1, attempt_counts: 2 });
  t.same(await ids(`select id from session where user_id = $1 and id like 's%'`, [learner.id]), ['s6']);
  t.equal((await ids(`select id from session where user_id = $1`, [learner.id])).length, 2, 'the open session stays too');
  t.same(await ids('select id from password_reset'), ['r6']);
  t.same(await ids('select device as id from known_device order by known_at desc'), ['d6', 'd8', 'd390']);
  t.same(await ids('select key as id from attempt_limit order by key'), ['for-ever', 'k6']);
});

t.test("administrators' keys and incomplete sign-ins are removed, and of old journal entries only the network", async (t) => {
  const { id } = await createAdministrator(world);
  for (const days of [6, 8]) {
    await query('insert into administrator_reset (id, administrator_id, expires_at, created_at) values ($1, $2, $3, $3)', [
      `k${days}`,
      id,
      ago(days),
    ]);
    await query('insert into pending_sign_in (id, administrator_id, expires_at) values ($1, $2, $3)', [`p${days}`, id, ago(days - 7)]);
  }
  for (const [days, network] of [
    [364, '41.202.219.10'],
    [366, '41.202.219.10'],
    [367, null],
  ] as const)
    await query(
      "insert into audit_entry (at, actor, network, action, subject, label) values ($1, 'visiteur', $2, 'sign-in-failed', 'administrator', $3)",
      [...[ago(days), network, `il y a ${days} jours`]],
    );
  await pruned(t, { administrator_resets: 1, pending_sign_ins: 1, journal_networks: 1 });
  t.same(await ids('select id from administrator_reset'), ['k6']);
  t.same(await ids('select id from pending_sign_in'), ['p6']);
  t.same(await query("select label as id, network from audit_entry where action = 'sign-in-failed' order by at desc"), [
    { id: 'il y a 364 jours', network: '41.202.219.10' },
    { id: 'il y a 366 jours', network: null },
    { id: 'il y a 367 jours', network: null },
  ]);
});

t.test('read or deleted notifications are removed after a year, unread ones stay', async (t) => {
  const learner = await createLearner(world);
  const add = (message: string, lu: boolean, days: number, deleted: boolean) =>
    query(`insert into notification (user_id, message, lu, date_creation, key, deleted_at) values ($1, $2::text, $3, $4, $2::text, $5)`, [
      learner.id,
      message,
      lu,
      ago(days),
      deleted ? ago(days - 1) : null,
    ]);
  await add('lue, récente', true, 364, false);
  await add('lue, ancienne', true, 366, false);
  await add('non lue, ancienne', false, 3_000, false);
  await add('supprimée, récente', false, 364, true);
  await add('supprimée, ancienne', false, 366, true);
  await pruned(t, { notifications: 2 });
  t.same(await ids('select message as id from notification order by message collate "C"'), [
    'lue, récente',
    'non lue, ancienne',
    'supprimée, récente',
  ]);
});

t.test('answers and attempts at series are removed after two years; what was counted from them stays', async (t) => {
  const learner = await createLearner(world);
  const discipline = await createDiscipline(world);
  const { id: item } = await createItem(world, discipline.id, { numeroPage: 1 });
  await query(
    `insert into question (id, item_id, position, kind, points, key, judged, usable) values ('somme1', $1, 0, 'number', 1, '{}', '{}', true)`,
    [item],
  );
  for (const days of [729, 731, 800]) {
    await query(
      `insert into answer (user_id, cle, question_id, key_version, item_version, context, given, is_right, points, answered_at)
       values ($1, $2, 'somme1', 1, 1, 'text', '{"typed": "5"}', false, 0, $3)`,
      [learner.id, randomUUID(), ago(days)],
    );
    await query(`insert into series_attempt (id, user_id, item_id, mode, started_at, finished_at) values ($1, $2, $3, 'learn', $4, $4)`, [
      ...[randomUUID(), learner.id, item, ago(days)],
    ]);
  }
  const prepa = await createPrepa(world);
  for (const days of [729, 731])
    await query(
      `insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at) values ($1, $2, $3, $4::timestamptz::date, 1, '[]', $4::timestamptz)`,
      [randomUUID(), learner.id, prepa.id, ago(days)],
    );
  await pruned(t, { answers: 2, series_attempts: 2, daily_sessions: 1 });
  t.equal((await ids('select cle as id from answer where user_id = $1', [learner.id])).length, 1);
  t.equal((await ids('select id from series_attempt where user_id = $1', [learner.id])).length, 1);
  t.same(await ids('select wrong_at::date::text as id from question_state where user_id = $1', [learner.id]), [
    ago(729).toISOString().slice(0, 10),
  ]);
  t.same(await ids('select answered as id from question_tally'), [1]);
});

t.test("a mock exam's batches are removed 60 days after its publication, its results never", async (t) => {
  const [learner, prepa] = [await createLearner(world), await createPrepa(world)];
  const add = async (publishedDays: number | null) => {
    const [exam] = await query(
      `insert into exam (prepa_id, titre, opens_at, closes_at, duree, bareme, audience, announced_at, marked_at, published_at)
       values ($1, 'Concours blanc', $2, $2, 60, '{}', 'learners', $2, $2, $3) returning id`,
      [prepa.id, ago(400), publishedDays === null ? null : ago(publishedDays)],
    );
    for (const number of [1, 2])
      await query(
        `insert into exam_batch (exam_id, user_id, device, number, sent_at, received_at, answers, network) values ($1, $2, $3, $4, $5, $5, '[]', '')`,
        [exam?.id, learner.id, randomUUID(), number, ago(400)],
      );
    await query(
      `insert into exam_result (exam_id, user_id, answers, points, rights, wrongs, blanks, rank, by_paper) values ($1, $2, '{}', 0, 0, 0, 2, 1, '{}')`,
      [exam?.id, learner.id],
    );
    return exam?.id;
  };
  const [recent, , unpublished] = [await add(59), await add(61), await add(null)];
  await pruned(t, { exam_batches: 2 });
  t.same(await ids('select distinct exam_id as id from exam_batch order by 1'), [recent, unpublished]);
  t.equal((await ids('select exam_id as id from exam_result')).length, 3);
});

t.test("providers' notifications without a payment are removed after 30 days; those of a payment, and its events, never", async (t) => {
  const learner = await createLearner(world);
  const prepa = await createPrepa(world);
  const payment = await createPayment(world, learner, prepa, 'failed');
  const add = (reference: string, days: number, paymentId: number | null) =>
    query(
      `insert into payment_notification (provider, reference, payment_id, content_type, body, received_at) values ('zitopay', $1, $2, '', 'x', $3)`,
      [reference, paymentId, ago(days)],
    );
  await add('récente', 29, null);
  await add('ancienne', 31, null);
  await add('connue', 3_000, payment.id);
  await query(`insert into payment_event (payment_id, type, actor, at) values ($1, 'created', 'learner', $2)`, [payment.id, ago(3_000)]);
  await query(`insert into audit_entry (at, actor, action, subject, label) values ($1, 'terminal', 'created', 'prepa', 'x')`, [ago(3_000)]);
  await pruned(t, { unknown_notifications: 1 });
  t.same(await ids('select reference as id from payment_notification order by received_at desc'), ['récente', 'connue']);
});

t.test('versions: all of a week after they were replaced, the last of each day for a year, the newest for ever', async (t) => {
  const random = seeded(20261122);
  const discipline = await createDiscipline(world);
  const expected: Record<number, number[]> = {};
  let gone = 0;
  const noon = new Date(ago(0).toISOString().slice(0, 11).concat('11:00:00Z')).getTime();
  for (let count = 0; count < 12; count += 1) {
    const item = await createItem(world, discipline.id, { numeroPage: count + 1 });
    // Several saves a day in random order over past days, then sorted.
    const saves = Array.from({ length: 30 }, () => {
      const days = Math.floor(random() * (count % 2 === 0 ? 12 : 450)) + 1;
      return noon - days * dayMs + Math.floor(random() * 8) * 3_600_000;
    }).sort((a, b) => a - b);
    for (const [index, at] of saves.entries())
      await query(`insert into item_version (item_id, version, titre, contenu, saved_at) values ($1, $2, 'Titre', '', $3)`, [
        item.id,
        index + 1,
        new Date(at),
      ]);
    await query('update item set version = 30 where id = $1', [item.id]);
    // 11:00 to 19:00 UTC is the same calendar day in Douala.
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
    const kept = saves.flatMap((at, index) => {
      const replaced = saves[index + 1];
      if (replaced === undefined || replaced >= ago(7).getTime()) return [index + 1];
      return replaced >= ago(365).getTime() && dayOf(replaced) !== dayOf(at) ? [index + 1] : [];
    });
    expected[item.id] = kept;
    gone += 30 - kept.length;
  }
  t.ok(gone > 50, `${gone} go`);
  await pruned(t, { versions: gone });
  for (const [item, kept] of Object.entries(expected))
    t.same(await ids('select version as id from item_version where item_id = $1 order by version', [item]), kept);
});

t.test('versions with an open report stay, and images used only by removed versions go a day later', async (t) => {
  const learner = await createLearner(world);
  const discipline = await createDiscipline(world);
  const [shown, earlier] = ['a', 'b'].map((letter) => `content/${letter.repeat(32)}.webp`) as [string, string];
  const item = await createItem(world, discipline.id, { contenu: `<p><img src="/media/${shown}"></p>` });
  const save = (version: number, days: number, contenu: string) =>
    query(`insert into item_version (item_id, version, titre, contenu, saved_at) values ($1, $2, 'Titre', $3, $4)`, [
      item.id,
      version,
      contenu,
      ago(days),
    ]);
  await save(1, 900, `<img src="/media/${earlier}">`);
  await save(2, 800, '');
  await save(3, 700, '');
  await save(4, 600, `<img src="/media/${shown}">`);
  await query('update item set version = 4 where id = $1', [item.id]);
  const report = (days: number, closed: boolean) =>
    query(
      `insert into item_report (item_id, user_id, kind, place, message, created_at, closed_at) values ($1, $2, 'texte', 'x', '', $3, $4)`,
      [item.id, learner.id, ago(days), closed ? ago(days - 1) : null],
    );
  await report(850, true);
  await report(750, false);
  for (const name of [shown, earlier]) {
    await kernel.context.files.write(name, Buffer.from('image'));
    await query('insert into content_image (name, uploaded_at) values ($1, $2)', [name, ago(900)]);
    await query('insert into item_image (item_id, image_name) values ($1, $2)', [item.id, name]);
  }
  t.same(await run(true), { ...none, versions: 2 });
  t.same(await run(), { ...none, versions: 2 });
  t.same(await ids('select version as id from item_version where item_id = $1 order by version', [item.id]), [2, 4]);
  t.same(await ids('select image_name as id from item_image where item_id = $1', [item.id]), [shown]);
  await pruned(t, { images: 1 });
  t.same(await Promise.all([shown, earlier].map((name) => kernel.context.files.has(name))), [true, false]);
});

t.test('drafts are never pruned, and their images stay as long as they do', async (t) => {
  const discipline = await createDiscipline(world);
  const shown = `content/${'d'.repeat(32)}.webp`;
  await kernel.context.files.write(shown, Buffer.from('image'));
  await query('insert into content_image (name, uploaded_at) values ($1, $2)', [shown, ago(900)]);
  const [draft] = await ids(
    `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, saved_at, saved_by)
     values (nextval('item_id_seq'), $1, 'course', '', '', '', '', $2, $3, 'Awa') returning id`,
    [discipline.id, `<p><img src="/media/${shown}"></p>`, ago(900)],
  );
  await query('insert into item_draft_image values ($1, $2)', [draft, shown]);
  await pruned(t, {});
  t.same(await ids('select id from item_draft where discipline_id = $1', [discipline.id]), [draft]);
  t.ok(await kernel.context.files.has(shown));
  await query('delete from item_draft where id = $1', [draft]);
  await pruned(t, { images: 1 });
  t.notOk(await kernel.context.files.has(shown));
});

t.test('versions: an item that is being saved is skipped until the next run', async (t) => {
  const discipline = await createDiscipline(world);
  const item = await createItem(world, discipline.id);
  for (const version of [1, 2])
    await query(`insert into item_version (item_id, version, titre, contenu, saved_at) values ($1, $2, 'Titre', '', $3)`, [
      item.id,
      version,
      ago(900 - version),
    ]);
  await query('update item set version = 2 where id = $1', [item.id]);
  await holding(databaseUrl, `select from item where id = ${item.id} for update`, async () => t.same(await run(), none));
  await pruned(t, { versions: 1 });
});

t.test('unreferenced and partial files are removed after a day, and foreign files stay', async (t) => {
  const { dataDir } = kernel.config;
  const discipline = await createDiscipline(world);
  const item = await createItem(world, discipline.id);
  const document = await createDocument(world, item.id);
  const [named] = await ids('select file as id from item_document where id = $1', [document.id]);
  const cover = `covers/${'c'.repeat(32)}`;
  await query('update discipline set image = $1 where id = $2', [cover, discipline.id]);
  const stays = [`documents/${named}`, `media/${cover}-480.webp`, 'media/content/lisez-moi.txt', 'media/favicon.ico'];
  const goes = {
    cover_files: [
      `media/covers/${'d'.repeat(32)}-480.webp`,
      `media/covers/${'d'.repeat(32)}-og.jpg`,
      `media/${cover}-960.webp.${crypto.randomUUID()}.part`,
    ],
    image_files: [`media/content/${'e'.repeat(32)}.webp`],
    document_files: [`documents/${'f'.repeat(64)}.pdf`, `documents/${named}.${crypto.randomUUID()}.part`],
  };
  const young = `documents/${'0'.repeat(64)}.pdf`;
  const write = (name: string, days: number) => {
    const path = join(dataDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
    utimesSync(path, ago(days), ago(days));
  };
  for (const name of [...stays, ...Object.values(goes).flat()]) write(name, 2);
  write(young, 0.9);
  await pruned(t, Object.fromEntries(Object.entries(goes).map(([name, files]) => [name, files.length])));
  t.same(
    [...stays, young].filter((name) => !existsSync(join(dataDir, name))),
    [],
  );
  t.same(
    Object.values(goes)
      .flat()
      .filter((name) => existsSync(join(dataDir, name))),
    [],
  );
  t.same(
    await ids('select name as id from content_image where name like $1', [`content/${'e'.repeat(32)}%`]),
    [],
    'the row with the file name is removed too',
  );
});

t.test('rows are removed in batches: concurrent runs count each row once, and a killed run leaves the rest to the next', async (t) => {
  const learner = await createLearner(world);
  const fill = () =>
    query(`insert into session (id, user_id, expires_at, created_at) select 'old' || n, $1, $2, $2 from generate_series(1, 2500) n`, [
      learner.id,
      ago(30),
    ]);
  await fill();
  t.same(JSON.parse(await world.prepa('prune', '--dry-run', '--json')), { ...none, sessions: 2_500, dryRun: true });
  const counts = await Promise.all([run(), run()]);
  t.equal(
    counts.reduce((sum, { sessions = 0 }) => sum + sessions, 0),
    2_500,
  );

  await fill();
  const batches: number[] = [];
  const [sessions] = kernel.prunings;
  if (!sessions) throw new Error('nothing is pruned');
  const killed = { ...sessions, remove: (ground: Parameters<typeof sessions.remove>[0]) => dying(sessions.remove(ground)) };
  await t.rejects(
    prune(kernel.fork(), kernel.context, [killed], {
      retention: kernel.config.retention,
      onProgress: (_label, removed) => batches.push(removed),
    }),
    /killed/,
  );
  t.same(batches, [1_000]);
  t.equal((await run()).sessions, 1_500);

  // A run killed in the middle of a batch.
  await fill();
  await holding(databaseUrl, `select pg_advisory_xact_lock(hashtextextended('prune', 0))`, async () => {
    const child = await startProcess(t, join(projectRoot, 'dist/cli/main.js'), {
      args: ['prune'],
      env: { ...bareEnvironment(), ...world.env },
    });
    await untilBlocked(databaseUrl, 1);
    await child.kill9();
  });
  t.equal((await ids(`select id from session where id like 'old%'`)).length, 2_500);
  t.match(await world.prepa('prune'), /^Retiré :\n {2}2500 sessions terminées de candidats\n {2}0 /);
});

/** Yields the first batch and then fails. */
async function* dying(batches: AsyncIterable<number>): AsyncIterable<number> {
  for await (const removed of batches) {
    yield removed;
    throw new Error('killed');
  }
}

t.test('a machine whose clock is wrong removes nothing', async (t) => {
  const learner = await createLearner(world);
  await query(`insert into session (id, user_id, expires_at, created_at) values ('ended', $1, $2, $2)`, [learner.id, ago(30)]);
  const wrong = startProcess(t, join(projectRoot, 'dist/cli/main.js'), {
    args: ['prune'],
    env: {
      ...bareEnvironment(),
      ...world.env,
      NODE_OPTIONS: `--import=${pathToFileURL(join(projectRoot, 'test/support/wrong-clock.mjs')).href}`,
      CLOCK_AHEAD_MS: '600000',
    },
  });
  t.equal(await (await wrong).ended, 1);
  t.match((await wrong).output(), /^Refusé : l'horloge de cette machine avance de 10 minutes/);
  t.equal((await ids(`select id from session where id = 'ended'`)).length, 1);
});
