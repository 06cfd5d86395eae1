import type { Node } from 'prosemirror-model';
import { readNumber, readTolerance } from './number.ts';

/** Returns in French why a question cannot be asked; null when it can. A question with a fault is stored, but not shown to learners. */
export function questionFault(question: Node): string | null {
  const choices: Node[] = [];
  let statement = '';
  question.forEach((part) => {
    if (part.type.name === 'question_choice') choices.push(part);
    if (part.type.name === 'question_statement') statement = part.textContent;
  });
  const { kind, value, tolerance, accepted } = question.attrs;
  if (statement.trim() === '' && !hasLeaf(question.child(0))) return "l'énoncé est vide";
  if (kind === 'number') {
    if (readNumber(value) === null) return "la valeur attendue n'est pas un nombre";
    return tolerance !== '' && readTolerance(tolerance) === null ? "la tolérance n'est pas un nombre" : null;
  }
  if (kind === 'text') return accepted.some((answer: string) => answer.trim() !== '') ? null : 'aucune réponse acceptée';
  if (choices.length === 0) return 'aucun choix';
  if (choices.length === 1) return 'un seul choix';
  const right = choices.filter(({ attrs }) => attrs.right).length;
  if (right === 0) return 'aucun choix juste';
  if (kind === 'one' && right > 1) return 'plusieurs choix justes dans une question à un seul choix';
  const texts = choices.map((choice) => JSON.stringify(contentOf(choice)));
  return new Set(texts).size < texts.length ? 'deux choix identiques' : null;
}

/** Returns the fault of each question in a document, in order; null for a question without one. */
export function questionFaults(doc: Node): (string | null)[] {
  const faults: (string | null)[] = [];
  doc.forEach((block) => {
    if (block.type.name === 'question') faults.push(questionFault(block));
  });
  return faults;
}

function hasLeaf(node: Node): boolean {
  let found = false;
  node.descendants(({ isLeaf, isText, type }) => {
    if (isLeaf && !isText && type.name !== 'hard_break') found = true;
  });
  return found;
}

/** Returns a choice's content without its remark. */
function contentOf(choice: Node): unknown[] {
  const parts: unknown[] = [];
  choice.forEach((part) => {
    if (part.type.name !== 'question_remark') parts.push(part.toJSON());
  });
  return parts;
}
