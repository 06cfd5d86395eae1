import { randomUUID } from 'node:crypto';
import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app, databaseUrl, clock } = home;

const scale = '<h2>Exercice 1 : suites (5 points)</h2><p>Voilà.</p><h2>Problème (15 points)</h2><p>Et voilà.</p>';

async function course(corrige = scale) {
  const prepa = await createPrepa(home, { nom: 'ENS' });
  const discipline = await createDiscipline(home, prepa.id);
  const subject = await createItem(home, discipline.id, { kind: 'pastExam', titre: 'Sujet A', corrige });
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 10);
  const study = `/user/prepa/${prepa.id}/${discipline.id}`;
  const query = `type=pastExam&item=${subject.id}`;
  const url = `${study}/entrainement?${query}`;
  const note = (points: string[], more: Record<string, string> = {}, path = `${study}/note`, session = learner.session) => {
    const form = { type: 'pastExam', item: String(subject.id), verdict: 'reussi', bareme: '5;15', cle: randomUUID(), ...more };
    return submit(app, path, [...Object.entries(form), ...points.map((typed): [string, string] => ['points[]', typed])], session);
  };
  const stored = () =>
    sql(
      databaseUrl,
      'select verdict, points::float8 as points, possible::float8 as possible, seconds from practice_mark where user_id = $1 order by marked_at',
      [learner.id],
    );
  return { prepa, discipline, subject, learner, study, query, url, note, stored };
}

function read(body: string) {
  const { document } = parseHTML(body);
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent));
  return { document, texts, main: texts('main')[0] ?? '' };
}
const page = async (url: string, session: string) => read((await visit(app, url, session)).body);

t.test('fields for the points stand below the correction, and only there', async (t) => {
  const { url, learner } = await course();
  t.equal((await page(url, learner.session)).document.querySelector('.scale'), null, 'before the correction');
  const { document, texts } = await page(`${url}&corrige=oui`, learner.session);
  t.same(texts('.scale label'), ['Exercice 1 : suites', 'Problème']);
  t.same(texts('.scale__field'), ['sur 5', 'sur 15']);
  const [form] = document.querySelectorAll('form.practice__mark');
  t.match(form?.getAttribute('action'), /\/note$/);
  t.match(document.querySelector('[name="cle"]')?.getAttribute('value'), /^[0-9a-f-]{36}$/);
  const plain = await course('<p>Les points A et B.</p>');
  const without = await page(`${plain.url}&corrige=oui`, plain.learner.session);
  t.equal(without.document.querySelector('.scale'), null);
  t.match(without.document.querySelector('form.practice__mark')?.getAttribute('action'), /\/entrainement$/);
});

t.test('the points add up to a mark, kept with verdict, scale and time used', async (t) => {
  const { study, query, learner, note, stored, subject } = await course();
  const answer = await note(['3,5', '10.25'], { secondes: '5400', verdict: 'a_revoir' });
  t.match([answer.statusCode, answer.headers.location], [303, `${study}/suite?${query}`]);
  t.same(await stored(), [{ verdict: 'a_revoir', points: 13.75, possible: 20, seconds: 5400 }]);
  const past = await note([''], {}, `${study}/note?reseau=1`);
  t.equal(past.headers.location, `${study}/suite?${query}&reseau=1`, 'past a copy on the device, which does not know the mark');
  await note([''], { verdict: 'a_revoir' });
  t.same(await sql(databaseUrl, 'select verdict, times from practice where user_id = $1', [learner.id]), [
    { verdict: 'a_revoir', times: 1 },
  ]);
  await sql(databaseUrl, `update item set corrige = '<h2>Exercice (8 points)</h2>' where id = $1`, [subject.id]);
  clock.advance(120_000);
  await note(['6'], { bareme: '8' });
  t.same(
    await stored(),
    [
      { verdict: 'a_revoir', points: 13.75, possible: 20, seconds: 5400 },
      { verdict: 'reussi', points: 6, possible: 8, seconds: null },
    ],
    'a mark keeps the scale that it was given by',
  );
});

