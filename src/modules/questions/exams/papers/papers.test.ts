import { inflateRawSync } from 'node:zlib';
import t from 'tap';
import { createTestApp } from '../../../../../test/support/app.ts';
import { createAnnouncedExam, createCandidates, createExam, createOpenExam, minuteMs } from '../../../../../test/support/exams.ts';
import { createAdministrator, createEnrolment, createLearner, createPicture, createPrepa } from '../../../../../test/support/factories.ts';
import { choiceQuestion, faulty, numberQuestion } from '../../../../../test/support/questions.ts';
import { readRows } from '../../../../platform/database/rows.ts';
import { unseal } from '../../../../shared/exams/sealed-paper.ts';
import { announceExam, previewPaper } from './announcement.service.ts';

const home = await createTestApp(t);
const { app, kernel, clock } = home;
const administrator = await createAdministrator(home);
const actor = { administratorId: administrator.id, name: administrator.username };
const announce = (id: number, revision = 1) => announceExam(kernel.fork(), kernel.context, actor, id, revision);
const get = (path: string, session?: string, headers: Record<string, string> = {}) =>
  app.inject({
    url: `/api/concours-blancs/${path}`,
    headers: { accept: 'application/json', ...(session && { cookie: session }), ...headers },
  });

const right = { id: 'ccccccccccc1', text: 'Yaoundé', right: true, remark: 'Remarque cachée' };
const question = choiceQuestion({
  id: 'qqqqqqqqqqq1',
  statement: 'Quelle est la capitale ?',
  choices: [right, { id: 'ccccccccccc2', text: 'Douala' }],
  explanation: 'Explication cachée.',
});

t.test('an announced paper is a copy without keys, with its pictures, opened by the key from the opening on', async (t) => {
  const prepa = await createPrepa(home);
  const exam = await createExam(home, {
    prepa,
    papers: [
      { titre: 'Culture générale', contenu: `<p>Lisez ceci.</p>${question}${faulty(numberQuestion('qqqqqqqqqqq3', '4'))}` },
      { titre: 'Calcul', contenu: numberQuestion('qqqqqqqqqqq2', '12', { statement: 'Combien font 3 × 4 ?' }) },
      { kind: 'pastExam', titre: 'Dissertation', contenu: '<p>Commentez.</p>', corrige: '<p>Corrigé caché.</p>' },
    ],
  });
  const address = await createPicture(home, exam.items[0] ?? 0, 'figure');
  const preview = await previewPaper(kernel.fork(), kernel.context, exam.id);
  await announce(exam.id);
  const em = kernel.fork();
  await em.execute(`update item set contenu = '<p>Autre texte</p>', keys = '[]' where id = any(?::int[])`, [`{${exam.items}}`]);
  await kernel.context.files.remove([address.replace('/media/', '')]);

  const learner = await createLearner(home);
  const path = `${exam.id}/scelle`;
  t.equal((await get(path)).statusCode, 401);
  t.equal((await get(path, learner.session)).statusCode, 403, 'without access');
  await createEnrolment(home, learner, prepa);
  const sealed = await get(path, learner.session);
  t.match(sealed, { statusCode: 200, headers: { 'content-type': 'application/octet-stream', 'cache-control': 'private, no-cache' } });
  const again = await get(path, learner.session, { 'if-none-match': String(sealed.headers.etag) });
  t.match(again, { statusCode: 304, rawPayload: Buffer.alloc(0) });

  const early = await get(`${exam.id}/cle`);
  t.match(early, { statusCode: 403, headers: { 'cache-control': 'no-store' } });
  t.same(early.json(), {
    message: early.json().message,
    ouverture: exam.opensAt.getTime(),
    maintenant: clock.now().getTime(),
  });
  clock.advance(60 * minuteMs - 1);
  t.equal((await get(`${exam.id}/cle`)).statusCode, 403, 'one millisecond before');
  clock.advance(1);
  const released = await get(`${exam.id}/cle`);
  t.match(released, { statusCode: 200, headers: { 'cache-control': /^public, max-age=\d+, immutable$/ } });
  t.ok(released.body.length < 100, 'a small response');
  const key = new Uint8Array(Buffer.from(released.json().cle, 'base64'));
  const html = inflateRawSync(await unseal(new Uint8Array(sealed.rawPayload), key)).toString();

  t.equal(html, preview.html, 'as in the preview');
  t.same(
    [...html.matchAll(/name="(r-[^"]*)"/g)].map(([, name]) => name),
    ['r-qqqqqqqqqqq1', 'r-qqqqqqqqqqq1', 'r-qqqqqqqqqqq1', 'r-qqqqqqqqqqq2'],
  );
  t.match(html, /Question 1[\s\S]*capitale[\s\S]*Question 2[\s\S]*3 × 4[\s\S]*Dissertation[\s\S]*Commentez/);
  t.match(html, `data:image/webp;base64,${Buffer.from('RIFF\0\0\0\0WEBPVP8 figure').toString('base64')}`);
  t.notMatch(html, /cachée?\b|\/media\/|data-right/);
  const frozen = await readRows<{ position: number; key: { right: string[] } }>(
    em,
    'select position, key from exam_question where exam_id = ? order by position',
    [exam.id],
  );
  t.match(frozen, [
    { position: 1, key: { right: ['ccccccccccc1'] } },
    { position: 2, key: { value: '12' } },
  ]);
  t.equal(frozen.length, 2, 'without the question that has a fault');
});

