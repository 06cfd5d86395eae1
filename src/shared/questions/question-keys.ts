import { escapeHtml, unescapeHtml } from '../escapes.ts';
import type { QuestionKind } from '../rich-text/question-kinds.ts';

/** What decides whether an answer is right, and what is shown after it. It never leaves the server before the learner's answer. */
export interface QuestionKey {
  id: string;
  kind: QuestionKind;
  points: number;
  /** Ids of the right choices. */
  right: string[];
  /** HTML of the remarks, by id of the choice. */
  remarks: Record<string, string>;
  /** HTML of the explanation; null without one. */
  explanation: string | null;
  /** Right value of a number, with its tolerance ('0,1' or '2 %') and unit, as typed; '' when absent. The unit also stays in the text. */
  value: string;
  tolerance: string;
  unit: string;
  /** Accepted answers of a short text. */
  accepted: string[];
  /** Whether the question had no fault (`questionFault`) when it was saved, and may be asked. */
  usable: boolean;
}

// Canonical HTML has these elements in questions only (question-nodes.ts), and quotes every attribute.
const question = /<section class="question"([^>]*)>([\s\S]*?)<\/section>/g;
const choice = /<article([^>]*)>([\s\S]*?)<\/article>/g;
const remark = /<aside>([\s\S]*?)<\/aside>$/;
const explanation = /<footer>([\s\S]*?)<\/footer>$/;
const keyAttributes = / data-(?:right|value|tolerance|accepted)="[^"]*"/g;

/** Returns a text without the keys of its questions, and the keys in the order of the questions. @param html canonical HTML in which questions have ids */
export function withoutKeys(html: string): { html: string; keys: QuestionKey[] } {
  const keys: QuestionKey[] = [];
  const bare = html.replaceAll(question, (_whole, attributes: string, content: string) => {
    const key: QuestionKey = { ...readAttributes(attributes), right: [], remarks: {}, explanation: explanation.exec(content)?.[1] ?? null };
    keys.push(key);
    const open = content.replace(explanation, '').replaceAll(choice, (_choice, own: string, inner: string) => {
      const id = attributeOf(own, 'data-id') ?? '';
      if (own.includes(' data-right=')) key.right.push(id);
      const said = remark.exec(inner)?.[1];
      if (said !== undefined) key.remarks[id] = said;
      return `<article${own.replaceAll(keyAttributes, '')}>${inner.replace(remark, '')}</article>`;
    });
    return `<section class="question"${attributes.replaceAll(keyAttributes, '')}>${open}</section>`;
  });
  return { html: bare, keys };
}

/** Returns a text with the keys of its questions: the inverse of `withoutKeys`. */
export function withKeys(html: string, keys: readonly QuestionKey[]): string {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return html.replaceAll(question, (whole, attributes: string, content: string) => {
    const key = byId.get(attributeOf(attributes, 'data-id') ?? '');
    if (!key) return whole;
    const full = content.replaceAll(choice, (_choice, own: string, inner: string) => {
      const id = attributeOf(own, 'data-id') ?? '';
      const said = key.remarks[id];
      return `<article${own}${key.right.includes(id) ? ' data-right=""' : ''}>${inner}${said === undefined ? '' : `<aside>${said}</aside>`}</article>`;
    });
    const answers = [
      ['value', key.value],
      ['tolerance', key.tolerance],
      ['accepted', key.accepted.length > 0 ? JSON.stringify(key.accepted) : ''],
    ].map(([name, value]) => (value ? ` data-${name}="${escapeHtml(value)}"` : ''));
    return `<section class="question"${attributes}${answers.join('')}>${full}${key.explanation === null ? '' : `<footer>${key.explanation}</footer>`}</section>`;
  });
}

function readAttributes(attributes: string) {
  const text = (name: string): string => attributeOf(attributes, name) ?? '';
  return {
    id: text('data-id'),
    kind: text('data-kind') as QuestionKind,
    points: Number(attributeOf(attributes, 'data-points') ?? 1),
    value: text('data-value'),
    tolerance: text('data-tolerance'),
    unit: text('data-unit'),
    accepted: JSON.parse(attributeOf(attributes, 'data-accepted') ?? '[]') as string[],
    usable: !attributes.includes(' data-unusable='),
  };
}

/** Returns an attribute's value; null when it is absent. */
function attributeOf(attributes: string, name: string): string | null {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(attributes) ?? [];
  return value === undefined ? null : unescapeHtml(value);
}
