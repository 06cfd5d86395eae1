// Slow: it waits for a text that takes too long.
import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem } from '../../../../../test/support/factories.ts';
import { upload } from '../../../../../test/support/multipart.ts';
import { WorkError } from '../../../../platform/work/turns.ts';
import { refusalOf } from './text-worker.ts';

// A slow file of one administrator must not delay the work of others.

const site = await createTestApp(t);
const { app } = site;

/** A file with as many formulas as two tables can hold: reading it takes several times as long as all saves and drawings below. */
const oddFile = Buffer.from(`| a | b |\n|---|---|\n${'| $x$ | y |\n'.repeat(3_000)}\n`.repeat(2));

t.test('while a slow file is read, others save, draw and import', async (t) => {
  const [author, colleague] = [await createAdministrator(site), await createAdministrator(site)];
  const { id: discipline } = await createDiscipline(site);
  const lesson = await createItem(site, discipline);
  const send = (fichier: Buffer, session: string) =>
    upload(app, { method: 'POST', url: '/api/imports', fichier, fileName: 'a.md', fields: { type: 'course' }, session });
  let isRead = false;
  const odd = send(oddFile, author.session).finally(() => {
    isRead = true;
  });
  const { session } = colleague;
  for (const words of ['bonjour', 'bonsoir', 'merci']) {
    const payload = { titre: 'Une leçon', contenu: `<p>${words}</p>` };
    const saved = await call(app, { method: 'PUT', url: `/api/lecons/${lesson.id}`, session, payload });
    t.match([saved.statusCode, saved.json().contenu], [200, `<p>${words}</p>`], saved.body);
    t.equal((await call(app, { method: 'POST', url: '/api/formules', session, payload: { latex: 'x^2' } })).statusCode, 200);
  }
  t.notOk(isRead, 'all other requests were finished before the slow file');

  const others = await Promise.all(Array.from({ length: 7 }, (_, index) => send(Buffer.from(`Texte ${index}.`), session)));
  const refused = others.filter(({ statusCode }) => statusCode === 503);
  t.equal(refused.length, 2, 'five files wait in the queue and are read');
  t.equal(others.filter(({ statusCode }) => statusCode === 200).length, 5);
  t.match(refused[0]?.json().message, "Trop de documents sont en cours d'importation. Réessayez dans un instant.");
  t.equal(refused[0]?.headers['retry-after'], '5');
  await odd;
});

t.test('only a task that was started is refused as too complicated', async (t) => {
  for (const reason of ['time', 'death'] as const)
    t.match(refusalOf(new WorkError(reason)), { status: 400, message: /^Ce texte est trop long ou trop compliqué/ }, reason);
  t.match(refusalOf(new WorkError('busy')), { status: 503, retryAfter: 5, message: /^Trop de textes/ });
  t.match(refusalOf(new WorkError('waited')), { status: 503, retryAfter: 5, message: /^Le serveur est occupé/ });
});