t.test('without points the verdict alone is stored; a form that is sent twice counts once', async (t) => {
  const { note, stored, learner } = await course();
  await note(['', ' ']);
  t.same(await stored(), []);
  t.same(await sql(databaseUrl, 'select verdict from practice where user_id = $1', [learner.id]), [{ verdict: 'reussi' }]);
  const cle = randomUUID();
  const send = () => note(['5', ''], { cle });
  await Promise.all([send(), send()]);
  await send();
  t.match(await stored(), [{ points: 5, possible: 20 }], 'an empty field is 0');
  t.equal((await stored()).length, 1);
});

t.test('after Back the same points are no second mark, and corrected points are the mark', async (t) => {
  const { note, stored, study, query, learner } = await course();
  const cle = randomUUID();
  await note(['5', '8'], { cle });
  const marked = () => sql(databaseUrl, 'select marked_at, times from practice where user_id = $1', [learner.id]);
  const first = await marked();
  const shown = async () => (await page(`${study}/suite?${query}`, learner.session)).main;
  clock.advance(600_000);
  await note(['5', '8'], { cle });
  t.same(await marked(), first, 'a form that is sent again is no practice');
  t.match(await shown(), 'Votre note : 13 sur 20');
  await note(['5', '9'], { cle });
  t.match(
    (await stored()).map(({ points }) => points),
    [13, 14],
  );
  t.match(await shown(), 'Votre note : 14 sur 20');
});

t.test('marks per minute are limited', async (t) => {
  const { note } = await course();
  const sent = await Promise.all(Array.from({ length: 25 }, () => note(['5', '8'])));
  t.equal(sent.filter(({ statusCode }) => statusCode === 429).length, 5);
});

t.test('a refused form shows its faults and what was typed', async (t) => {
  const { note, stored } = await course();
  const answer = await note(['6', 'dix']);
  t.equal(answer.statusCode, 400);
  const { document, texts } = read(answer.body);
  t.same(texts('.scale .field__error'), ['De 0 à 5', 'Écrivez un nombre, par exemple 3,5']);
  t.same(
    [...document.querySelectorAll('.scale input')].map((field) => field.getAttribute('value')),
    ['6', 'dix'],
  );
  t.ok(document.querySelector('#points-0')?.hasAttribute('autofocus'));
  t.equal(document.querySelector('.timer')?.hasAttribute('data-stopped'), true, 'with the correction');
  t.equal((await note(['3,3', '1'])).statusCode, 400);
  const changed = await note(['5', '10'], { bareme: '10;10' });
  t.equal(changed.statusCode, 409);
  t.match(read(changed.body).texts('.alert'), ['Le barème de ce corrigé vient de changer : vérifiez vos points.']);
  t.same(await stored(), []);
});

t.test('only a learner with access marks a practice', async (t) => {
  const { note, study, stored, learner, subject } = await course();
  const stranger = await createLearner(home);
  t.match((await note(['5', '5'], {}, `${study}/note`, stranger.session)).headers.location, study);
  t.equal((await note(['5', '5'], {}, `${study.replace(/\d+$/, '2000000000')}/note`)).statusCode, 404);
  await sql(databaseUrl, 'update item set corrige = null where id = $1', [subject.id]);
  t.equal((await note(['5', '5'])).statusCode, 404);
  t.same(await stored(), []);
  t.same(await sql(databaseUrl, 'select from practice_mark where user_id in ($1, $2)', [learner.id, stranger.id]), []);
});

