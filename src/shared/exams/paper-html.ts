import { escapeHtml } from '../escapes.ts';
import { askedTogether } from '../questions/asked-together.ts';
import type { Given } from '../questions/grade.ts';
import { questionSteps, withoutUnusable } from '../questions/question-html.ts';
import { asRead } from '../rich-text/as-read.ts';
import type { PaperKind } from './exam-words.ts';

/** A paper of an exam, with its text as it is stored: canonical HTML without keys. */
export interface PaperText {
  id: number;
  kind: PaperKind;
  titre: string;
  discipline: string;
  contenu: string;
}

/** A question of a paper as candidates see it, after the passage before it. */
export interface PaperStep {
  questionId: string;
  /** Number in the exam, from 1. */
  number: number;
  html: string;
}

export interface PaperPart {
  id: number;
  /** HTML: title and discipline. */
  head: string;
  steps: PaperStep[];
  /** HTML after the last question; the whole text where there is none. */
  tail: string;
}

const onPaper = 'Cette épreuve se rédige sur papier. Vous la noterez vous-même avec son corrigé, quand les résultats seront publiés.';

/**
 * Returns the papers of an exam as candidates see them: questions numbered through, each with fields named `r-<id>` (`askedTogether`).
 * @param given the answers that the fields begin with, by question
 */
export function paperParts(papers: readonly PaperText[], given: ReadonlyMap<string, Given> = new Map()): PaperPart[] {
  let number = 0;
  return papers.map(({ id, kind, titre, discipline, contenu }) => {
    const text = withoutUnusable(asRead(contenu));
    const steps = questionSteps(text).map(({ lead, question }) => {
      number += 1;
      return { questionId: question.id, number, html: lead + askedTogether(question, number, given.get(question.id) ?? null) };
    });
    const after = steps.length === 0 ? 0 : text.lastIndexOf(endOfQuestion) + endOfQuestion.length;
    const note = kind === 'pastExam' ? `<p class="exam-paper__note">${asRead(onPaper)}</p>` : '';
    return {
      id,
      head: `<h2 id="t-epreuve-${id}">${asRead(escapeHtml(titre))}</h2><p class="exam-paper__place">${asRead(escapeHtml(discipline))}</p>${note}`,
      steps,
      tail: text.slice(after),
    };
  });
}

// Canonical HTML has sections in questions only (question-nodes.ts).
const endOfQuestion = '</section>';

/** Returns the HTML of an exam's papers, one below another: the sealed content, which the room also shows. */
export const paperHtml = (papers: readonly PaperText[]): string => paperParts(papers).map(paperSection).join('');

/** Returns the HTML of one paper. */
export function paperSection({ id, head, steps, tail }: PaperPart): string {
  const questions = steps.map(({ html }) => `<div class="prose exam-paper__step">${html}</div>`).join('');
  const rest = tail.trim() === '' ? '' : `<div class="prose">${tail}</div>`;
  return `<section class="exam-paper" id="epreuve-${id}" aria-labelledby="t-epreuve-${id}">${head}${questions}${rest}</section>`;
}
