import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { createTestApp, visit } from '../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../test/support/factories.ts';
import { statementsDuring } from '../../../test/support/statements.ts';

// Concurrent requests for a page that is not cached wait for one rendering.

const home = await createTestApp(t);
const { app } = home;

/** Returns a function that counts the renderings of the study page from now on. Error pages are rendered too. */
function countRenderings(t: Test, before: () => void = () => {}): () => number {
  const render = app.renderPage;
  let count = 0;
  const counted: typeof render = async (...args) => {
    if (args[1] === 'study/study') {
      count += 1;
      before();
    }
    return render(...args);
  };
  Object.assign(app, { renderPage: counted });
  t.teardown(() => Object.assign(app, { renderPage: render }));
  return () => count;
}

async function openLesson() {
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  await createItem(home, discipline.id, { contenu: '<p>Texte froid</p>' });
  const learners = await Promise.all([createLearner(home), createLearner(home)]);
  for (const learner of learners) await createEnrolment(home, learner, prepa);
  const url = `/user/prepa/${prepa.id}/${discipline.id}`;
  const all = (many: number) =>
    Promise.all(Array.from({ length: many }, (_, index) => visit(app, url, learners[index % learners.length]?.session)));
  return { learners, all, url };
}

t.test('reads and renders a cold page once for all concurrent requests, each with its own header', async (t) => {
  const { learners, all } = await openLesson();
  const renderings = countRenderings(t);
  let answers: Awaited<ReturnType<typeof all>> = [];
  const sent = await statementsDuring(async () => {
    answers = await all(40);
  });
  t.equal(renderings(), 1);
  t.equal(sent.filter(({ name }) => name === 'content.study').length, 1);
  t.equal(sent.filter(({ name }) => name === 'content.first-versions').length, 40, 'session and permission are checked for each request');
  for (const [index, { statusCode, body }] of answers.entries()) {
    t.equal(statusCode, 200);
    t.match(body, 'Texte froid');
    t.match(body, learners[index % 2]?.username);
    t.notMatch(body, learners[(index + 1) % 2]?.username);
  }
});

t.test('refuses a learner without access while others wait for the page', async (t) => {
  const { all, url } = await openLesson();
  const stranger = await createLearner(home);
  const [, refused] = await Promise.all([all(10), visit(app, url, stranger.session)]);
  t.equal(refused.statusCode, 303);
});

t.test('a failed rendering fails only the requests that wait for it', async (t) => {
  const { all } = await openLesson();
  let fails = true;
  const renderings = countRenderings(t, () => {
    if (fails) throw new Error('planted');
  });
  const refused = await all(5);
  t.strictSame(new Set(refused.map(({ statusCode }) => statusCode)), new Set([500]));
  const failed = renderings();
  fails = false;
  t.strictSame(new Set((await all(5)).map(({ statusCode }) => statusCode)), new Set([200]));
  t.equal(renderings(), failed + 1);
});

t.test("in a cached page, the header's name and message are not compressed, but its navigation is", async (t) => {
  const { username, session } = await createLearner(home);
  const message = Buffer.from(JSON.stringify([{ kind: 'info', message: 'Compte relié <!--common-->' }])).toString('base64url');
  const { rawPayload } = await app.inject({
    url: '/user/preparations',
    headers: { accept: 'text/html', 'accept-encoding': 'gzip', cookie: `${session}; flash=${message}` },
  });
  const page = gunzipSync(rawPayload).toString();
  for (const shown of [username, 'Dates de validité', 'Mes paiements', 'Voir toutes les notifications']) t.match(page, shown);
  for (const own of [`<strong>${username}</strong>`, 'Compte relié &lt;!--common--&gt;']) t.ok(rawPayload.includes(own), own);
  for (const common of ['Dates de validité', 'Mes paiements', 'Voir toutes les notifications'])
    t.notOk(rawPayload.includes(common), common);
});
