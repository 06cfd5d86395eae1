import t from 'tap';
import { asWritten, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { unsubscriptionPath, unsubscriptionSigner } from './unsubscription.ts';

const home = await createTestApp(t, { WEEKLY_LETTER_DAY: '6', WEEKLY_LETTER_HOUR: '9' });
const { app, databaseUrl } = home;
const signer = await unsubscriptionSigner()(home.kernel.fork());

const choicesOf = async (userId: string) =>
  (
    await sql<{ id: number; weekly: boolean; ends: boolean }>(
      databaseUrl,
      'select id, weekly, ends from letter_choice where user_id = $1',
      [userId],
    )
  )[0];

t.test('offered after a finished session, until it is chosen; changed in the profile', async (t) => {
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  await createItem(home, discipline.id, { contenu: numberQuestion('letterasked1', '4') });
  const learner = await createLearner(home);
  const { id, session } = learner;
  await createEnrolment(home, learner, prepa);
  const url = String((await submit(app, '/user/seance', { prepa: String(prepa.id) }, session)).headers.location);
  t.notMatch((await visit(app, url, session)).body, '/user/lettres');
  await submit(app, `${url}/questions/letterasked1`, { texte: '4' }, session);
  t.match(asWritten((await visit(app, url, session)).body), 'Recevoir un point par semaine par email');
  const profile = async () => asWritten((await visit(app, '/user/profil', session)).body);
  t.match(await profile(), /name="hebdo" value="1">.*le samedi à 09:00/);
  t.match(await profile(), 'name="fins" value="1" checked>', 'ends of access are on by default');

  const chosen = await submit(app, '/user/lettres/hebdo', { seance: url.split('/').at(-1) ?? '' }, session);
  t.match([chosen.statusCode, chosen.headers.location], [303, url]);
  t.match(await choicesOf(id), { weekly: true, ends: true });
  t.notMatch((await visit(app, url, session)).body, '/user/lettres');
  t.match(await profile(), 'name="hebdo" value="1" checked>');

  await submit(app, '/user/lettres', { hebdo: '1' }, session);
  t.match(await choicesOf(id), { weekly: true, ends: false });
  await submit(app, '/user/lettres/hebdo', {}, session);
  t.match(await choicesOf(id), { weekly: true, ends: false }, 'the other choice stays');
  await submit(app, '/user/lettres', {}, session);
  t.match(await choicesOf(id), { weekly: false, ends: false });
});

t.test('a link in a letter: a GET asks, a POST of a mail program ends these letters at once, again and again', async (t) => {
  const { id, session } = await createLearner(home);
  const bodies = [
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'],
    ['text/plain', ''],
  ];
  for (const [type = '', payload = ''] of bodies)
    for (const kind of ['weekly', 'ends'] as const) {
      await submit(app, '/user/lettres', { hebdo: '1', fins: '1' }, session);
      const choiceId = (await choicesOf(id))?.id ?? 0;
      const url = unsubscriptionPath(signer.sign({ choiceId, kind }));
      const page = await visit(app, url);
      t.equal(page.statusCode, 200);
      t.match(page.body, `<form class="form" method="post" action="${url}">`);
      t.match(page.headers, { 'cache-control': 'no-store' });
      t.match(await choicesOf(id), { weekly: true, ends: true }, 'a GET changes nothing');
      for (let time = 0; time < 2; time += 1) {
        const ended = await app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
        t.equal(ended.statusCode, 200, type);
      }
      t.match(await choicesOf(id), { weekly: kind !== 'weekly', ends: kind !== 'ends' }, `${kind} alone`);
    }
});

t.test('a token that the site has not signed ends nothing; one of an erased learner is no error', async (t) => {
  const { id, session } = await createLearner(home);
  await submit(app, '/user/lettres', { hebdo: '1', fins: '1' }, session);
  const choiceId = (await choicesOf(id))?.id ?? 0;
  const token = signer.sign({ choiceId, kind: 'weekly' });
  const [named = '', hash = ''] = token.split('.');
  const other = signer.sign({ choiceId: choiceId + 1, kind: 'weekly' }).split('.')[1];
  const forged = [
    `${named}.${other}`,
    `f${named.slice(1)}.${hash}`,
    `${named}.`,
    `${named}.${hash.slice(1)}`,
    `${token}x`,
    'h1',
    '%00',
    'a'.repeat(150),
  ];
  for (const one of forged) {
    t.equal((await visit(app, unsubscriptionPath(one))).statusCode, 404, one);
    t.equal((await submit(app, unsubscriptionPath(one), {})).statusCode, 404, one);
  }
  t.match(await choicesOf(id), { weekly: true, ends: true });
  await sql(databaseUrl, 'delete from letter_choice where user_id = $1', [id]);
  t.equal((await submit(app, unsubscriptionPath(token), {})).statusCode, 200);
});
