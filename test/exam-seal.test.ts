import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { inflateRawSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { createKernel } from '../src/kernel.ts';
import { Exam, ExamPaper } from '../src/modules/questions/exams/exam/exam.entity.ts';
import { markExam } from '../src/modules/questions/exams/marking/marking.service.ts';
import { announceExam } from '../src/modules/questions/exams/papers/announcement.service.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { unseal } from '../src/shared/exams/sealed-paper.ts';
import { call, TestClock } from './support/app.ts';
import { createTestDatabase } from './support/database.ts';
import { readEveryRoute } from './support/every-route.ts';
import { createAdministrator, createDiscipline, createEnrolment, createLearner, createPrepa } from './support/factories.ts';
import { choiceQuestion, numberQuestion, textQuestion } from './support/questions.ts';
import { sql } from './support/sql.ts';
import { asRole } from './support/template.ts';

// Plants unique words in every part of an exam's paper, made of a draft series, and looks for them in all that leaves the server: the paper
// and its key before the opening, the right answers before the publication of the results.

const { url: databaseUrl } = await createTestDatabase(t);
const clock = new TestClock(new Date('2027-12-03T07:00:00Z'));
const token = randomBytes(16).toString('hex');
let log = '';
const destination = new Writable({
  write(chunk, _encoding, done) {
    log += chunk;
    done();
  },
});
const config = loadConfig({
  NODE_ENV: 'test',
  DATA_DIR: t.testdir({}),
  RECONCILE_PAYMENTS: 'off',
  PUBLISH_DRAFTS: 'off',
  SHED_LOAD: 'off',
  ITEM_READS_PER_LEARNER_10_MINUTES: '1000000',
  METRICS_TOKEN: token,
});
const kernel = await createKernel(config, { databaseUrl: asRole(databaseUrl, 'web'), clock, log: createLog('trace', destination) });
const app = await buildApp(kernel);
t.teardown(async () => {
  await app.close();
  await kernel.close();
});
const site = { kernel, clock };

let count = 0;
/** Returns a word, or a number with `digits`, that occurs nowhere else. */
function plant(into: string[], digits = false): string {
  const number = 7_301_000 + count * 17;
  count += 1;
  into.push(digits ? String(number) : `zqx${number}w`);
  return into.at(-1) as string;
}
/** Words of the paper; words of its keys, which are secret for longer. */
const [paper, keys]: [string[], string[]] = [[], []];

const administrator = await createAdministrator(site, 'super_admin');
const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const [learner, stranger, former] = [await createLearner(site), await createLearner(site), await createLearner(site)];
await createEnrolment(site, learner, prepa, 20);
await createEnrolment(site, former, prepa, -1);
const viewers = { visitor: '', learner: learner.session, stranger: stranger.session, former: former.session };

// The picture's bytes are a word of the paper too, as they are and in base64.
const pictureName = `content/${createHash('md5').update('sujet').digest('hex')}.webp`;
const pictureText = plant(paper);
const picture = Buffer.from(`RIFF\0\0\0\0WEBPVP8 ${pictureText}`);
await kernel.context.files.write(pictureName, picture);
await sql(databaseUrl, 'insert into content_image (name, uploaded_at) values ($1, $2)', [pictureName, clock.now()]);
paper.push(picture.toString('base64').slice(0, 36));

const contenu = [
  `<p>${plant(paper)}</p><figure><img src="/media/${pictureName}" alt="${plant(paper)}"></figure>`,
  ...[false, true].map((several) =>
    choiceQuestion({
      id: '',
      several,
      statement: `${plant(paper)} ?`,
      choices: [
        { id: '', text: plant(paper), right: true, remark: plant(keys) },
        { id: '', text: plant(paper), remark: plant(keys) },
        { id: '', text: plant(paper) },
      ],
      explanation: plant(keys),
    }).replaceAll(' data-id=""', ''),
  ),
  numberQuestion('', plant(keys, true), { tolerance: `0,${plant(keys, true)}`, unit: 'mètres', statement: plant(paper) })
    .replace(' data-id=""', '')
    .replace('Par le calcul.', plant(keys)),
  textQuestion('', [plant(keys), plant(keys)], plant(paper)).replace(' data-id=""', ''),
].join('');
const saved = await call(app, {
  method: 'POST',
  url: '/api/series',
  session: administrator.session,
  payload: { titre: plant(paper), contenu, discipline_id: discipline.id, bareme: '1 ; 0 ; 0', brouillon: true },
});
if (saved.statusCode > 201) throw new Error(saved.body);
const { id: sourceId } = saved.json<{ brouillon: { id: number } }>().brouillon;

const opensAt = new Date('2027-12-04T07:00:00Z');
const closesAt = new Date('2027-12-04T09:00:00Z');
const em = kernel.fork();
const exam = await em.insert(Exam, {
  prepa: prepa.id,
  titre: 'Concours blanc',
  opensAt,
  closesAt,
  duree: 60,
  bareme: { juste: 1, faux: 0, sans: 0 },
  audience: 'learners',
});
await em.insert(ExamPaper, { exam, position: 1, sourceId, kind: 'quiz', titre: 'Épreuve', discipline: discipline.nom });
const { id: administratorId, username: name } = administrator;
await announceExam(kernel.fork(), kernel.context, { administratorId, name }, exam, 1);
const [{ key } = { key: Buffer.alloc(0) }] = await sql<{ key: Buffer }>(databaseUrl, 'select key from exam_seal where exam_id = $1', [
  exam,
]);
const sealKey = [key.toString('hex'), key.toString('base64').slice(0, 40), key.toString('base64url').slice(0, 40)];
const questions = (
  await sql<{ id: string }>(databaseUrl, 'select question_id as id from exam_question where exam_id = $1 order by position', [exam])
).map(({ id }) => id);

const leakOf = (words: readonly string[], body: string): string | undefined => {
  const lower = body.toLowerCase();
  return words.find((word) => lower.includes(word.toLowerCase()));
};

/** Reads every route, calls with answers, the kept copy, errors, metrics and the log; fails for each word found. */
async function seek(t: Test, words: readonly string[]): Promise<Map<string, number>> {
  const look = (address: string, viewer: string, body: string) => {
    const leak = leakOf(words, body);
    if (leak) t.fail(`${address} as ${viewer}: ${leak}`);
  };
  log = '';
  // Administrators see the paper: what they get must not be kept for others.
  for (const url of ['', '/apercu', '/questions', '/analyse', '/resultats.csv', '/liste'])
    await call(app, { url: `/admin/concours-blancs/${exam}${url}`, session: administrator.session });
  const asked = await readEveryRoute(
    app,
    {
      prepaId: prepa.id,
      disciplineId: discipline.id,
      items: [{ kind: 'quiz', id: sourceId }],
      otherIds: [exam, ...questions.slice(0, 1)],
    },
    viewers,
    ({ address, viewer, body }) => look(address, viewer, body),
  );
  const at = clock.now().getTime();
  const batch = { appareil: randomUUID(), numero: 1, envoye: at, debut: at };
  const base = `/api/concours-blancs/${exam}`;
  for (const [viewer, session] of Object.entries(viewers))
    for (const request of [
      { url: `/media/${pictureName}` },
      { url: `/user/concours-blancs/${exam}/images/${createHash('sha256').update(picture).digest('hex').slice(0, 32)}.webp` },
      { url: `${base}/scelle` },
      { url: `${base}/cle` },
      { url: `/api/hors-ligne/prepas/${prepa.id}/textes` },
      { method: 'POST', url: `/api/hors-ligne/prepas/${prepa.id}/differences`, payload: { tenus: [], changements: true } },
      { method: 'POST', url: `/api/hors-ligne/prepas/${prepa.id}/garder`, payload: { appareil: randomUUID(), disciplines: null } },
      { method: 'POST', url: `${base}/participation`, payload: { debut: at, appareil: randomUUID() } },
      { method: 'POST', url: `${base}/reponses`, payload: { ...batch, reponses: [{ q: questions[0], g: { typed: '1' }, t: at }] } },
      { method: 'POST', url: `${base}/reponses`, payload: { ...batch, reponses: 'x' } },
      { url: `${base}/participation` },
    ] as const) {
      const { body, rawPayload } = await call(app, { ...request, session });
      look(`${request.url}`, viewer, `${body}${rawPayload.toString('latin1')}`);
    }
  look('/metrics', 'monitoring', (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).body);
  t.ok(log.length > 1_000, 'requests are logged');
  look('log', 'operators', log);
  const told = await sql<{ text: string }>(
    databaseUrl,
    `select coalesce(string_agg(n.message, ' '), '') || coalesce((select string_agg(m.payload::text, ' ') from push_message m), '')
       || (select string_agg(concat_ws(' ', a.label, a.before, a.after), ' ') from audit_entry a where subject = 'exam') as text from notification n`,
  );
  look('notifications and audit log', 'all', told[0]?.text ?? '');
  return asked;
}

t.test('before the opening nothing of the paper and its key leaves the server', { timeout: 120_000 }, async (t) => {
  clock.advance(opensAt.getTime() - 1_000 - clock.now().getTime());
  const asked = await seek(t, [...paper, ...keys, ...sealKey]);
  t.ok((asked.get('/api/concours-blancs/:id/scelle') ?? 0) > 0, 'the sealed paper is given');
  t.ok((asked.get('/user/concours-blancs') ?? 0) > 0);
  t.notOk(asked.get('/api/concours-blancs/:id/cle'));
  const { rawPayload } = await call(app, { url: `/api/concours-blancs/${exam}/scelle`, session: learner.session });
  t.throws(() => inflateRawSync(rawPayload.subarray(12)), 'what phones keep is not merely compressed');
  await t.rejects(unseal(new Uint8Array(rawPayload), new Uint8Array(32)));
});

t.test('from the opening on the key opens the whole paper, and no right answer is in it', async (t) => {
  clock.advance(opensAt.getTime() - clock.now().getTime());
  const sealed = (await call(app, { url: `/api/concours-blancs/${exam}/scelle`, session: learner.session })).rawPayload;
  const { cle } = (await app.inject({ url: `/api/concours-blancs/${exam}/cle` })).json<{ cle: string }>();
  const opened = inflateRawSync(await unseal(new Uint8Array(sealed), new Uint8Array(Buffer.from(cle, 'base64')))).toString();
  t.same(
    paper.filter((word) => word !== pictureText && !opened.includes(word)),
    [],
    'every part of the paper, with its picture',
  );
  t.equal(leakOf([...keys, 'data-right'], opened), undefined);
});

t.test('no right answer leaves the server before the results are published', { timeout: 240_000 }, async (t) => {
  await seek(t, keys);
  clock.advance(closesAt.getTime() + 31 * 60_000 - clock.now().getTime());
  await markExam(kernel.fork(), kernel.context, exam);
  const asked = await seek(t, keys);
  t.ok((asked.get('/api/concours-blancs/:id/participation') ?? 0) > 0);
});
