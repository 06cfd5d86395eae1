import t, { type Test } from 'tap';
import { createTestApp, openCommands } from '../../../../test/support/app.ts';
import { createAnnouncedExam, createSitting } from '../../../../test/support/exams.ts';
import { createDiscipline, createItem, createPrepa } from '../../../../test/support/factories.ts';
import { type Arrived, openPostOffice, type PostOffice } from '../../../../test/support/post-office.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { loadConfig } from '../../../config.ts';
import { openMailer } from '../../../platform/mail/open-mailer.ts';
import { sendLetters } from './mailing.ts';

/** Sunday, a quarter past five in the afternoon in Douala. */
const sunday = new Date('2026-11-29T16:15:00Z');
const origin = 'https://prepa.example';

interface LearnerOptions {
  weekly?: boolean | null;
  ends?: boolean;
  /** Days of access; null for none. */
  days?: number | null;
  sentOn?: string | null;
}

/** Creates an empty site on a Sunday afternoon, with a prepa that asks a question. */
async function world(t: Test) {
  const home = await createTestApp(t);
  home.clock.advance(sunday.getTime() - home.clock.now().getTime());
  const prepa = await createPrepa(home, { nom: 'ENAM' });
  const discipline = await createDiscipline(home, prepa.id);
  await createItem(home, discipline.id, { contenu: numberQuestion('letterasked1', '4') });
  const kernel = await openCommands(t, home);
  const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(home.databaseUrl, text, values);
  let made = 0;
  return {
    home,
    prepa,
    discipline,
    query,
    /** Creates a learner. @param options `weekly` null: without a choice */
    async learner({ weekly = true, ends = true, days = 20, sentOn = null }: LearnerOptions = {}) {
      made += 1;
      const [name, email] = [`lettre${made}`, `lettre${made}@gmail.com`];
      const [{ id } = { id: '' }] = await query<{ id: string }>(
        `insert into app_user (id, username, email, password_hash, created_at) values (gen_random_uuid(), $1, $2, 'unusable', now()) returning id`,
        [name, email],
      );
      if (days !== null)
        await query(
          `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
           values ($1, $2, $3, 'active', $4, $4::timestamptz + $5 * interval '1 day')`,
          [id, prepa.id, prepa.nom, sunday, days],
        );
      if (weekly !== null)
        await query('insert into letter_choice (user_id, weekly, ends, sent_on) values ($1, $2, $3, $4)', [id, weekly, ends, sentOn]);
      return { id, email };
    },
    async send({ url }: PostOffice) {
      const config = loadConfig({ NODE_ENV: 'test', PUBLIC_URL: origin, MAIL_FROM: 'ne-pas-repondre@prepa.example', SMTP_URL: url });
      const mailer = await openMailer(config, kernel.log);
      if (!mailer) throw new Error('no mailer');
      return sendLetters(kernel.fork(), kernel.context, { mailer, site: config.site, origin, weeklyLetter: config.weeklyLetter });
    },
  };
}

const hours = (count: number) => count * 3_600_000;
const recipients = (post: PostOffice) =>
  post
    .letters()
    .map(({ to }) => to)
    .sort();
const emails = (...of: { email: string }[]) => of.map(({ email }) => email).sort();
/** Returns a header of a message, unfolded. */
const headerOf = ({ raw }: Arrived, name: string) =>
  new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, 'm').exec(raw)?.[1]?.replaceAll(/\s+/g, ' ').trim();

t.test('on Sunday from 17:00 on, those who asked for it and have access to questions get one letter', async (t) => {
  const site = await world(t);
  const post = await openPostOffice(t);
  const [one, other] = [await site.learner(), await site.learner({ ends: false })];
  await site.learner({ weekly: false });
  await site.learner({ weekly: null });
  await site.learner({ days: null });
  await site.learner({ days: -1 });
  await site.learner({ sentOn: '2026-11-24' });
  const blocked = await site.learner();
  await site.query('update app_user set blocked_at = now() where id = $1', [blocked.id]);

  site.home.clock.advance(-hours(1));
  t.match(await site.send(post), { weekly: 0 }, 'not at 16:15');
  site.home.clock.advance(hours(1));
  t.match(await site.send(post), { weekly: 2, ends: 0, refused: 0, rejected: 0, unknown: 0 });
  t.same(recipients(post), emails(one, other));
  site.home.clock.advance(hours(2));
  t.match(await site.send(post), { weekly: 0 }, 'a repeat sends nothing');
  site.home.clock.advance(6 * 24 * hours(1));
  t.match(await site.send(post), { weekly: 0 }, 'nor does a Saturday');
  site.home.clock.advance(24 * hours(1));
  // The learner whose last letter was on a Tuesday gets theirs now.
  t.match(await site.send(post), { weekly: 3 }, 'the next Sunday');
});

