import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { buildApp } from '../../../app.ts';

// The study page is cached by versions. Changing a prepa or discipline must increment its own `version`. A change of an item needs
// nothing: a trigger increments the discipline's outline_version.

const home = await createTestApp(t);
const { app, clock, databaseUrl, kernel } = home;

async function openPage() {
  const prepa = await createPrepa(home, { nom: 'Ancien nom de prépa' });
  const discipline = await createDiscipline(home, prepa.id);
  const lesson = await createItem(home, discipline.id, { titre: 'Ancien titre', contenu: '<p>Ancien texte</p>' });
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 20);
  const url = `/user/prepa/${prepa.id}/${discipline.id}`;
  const read = async (session = learner.session) => (await visit(app, url, session)).body;
  // From here on the page is cached.
  if (!(await read()).includes('Ancien texte')) throw new Error('the study page does not show its text');
  return { prepa, discipline, lesson, learner, url, read };
}

t.test('a change of an item shows at once, by whichever statement it is made, with a new version or without', async (t) => {
  const { lesson, discipline, read } = await openPage();
  await sql(databaseUrl, `update item set titre = 'Nouveau titre' where id = $1`, [lesson.id]);
  t.match(await read(), 'Nouveau titre');
  t.notMatch(await read(), 'Ancien titre');
  await sql(databaseUrl, `update item set contenu = '<p>Nouveau texte</p>', version = version + 1 where id = $1`, [lesson.id]);
  t.match(await read(), 'Nouveau texte');
  const other = await createItem(home, discipline.id, { titre: 'Leçon ajoutée', numeroPage: 2 });
  t.match(await read(), /Cours \(2\)[\s\S]*Leçon ajoutée/);
  await sql(databaseUrl, 'delete from item where id = $1', [other.id]);
  t.match(await read(), 'Cours (1)');
  t.notMatch(await read(), 'Leçon ajoutée');
});

t.test('a new order shows at once', async (t) => {
  const { discipline, read } = await openPage();
  await createItem(home, discipline.id, { titre: 'Seconde', numeroPage: 2 });
  t.match(await read(), 'Page 1 sur 2');
  await sql(databaseUrl, 'update item set numero_page = 3 - numero_page where discipline_id = $1', [discipline.id]);
  t.match(await read(), /id="study-title"[^>]*>Seconde</);
});

t.test('new names of a discipline and a prepa show once their versions are incremented', async (t) => {
  const { discipline, prepa, read } = await openPage();
  await sql(databaseUrl, `update discipline set nom = 'Nouvelle discipline', version = version + 1 where id = $1`, [discipline.id]);
  t.match(await read(), 'Nouvelle discipline');
  await sql(databaseUrl, `update prepa set nom = 'Nouvelle prépa', version = version + 1 where id = $1`, [prepa.id]);
  t.match(await read(), 'Nouvelle prépa');
  t.notMatch(await read(), 'Ancien nom de prépa');
});

t.test('a new price shows on the trial page, which is not cached', async (t) => {
  const { prepa, discipline } = await openPage();
  const trial = async () =>
    (await visit(app, `/user/prepa/consultation/${prepa.id}/${discipline.id}`, (await createLearner(home)).session)).body;
  t.match(await trial(), 'data-montant="15000"');
  await sql(databaseUrl, 'update prepa set prix = 20000, version = version + 1 where id = $1', [prepa.id]);
  t.match(await trial(), 'data-montant="20000"');
});

t.test('two processes: neither serves an outdated page', async (t) => {
  const { lesson, learner, url, read } = await openPage();
  const second = await buildApp(kernel);
  t.teardown(() => second.close());
  t.match((await visit(second, url, learner.session)).body, 'Ancien titre');
  await sql(databaseUrl, `update item set titre = 'Titre commun' where id = $1`, [lesson.id]);
  t.match(await read(), 'Titre commun');
  t.match((await visit(second, url, learner.session)).body, 'Titre commun');
});

t.test('every learner sees only their own name', async (t) => {
  const { prepa, learner, read } = await openPage();
  const other = await createLearner(home);
  await createEnrolment(home, other, prepa);
  const [first, second, again] = [await read(learner.session), await read(other.session), await read(learner.session)];
  t.match(first, `<strong>${learner.username}</strong>`);
  t.match(second, `<strong>${other.username}</strong>`);
  t.notMatch(second, learner.username);
  t.notMatch(again, other.username);
  t.equal(again, first);
});

t.test('access is checked at every request, even when the page is cached', async (t) => {
  const { learner, url } = await openPage();
  const status = async (session: string) => (await visit(app, url, session)).statusCode;
  t.equal(await status((await createLearner(home)).session), 303, 'a learner without an enrolment is redirected');
  await sql(databaseUrl, `update enrolment set statut = 'cancelled' where user_id = $1`, [learner.id]);
  t.equal(await status(learner.session), 303);
  await sql(databaseUrl, `update enrolment set statut = 'active' where user_id = $1`, [learner.id]);
  t.equal(await status(learner.session), 200);
  const { etag } = (await visit(app, url, learner.session)).headers;
  clock.advance(20 * 24 * 3_600_000);
  const late = await app.inject({ url, headers: { accept: 'text/html', cookie: learner.session, 'if-none-match': String(etag) } });
  t.equal(late.statusCode, 303, 'no 304 for a learner without access');
  await sql(databaseUrl, 'delete from session where user_id = $1', [learner.id]);
  t.match((await visit(app, url, learner.session)).headers.location, /^\/login/);
});

t.test('an unchanged page gets a 304, and a changed page or another learner gets a 200', async (t) => {
  const { prepa, lesson, learner, url } = await openPage();
  const first = await visit(app, url, learner.session);
  const again = (session: string, etag = String(first.headers.etag)) =>
    app.inject({ url, headers: { accept: 'text/html', cookie: session, 'if-none-match': etag, 'accept-encoding': 'gzip' } });
  const unchanged = await again(learner.session);
  t.equal(unchanged.statusCode, 304);
  t.equal(unchanged.body, '');
  t.equal(unchanged.headers.etag, first.headers.etag);
  t.match(String(first.headers['cache-control']), 'private');
  const other = await createLearner(home);
  await createEnrolment(home, other, prepa);
  t.equal((await again(other.session)).statusCode, 200);
  await sql(databaseUrl, `update item set titre = 'Autre titre' where id = $1`, [lesson.id]);
  t.equal((await again(learner.session)).statusCode, 200);
});

t.test('the page is the same with and without compression', async (t) => {
  const { learner, url, discipline } = await openPage();
  await createItem(home, discipline.id, { kind: 'exercise', contenu: `<p>${'é'.repeat(40_000)}</p>` });
  for (const path of [
    url,
    `${url}?type=exercise&item=${(await sql<{ id: number }>(databaseUrl, 'select max(id) as id from item'))[0]?.id}`,
  ]) {
    const ask = (encoding: string) =>
      app.inject({ url: path, headers: { accept: 'text/html', cookie: learner.session, 'accept-encoding': encoding } });
    const [plain, packed] = [await ask('identity'), await ask('gzip, deflate, br')];
    t.equal(plain.headers['content-encoding'], undefined);
    t.equal(packed.headers['content-encoding'], 'gzip');
    t.equal(gunzipSync(packed.rawPayload).toString(), plain.body);
    t.equal(plain.headers.etag, packed.headers.etag);
    t.match(packed.headers.vary, /accept-encoding/i);
  }
});
