import { randomUUID } from 'node:crypto';
import { Exam, ExamPaper } from '../../src/modules/questions/exams/exam/exam.entity.ts';
import { ExamBatch, ExamSitting } from '../../src/modules/questions/exams/exam/sitting.entity.ts';
import { announceExam } from '../../src/modules/questions/exams/papers/announcement.service.ts';
import { sittingEnd } from '../../src/shared/exams/exam-state.ts';
import type { ExamAudience, PaperKind, StoredAnswer } from '../../src/shared/exams/exam-words.ts';
import type { MarkingRule } from '../../src/shared/questions/marking-rule.ts';
import type { TestApp } from './app.ts';
import { createAdministrator, createDiscipline, createItem, createPrepa } from './factories.ts';
import { choiceQuestion } from './questions.ts';

type Home = Pick<TestApp, 'kernel' | 'clock'>;

export const minuteMs = 60_000;

let serial = 0;

/** Returns a new id of a question or a choice: 12 characters, the last ones a number. */
const newId = (letter: string): string => {
  serial += 1;
  return `${letter}${String(serial).padStart(11, '0')}`;
};

export interface ExamValues {
  titre?: string;
  consignes?: string;
  audience?: ExamAudience;
  /** Minutes from the clock's time to the opening. */
  opensIn?: number;
  /** Minutes from the opening to the closing. */
  openFor?: number;
  duree?: number;
  grace?: number;
  bareme?: MarkingRule;
  /** Number of questions, each with four choices of which the first is right. */
  questions?: number;
  /** Full HTML with keys of the papers in place of `questions`: see `test/support/questions.ts`. */
  papers?: { kind?: PaperKind; titre?: string; contenu: string; corrige?: string | null }[];
  prepa?: { id: number; nom: string };
}

export interface TestExam {
  id: number;
  titre: string;
  prepa: { id: number; nom: string };
  opensAt: Date;
  closesAt: Date;
  duree: number;
  grace: number;
  /** Ids of the items that the papers are copied from. */
  items: number[];
  /** Of `questions`, in order: ids of the question and its choices, the right one first. */
  questions: { id: string; choices: string[] }[];
}

/** Creates an exam that is not announced, with published series as its papers. It opens in one hour for two hours. */
export async function createExam(home: Home, values: ExamValues = {}): Promise<TestExam> {
  const { kernel, clock } = home;
  const {
    titre = `Concours blanc ${newId('t').slice(-4)}`,
    consignes = '',
    audience = 'enrolled',
    opensIn = 60,
    openFor = 120,
    duree = 60,
    grace = 30,
    bareme = { juste: 1, faux: 0, sans: 0 },
  } = values;
  const prepa = values.prepa ?? (await createPrepa(home));
  const questions = Array.from({ length: values.questions ?? 3 }, () => ({
    id: newId('q'),
    choices: Array.from({ length: 4 }, () => newId('c')),
  }));
  const papers = values.papers ?? [
    {
      contenu: questions
        .map(({ id, choices }, index) =>
          choiceQuestion({
            id,
            statement: `Question posée ${index + 1} ?`,
            choices: choices.map((choice, at) => ({ id: choice, text: `Choix ${at + 1}`, right: at === 0 })),
          }),
        )
        .join(''),
    },
  ];
  const discipline = await createDiscipline(home, prepa.id);
  const opensAt = new Date(clock.now().getTime() + opensIn * minuteMs);
  const closesAt = new Date(opensAt.getTime() + openFor * minuteMs);
  const em = kernel.fork();
  const id = await em.insert(Exam, { prepa: prepa.id, titre, consignes, opensAt, closesAt, duree, grace, bareme, audience });
  const items: number[] = [];
  for (const [index, { kind = 'quiz', ...texts }] of papers.entries()) {
    const item = await createItem(home, discipline.id, { kind, numeroPage: index + 1, ...texts });
    items.push(item.id);
    await em.insert(ExamPaper, {
      exam: id,
      position: index + 1,
      sourceId: item.id,
      kind,
      titre: item.titre,
      discipline: discipline.nom,
    });
  }
  return { id, titre, prepa, opensAt, closesAt, duree, grace, items, questions: values.papers ? [] : questions };
}

/** Creates an exam and announces it. */
export async function createAnnouncedExam(home: Home, values: ExamValues = {}): Promise<TestExam> {
  const exam = await createExam(home, values);
  const { id: administratorId, username: name } = await createAdministrator(home);
  await announceExam(home.kernel.fork(), home.kernel.context, { administratorId, name }, exam.id, 1);
  return exam;
}

