import { sql } from '../sql.ts';
import type { Given } from './device.ts';

/** SQL: the first answer of each learner to each question. */
const first =
  'select distinct on (user_id, question_id, key_version) * from answer order by user_id, question_id, key_version, answered_at, cle';

/** SQL: the last wrong answer of each. */
const wrong = 'select user_id, question_id, key_version, max(answered_at) as at from answer where not is_right group by 1, 2, 3';

/** SQL: right first answers in a series whose questions the learner has all answered, with the time of the last one of them. */
const finished = `
  select f.user_id, q.item_id, count(*) filter (where f.is_right) as total, max(f.answered_at) as at
  from (${first}) f join question q on q.id = f.question_id join item i on i.id = q.item_id where i.kind = 'quiz'
  group by f.user_id, q.item_id having count(*) = (select count(*) from question all_of where all_of.item_id = q.item_id)`;

const states = `
  select f.user_id, f.question_id, f.key_version, f.given as first_given, f.is_right as first_right, l.is_right as last_right, l.answered_at as last_at,
         w.at as wrong_at,
         (select count(distinct (r.answered_at at time zone 'Africa/Douala')::date)::int from answer r
          where r.user_id = f.user_id and r.question_id = f.question_id and r.is_right and r.answered_at > w.at) as right_days,
         (select (d.total - f.is_right::int)::int from (${finished}) d join question q on q.item_id = d.item_id
          where d.user_id = f.user_id and q.id = f.question_id) as rest
  from (${first}) f
       join (select distinct on (user_id, question_id) * from answer order by user_id, question_id, answered_at desc, cle) l using (user_id, question_id, key_version)
       left join (${wrong}) w using (user_id, question_id, key_version)`;

/** Each table of counted values, with SQL that derives it from `answer` alone. */
const derived: Record<string, [stored: string, meant: string]> = {
  states: [
    'select user_id, question_id, key_version, first_given, first_right, last_right, last_at, wrong_at, right_days, rest from question_state',
    states,
  ],
  tallies: [
    'select question_id, answered, right_first, skipped, rated, rated_right, rest_sum, rest_squares, rest_right from question_tally',
    `select question_id, count(*)::int, count(*) filter (where first_right)::int, count(*) filter (where first_given ? 'skipped')::int, count(rest)::int,
            count(rest) filter (where first_right)::int, coalesce(sum(rest), 0), coalesce(sum(rest * rest), 0), coalesce(sum(rest) filter (where first_right), 0)
     from (${states}) s group by question_id`,
  ],
  choices: [
    'select question_id, choice, chosen from choice_tally where chosen <> 0',
    `select question_id, choice, count(*)::int from (${first}) f, jsonb_array_elements_text(given -> 'choices') choice group by 1, 2`,
  ],
  days: [
    'select user_id, day, answers from study_day',
    `select user_id, (answered_at at time zone 'Africa/Douala')::date, count(*)::int from answer group by 1, 2`,
  ],
  series: [
    `select r.user_id, r.item_id, r.finished_at from item_reading r join item i on i.id = r.item_id where i.kind = 'quiz' and r.finished_at is not null`,
    `select user_id, item_id, at from (${finished}) d`,
  ],
};

export interface Compared {
  /** Answers of devices that the site does not have as they were given. */
  lost: number;
  /** Answers that the site has more often than they were given. */
  double: number;
  /** Rows of counted values that differ from those that the answers give, by table. */
  wrong: Record<string, number>;
  /** Number of rows compared, by table. */
  rows: Record<string, number>;
  /** The first differences. */
  examples: string[];
}

/** Compares what devices have given with the answers of the site, and these with everything that is counted from them. */
export async function compareAnswers(databaseUrl: string, given: ReadonlyMap<string, Given>): Promise<Compared> {
  const rows = await sql<{ cle: string; user_id: string; question_id: string; given: object; is_right: boolean; at: number }>(
    databaseUrl,
    'select cle, user_id, question_id, given, is_right, (extract(epoch from answered_at) * 1000)::float8 as at from answer',
  );
  const byKey = new Map(rows.map((row) => [row.cle, row]));
  const compared: Compared = { lost: 0, double: 0, wrong: {}, rows: { answers: rows.length }, examples: [] };
  for (const [cle, { learner, question, fields, isRight, at }] of given) {
    const row = byKey.get(cle);
    const meant = fields.passe
      ? { skipped: true }
      : fields.texte === undefined
        ? { choices: [...(fields.choix ?? [])].sort() }
        : { typed: fields.texte };
    if (
      row?.user_id === learner &&
      row.question_id === question &&
      row.is_right === isRight &&
      JSON.stringify(row.given) === JSON.stringify(meant) &&
      (at === null || Math.abs(row.at - at) < 1)
    )
      continue;
    compared.lost += 1;
    compared.examples.push(`answer ${cle}: ${JSON.stringify({ question, meant, isRight, at })}, there ${JSON.stringify(row)}`);
  }
  compared.double = rows.filter(({ cle }) => !given.has(cle)).length + (rows.length - byKey.size);
  for (const [table, [stored, meant]] of Object.entries(derived)) {
    const difference = await sql(
      databaseUrl,
      `(select 'stored' as side, s.* from ((${stored}) except all (${meant})) s) union all (select 'meant', m.* from ((${meant}) except all (${stored})) m)`,
    );
    const [{ count } = { count: 0 }] = await sql<{ count: number }>(databaseUrl, `select count(*)::int as count from (${stored}) s`);
    compared.wrong[table] = difference.length;
    compared.rows[table] = count;
    compared.examples.push(...difference.slice(0, 4).map((row) => `${table}: ${JSON.stringify(row)}`));
  }
  return compared;
}
