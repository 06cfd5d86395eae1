import type { FastifyInstance } from 'fastify';
import { withZod } from '../../../platform/http/validators.ts';
import { formatDate } from '../../../shared/dates.ts';
import { askedQuestion, questionHref } from '../../../shared/questions/asked.ts';
import { beginningOf } from '../../../shared/questions/beginning.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { presentPlace, studyHref } from '../../../shared/study/place.ts';
import type { FindSigner, ReadsLimit } from '../../content/index.ts';
import { partsAsRead } from '../answers/parts-as-read.ts';
import { type ErrorRow, listErrors, maxErrors } from './error.repository.ts';

/** Questions asked at a time. */
const asked = 10;

interface ErrorGroup {
  /** 'ENS > Mathématiques'. */
  place: string;
  errors: { statement: string; href: string; source: string; date: string; isHalfDone: boolean }[];
}

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/errors': { groups: ErrorGroup[]; total: number; isCut: boolean; next: number };
    'questions/ask-errors': { steps: { place: string; href: string; question: string }[] };
  }
}

/** 'Mes erreurs': questions answered wrong, by prepa and discipline, until they are answered right on two different days. */
export async function errorPages(instance: FastifyInstance, { reads, signer }: { reads: ReadsLimit; signer: FindSigner }): Promise<void> {
  const app = withZod(instance);
  const shared = { preHandler: [app.requireLearner], config: { authored: true, back: '/user/dashboard' } };

  app.get('/user/erreurs', shared, async (request, reply) => {
    const rows = await listErrors(request.em, request.signedInLearner.id, request.context.clock.now());
    const groups = presentErrors(rows);
    return reply.page('questions/errors', {
      title: 'Mes erreurs',
      noindex: true,
      learnerCss: true,
      formulas: groups.some(({ errors }) => errors.some(({ statement }) => statement.includes('<math'))),
      groups,
      total: rows.length,
      isCut: rows.length === maxErrors,
      next: Math.min(asked, rows.length),
    });
  });

  app.get('/user/erreurs/questions', { ...shared, config: { authored: true, back: '/user/erreurs' } }, async (request, reply) => {
    const learner = request.signedInLearner;
    const { em } = request;
    const now = request.context.clock.now();
    const rows = await listErrors(em, learner.id, now, asked);
    if (rows.length === 0) return reply.redirect('/user/erreurs', 303);
    await reads.take(request, learner.id, [...new Set(rows.map(({ id }) => id))], now);
    const steps = await Promise.all(
      rows.map(async (row, index) => {
        const form = questionsOf(row.section).map((question) => askedQuestion(question, index + 1, 'errors'));
        const [question = ''] = await partsAsRead(form, { em, signer, audience: row.prepaId, now });
        return { place: presentPlace(row), href: passageOf(row), question };
      }),
    );
    const formulas = steps.some(({ question }) => question.includes('<math'));
    return reply.page('questions/ask-errors', { title: 'Mes erreurs', noindex: true, learnerCss: true, formulas, steps });
  });
}

/** Returns the address of the passage with the question; a series' page shows no question, so there it is the question's own page. */
const passageOf = ({ prepaId, disciplineId, kind, id, questionId }: ErrorRow): string =>
  kind === 'quiz' ? questionHref(questionId) : `${studyHref(prepaId, disciplineId)}?type=${kind}&item=${id}#q-${questionId}`;

function presentErrors(rows: readonly ErrorRow[]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const row of rows) {
    const place = `${row.prepaNom} > ${row.disciplineNom}`;
    const group = groups.get(place) ?? { place, errors: [] };
    groups.set(place, group);
    group.errors.push({
      statement: beginningOf(questionsOf(asRead(row.section))[0]?.statement ?? '', shownLength),
      href: passageOf(row),
      source: row.titre,
      date: formatDate(row.wrongAt),
      isHalfDone: row.rightDays === 1,
    });
  }
  return [...groups.values()].sort((one, other) => one.place.localeCompare(other.place, 'fr'));
}

/** Longest beginning of a statement in the list, in characters. */
const shownLength = 140;
