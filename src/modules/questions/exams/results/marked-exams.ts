import type { EntityManager } from '@mikro-orm/postgresql';
import { ReadCache } from '../../../../platform/database/read-cache.ts';
import { type Bar, barsOf, medianOf } from '../../../../shared/exams/standing.ts';
import type { MarkingRule } from '../../../../shared/questions/marking-rule.ts';
import { type QuestionHtml, questionSteps } from '../../../../shared/questions/question-html.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { asRead } from '../../../../shared/rich-text/as-read.ts';
import { sumOf } from '../../../../shared/study/points.ts';
import { findScale, type ScalePart } from '../../../../shared/study/scale.ts';
import { PictureLinks, type Pictures, sizeOf } from '../papers/linked-pictures.ts';
import { findMarkedExam, type MarkedExamRow } from './result.repository.ts';

type SharedQuestion = MarkedExamRow['questions'][number] & {
  question: QuestionHtml;
  /** HTML of the passage before the question. */
  lead: string;
};

/** A paper with its questions, as candidates read it after the exam. */
export interface SharedPaper {
  id: number;
  kind: MarkedExamRow['papers'][number]['kind'];
  titre: string;
  discipline: string;
  questions: SharedQuestion[];
  /** Points of a paper without fault. */
  possible: number;
  /** HTML of a past subject and of its correction, with the parts of its scale, if it has one; null for a series. */
  subject: { contenu: string; corrige: string | null; possible: number; parts: ScalePart[] } | null;
}

/** What all results of one marking share. */
export interface MarkedExam {
  papers: SharedPaper[];
  corrections: MarkedExamRow['corrections'];
  possible: number;
  candidates: number;
  bars: Bar[];
  median: number | null;
  /** Number of candidates by points. */
  withPoints: ReadonlyMap<number, number>;
  /** Pictures of papers and corrections, to which the texts link. */
  pictures: Pictures;
  bytes: number;
}

/** Size of the cache, in bytes of papers. */
const cacheBytes = 48_000_000;

/** Points of a past subject whose correction has no scale. */
const ordinaryPoints = 20;

/**
 * Keeps what all results of a marking share: thirty thousand candidates read theirs in the same minutes, and none of them counts the others
 * anew. The time of the marking is in the key, so that a later marking is read at once, in each process.
 */
export class MarkedExams {
  readonly #kept = new ReadCache<string, MarkedExam, { em: EntityManager; id: number; bareme: MarkingRule }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }) => bytes,
    fetchMethod: (_key, _stale, { context: { em, id, bareme } }) => read(em, id, bareme),
  });

  /** @param markedAt of the exam as the request read it */
  find(em: EntityManager, { id, markedAt, bareme }: { id: number; markedAt: Date; bareme: MarkingRule }): Promise<MarkedExam> {
    return this.#kept.forceFetch(`${id} ${markedAt.getTime()}`, { context: { em, id, bareme } });
  }
}

async function read(em: EntityManager, id: number, bareme: MarkingRule): Promise<MarkedExam> {
  const row = await findMarkedExam(em, id);
  if (!row) throw new Error(`no exam ${id}`);
  const { counts } = row;
  const links = new PictureLinks(id);
  const papers = row.papers.map((paper) => readPaper(paper, row.questions, bareme, links));
  const possible = sumOf(papers.map((paper) => paper.possible));
  return {
    papers,
    corrections: row.corrections,
    possible,
    candidates: counts.reduce((sum, { count }) => sum + count, 0),
    bars: barsOf(counts, possible),
    median: medianOf(counts),
    withPoints: new Map(counts.map(({ points, count }) => [points, count])),
    pictures: links.pictures,
    bytes: 1000 + JSON.stringify(papers).length + 50 * counts.length + sizeOf(links.pictures),
  };
}

const keyAsRead = (key: QuestionKey, textAsRead: (html: string) => string): QuestionKey => ({
  ...key,
  remarks: Object.fromEntries(Object.entries(key.remarks).map(([choice, html]) => [choice, textAsRead(html)])),
  explanation: key.explanation && textAsRead(key.explanation),
});

function readPaper(
  { id, kind, titre, discipline, contenu, corrige }: MarkedExamRow['papers'][number],
  questions: MarkedExamRow['questions'],
  { juste }: MarkingRule,
  links: PictureLinks,
): SharedPaper {
  const textAsRead = (html: string) => asRead(links.inText(html));
  const text = textAsRead(contenu);
  const steps = new Map(questionSteps(text).map((step) => [step.question.id, step]));
  const own = questions.flatMap((row) => {
    const step = row.paperId === id ? steps.get(row.id) : undefined;
    return step ? [{ ...row, ...step, key: keyAsRead(row.key, textAsRead) }] : [];
  });
  const counted = own.filter(({ standing }) => standing !== 'neutralised');
  const scale = kind === 'pastExam' ? findScale(corrige ?? '', contenu) : [];
  return {
    id,
    kind,
    titre,
    discipline,
    questions: own,
    possible: sumOf(counted.map(({ points }) => Number(points) * juste)),
    subject:
      kind === 'pastExam'
        ? {
            contenu: text,
            corrige: corrige && textAsRead(corrige),
            parts: scale,
            possible: scale.length > 0 ? sumOf(scale.map(({ max }) => max)) : ordinaryPoints,
          }
        : null,
  };
}
