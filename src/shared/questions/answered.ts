import { escapeHtml } from '../escapes.ts';
import { foldText } from '../search-text.ts';
import { inlineChoice, questionHead, questionHref } from './asked.ts';
import type { Given } from './grade.ts';
import { letterOf } from './letter.ts';
import type { QuestionHtml } from './question-html.ts';
import type { QuestionKey } from './question-keys.ts';

export interface AnsweredQuestion {
  question: QuestionHtml;
  key: QuestionKey;
  given: Given;
  isRight: boolean;
  /** Number of the question in its text; null when it stands alone. */
  number: number | null;
  /** Ids of the choices in the order shown. */
  order?: readonly string[];
  /** In a series or session: answered once. */
  inSeries?: true;
  /** A wrong answer of this reader is in 'Mes erreurs'. */
  isListed?: boolean;
  /** Link that shares the question on WhatsApp; absent where there is none. */
  shareHref?: string;
  /** As in the exam: 'Je ne sais pas' is no answer. */
  isExam?: boolean;
  /** Verdict on a question of an exam that does not count by its key: the answer decides nothing. */
  settled?: { verdict: string; tone: 'good' | 'off' } | undefined;
}

const icons = { good: 'i-success', bad: 'i-close', off: 'i-info' };
const icon = (tone: keyof typeof icons): string => `<svg class="icon" aria-hidden="true"><use href="#${icons[tone]}"/></svg>`;

/** Returns a question with what was answered, what is right, the remarks and the explanation. It never precedes the learner's answer. */
export function answeredQuestion({
  question,
  key,
  given,
  isRight,
  number,
  order,
  inSeries,
  isListed,
  shareHref,
  isExam,
  settled,
}: AnsweredQuestion): string {
  const { id, kind, statement } = question;
  const tone = settled?.tone ?? (isRight ? 'good' : 'bad');
  const verdict =
    settled?.verdict ??
    (isRight ? 'Bonne réponse' : 'skipped' in given ? (isExam ? 'Sans réponse' : 'Vous avez choisi « Je ne sais pas »') : 'Réponse fausse');
  const answers = kind === 'number' || kind === 'text' ? typedAnswer(key, given) : choices(question, key, given, order);
  const explanation =
    key.explanation === null ? '' : `<div class="question__explanation"><p><strong>Explication</strong></p>${key.explanation}</div>`;
  const links = [
    ...(inSeries ? [] : [`<a class="button button--quiet" href="${questionHref(id)}" data-again>Réessayer</a>`]),
    ...(isListed && !isRight && !inSeries ? ['<a class="button button--quiet" href="/user/erreurs">Revoir mes erreurs</a>'] : []),
    ...(shareHref
      ? [
          `<a class="button button--quiet" href="${escapeHtml(shareHref)}" rel="noopener noreferrer" target="_blank">Partager sur WhatsApp</a>`,
        ]
      : []),
  ];
  const actions = links.length > 0 ? `<div class="actions">${links.join(' ')}</div>` : '';
  return `<div class="question" id="q-${id}" tabindex="-1">${questionHead(question, number)}<div>${statement}</div><p class="question__verdict question__verdict--${tone}">${icon(tone)} <strong>${verdict}</strong></p>${answers}${explanation}${actions}</div>`;
}

/** A choice that is itself a verdict: 'Vrai' beside 'Faux' would contradict it. */
const isVerdict = /^<p>\s*(?:vrai|faux)[\s.]*<\/p>$/i;

/** Returns a question that was not answered, without its key, which leaves the server only after an answer on the question's own page. */
export const unansweredQuestion = (question: QuestionHtml, number: number): string =>
  `<div class="question" id="q-${question.id}" tabindex="-1">${questionHead(question, number)}<div>${question.statement}</div><p><strong>Sans réponse</strong> : l'explication vient après une réponse.</p><div class="actions"><a class="button button--secondary" href="${questionHref(question.id)}">Y répondre</a></div></div>`;

function choices(question: QuestionHtml, { right, remarks }: QuestionKey, given: Given, order: AnsweredQuestion['order']): string {
  const chosen = 'choices' in given ? given.choices : [];
  const shown = order ? order.flatMap((id) => question.choices.filter((choice) => choice.id === id)) : question.choices;
  const rows = shown.map(({ id, html }, index) => {
    const tone = right.includes(id) ? 'good' : 'bad';
    const isChosen = chosen.includes(id);
    const [good, bad] = isVerdict.test(html) ? ['Bonne réponse', 'Mauvaise réponse'] : ['Juste', 'Faux'];
    const word = `${tone === 'good' ? good : bad}${isChosen ? ', votre réponse' : ''}`;
    const remark = remarks[id] === undefined ? '' : `<div class="field__hint">${remarks[id]}</div>`;
    return `<li class="question__choice question__choice--${tone}${isChosen ? ' question__choice--chosen' : ''}">${icon(tone)}<div><strong>${letterOf(index)}.</strong> ${inlineChoice(html) ?? html} <em>${word}</em>${remark}</div></li>`;
  });
  return `<ul class="plain">${rows.join('')}</ul>`;
}

function typedAnswer({ kind, value, tolerance, unit, accepted }: QuestionKey, given: Given): string {
  const [first = '', ...others] = accepted.filter((answer) => answer.trim() !== '');
  const expected = kind === 'number' ? `${value}${unit && ` ${unit}`}${tolerance && ` (à ${tolerance} près)`}` : first;
  const also = kind === 'number' ? [] : differing(first, others).slice(0, maxOthers);
  const typed = 'typed' in given ? `<p>Votre réponse : <strong>${escapeHtml(given.typed)}</strong></p>` : '';
  const accept = also.length === 0 ? '' : `<p>Aussi accepté : ${escapeHtml(also.join(' ; '))}</p>`;
  return `${typed}<p>Réponse attendue : <strong>${escapeHtml(expected)}</strong></p>${accept}`;
}

/** Most accepted answers shown beside the first. */
const maxOthers = 3;

/** Returns the answers that differ from the first, and from one another, by more than case, accents and spaces. */
function differing(first: string, others: readonly string[]): string[] {
  const known = new Set([foldText(first)]);
  return others.filter((answer) => {
    const folded = foldText(answer);
    return !known.has(folded) && known.add(folded);
  });
}
