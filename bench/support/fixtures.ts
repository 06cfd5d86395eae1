/** Rows for measuring, written by PostgreSQL itself: many at once, and the same in every run. */
import { parseHTML } from 'linkedom';
import { sql } from '../../test/support/sql.ts';
import { writeItemWords } from './item-words.ts';

/** Learners are numbered from 1. As a site over https has it: under the name without a prefix each answer would move it. */
export const sessionCookie = (learner: number): string => `__Host-userToken=${sessionToken(learner)}`;
export const sessionToken = (learner: number): string => `bench-candidat_${learner}`;

/** Learners `from` to `to`, each with an open session of which only the SHA-256 is stored. */
export async function insertLearners(url: string, from: number, to: number): Promise<void> {
  await sql(
    url,
    `with learner as (
       insert into app_user (id, username, email, password_hash, created_at)
       select gen_random_uuid(), 'candidat_' || n, 'candidat' || n || '@gmail.com', 'unusable', now() from generate_series($1::int, $2::int) n
       returning id, username)
     insert into session (id, user_id, expires_at, created_at)
     select encode(sha256(convert_to('bench-' || username, 'UTF8')), 'hex'), id, now() + interval '30 days', now() from learner`,
    [from, to],
  );
}

/** Of the session that `insertAdministrator` opens. */
export const administratorToken = 'bench-administrator';

/** A super administrator who has a second factor, with an open session. Answers its cookie. */
export async function insertAdministrator(url: string): Promise<string> {
  await sql(
    url,
    `with one as (
       insert into administrator (id, username, email, password_hash, role, created_at)
       values (gen_random_uuid(), 'bench', 'bench@prepa.example', 'unusable', 'super_admin', now()) returning id),
     second as (insert into second_factor (administrator_id, secret, confirmed_at) select id, 'unusable', now() from one)
     insert into administrator_session (id, administrator_id, expires_at, created_at, used_at)
     select encode(sha256(convert_to($1, 'UTF8')), 'hex'), id, now() + interval '8 hours', now(), now() from one`,
    [administratorToken],
  );
  return `adminToken=${administratorToken}`;
}

/** Entries of the audit log, all of them the terminal's. */
export async function insertAuditEntries(url: string, count: number): Promise<void> {
  await sql(
    url,
    `insert into audit_entry (at, actor, action, subject, label, after)
     select now(), 'terminal', 'updated', 'prepa', 'Préparation ' || n, '{"prix": 15000}' from generate_series(1, $1::int) n`,
    [count],
  );
}

export async function insertPrepa(url: string, nom: string): Promise<number> {
  const rows = await sql<{ id: number }>(
    url,
    `insert into prepa (nom, description, prix, is_published, created_at, updated_at)
     values ($1, 'Pour les concours.', 15000, true, now(), now()) returning id`,
    [nom],
  );
  return rows[0]?.id ?? 0;
}

export async function insertDisciplines(url: string, prepaId: number, count: number): Promise<number[]> {
  const rows = await sql<{ id: number }>(
    url,
    `insert into discipline (prepa_id, nom, description, created_at, updated_at)
     select $1, 'Discipline ' || n, 'Une discipline.', now(), now() from generate_series(1, $2::int) n returning id`,
    [prepaId, count],
  );
  return rows.map(({ id }) => id);
}

/** Every learner may study the prepa for 20 more days. Who is enrolled already stays so. */
export async function enrolEverybody(url: string, prepaId: number): Promise<void> {
  await sql(
    url,
    `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
     select u.id, p.id, p.nom, 'active', now() - interval '10 days', now() + interval '20 days' from app_user u, prepa p where p.id = $1
     on conflict (user_id, prepa_id) do nothing`,
    [prepaId],
  );
}

export interface Lesson {
  id: number;
  disciplineId: number;
}

/** Lessons after those that the discipline has. */
export async function insertLessons(url: string, disciplineId: number, texts: string[]): Promise<Lesson[]> {
  const lessons = await sql<Lesson>(
    url,
    `insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select $1, 'course', 'Une leçon du programme, numéro ' || (before.n + t.n), before.n + t.n, t.html, now(), now()
     from unnest($2::text[]) with ordinality as t (html, n),
          (select count(*)::int as n from item where discipline_id = $1 and kind = 'course') before
     returning id, discipline_id as "disciplineId"`,
    [disciplineId, texts],
  );
  await writeItemWords(url);
  return lessons;
}

/** Settled payments, each with its notification, of one learner for one prepa. */
export async function insertPayments(
  url: string,
  { learner, prepaId, count }: { learner: number; prepaId: number; count: number },
): Promise<void> {
  await sql(
    url,
    `with paid as (
       insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, created_at, updated_at, settled_at)
       select 'zitopay', 'BENCH' || gen_random_uuid(), u.id, p.id, p.nom, p.prix, 'succeeded', now(), now(), now()
       from app_user u, prepa p, generate_series(1, $3::int) where u.username = 'candidat_' || $1::int and p.id = $2
       returning user_id)
     insert into notification (user_id, message, date_creation) select user_id, 'Votre inscription est confirmée.', now() from paid`,
    [learner, prepaId, count],
  );
}

/**
 * Texts as long as asked for, made of the demonstration's own paragraphs, tables and formulas: French as it is read here, which compresses as it does.
 *
 * @param sizes bytes of HTML, each reached and passed by less than a paragraph
 */
export async function composeTexts(url: string, sizes: number[]): Promise<string[]> {
  const items = await sql<{ contenu: string }>(url, `select contenu from item where key is not null order by id`);
  const blocks = items.flatMap(({ contenu }) => topLevel(contenu)).filter((block) => Buffer.byteLength(block) < 2_000);
  if (blocks.length < 100) throw new Error('the demonstration has too little text to make lessons of');
  return sizes.map((size, index) => {
    let html = '';
    // Another place to begin for each, so that no two are alike.
    for (let at = index * 7; Buffer.byteLength(html) < size; at += 1) html += blocks[at % blocks.length];
    return html;
  });
}

function topLevel(html: string): string[] {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  return [...document.body.children].map((element) => element.outerHTML);
}
