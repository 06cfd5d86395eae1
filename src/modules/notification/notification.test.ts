import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, visit } from '../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';
import { grantEnrolment } from '../enrolment/index.ts';

const home = await createTestApp(t);
const { app, kernel, clock, databaseUrl } = home;

t.test('an enrolment is announced to its learner, in its own transaction', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'ENS <script>alert("1")</script> & co' });
  await grantEnrolment(kernel.fork(), kernel.context, { email: learner.email, prepaId: prepa.id, reason: 'essai' });
  const rows = await sql<{ message: string; date_creation: Date; xmin: string }>(
    databaseUrl,
    'select user_id, message, lu, date_creation, xmin::text from notification where user_id = $1',
    [learner.id],
  );
  t.equal(rows.length, 1);
  const [row] = rows;
  t.match(row, { user_id: learner.id, lu: false });
  t.same(row?.date_creation, clock.now());
  t.match(
    row?.message,
    /^Votre inscription à <a href="\/user\/prepa\/\d+"><strong>ENS &lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt; &amp; co<\/strong><\/a> est confirmée : vous y avez accès jusqu'au \d/,
  );
  t.same(await sql(databaseUrl, 'select xmin::text from enrolment where user_id = $1', [learner.id]), [{ xmin: row?.xmin }]);
});

t.test('a notification that cannot be written rolls the enrolment back', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await sql(databaseUrl, 'alter table notification rename to notification_away');
  const granted = grantEnrolment(kernel.fork(), kernel.context, { email: learner.email, prepaId: prepa.id, reason: 'essai' });
  await t.rejects(granted);
  await sql(databaseUrl, 'alter table notification_away rename to notification');
  t.same(await sql(databaseUrl, 'select 1 from enrolment where user_id = $1', [learner.id]), []);
});

t.test("the header's badge counts unread notifications, 99 at most", async (t) => {
  const learner = await createLearner(home);
  const badge = async () => {
    const { document } = parseHTML((await visit(app, '/user/dashboard', learner.session)).body);
    return document.querySelector('.bell .count')?.firstChild?.textContent?.trim() ?? null;
  };
  const add = (count: number, lu: boolean) =>
    sql(
      databaseUrl,
      `insert into notification (user_id, message, lu, date_creation) select $1, 'x', $3, now() from generate_series(1, $2::int)`,
      [learner.id, count, lu],
    );
  t.equal(await badge(), null);
  await add(5, true);
  t.equal(await badge(), null, 'read notifications do not count');
  await add(2, false);
  t.equal(await badge(), '2');
  await add(97, false);
  t.equal(await badge(), '99');
  await add(1, false);
  t.equal(await badge(), '99+');
});

t.test('when the count fails, the page is shown without the badge', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa);
  // Pages that count with the session, within their own statement, and in a separate statement.
  for (const url of ['/user/dashboard', `/user/prepa/${prepa.id}`, '/user/profil']) {
    await sql(databaseUrl, 'alter table notification rename to notification_away');
    const { statusCode, body } = await visit(app, url, learner.session);
    await sql(databaseUrl, 'alter table notification_away rename to notification');
    t.equal(statusCode, 200, url);
    t.match(body, learner.username);
    t.notMatch(body, 'notification_away');
    t.match(body, ' data-uncounted>', 'the page tells the browser to request the count');
  }
});

t.test('every page shows the same count', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa);
  const tried = await createPrepa(home);
  const discipline = await createDiscipline(home, tried.id);
  await createItem(home, discipline.id);
  const trial = `/user/prepa/consultation/${tried.id}`;
  const urls = ['/', '/user/preparations', `/user/prepa/${prepa.id}`, trial, `${trial}/${discipline.id}`, '/user/profil'];
  for (const count of [1, 2]) {
    await sql(databaseUrl, `insert into notification (user_id, message, lu, date_creation) values ($1, 'x', false, now())`, [learner.id]);
    for (const url of urls) {
      const { document } = parseHTML((await visit(app, url, learner.session)).body);
      t.equal(document.querySelector('.bell .count')?.firstChild?.textContent?.trim(), String(count), url);
    }
  }
});

t.test('a count of zero differs from a missing count', async (t) => {
  const learner = await createLearner(home);
  t.notMatch((await visit(app, '/user/dashboard', learner.session)).body, 'data-uncounted');
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  await createItem(home, discipline.id);
  await createEnrolment(home, learner, prepa);
  const study = await visit(app, `/user/prepa/${prepa.id}/${discipline.id}`, learner.session);
  t.equal(study.statusCode, 200);
  t.match(study.body, ' data-uncounted>');
});
