import { runInNewContext } from 'node:vm';
import t from 'tap';
import { asWritten, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { openPushService } from '../../../../test/support/push-service.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayIn } from '../../../shared/dates.ts';
import { createVapidKeys } from './protocol/vapid.ts';

const keys = createVapidKeys();
const home = await createTestApp(t, {
  PUSH_PUBLIC_KEY: keys.publicKey,
  PUSH_PRIVATE_KEY: keys.privateKey,
  PUBLIC_URL: 'https://prepa.example',
});
const { app, databaseUrl, clock } = home;
const service = await openPushService(t, keys.publicKey, () => clock.now());
let questions = 0;

/** Creates a learner who has finished today's session. */
async function finisher(site = home) {
  const prepa = await createPrepa(site);
  const discipline = await createDiscipline(site, prepa.id);
  questions += 1;
  await createItem(site, discipline.id, { contenu: numberQuestion(`rappelquest${questions}`, '4') });
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);
  const { session } = learner;
  const url = String((await submit(site.app, '/user/seance', { prepa: String(prepa.id) }, session)).headers.location);
  const begun = (await visit(site.app, url, session)).body;
  await submit(site.app, `${url}/questions/rappelquest${questions}`, { texte: '4' }, session);
  return { id: learner.id, session, begun, url, end: async () => asWritten((await visit(site.app, url, session)).body) };
}

const fieldsOf = ({ endpoint, p256dh, auth } = service.browser()) => ({ endpoint, p256dh, auth, heure: '19' });
const browsersOf = (userId: string) =>
  sql<{ endpoint: string; hour: number }>(
    databaseUrl,
    'select endpoint, hour from push_subscription where user_id = $1 order by created_at, id',
    [userId],
  );

t.test('asked on the page of a finished session only; then kept, changed and ended', async (t) => {
  const { id, session, begun, url, end } = await finisher();
  for (const page of [
    begun,
    ...(await Promise.all(['/user/dashboard', '/user/profil'].map((one) => visit(app, one, session)))).map(({ body }) => body),
  ])
    t.notMatch(page, /rappels/);
  const asked = await end();
  t.match(asked, 'Me le rappeler demain');
  t.match(asked, `data-key="${keys.publicKey}"`);
  t.match(asked, '<option value="19" selected>19:00</option>');
  t.notMatch(asked, 'Ne plus me le rappeler');

  const fields = { ...fieldsOf(), seance: url.split('/').at(-1) ?? '' };
  const kept = await submit(app, '/user/rappels', fields, session);
  t.match([kept.statusCode, kept.headers.location], [303, url]);
  t.same(await browsersOf(id), [{ endpoint: fields.endpoint, hour: 19 }]);
  t.match(await end(), 'Ne plus me le rappeler');
  await submit(app, '/user/rappels', { ...fieldsOf(), heure: '6' }, session);
  t.same(
    (await browsersOf(id)).map(({ hour }) => hour),
    [6, 6],
    'one hour for all devices',
  );
  t.match(await end(), '<option value="6" selected>06:00</option>');
  t.match(asWritten((await visit(app, '/user/profil', session)).body), /À 06:00, sur 2 appareils/);

  t.equal((await submit(app, '/user/rappels/fin', {}, session)).statusCode, 303);
  t.same(await browsersOf(id), []);
  t.notMatch((await visit(app, '/user/profil', session)).body, 'Rappels de la séance');
});

t.test('five browsers at most; a browser belongs to the last learner who asked in it', async (t) => {
  const [one, other] = [await finisher(), await finisher()];
  const fields = Array.from({ length: 7 }, () => fieldsOf());
  for (const each of fields) {
    clock.advance(1_000);
    await submit(app, '/user/rappels', each, one.session);
  }
  const kept = fields.slice(-5).map(({ endpoint }) => endpoint);
  t.same(
    (await browsersOf(one.id)).map(({ endpoint }) => endpoint),
    kept,
  );
  await submit(app, '/user/rappels', fields[6] ?? {}, other.session);
  t.equal((await browsersOf(one.id)).length, 4);
  t.equal((await browsersOf(other.id)).length, 1);
});

