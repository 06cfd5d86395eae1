import { parseHTML } from 'linkedom';
import t from 'tap';
import { call, createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app, databaseUrl, clock } = home;

async function course() {
  const prepa = await createPrepa(home, { nom: 'ENS' });
  const discipline = await createDiscipline(home, prepa.id);
  const lesson = await createItem(home, discipline.id);
  const plain = await createItem(home, discipline.id, { kind: 'exercise', titre: 'Sans corrigé' });
  const subject = await createItem(home, discipline.id, {
    kind: 'pastExam',
    titre: 'Sujet A',
    contenu: '<p>Résoudre.</p>',
    corrige: '<p>La réponse est 42.</p>',
  });
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 10);
  const study = `/user/prepa/${prepa.id}/${discipline.id}`;
  const query = `type=pastExam&item=${subject.id}`;
  const mark = (verdict: string, session = learner.session, item = subject.id) =>
    submit(app, `${study}/entrainement`, { type: 'pastExam', item: String(item), verdict }, session);
  return { prepa, discipline, lesson, plain, subject, learner, study, query, mark, url: `${study}/entrainement?${query}` };
}

async function page(url: string, session: string) {
  const answer = await visit(app, url, session);
  const { document } = parseHTML(answer.body);
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent));
  return { status: answer.statusCode, location: answer.headers.location, body: answer.body, document, texts, main: texts('main')[0] ?? '' };
}

t.test('the correction is not in the page until the learner requests it', async (t) => {
  const { url, learner, subject, study, query } = await course();
  const document = await createDocument(home, subject.id, { nom: 'Corrigé en PDF' });
  const before = await page(url, learner.session);
  t.equal(before.status, 200);
  t.match(before.main, 'Résoudre.');
  t.notMatch(before.body, 'La réponse est 42');
  t.notMatch(before.body, document.nom);
  t.notOk(before.document.querySelector('form[method="post"][action*="entrainement"]'));
  const [link] = [...before.document.querySelectorAll('main a')].filter((a) => squeeze(a.textContent) === 'Voir le corrigé');
  t.equal(link?.getAttribute('href'), `${study}/entrainement?${query}&corrige=oui#corrige`);
  const after = await page(String(link?.getAttribute('href')).replace('#corrige', ''), learner.session);
  t.match(after.main, /Résoudre\..*La réponse est 42\..*Corrigé en PDF/);
  t.same(after.texts('main form button'), ['Réussi', 'À revoir']);
});

t.test('figures of the text and of the correction open large', async (t) => {
  const { url, learner, subject } = await course();
  const figure = '<figure><img src="/icon-512.png" alt="Courbe" width="64" height="64"></figure>';
  await sql(databaseUrl, 'update item set contenu = $2, corrige = $2 where id = $1', [subject.id, figure]);
  const { document } = await page(`${url}&corrige=oui`, learner.session);
  t.equal(document.querySelectorAll('.prose figure > a[href="/icon-512.png"]').length, 2);
});

t.test('the timer offers the advised time; without one it has no limit', async (t) => {
  const { url, learner, subject } = await course();
  const chosen = async () => {
    const { document, texts } = await page(url, learner.session);
    t.ok(document.querySelector('[data-behaviour="timer"]')?.hasAttribute('hidden'), 'for script only');
    return {
      chosen: document.querySelector('option[selected]')?.textContent,
      options: texts('option'),
      advised: texts('main p').find((text) => text.startsWith('Durée conseillée')),
    };
  };
  const options = ['Sans limite', '15 min', '30 min', '1 h', '2 h', '3 h'];
  t.same(await chosen(), { chosen: 'Sans limite', options, advised: undefined });
  await sql(databaseUrl, 'update item set duree = 180 where id = $1', [subject.id]);
  t.same(await chosen(), { chosen: '3 h', options, advised: 'Durée conseillée : 3 h' });
  await sql(databaseUrl, 'update item set duree = 90 where id = $1', [subject.id]);
  t.same(await chosen(), {
    chosen: '1 h 30 min',
    options: [...options.slice(0, 4), '1 h 30 min', ...options.slice(4)],
    advised: 'Durée conseillée : 1 h 30 min',
  });
});

