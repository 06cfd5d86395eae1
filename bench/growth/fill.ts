/** Fills a migrated database that has the demonstration: set-based SQL, the same rows for the same seed, minutes for millions of rows. */
import pg from 'pg';
import { composeTexts } from '../support/fixtures.ts';
import { writeItemWords } from '../support/item-words.ts';
import { besideItems } from './fill-contents.ts';
import { offlineOf } from './fill-offline.ts';
import { paymentsOf } from './fill-payments.ts';
import { answersOf, questionsOfItems, talliesOfAnswers } from './fill-questions.ts';
import type { Size } from './sizes.ts';
import { subjectRows } from './subject.ts';
import { subjectQuestions } from './subject-questions.ts';

/** Sizes of the texts that the items share, in bytes of HTML; each item adds its own number to the text. */
const textSizes = Array.from({ length: 40 }, (_, index) => 1_500 + (index % 8) * 300);
const disciplinesOfPrepa = 5;
/** Days over which the payments are spread; the last one is today. */
const days = 730;

/** The tables that grow. Their indexes are built once, after the rows are inserted. */
const grown = [
  'app_user',
  'item_reading',
  'payment',
  'payment_event',
  'payment_notification',
  'notification',
  'enrolment',
  'enrolment_extension',
  'session',
  'known_device',
  'audit_entry',
  'practice',
  'offline_device',
  'offline_copy',
  'offline_entry',
  'item_report',
  'answer',
  'question_state',
  'series_attempt',
  'daily_session',
  'study_day',
  'study_plan',
];

/** SQL function that returns a number from 0 to 1, determined by a row's number, a salt and the seed. */
const dice = (seed: number) => `
  create function pg_temp.dice(n bigint, salt int) returns float8 language sql immutable parallel safe
  as $$ select (hashint8extended(n, salt + ${seed} * 1000) & 1073741823) / 1073741824.0 $$;
  create function pg_temp.uuid_of(n bigint) returns uuid language sql immutable parallel safe as $$ select overlay(overlay(md5('learner ' || n) placing '4' from 13) placing '8' from 17)::uuid $$;`;

const learners = ({ learners: count }: Size) => [
  `insert into app_user (id, username, email, password_hash, created_at)
   select pg_temp.uuid_of(n), 'candidat_' || n, 'candidat' || n || '@gmail.com', 'unusable', now() - interval '${days} days' * pg_temp.dice(n, 1)
   from generate_series(1, ${count}) n order by 1`,
  // One learner in five is signed in, some on two devices. A tenth of the sessions has expired.
  `insert into session (id, user_id, expires_at, created_at, device)
   select encode(sha256(convert_to('growth-' || n || '-' || d, 'UTF8')), 'hex'), pg_temp.uuid_of(n),
          now() + interval '30 days' * (pg_temp.dice(n, 2) - 0.1), now() - interval '1 day', 'Chrome sur Android'
   from generate_series(1, ${count}, 5) n, generate_series(1, 2) d where d = 1 or pg_temp.dice(n, 3) < 0.3`,
  `insert into known_device (device, user_id, known_at)
   select encode(sha256(convert_to('device-' || n, 'UTF8')), 'hex'), pg_temp.uuid_of(n), now() - interval '90 days' * pg_temp.dice(n, 4)
   from generate_series(1, ${count}, 3) n`,
];