t.test('what a letter says: days of study, the session of the day, the concours, an end of access', async (t) => {
  const site = await world(t);
  const post = await openPostOffice(t);
  const busy = await site.learner({ days: 5 });
  await site.query(`insert into study_plan (user_id, prepa_id, choice, day, minutes) values ($1, $2, 'own', '2026-12-21', 30)`, [
    busy.id,
    site.prepa.id,
  ]);
  for (const day of ['2026-11-22', '2026-11-23', '2026-11-26', '2026-11-29'])
    await site.query('insert into study_day (user_id, day, answers, seconds) values ($1, $2, 3, 60)', [busy.id, day]);
  await site.send(post);
  const letter = await post.next();
  t.equal(letter.subject, 'Votre semaine : 3 jours de révision, J-22');
  const said = [
    'Bonjour lettre1,',
    'Cette semaine, vous avez révisé 3 jours : lundi, jeudi et dimanche.',
    'Concours ENAM : J-22, le 21 décembre 2026.',
    'La séance du jour vous demande 30 minutes.',
    `${origin}/user/seance`,
    'Votre accès à ENAM prend fin dans 5 jours, le 4 décembre 2026. Renouvelé avant, il est prolongé de 30 jours.',
  ];
  t.same(letter.text.trim().split('\n\n').slice(0, said.length), said);
  t.match(letter.html, `<a href="${origin}/user/seance">Ouvrir ma séance du jour</a>`);
  for (const sentence of said.filter((line) => !line.includes("'"))) if (!sentence.startsWith('http')) t.match(letter.html, sentence);

  await site.learner();
  await site.send(post);
  const idle = await post.next();
  t.equal(idle.subject, 'Votre point de la semaine');
  t.match(idle.text, 'La séance du jour vous demande 15 minutes.');
  t.notMatch(idle.text, /0 jour|n'avez|rien|J-\d|Concours ENAM|accès/, 'no reproach, no date, no end that is far');

  const done = await site.learner();
  await site.query(
    `insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at, finished_at) values (gen_random_uuid(), $1, $2, '2026-11-29', 1, '[]', $3, $3)`,
    [done.id, site.prepa.id, sunday],
  );
  await site.send(post);
  t.match((await post.next()).text, "La séance d'aujourd'hui est faite : bravo.");

  const { id: exercise } = await createItem(site.home, site.discipline.id, { kind: 'exercise', corrige: '<p>Oui.</p>' });
  for (const [asked, left] of [
    [[{ id: 'letterasked1' }, { id: '', item: exercise }], '1 question et 1 exercice'],
    [[{ id: '', item: exercise }], '1 exercice'],
    [[{ id: '', item: exercise, passed: true }], 'le bilan'],
  ] as const) {
    const begun = await site.learner();
    await site.query(
      `insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at) values (gen_random_uuid(), $1, $2, '2026-11-29', 1, $4, $3)`,
      [begun.id, site.prepa.id, sunday, JSON.stringify(asked)],
    );
    await site.send(post);
    t.match((await post.next()).text, `La séance d'aujourd'hui est commencée : il reste ${left}.`);
  }
});

t.test('a letter names the next mock exams that its learner may take', async (t) => {
  const site = await world(t);
  const post = await openPostOffice(t);
  const learner = await site.learner();
  const done = await createAnnouncedExam(site.home, { titre: 'Remis', prepa: site.prepa, opensIn: 60 });
  await createSitting(site.home, done, learner, { handedIn: 30 });
  const own = await createAnnouncedExam(site.home, { titre: 'ENAM 2027', prepa: site.prepa, opensIn: 3 * 24 * 60 });
  await createAnnouncedExam(site.home, { titre: 'Ailleurs', opensIn: 60 });
  await site.send(post);
  const letter = await post.next();
  t.match(letter.text, 'Concours blanc « ENAM 2027 » : mercredi 2 décembre à 17\u00a0h\u00a015.');
  t.match(letter.text, `\n\n${origin}/user/concours-blancs/${own.id}\n\n`);
  t.match(letter.html, `<a href="${origin}/user/concours-blancs/${own.id}">Ouvrir la page du concours blanc</a>`);
  t.notMatch(letter.text, 'Ailleurs');
  t.notMatch(letter.text, 'Remis', 'nor one that they have handed in');
});

t.test('the headers of RFC 8058, and a link that ends these letters', async (t) => {
  const site = await world(t);
  const post = await openPostOffice(t);
  const { id } = await site.learner();
  await site.send(post);
  const letter = await post.next();
  t.equal(headerOf(letter, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
  const [, link = '', mailto = ''] = /^<(https:[^>]+)>, <(mailto:[^>]+)>$/.exec(headerOf(letter, 'List-Unsubscribe') ?? '') ?? [];
  t.ok(link.startsWith(`${origin}/lettres/`));
  const token = link.split('/').at(-1) ?? '';
  t.match(decodeURIComponent(mailto), `mailto:support@prepaconcours.cm?subject=Désinscription ${token}`);
  t.match(letter.text, link);
  t.match(letter.html, `<a href="${link}">Ne plus recevoir le point de la semaine</a>`);
  t.notMatch(token, new RegExp(`lettre|gmail|${id.slice(0, 8)}`));

  // As a mail program does: from another origin, without cookies.
  const answer = await site.home.app.inject({
    method: 'POST',
    url: `/lettres/${token}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  });
  t.equal(answer.statusCode, 200);
  t.same(await site.query('select weekly, ends from letter_choice'), [{ weekly: false, ends: true }]);
  site.home.clock.advance(7 * 24 * hours(1));
  t.match(await site.send(post), { weekly: 0 });
});

t.test('seven days before an end of access, by day, unless the weekly letter says it', async (t) => {
  const site = await world(t);
  const post = await openPostOffice(t);
  site.home.clock.advance(18 * hours(1));
  const [soon, chosen] = [await site.learner({ weekly: null, days: 8 }), await site.learner({ weekly: false, days: 3 })];
  const second = await createPrepa(site.home, { nom: 'ENS' });
  await site.query(
    `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration) values ($1, $2, 'ENS', 'active', $3, $3::timestamptz + interval '5 days')`,
    [chosen.id, second.id, sunday],
  );
  await site.learner({ weekly: null, days: 9 });
  await site.learner({ weekly: false, ends: false, days: 3 });
  await site.learner({ weekly: true, days: 3, sentOn: '2026-11-29' });
  // 11:15 on Monday.
  t.match(await site.send(post), { ends: 2, weekly: 0 });
  t.same(recipients(post), emails(soon, chosen));
  const first = post.letters().find(({ to }) => to === chosen.email);
  t.equal(first?.subject, 'Votre accès à ENAM prend fin dans 2 jours');
  t.match(first?.text, `${origin}/user/dashboard?paiement=${site.prepa.id}`);
  t.match(first?.html, `Ne plus recevoir d'email avant la fin d'un accès`);
  t.ok(first && headerOf(first, 'List-Unsubscribe-Post'));
  t.match(await site.send(post), { ends: 0 }, 'a repeat sends nothing');
  for (let day = 0; day < 6; day += 1) {
    site.home.clock.advance(24 * hours(1));
    await site.send(post);
  }
  t.equal(recipients(post).filter((to) => to === chosen.email).length, 1, 'one a week, also for two accesses');
  t.equal(recipients(post).filter((to) => to === soon.email).length, 1, 'once for an end');
});

t.test('on Sunday the ends of those with a weekly letter wait for it; at night none is sent', async (t) => {
  const site = await world(t);
  const post = await openPostOffice(t);
  await site.learner({ weekly: true, days: 3, sentOn: '2026-11-22' });
  const without = await site.learner({ weekly: null, days: 3 });
  site.home.clock.advance(-hours(10));
  t.match(await site.send(post), { ends: 0 }, 'not at 7:15');
  site.home.clock.advance(hours(2));
  t.match(await site.send(post), { ends: 1, weekly: 0 });
  t.same(recipients(post), emails(without));
  site.home.clock.advance(hours(8));
  t.match(await site.send(post), { ends: 0, weekly: 1 });
});

t.test('a letter that the mail server refuses for now is sent by the next run; a rejected address is not tried again', async (t) => {
  const site = await world(t);
  for (let index = 0; index < 5; index += 1) await site.learner();
  const away = { url: 'smtp://127.0.0.1:9' } as PostOffice;
  t.match(await site.send(away), { weekly: 0, refused: 3 }, 'a dead server ends the run');
  const busy = await openPostOffice(t, { answers: { RCPT: '451 4.7.1 later' } });
  t.match(await site.send(busy), { weekly: 0, refused: 3 });
  const post = await openPostOffice(t);
  t.match(await site.send(post), { weekly: 5 });
  t.equal(new Set(recipients(post)).size, 5);

  const strict = await openPostOffice(t, { answers: { RCPT: '550 5.1.1 unknown' } });
  const unknown = await site.learner();
  t.match(await site.send(strict), { weekly: 0, rejected: 1 });
  t.match(await site.send(post), { weekly: 0 });
  t.notOk(recipients(post).includes(unknown.email));
});

t.test('a server that breaks off after a letter may have it: it is not repeated', async (t) => {
  const site = await world(t);
  for (let index = 0; index < 5; index += 1) await site.learner();
  const broken = await openPostOffice(t, { breaksAfter: 'DATA' });
  t.match(await site.send(broken), { weekly: 0, refused: 0, unknown: 3 });
  const post = await openPostOffice(t);
  t.match(await site.send(post), { weekly: 2 });
  t.equal(new Set([...recipients(post), ...recipients(broken)]).size, 5, 'none twice');
});

t.test('several runs at once send each letter once', async (t) => {
  const site = await world(t);
  const post = await openPostOffice(t);
  for (let index = 0; index < 130; index += 1) await site.learner(index % 2 ? {} : { weekly: null, days: 3 });
  const runs = await Promise.all([site.send(post), site.send(post), site.send(post)]);
  t.same([runs.reduce((sum, { weekly }) => sum + weekly, 0), runs.reduce((sum, { ends }) => sum + ends, 0)], [65, 65]);
  t.equal(new Set(recipients(post)).size, 130);
});
