import type { QuestionKind } from '../rich-text/question-kinds.ts';

/** A question of a stored text, without its key. */
export interface QuestionHtml {
  id: string;
  kind: QuestionKind;
  points: number;
  /** Choices keep their order. */
  fixed: boolean;
  /** Unit of a number; '' without one. */
  unit: string;
  /** HTML of the statement. */
  statement: string;
  choices: { id: string; html: string }[];
}

// Canonical HTML has these elements in questions only (question-nodes.ts).
const question = /<section class="question"([^>]*)>([\s\S]*?)<\/section>/g;
const statement = /^<header>([\s\S]*?)<\/header>/;
const choice = /<article data-id="([^"]*)">([\s\S]*?)<\/article>/g;

/**
 * Returns a text in which `replace` has replaced each question that may be asked. Questions with a fault are left out.
 * @param html canonical HTML without keys @param replace gets the question and its number in the text, from 1
 */
export function replaceQuestions(html: string, replace: (question: QuestionHtml, number: number) => string): string {
  let number = 0;
  return html.replaceAll(question, (_whole, attributes: string, content: string) => {
    if (attributes.includes(' data-unusable=')) return '';
    number += 1;
    return replace(readQuestion(attributes, content), number);
  });
}

/** Returns a text without the questions that have a fault. @param html canonical HTML without keys */
export const withoutUnusable = (html: string): string =>
  html.replaceAll(question, (whole, attributes: string) => (attributes.includes(' data-unusable=') ? '' : whole));

/** Returns the questions of a text that may be asked, in order. @param html canonical HTML without keys */
export function questionsOf(html: string): QuestionHtml[] {
  const questions: QuestionHtml[] = [];
  replaceQuestions(html, (found) => {
    questions.push(found);
    return '';
  });
  return questions;
}

/** A question with the part of the text between the question before it and itself. */
export interface QuestionStep {
  lead: string;
  question: QuestionHtml;
}

/** Returns the questions of a text that may be asked, each with the passage before it. @param html canonical HTML without keys */
export function questionSteps(html: string): QuestionStep[] {
  const steps: QuestionStep[] = [];
  let from = 0;
  for (const { 0: whole, 1: attributes = '', 2: content = '', index } of html.matchAll(question)) {
    if (!attributes.includes(' data-unusable=')) steps.push({ lead: html.slice(from, index), question: readQuestion(attributes, content) });
    from = index + whole.length;
  }
  return steps;
}

/** Returns a text up to its first question. */
export const introOf = (html: string): string => html.split(question, 1)[0] ?? '';

function readQuestion(attributes: string, content: string): QuestionHtml {
  const attribute = (name: string): string | undefined => new RegExp(` data-${name}="([^"]*)"`).exec(attributes)?.[1];
  return {
    id: attribute('id') ?? '',
    kind: attribute('kind') as QuestionKind,
    points: Number(attribute('points') ?? 1),
    fixed: attribute('fixed') !== undefined,
    unit: attribute('unit') ?? '',
    statement: statement.exec(content)?.[1] ?? '',
    choices: Array.from(content.matchAll(choice), ([, id = '', html = '']) => ({ id, html })),
  };
}