t.test('a changed opening counts at once', async (t) => {
  const exam = await createAnnouncedExam(home);
  const move = (minutes: number) =>
    kernel
      .fork()
      .execute('update exam set opens_at = ?::timestamptz where id = ?', [
        new Date(clock.now().getTime() + minutes * minuteMs).toISOString(),
        exam.id,
      ]);
  t.equal((await get(`${exam.id}/cle`)).statusCode, 403);
  clock.advance(60 * minuteMs);
  await move(10);
  t.equal((await get(`${exam.id}/cle`)).statusCode, 403, 'later');
  await move(0);
  t.equal((await get(`${exam.id}/cle`)).statusCode, 200, 'now');
});

t.test('a draft has neither a paper nor a key', async (t) => {
  const exam = await createExam(home, { audience: 'learners', opensIn: -1 });
  const { session } = await createLearner(home);
  t.equal((await get(`${exam.id}/scelle`, session)).statusCode, 404);
  t.equal((await get(`${exam.id}/cle`)).statusCode, 404);
  t.equal((await get('2147483647/cle')).statusCode, 404);
});

t.test('an announcement is refused with its reason', async (t) => {
  const refused = async (about: string, message: RegExp, exam: { id: number }, revision = 1) => {
    await t.rejects(announce(exam.id, revision), { message }, about);
    const [row] = await readRows<{ announcedAt: null }>(kernel.fork(), 'select announced_at from exam where id = ?', [exam.id]);
    t.equal(row?.announcedAt, null, about);
  };
  await refused('after a change', /vient d'être modifié/, await createExam(home), 2);
  await refused('too late', /L'ouverture est passée/, await createExam(home, { opensIn: 0 }));
  await refused('without papers', /au moins une série/, await createExam(home, { papers: [] }));
  await refused('an empty series', /n'a aucune question/, await createExam(home, { papers: [{ contenu: '<p>Rien</p>' }] }));
  await refused('too many questions', /a 301 questions/, await createExam(home, { questions: 301 }));
  const gone = await createExam(home);
  await kernel.fork().execute('delete from item where id = ?', [gone.items[0]]);
  await refused('a deleted series', /n'existe plus dans cette préparation/, gone);
  const twice = await createExam(home);
  await kernel
    .fork()
    .execute(
      `insert into exam_paper (exam_id, position, source_id, kind, titre, discipline) select exam_id, 2, source_id, kind, titre, discipline from exam_paper where exam_id = ?`,
      [twice.id],
    );
  await refused('the same series twice', /ont une même question/, twice);
  const large = await createExam(home);
  await createPicture(home, large.items[0] ?? 0, 'x'.repeat(6_500_000));
  await refused('a paper over 8 MB', /dépassent 8 Mo/, large);
  const missing = await createExam(home);
  const address = await createPicture(home, missing.items[0] ?? 0, 'missing');
  await kernel.context.files.remove([address.replace('/media/', '')]);
  await refused('without a picture', /Une image de/, missing);
  const announced = await createAnnouncedExam(home);
  await t.rejects(announce(announced.id, 2), { message: /déjà annoncé/, status: 409 });
});

t.test('a series that is a draft is announced without being published', async (t) => {
  const exam = await createExam(home);
  const em = kernel.fork();
  await em.execute(
    `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, keys, revision, remarks, saved_at, saved_by)
     select i.id, i.discipline_id, i.kind, 'Série inédite', '', '', '', i.contenu, i.keys, 1, '[]', now(), 'Awa' from item i where i.id = ?`,
    [exam.items[0]],
  );
  await em.execute('delete from item where id = ?', [exam.items[0]]);
  await announce(exam.id);
  t.match((await previewPaper(kernel.fork(), kernel.context, exam.id)).html, /Série inédite[\s\S]*Question posée 3/);
});

t.test('many candidates are created for other tests', async (t) => {
  const exam = await createOpenExam(home, { questions: 5 });
  const ids = await createCandidates(home, exam, 20);
  t.equal(new Set(ids).size, 20);
  const [row] = await readRows<{ count: number; answers: number }>(
    kernel.fork(),
    'select count(*)::int as count, sum(jsonb_array_length(answers))::int as answers from exam_batch where exam_id = ?',
    [exam.id],
  );
  t.same(row, { count: 20, answers: 100 });
});
