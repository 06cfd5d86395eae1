import type { NodeSpec } from 'prosemirror-model';
import { isWritable } from './bounds.ts';
import { maxAccepted, maxAnswerLength, maxChoices, maxPoints, type QuestionKind, questionKinds } from './question-kinds.ts';
import { only } from './rules.ts';

const isKind = (value: unknown): value is QuestionKind => questionKinds.includes(value as QuestionKind);
/** Ids are given at the first save; a new or copied question has none. */
const isId = (value: unknown): boolean => value === null || (typeof value === 'string' && /^[a-z0-9]{12}$/.test(value));
const isAnswer = (value: unknown): boolean => typeof value === 'string' && value.length <= maxAnswerLength && isWritable(value);
const isPoints = (value: unknown): boolean => typeof value === 'number' && value > 0 && value <= maxPoints;
const isAccepted = (value: unknown): boolean => Array.isArray(value) && value.length <= maxAccepted && value.every(isAnswer);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';

const attr = (name: string, initial: unknown, rule: (value: unknown) => boolean) => ({ default: initial, validate: only(name, rule) });

function readId(element: Element): string | null {
  const id = element.getAttribute('data-id');
  return isId(id) ? id : null;
}

function readAccepted(element: Element): unknown {
  try {
    const accepted: unknown = JSON.parse(element.getAttribute('data-accepted') ?? '[]');
    return isAccepted(accepted) ? accepted : [];
  } catch {
    return [];
  }
}

function readQuestion(element: Element) {
  const kind = element.getAttribute('data-kind');
  const points = Number(element.getAttribute('data-points') ?? 1);
  const answer = (name: string): string => {
    const value = element.getAttribute(name) ?? '';
    return isAnswer(value) ? value : '';
  };
  return {
    id: readId(element),
    kind: isKind(kind) ? kind : 'one',
    points: isPoints(points) ? points : 1,
    fixed: element.hasAttribute('data-fixed'),
    unusable: element.hasAttribute('data-unusable'),
    value: answer('data-value'),
    tolerance: answer('data-tolerance'),
    unit: answer('data-unit'),
    accepted: readAccepted(element),
  };
}

/** Returns a part of a question: an element that the schema uses nowhere else, so that its end is unambiguous in a string of HTML. */
const part = (tag: string, parent: string): NodeSpec => ({
  content: 'block+',
  defining: true,
  parseDOM: [{ tag: `${parent} > ${tag}` }],
  toDOM: () => [tag, {}, 0],
});

/**
 * A question in a text: statement, choices with an optional remark, explanation. Questions stand at the top level only.
 * Attributes: `points`; `fixed`: choices keep their order; `unusable`: set by each save for a question with a fault; `value`, `tolerance` ('0,1' or '2 %') and `unit` of a number, as typed;
 * `accepted` answers of a short text. The stored HTML of a text has no keys (`withoutKeys`).
 */
export const questionNodes = {
  question: {
    attrs: {
      id: attr('id', null, isId),
      kind: attr('kind', 'one', isKind),
      points: attr('points', 1, isPoints),
      fixed: attr('fixed', false, isFlag),
      unusable: attr('unusable', false, isFlag),
      value: attr('value', '', isAnswer),
      tolerance: attr('tolerance', '', isAnswer),
      unit: attr('unit', '', isAnswer),
      accepted: attr('accepted', [], isAccepted),
    },
    content: `question_statement question_choice{0,${maxChoices}} question_explanation?`,
    group: 'question',
    isolating: true,
    defining: true,
    parseDOM: [{ tag: 'section.question', getAttrs: readQuestion }],
    toDOM: ({ attrs: { id, kind, points, fixed, unusable, value, tolerance, unit, accepted } }) => [
      'section',
      {
        class: 'question',
        'data-id': id,
        'data-kind': kind,
        'data-points': points === 1 ? null : points,
        'data-fixed': fixed ? '' : null,
        'data-unusable': unusable ? '' : null,
        'data-unit': unit || null,
        'data-value': value || null,
        'data-tolerance': tolerance || null,
        'data-accepted': accepted.length > 0 ? JSON.stringify(accepted) : null,
      },
      0,
    ],
  },
  question_statement: part('header', 'section.question'),
  question_choice: {
    attrs: { id: attr('id', null, isId), right: attr('right', false, isFlag) },
    content: 'block+ question_remark?',
    defining: true,
    parseDOM: [
      {
        tag: 'section.question > article',
        getAttrs: (element) => ({ id: readId(element), right: element.hasAttribute('data-right') }),
      },
    ],
    toDOM: ({ attrs: { id, right } }) => ['article', { 'data-id': id, 'data-right': right ? '' : null }, 0],
  },
  question_remark: part('aside', 'section.question > article'),
  question_explanation: part('footer', 'section.question'),
} satisfies Record<string, NodeSpec>;