t.test('addresses inside the network, wrong keys and hours are refused with a message', async (t) => {
  const { id, session, url } = await finisher();
  const good = fieldsOf();
  const wrong = [
    { ...good, endpoint: 'https://10.0.0.1/send/x' },
    { ...good, endpoint: 'https://database.internal/send/x' },
    { ...good, endpoint: 'http://push.example.com/x' },
    { ...good, endpoint: '' },
    { ...good, p256dh: 'x' },
    { ...good, p256dh: `${good.p256dh}\0` },
    { ...good, auth: `${good.auth}\0` },
    { ...good, endpoint: `${good.endpoint}\0` },
    { ...good, endpoint: `https://${Array.from({ length: 5 }, () => 'a'.repeat(60)).join('.')}.example/x` },
    { ...good, auth: '' },
    { ...good, heure: '3' },
    { ...good, heure: '19.5' },
  ];
  // A learner may ask ten times a minute.
  const others = await finisher();
  for (const [index, fields] of wrong.entries()) {
    const { statusCode, headers } = await submit(app, '/user/rappels', fields, index < 6 ? session : others.session);
    t.match([statusCode, headers.location], [303, '/user/seance'], JSON.stringify(fields));
    const flash = Buffer.from(/flash=([\w-]+)/.exec(String(headers['set-cookie']))?.[1] ?? '', 'base64url').toString();
    t.match(flash, /"kind":"error","message":"(Ce navigateur|Choisissez)/, flash);
  }
  t.same([...(await browsersOf(id)), ...(await browsersOf(others.id))], []);
  t.equal((await visit(app, url, session)).statusCode, 200);
});

t.test('a sign-out ends the reminders of its device', async (t) => {
  const { id, session } = await finisher();
  await submit(app, '/user/rappels', fieldsOf(), session);
  t.equal((await browsersOf(id)).length, 1);
  await submit(app, '/api/users/logout', {}, session);
  t.same(await browsersOf(id), []);
});

t.test('the push worker, apart from the worker of kept prepas', async (t) => {
  const worker = await app.inject('/push-worker.js');
  t.match([worker.statusCode, worker.headers['cache-control']], [200, 'no-cache']);
  t.match(worker.headers['content-type'], /^text\/javascript/);
  // Runs it as a browser does.
  const listeners = new Map<string, (event: object) => void>();
  const done: unknown[] = [];
  const windows = [{ url: 'https://prepa.example/user/dashboard', focus: () => done.push('focus') }];
  const self = {
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    skipWaiting: () => {},
    registration: { showNotification: (title: string, options: object) => done.push([title, { ...options }]) },
    clients: { matchAll: async () => windows, openWindow: (url: string) => done.push(url) },
  };
  runInNewContext(worker.body, { self, URL, location: { origin: 'https://prepa.example' } });
  t.notOk(listeners.has('fetch'), 'it handles no requests');
  const waiting: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => waiting.push(work);
  const message = { title: 'Séance du jour', body: 'Elle attend.', url: '/user/seance', tag: 'seance' };
  listeners.get('push')?.({ data: { json: () => message }, waitUntil });
  const options = { body: 'Elle attend.', tag: 'seance', data: '/user/seance', lang: 'fr', icon: '/icon-192.png' };
  t.same(done.splice(0), [['Séance du jour', options]]);
  for (const data of ['/user/seance', '/user/dashboard']) {
    listeners.get('notificationclick')?.({ notification: { data, close: () => done.push('close') }, waitUntil });
    await Promise.all(waiting);
  }
  t.same(done, ['close', 'https://prepa.example/user/seance', 'close', 'focus']);
  const manifest = (await app.inject('/manifest.webmanifest')).json();
  t.match(manifest.shortcuts, [{ name: 'Séance du jour', url: '/user/seance' }]);
});

t.test('a run of days may be shared on WhatsApp, from its second day on and without personal data', async (t) => {
  const { id, end } = await finisher();
  t.notMatch(await end(), 'wa.me');
  await sql(
    databaseUrl,
    'insert into study_day (user_id, day, answers, seconds) select $1, $2::date - n, 3, 60 from generate_series(1, 3) n',
    [id, dayIn(clock.now())],
  );
  const [, text = ''] = /href="https:\/\/wa\.me\/\?text=([^"]+)"/.exec(await end()) ?? [];
  t.equal(decodeURIComponent(text.replaceAll('&#39;', "'")), "J'ai révisé 4 jours de suite sur PrépaConcours : https://prepa.example");
});

t.test('a site without keys has no reminders', async (t) => {
  const site = await createTestApp(t);
  const { session, end } = await finisher(site);
  t.notMatch(await end(), /rappel/i);
  t.equal((await submit(site.app, '/user/rappels', fieldsOf(), session)).statusCode, 404);
  t.equal((await site.app.inject('/push-worker.js')).statusCode, 404);
});