t.test('a mark is stored with the number of practices; items to review are listed', async (t) => {
  const { mark, subject, learner, study, query, url, prepa } = await course();
  t.match((await page('/user/a-revoir', learner.session)).main, 'Rien à revoir dans vos préparations en cours.');
  const kept = () => sql(databaseUrl, 'select verdict, times from practice where user_id = $1 and item_id = $2', [learner.id, subject.id]);
  const marked = async (verdict: string) => {
    const answer = await mark(verdict);
    t.equal(answer.statusCode, 303);
    t.equal(answer.headers.location, `${study}/suite?${query}`);
    return (await page(`${study}/suite?${query}`, learner.session)).texts('h1');
  };
  t.same(await marked('a_revoir'), ['À revoir']);
  t.same(await kept(), [{ verdict: 'a_revoir', times: 1 }]);
  const again = await page('/user/a-revoir', learner.session);
  t.same(again.texts('.result h2'), ['Sujet A']);
  t.equal(again.document.querySelector('.result a')?.getAttribute('href'), url);
  const done = again.document.querySelector('.result form');
  t.equal(done?.getAttribute('action'), `${study}/entrainement`);
  t.same(
    [...(done?.querySelectorAll('[name]') ?? [])].map((field) => [field.getAttribute('name'), field.getAttribute('value')]),
    [
      ['type', 'pastExam'],
      ['item', String(subject.id)],
      ['verdict', 'reussi'],
    ],
    "'Réussi' is marked from the list",
  );
  t.match((await call(app, { url: `/api/disciplines/${study.split('/').at(-1)}/lus`, session: learner.session })).json(), {
    aRevoir: [subject.id],
  });
  t.match((await page(url, learner.session)).main, 'La dernière fois : à revoir.');
  const run = async (session = learner.session) => (await page(url, session)).document.querySelector('.timer')?.getAttribute('data-key');
  const [first, neighbour] = [await run(), await createLearner(home)];
  await createEnrolment(home, neighbour, prepa, 10);
  t.not(await run(neighbour.session), first, "the timer's time is one learner's");
  clock.advance(59_000);
  await marked('a_revoir');
  t.same(await kept(), [{ verdict: 'a_revoir', times: 1 }], 'a second tap does not count as a second practice');
  t.not(await run(), first, 'the marked practice is over: the next practice starts its own timer');
  clock.advance(60_000);
  await marked('a_revoir');
  t.match((await page('/user/a-revoir', learner.session)).main, 'après 2 entraînements');
  clock.advance(60_000);
  t.same(await marked('reussi'), ['Réussi']);
  t.same(await kept(), [{ verdict: 'reussi', times: 3 }]);
  t.same((await page('/user/a-revoir', learner.session)).texts('.result'), []);
});

t.test('a session that ends before the mark leads back to the practice', async (t) => {
  const { url, learner } = await course();
  const { pathname } = new URL(url, 'http://localhost');
  await sql(databaseUrl, 'delete from session where user_id = $1', [learner.id]);
  const suite = async (path: string, referer?: string) => {
    const answer = await app.inject({
      method: 'POST',
      url: path,
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        host: 'prepa.example',
        cookie: learner.session,
        ...(referer ? { referer } : {}),
      },
    });
    return new URL(String(answer.headers.location), 'http://local').searchParams.get('suite');
  };
  t.equal(await suite(pathname, `http://prepa.example${url}&corrige=oui`), `${url}&corrige=oui`);
  t.equal(await suite(pathname), '/user/dashboard');
  t.equal(await suite(pathname, `http://ailleurs.example${url}`), '/user/dashboard');
  t.equal(await suite(pathname, 'http://prepa.example//ailleurs.example/'), '/user/dashboard');
  t.equal(await suite('/user/profil/nom', 'http://prepa.example/user/profil'), '/user/profil');
});

t.test('only items with a correction that the learner may read now can be practised, marked and listed', async (t) => {
  const { mark, subject, plain, lesson, learner, study, url, prepa } = await course();
  const stranger = await createLearner(home);
  const ended = await createLearner(home);
  await createEnrolment(home, ended, prepa, -1);
  for (const { session, id } of [stranger, ended]) {
    t.match(await page(`${url}&corrige=oui`, session), { status: 303, location: `${study}?type=pastExam&item=${subject.id}` });
    t.match((await mark('reussi', session)).headers.location, study);
    t.same(await sql(databaseUrl, 'select from practice where user_id = $1', [id]), []);
  }
  t.match(await page(`${study}/entrainement?type=exercise&item=${plain.id}`, learner.session), {
    status: 303,
    location: `${study}?type=exercise&item=${plain.id}`,
  });
  t.match(await page(`${study}/entrainement?type=course&item=${lesson.id}`, learner.session), { status: 303 });
  t.match(await page(`${study}/entrainement`, learner.session), { status: 303, location: study });
  t.match(await page(`${study}/entrainement?type=video&item=1`, learner.session), { status: 400 });
  t.match(await page(`${study}/entrainement?type=pastExam&item=2000000000`, learner.session), { status: 404 });
  t.equal((await mark('peut-etre')).statusCode, 400);
  t.equal((await mark('reussi', learner.session, plain.id)).statusCode, 404);
  await mark('a_revoir');
  // The study page's marks, the review list and the dashboard use the same rule.
  const toTakeAgain = async () => {
    const marks = (await call(app, { url: `/api/disciplines/${study.split('/').at(-1)}/lus`, session: learner.session })).json();
    const { texts } = await page('/user/a-revoir', learner.session);
    const dashboard = await page('/user/dashboard', learner.session);
    return [marks.aRevoir, texts('.result h2'), dashboard.texts('.bar .count')];
  };
  t.same(await toTakeAgain(), [[subject.id], ['Sujet A'], ['1']]);
  await sql(databaseUrl, 'update item set corrige = null where id = $1', [subject.id]);
  t.same(await toTakeAgain(), [[], [], []], 'an item without a correction cannot be marked');
  await sql(databaseUrl, `update item set corrige = '<p>Oui.</p>' where id = $1`, [subject.id]);
  t.same(await toTakeAgain(), [[subject.id], ['Sujet A'], ['1']]);
  await sql(databaseUrl, `update enrolment set statut = 'expired' where user_id = $1`, [learner.id]);
  t.same((await page('/user/a-revoir', learner.session)).texts('.result'), [], 'no items of a prepa whose access has ended');
});