const catalogue = ({ prepas }: Size) => [
  // One prepa in ten is not published.
  `insert into prepa (key, nom, description, prix, is_published, created_at, updated_at)
   select 'growth-' || n, 'Concours ' || n || ' ' || (array['ENS', 'ENAM', 'Polytechnique', 'IRIC', 'Santé', 'Police', 'Douanes'])[1 + n % 7],
          'Préparation complète au concours numéro ' || n || ' : cours, exercices corrigés et anciens sujets de chaque épreuve.',
          5000 + 1000 * (n % 16), n % 10 <> 9, now() - interval '${days} days', now() from generate_series(0, ${prepas} - 1) n`,
  `insert into discipline (prepa_id, key, nom, description, created_at, updated_at)
   select p.id, 'growth-' || d, (array['Mathématiques', 'Culture générale', 'Français', 'Anglais', 'Droit'])[d + 1], 'Le programme de l''épreuve, chapitre par chapitre.',
          now(), now()
   from prepa p, generate_series(0, ${disciplinesOfPrepa} - 1) d where p.key like 'growth-%' order by p.id, d`,
  // Numbers the prepas for the queries below. Prepas with small numbers have the most learners.
  `create temporary table numbered as
   select row_number() over (order by id)::int - 1 as n, id, nom, prix from prepa where key like 'growth-%'`,
  'create index on numbered (n)',
  'analyze numbered',
];

/**
 * Items `from` to `to` of each discipline: of ten items, six lessons, three exercises and one past exam. Every second item has been
 * edited.
 */
const items = (from: number, to: number) => `
  insert into item (discipline_id, kind, key, titre, numero_page, annee, contenu, corrige, version, created_at, updated_at)
  select d.id, kind, 'growth-' || i, (case kind when 'course' then 'Leçon' when 'exercise' then 'Exercice' else 'Sujet' end) || ' ' || i || ' de ' || d.nom,
         i / 10 * size + place, case kind when 'pastExam' then 2020 + i % 6 end,
         ($1::text[])[1 + (d.id * 7 + i) % ${textSizes.length}] || '<p>Texte numéro ' || d.id * 1000 + i || '.</p>',
         case when kind <> 'course' then '<p>La réponse est ' || d.id * 1000 + i || '.</p>' end, 1 + i % 2, now() - interval '300 days', now() - interval '200 days'
  from discipline d, generate_series(${from}, ${to}) i,
       lateral (select case when i % 10 < 6 then 'course' when i % 10 < 9 then 'exercise' else 'pastExam' end as kind,
                       case when i % 10 < 6 then 6 when i % 10 < 9 then 3 else 1 end as size,
                       case when i % 10 < 6 then i % 10 when i % 10 < 9 then i % 10 - 6 else 0 end + 1 as place) k
  where d.key like 'growth-%' and d.id % 2 = $2 order by d.id, i`;

/** Reading marks on the first items of each enrolment; few learners reach the end. */
const readings = ({ items: count, prepas, readings: wanted }: Size) => [
  `create temporary table own_item as
   select p.n, (row_number() over (partition by p.n order by i.numero_page, d.id, i.id))::int as place, i.id, i.kind
   from numbered p join discipline d on d.prepa_id = p.id join item i on i.discipline_id = d.id`,
  'create unique index on own_item (n, place)',
  'analyze own_item',
  // The exponent makes most learners read little and some nearly everything.
  `create temporary table reader as
   select e.user_id, e.date_inscription, p.n, least(${Math.round(count / prepas)}, ceil(pg_temp.dice(e.id, 30) ^ 1.2 * (select ${wanted} * 2.3 / count(*) from enrolment)))::int as items
   from enrolment e join numbered p on p.id = e.prepa_id`,
  `insert into item_reading (user_id, item_id, read_at, finished_at)
   select user_id, id, at, case when finished then at end from (
     select r.user_id, i.id, r.date_inscription + interval '29 days' * i.place / ${Math.round(count / prepas)} as at,
            i.kind <> 'exercise' and pg_temp.dice(i.id, 31) < 0.7 as finished
     from reader r join own_item i on i.n = r.n and i.place <= r.items order by r.user_id, i.id limit ${wanted}) o`,
  `insert into practice (user_id, item_id, verdict, marked_at)
   select user_id, item_id, case when pg_temp.dice(item_id, 32) < 0.4 then 'a_revoir' else 'reussi' end, read_at from item_reading r
   where item_id in (select id from own_item where kind = 'exercise') and abs(hashtext(user_id::text)) % 20 = 0 order by 1, 2`,
];