t.test('the page of a prepa shows the latest marks as a curve, from the second one on', async (t) => {
  const { note, learner, prepa, study, query, subject } = await course();
  const shown = async () => {
    const { document, texts } = await page(`/user/prepa/${prepa.id}`, learner.session);
    const dots = [...document.querySelectorAll('.curve circle')].map((dot) => Number(dot.getAttribute('cy')));
    return { dots, list: texts('.curve li'), links: texts('main a').filter((text) => text === 'Mes épreuves').length };
  };
  t.same(await shown(), { dots: [], list: [], links: 0 });
  await note(['5', '15']);
  t.same(await shown(), { dots: [], list: [], links: 1 }, 'one mark is no curve');
  clock.advance(60_000);
  await note(['0', ''], { verdict: 'a_revoir' });
  clock.advance(60_000);
  await sql(databaseUrl, `update item set corrige = '<h2>Exercice (40 points)</h2>' where id = $1`, [subject.id]);
  await note(['20'], { bareme: '40' });
  const { dots, list } = await shown();
  t.same(
    list.map((text) => text.replace(/ le \d.+?, /, ', ')),
    ['20 sur 20, Sujet A', '0 sur 20, Sujet A', '20 sur 40, soit 10 sur 20, Sujet A'],
  );
  const [best = 0, worst = 0, half = 0] = dots;
  t.ok(best < half && half < worst, `higher is better: ${dots}`);
  t.equal(half, (best + worst) / 2);
  t.match((await page(`${study}/suite?${query}`, learner.session)).main, 'Votre note : 20 sur 40, soit 10 sur 20');
  for (let more = 0; more < 12; more += 1) {
    clock.advance(60_000);
    await note(['30'], { bareme: '40' });
  }
  t.equal((await shown()).dots.length, 12, 'the latest twelve');
  const neighbour = await createLearner(home);
  await createEnrolment(home, neighbour, prepa, 10);
  t.same((await page(`/user/prepa/${prepa.id}`, neighbour.session)).texts('.curve'), [], "a learner's own");
});

t.test("'Mes épreuves' lists the marks by prepa, newest first, and leads to the practice", async (t) => {
  const { note, learner, url, prepa } = await course();
  const empty = await page('/user/epreuves', learner.session);
  t.match(empty.main, 'Aucune épreuve notée pour le moment.');
  await note(['3,5', '10'], { secondes: '5400' });
  clock.advance(60_000);
  const enam = await createPrepa(home, { nom: 'ENAM' });
  const other = await createDiscipline(home, enam.id);
  const exercise = await createItem(home, other.id, { kind: 'exercise', titre: 'Dissertation', corrige: '<h2>Plan (14 points)</h2>' });
  await createEnrolment(home, learner, enam, 10);
  await submit(
    app,
    `/user/prepa/${enam.id}/${other.id}/note`,
    { type: 'exercise', item: String(exercise.id), verdict: 'reussi', bareme: '14', cle: randomUUID(), 'points[]': '11' },
    learner.session,
  );
  const list = await page('/user/epreuves', learner.session);
  t.same(list.texts('main h2'), ['ENAM', 'ENS']);
  t.match(list.texts('.result'), [
    /^Dissertation ENAM > .+ > Exercice 11 sur 14, soit 15,71 sur 20, le \d/,
    /^Sujet A ENS > .+ > Ancien sujet( \d{4})? 13,5 sur 20 en 1 h 30 min, le \d.+ S'entraîner : Sujet A$/,
  ]);
  t.equal(list.document.querySelectorAll('.result a')[2]?.getAttribute('href'), url);
  await sql(databaseUrl, `update enrolment set statut = 'expired' where user_id = $1 and prepa_id = $2`, [learner.id, prepa.id]);
  const ended = await page('/user/epreuves', learner.session);
  t.same([...ended.document.querySelectorAll('.result')][1]?.querySelectorAll('a').length, 0, 'no link to what is closed');
  const menu = (await visit(app, '/user/dashboard', learner.session)).body;
  t.match(menu, /href="\/user\/epreuves"[^>]*>.*Mes épreuves/s);
});
