import { randomUUID } from 'node:crypto';
import type { StoredAnswer } from '../../src/shared/exams/exam-words.ts';
import type { Given } from '../../src/shared/questions/grade.ts';
import { type MarkingRule, ordinaryRule } from '../../src/shared/questions/marking-rule.ts';
import { type QuestionKey, withoutKeys } from '../../src/shared/questions/question-keys.ts';
import type { TestApp } from './app.ts';
import { createPrepa } from './factories.ts';
import { sql } from './sql.ts';

type Home = Pick<TestApp, 'kernel' | 'clock' | 'databaseUrl'>;

const minute = 60_000;

export interface FrozenPaper {
  titre?: string;
  discipline?: string;
  kind?: 'quiz' | 'pastExam';
  /** Full HTML, with the keys of its questions. */
  contenu: string;
  corrige?: string | null;
  sourceId?: number;
}

export interface FrozenExam {
  id: number;
  prepaId: number;
  opensAt: Date;
  closesAt: Date;
  /** Ids of the papers. */
  papers: number[];
  questions: { id: string; paperId: number; points: number; key: QuestionKey }[];
}

/** Stores an announced exam with its frozen papers. It opened three hours ago and closed one hour ago, so that it can be marked. */
export async function insertExam(
  home: Home,
  {
    papers,
    bareme = ordinaryRule,
    grace = 30,
    prepaId,
    titre = 'Concours blanc',
  }: { papers: FrozenPaper[]; bareme?: MarkingRule; grace?: number; prepaId?: number; titre?: string },
): Promise<FrozenExam> {
  const { databaseUrl } = home;
  const prepa = prepaId ?? (await createPrepa(home)).id;
  const now = home.clock.now().getTime();
  const [opensAt, closesAt] = [new Date(now - 180 * minute), new Date(now - 60 * minute)];
  const [exam] = await sql<{ id: number }>(
    databaseUrl,
    `insert into exam (prepa_id, titre, opens_at, closes_at, duree, grace, bareme, audience, announced_at)
     values ($1, $2, $3, $4, 60, $5, $6, 'learners', $7) returning id`,
    [prepa, titre, opensAt, closesAt, grace, bareme, new Date(now - 600 * minute)],
  );
  const id = exam?.id ?? 0;
  const frozen: FrozenExam = { id, prepaId: prepa, opensAt, closesAt, papers: [], questions: [] };
  for (const [index, paper] of papers.entries()) {
    const { html, keys } = withoutKeys(paper.contenu);
    const [row] = await sql<{ id: number }>(
      databaseUrl,
      `insert into exam_paper (exam_id, position, source_id, kind, titre, discipline, contenu, corrige) values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [
        id,
        index + 1,
        paper.sourceId ?? 1,
        paper.kind ?? 'quiz',
        paper.titre ?? `Épreuve ${index + 1}`,
        paper.discipline ?? `Discipline ${index + 1}`,
        html,
        paper.corrige ?? null,
      ],
    );
    const paperId = row?.id ?? 0;
    frozen.papers.push(paperId);
    for (const key of keys) {
      frozen.questions.push({ id: key.id, paperId, points: key.points, key });
      await sql(
        databaseUrl,
        'insert into exam_question (exam_id, question_id, paper_id, position, points, key) values ($1, $2, $3, $4, $5, $6)',
        [id, key.id, paperId, frozen.questions.length, key.points, JSON.stringify(key)],
      );
    }
  }
  return frozen;
}

/** A candidate's sitting. Times are in minutes after the opening. */
export interface TestSitting {
  startedAt?: number;
  endsAt?: number;
  handedInAt?: number | null;
  late?: 'waiting' | 'accepted' | 'refused' | null;
  lateUntil?: number | null;
}

export async function insertSitting({ databaseUrl }: Home, exam: FrozenExam, userId: string, sitting: TestSitting = {}): Promise<void> {
  const { startedAt = 0, endsAt = 60, handedInAt = 50, late = null, lateUntil = null } = sitting;
  const at = (after: number) => new Date(exam.opensAt.getTime() + after * minute);
  await sql(
    databaseUrl,
    `insert into exam_sitting (exam_id, user_id, started_at, ends_at, handed_in_at, ending, receipt, late, late_until) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      exam.id,
      userId,
      at(startedAt),
      at(endsAt),
      handedInAt === null ? null : at(handedInAt),
      handedInAt === null ? null : 'candidate',
      handedInAt === null ? null : 'BX4T-9KQZ',
      late,
      lateUntil === null ? null : at(lateUntil),
    ],
  );
}

export interface TestBatch {
  device: string;
  number: number;
  sentAt: number;
  receivedAt: number;
  answers: StoredAnswer[];
}

/** Stores batches of a candidate. Times are in ms since 1970. */
export async function insertBatches(
  { databaseUrl }: Home,
  exam: FrozenExam,
  userId: string,
  batches: readonly TestBatch[],
  network = 'a'.repeat(16),
) {
  await sql(
    databaseUrl,
    `insert into exam_batch (exam_id, user_id, device, number, sent_at, received_at, answers, network)
     select $1, $2, device, number, to_timestamp("sentAt" / 1000), to_timestamp("receivedAt" / 1000), answers, $4
     from jsonb_to_recordset($3) as b(device uuid, number int, "sentAt" numeric, "receivedAt" numeric, answers jsonb)`,
    [exam.id, userId, JSON.stringify(batches), network],
  );
}

/** Lets a candidate answer an exam in time, in one batch, and hand in. */
export async function sit(
  home: Home,
  exam: FrozenExam,
  userId: string,
  answers: Record<string, Given>,
  { network, ...sitting }: TestSitting & { network?: string } = {},
) {
  await insertSitting(home, exam, userId, sitting);
  const at = exam.opensAt.getTime() + 40 * minute;
  await insertBatches(
    home,
    exam,
    userId,
    [
      {
        device: randomUUID(),
        number: 1,
        sentAt: at,
        receivedAt: at,
        answers: Object.entries(answers).map(([q, g]) => ({ q, g, t: at - 1000 })),
      },
    ],
    network,
  );
}

/** Returns the stored results of an exam by candidate. */
export async function resultsOf({ databaseUrl }: Home, examId: number) {
  const rows = await sql<{
    user: string;
    answers: Record<string, Given>;
    points: number;
    rights: number;
    wrongs: number;
    blanks: number;
    rank: number;
    byPaper: Record<string, number>;
  }>(
    databaseUrl,
    `select user_id as "user", answers, points::float8 as points, rights, wrongs, blanks, rank, by_paper as "byPaper" from exam_result where exam_id = $1`,
    [examId],
  );
  return new Map(rows.map(({ user, ...result }) => [user, result]));
}