const journal = ({ auditEntries }: Size) => [
  // Most entries are edits by teachers; withdrawals, closed payments and changes of administrators are rare, as in production.
  `insert into audit_entry (at, actor, action, subject, subject_id, label, before, after)
   select now() - interval '${days} days' * (1 - n::float8 / ${auditEntries}), 'terminal',
          case when u < 0.9 then 'updated' when u < 0.95 then 'created' when u < 0.98 then 'published' when u < 0.99 then 'deleted'
               when u < 0.9999 then 'granted' else 'withdrawn' end,
          case when u < 0.7 then 'course' when u < 0.9 then 'exercise' when u < 0.95 then 'pastExam' when u < 0.99 then 'prepa' else 'enrolment' end,
          n % 100000, 'Leçon ' || n || ' de ' || (array['Mathématiques', 'Culture générale', 'Français', 'Anglais', 'Droit'])[1 + n % 5], null, '{"prix": 15000}'
   from generate_series(1, ${auditEntries}) n, lateral (select pg_temp.dice(n, 40) as u) d`,
];

/**
 * @param seed the same seed gives the same rows
 * @param say called with each finished step and its duration in seconds
 */
export async function fill(url: string, size: Size, { seed = 1, say = (_line: string) => {} } = {}): Promise<void> {
  const texts = await composeTexts(url, textSizes);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run = async (what: string, statements: readonly string[]) => {
    const start = performance.now();
    for (const statement of statements) await client.query(statement);
    say(`${what}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
  };
  try {
    // One generator writes rows and references, so foreign key checks and triggers are switched off.
    await run('settings', [
      dice(seed),
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '256MB'`,
    ]);
    const indexes = await client.query<{ indexname: string; indexdef: string }>(
      `select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename = any($1)
       and indexname not in (select conname from pg_constraint)`,
      [grown],
    );
    if (indexes.rows.length > 0) await client.query(`drop index ${indexes.rows.map(({ indexname }) => `"${indexname}"`).join(', ')}`);
    await run('learners', learners(size));
    await run('prepas and disciplines', catalogue(size));
    await fillItems(url, size, texts, say);
    await run('questions', questionsOfItems());
    await writeItemWords(url);
    await run('payments', paymentsOf(size, days));
    await run('reading marks', readings(size));
    await run('answers', answersOf(size));
    await run('beside items', besideItems(size));
    await run('kept on devices', offlineOf(size));
    await run('journal', journal(size));
    await run('the learner who looks', [...subjectRows(), ...subjectQuestions()]);
    await run(
      'indexes',
      indexes.rows.map(({ indexdef }) => indexdef),
    );
    // One call per month, as in the migration, so that a month's rows are stored together.
    await run('totals', [
      `select recount_payment_totals(month::date, (month + interval '1 month')::date)
       from generate_series(date_trunc('month', now() - interval '${days + 40} days'), date_trunc('month', now() + interval '40 days'), interval '1 month') month`,
    ]);
    // The triggers that maintain these tallies were off.
    await run('tallies', [
      'select retally_items(min(id), max(id)) from item',
      'select recount_progress(array(select id from app_user))',
      ...talliesOfAnswers(),
    ]);
    await run('vacuum', ['vacuum analyze']);
  } finally {
    await client.end();
  }
}

/** Inserts the items on two connections: stemming their words takes longest of all. */
async function fillItems(url: string, { items: count, prepas }: Size, texts: string[], say: (line: string) => void): Promise<void> {
  const start = performance.now();
  const each = Math.round(count / prepas / disciplinesOfPrepa);
  await Promise.all(
    [0, 1].map(async (half) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        await client.query('set session_replication_role = replica');
        await client.query(items(0, each - 1), [texts, half]);
      } finally {
        await client.end();
      }
    }),
  );
  say(`items: ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