/** Creates an announced exam and moves the clock to its opening. */
export async function createOpenExam(home: Home, values: ExamValues = {}): Promise<TestExam> {
  const exam = await createAnnouncedExam(home, values);
  home.clock.advance(exam.opensAt.getTime() - home.clock.now().getTime());
  return exam;
}

/** Moves the clock to the time from which an exam may be marked. */
export function passExam({ clock }: Home, { closesAt, grace }: TestExam): void {
  clock.advance(closesAt.getTime() + (grace + 1) * minuteMs - clock.now().getTime());
}

/** Creates a learner's sitting, which begins with the exam by default. @param handedIn minutes after the start; null: not handed in */
export async function createSitting(
  { kernel }: Home,
  exam: TestExam,
  learner: { id: string },
  { startedAt = exam.opensAt, handedIn = null }: { startedAt?: Date; handedIn?: number | null } = {},
): Promise<void> {
  await kernel.fork().insert(ExamSitting, {
    exam: exam.id,
    user: learner.id,
    startedAt,
    endsAt: sittingEnd(startedAt, exam.duree, exam.closesAt),
    ...(handedIn !== null && {
      handedInAt: new Date(startedAt.getTime() + handedIn * minuteMs),
      ending: 'candidate' as const,
      receipt: 'BCDF-GHJK',
    }),
  });
}

/** Stores a batch of answers of a learner as it was received. @param answers with times in ms; by default at `at` */
export async function createBatch(
  { kernel }: Home,
  exam: TestExam,
  learner: { id: string },
  {
    device = randomUUID(),
    number = 1,
    at = exam.opensAt,
    sentAt = at,
    network = '0'.repeat(16),
    answers,
  }: {
    device?: string;
    number?: number;
    /** Time of arrival. */
    at?: Date;
    sentAt?: Date;
    network?: string;
    answers: (Omit<StoredAnswer, 't'> & { t?: number })[];
  },
): Promise<void> {
  await kernel.fork().insert(ExamBatch, {
    exam: exam.id,
    user: learner.id,
    device,
    number,
    sentAt,
    receivedAt: at,
    answers: answers.map(({ q, g, t = at.getTime() }) => ({ q, g, t })),
    network,
  });
}

/**
 * Creates many candidates with SQL alone: learners `candidat-examen-N`, their sittings, handed in after their last answer, and one batch
 * each. Candidate N of N answers question Q with its choice (N × Q + Q) modulo 4, so that marks differ.
 * @param exam made by `createExam` with `questions`
 * @returns the learners' ids in order
 */
export async function createCandidates({ kernel, clock }: Home, exam: TestExam, count: number): Promise<string[]> {
  const rows = await kernel.fork().execute<{ id: string }[]>(
    `with learner as (
       insert into app_user (id, username, email, password_hash, created_at)
       select gen_random_uuid(), 'candidat-examen-' || ?::int || '-' || n, 'examen' || ?::int || '.' || n || '@gmail.com', 'unusable', ?::timestamptz
       from generate_series(1, ?::int) n
       returning id, split_part(username, '-', 4)::int as n
     ), sitting as (
       insert into exam_sitting (exam_id, user_id, started_at, ends_at, handed_in_at, ending, receipt)
       select ?, id, ?::timestamptz, ?::timestamptz, ?::timestamptz + interval '30 minutes', 'candidate', 'BCDF-GHJK' from learner
     ), batch as (
       insert into exam_batch (exam_id, user_id, device, number, sent_at, received_at, answers, network)
       select ?, l.id, gen_random_uuid(), 1, ?::timestamptz + interval '20 minutes', ?::timestamptz + interval '20 minutes',
              (select jsonb_agg(jsonb_build_object('q', q.question ->> 'id', 't', ?::bigint + q.position * 1000,
                        'g', jsonb_build_object('choices', jsonb_build_array(q.question -> 'choices' ->> ((l.n * q.position + q.position) % 4)::int))))
               from jsonb_array_elements(?::jsonb) with ordinality as q (question, position)),
              left(md5(l.n::text), 16)
       from learner l
     )
     select id from learner order by n`,
    [
      ...[exam.id, exam.id, clock.now().toISOString(), count],
      ...[exam.id, exam.opensAt.toISOString()],
      sittingEnd(exam.opensAt, exam.duree, exam.closesAt).toISOString(),
      exam.opensAt.toISOString(),
      ...[exam.id, exam.opensAt.toISOString(), exam.opensAt.toISOString(), exam.opensAt.getTime(), JSON.stringify(exam.questions)],
    ],
  );
  return rows.map(({ id }) => id);
}
