/**
 * `ONLY=marking make soak`: marks CANDIDATES (30,000) copies of 60 answers, then again after a neutralised question, beside one SQL statement
 * that does the scoring alone. The points and ranks of both must be equal.
 */
import type { MikroORM } from '@mikro-orm/postgresql';
import { terminal } from '../../src/modules/identity/index.ts';
import { correctQuestion } from '../../src/modules/questions/exams/marking/correction.service.ts';
import { markExam } from '../../src/modules/questions/exams/marking/marking.service.ts';
import { entities } from '../../src/modules.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { DomainEvents, type UseCaseContext } from '../../src/platform/use-cases/events.ts';
import { connected, sql } from '../../test/support/sql.ts';
import type { Workshop } from '../support/workshop.ts';

const questions = 60;
/** Batches of a candidate, each with two answers; one answer in ten is changed by a later batch. */
const batches = 33;

export async function soakMarking(workshop: Workshop, candidates: number): Promise<boolean> {
  const url = await workshop.database('exam_marking');
  await fill(url, candidates);
  const orm: MikroORM = await openDatabase({ url, entities });
  workshop.teardown(() => orm.close(true));
  const context = {
    clock: { now: () => new Date() },
    events: new DomainEvents(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  } as unknown as UseCaseContext;
  const [exam] = await sql<{ id: number }>(url, 'select id from exam');
  const id = exam?.id ?? 0;

  const first = await seconds(() => markExam(orm.em.fork(), context, id));
  let wrong = await compare(url);
  const [size] = await sql<{ answers: number; judged: number }>(
    url,
    `select (select sum(rights + wrongs)::int from exam_result) as answers, (select count(*)::int from exam_judgement) as judged`,
  );
  console.log(`${candidates} candidates, ${size?.answers} answers that count, ${size?.judged} different ones`);
  const byHand = Math.min(await scoredByHand(url), await scoredByHand(url));
  const correction = { examId: id, questionId: 'question-7', standing: 'neutralised' as const, reason: 'Deux choix sont justes' };
  const again = await seconds(() => correctQuestion(orm.em.fork(), context, terminal, correction));
  wrong += await compare(url);
  const say = (what: string, took: number) =>
    console.log(`${what} ${took.toFixed(1)} s, ${(took / byHand).toFixed(1)} × the scoring alone`);
  console.log(`the scoring alone, one statement by hand ${byHand.toFixed(1)} s`);
  say('marking', first);
  say('marking again after a neutralised question', again);
  console.log(`points or ranks that differ ${wrong}`);
  return wrong === 0 && (size?.answers ?? 0) > 0;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** SQL, written apart from the application's: points and rank of each candidate. */
const handWritten = `
  select user_id, points, 1 + count(*) over (order by points desc range between unbounded preceding and current row exclude group) as rank
  from (select r.user_id, sum(case when q.standing = 'neutralised' then 0 when q.standing = 'given' then q.points
                                   when r.answers -> q.question_id is null then 0
                                   when (select j.is_right from exam_judgement j where j.exam_id = q.exam_id and j.question_id = q.question_id
                                         and j.given = r.answers -> q.question_id) then q.points
                                   else q.points * -0.25 end) as points
        from exam_result r join exam_question q on q.exam_id = r.exam_id group by r.user_id) scored`;

/** Returns how many candidates have other points or another rank by the hand-written statement. */
async function compare(url: string): Promise<number> {
  const [row] = await sql<{ wrong: number }>(
    url,
    `select count(*)::int as wrong from (${handWritten}) h full join exam_result r using (user_id)
     where h.points is distinct from r.points or h.rank is distinct from r.rank`,
  );
  return row?.wrong ?? -1;
}

/** Returns the time of one statement that computes points and ranks from the answers and their judgements, and stores them, in seconds. */
const scoredByHand = (url: string): Promise<number> =>
  connected(url, async (client) => {
    await client.query('begin');
    const took = await seconds(() =>
      client.query(
        `update exam_result t set points = s.points, rank = s.rank
         from (select user_id, points, rank() over (order by points desc) as rank
               from (select r.user_id, sum(case when j.is_right then q.points else q.points * -0.25 end) as points
                     from exam_result r, jsonb_each(r.answers) a, exam_question q, exam_judgement j
                     where q.question_id = a.key and j.question_id = a.key and j.given = a.value group by r.user_id) g) s
         where t.user_id = s.user_id`,
      ),
    );
    await client.query('rollback');
    return took;
  });

/** An exam of 40 questions with one right choice, 10 with several, 5 numbers and 5 short texts. */
export async function fill(url: string, candidates: number): Promise<void> {
  await sql(
    url,
    `set session_replication_role = replica;
     insert into app_user (id, username, email, password_hash, created_at)
       select gen_random_uuid(), 'c' || n, 'c' || n || '@gmail.com', 'unusable', now() from generate_series(1, ${candidates}) n;
     insert into prepa (nom, description, prix, is_published, created_at, updated_at) values ('ENAM', '', 15000, true, now(), now());
     insert into exam (prepa_id, titre, opens_at, closes_at, duree, bareme, audience, announced_at)
       select id, 'Concours blanc', now() - interval '3 hours', now() - interval '1 hour', 60, '{"juste": 1, "faux": -0.25, "sans": 0}', 'learners',
              now() - interval '1 day' from prepa;
     insert into exam_paper (exam_id, position, source_id, kind, titre, discipline, contenu)
       select x.id, n, n, 'quiz', 'Épreuve ' || n, 'Discipline ' || n, '' from exam x, generate_series(1, 3) n;
     insert into exam_question (exam_id, question_id, paper_id, position, points, key)
       select p.exam_id, 'question-' || n, p.id, n, 1 + n % 2,
              jsonb_build_object('id', 'question-' || n, 'kind', case when n <= 40 then 'one' when n <= 50 then 'several' when n <= 55 then 'number' else 'text' end,
                'points', 1 + n % 2, 'right', case when n <= 40 then '["a"]'::jsonb when n <= 50 then '["a", "b"]' else '[]' end, 'remarks', '{}'::jsonb,
                'explanation', null, 'value', case when n > 50 and n <= 55 then '12' else '' end, 'tolerance', '', 'unit', '',
                'accepted', case when n > 55 then '["texte 12"]'::jsonb else '[]' end, 'usable', true)
       from exam_paper p, generate_series(1, ${questions}) n where p.position = 1 + n % 3;
     insert into exam_sitting (exam_id, user_id, started_at, ends_at, handed_in_at, ending)
       select x.id, u.id, x.opens_at, x.opens_at + interval '60 minutes',
              case when random() < 0.95 then x.opens_at + interval '55 minutes' + random() * interval '5 minutes' end, null from exam x, app_user u;
     update exam_sitting set ending = 'candidate' where handed_in_at is not null;
     insert into exam_batch (exam_id, user_id, device, number, sent_at, received_at, network, answers)
       select s.exam_id, s.user_id, s.user_id, b, s.started_at + b * interval '96 seconds', s.started_at + b * interval '97 seconds', '0123456789abcdef',
              (select jsonb_agg(jsonb_build_object('q', 'question-' || n, 't', floor(extract(epoch from s.started_at + b * interval '95 seconds') * 1000)::bigint, 'g',
                 case when n <= 40 then jsonb_build_object('choices', jsonb_build_array(substr('aaabcd', 1 + floor(random() * 6)::int, 1)))
                      when n <= 50 then (array['{"choices": ["a", "b"]}', '{"choices": ["b", "a"]}', '{"choices": ["a"]}', '{"choices": ["a", "c"]}'])[1 + floor(random() * 4)::int]::jsonb
                      when n <= 55 then jsonb_build_object('typed', floor(random() * 20)::text)
                      else jsonb_build_object('typed', 'Texte ' || floor(random() * 20 * (1 + random() * 50))::int) end))
               from (select 1 + (2 * b + o) % ${questions} as n from generate_series(0, 1) o) asked)
       from exam_sitting s, generate_series(0, ${batches - 1}) b;`,
  );
  await sql(url, 'vacuum analyze');
}
