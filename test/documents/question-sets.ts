import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Node } from 'prosemirror-model';
import { importDocument } from '../../src/modules/content/texts/worker/import-document.ts';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';

/** What `expected.json` says about one question of a set. */
interface Expected {
  readonly choices: number;
  /** Letters of the right choices. */
  readonly right: readonly string[];
  readonly one: boolean;
  readonly explained: boolean;
  readonly formulas: { readonly text: number; readonly choices: readonly number[]; readonly explanation: number };
  readonly words: { readonly text: readonly string[]; readonly choices: readonly (readonly string[])[] };
}

export interface MeasuredSet {
  readonly file: string;
  readonly expected: number;
  readonly found: number;
  /** What differs from `expected.json`, one line each. */
  readonly faults: readonly string[];
}

/** Forms without explanations, by the end of the file's name. */
const UNEXPLAINED = /(?:-key\.docx|-marks\.docx|\.amc\.txt|\.aiken\.txt)$/;
/** Aiken has questions with one right choice only. */
const ONE_ONLY = /\.aiken\.txt$/;

/** Returns whether a file stands beside an `expected.json`. */
export const isOfSet = (path: string): boolean => existsSync(join(dirname(path), 'expected.json'));

/** Returns the files of all sets of questions in a folder, relative to it. */
export const filesOfSets = (folder: string): string[] =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^\.|^expected\.json$|^README/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isOfSet)
    .map((path) => relative(folder, path))
    .sort();

/** Imports a file of a set and compares its questions with `expected.json`. */
export async function measureSet(path: string): Promise<MeasuredSet> {
  const all: Expected[] = JSON.parse(readFileSync(join(dirname(path), 'expected.json'), 'utf8'));
  const expected = ONE_ONLY.test(path) ? all.filter(({ one }) => one) : all;
  const { contenu } = await importDocument(readFileSync(path), async () => ({ src: '/media/a.webp', width: 1, height: 1 }));
  const questions: Node[] = [];
  const others: string[] = [];
  documentFromJson(contenu).forEach((block) => {
    if (block.type.name === 'question') questions.push(block);
    else others.push(`autre texte : ${block.textContent.slice(0, 60)}`);
  });
  const faults = expected.flatMap((one, index) => {
    const question = questions[index];
    const found = question ? differences(question, one, !UNEXPLAINED.test(path)) : ['absente'];
    return found.map((fault) => `question ${index + 1} : ${fault}`);
  });
  if (questions.length > expected.length) faults.push(`${questions.length - expected.length} questions de trop`);
  return { file: basename(path), expected: expected.length, found: questions.length, faults: [...faults, ...others] };
}

function differences(question: Node, expected: Expected, isExplained: boolean): string[] {
  const choices: Node[] = [];
  let explanation: Node | null = null;
  question.forEach((part) => {
    if (part.type.name === 'question_choice') choices.push(part);
    if (part.type.name === 'question_explanation') explanation = part;
  });
  const right = choices.flatMap(({ attrs }, index) => (attrs.right ? [String.fromCharCode(97 + index)] : []));
  const compared: [string, unknown, unknown][] = [
    ['choix', choices.length, expected.choices],
    ['réponses justes', right.join(), expected.right.join()],
    ['une seule réponse', question.attrs.kind === 'one', expected.one],
    ["mots de l'énoncé", wordsOf(question.child(0)), folded(expected.words.text)],
    ["formules de l'énoncé", formulasOf(question.child(0)), expected.formulas.text],
    ['mots des choix', choices.map(wordsOf).join(' | '), expected.words.choices.map(folded).join(' | ')],
    ['formules des choix', choices.map(formulasOf).join(), expected.formulas.choices.join()],
    ['explication', explanation !== null, isExplained && expected.explained],
    ["formules de l'explication", explanation ? formulasOf(explanation) : 0, isExplained ? expected.formulas.explanation : 0],
  ];
  return compared.flatMap(([what, found, wanted]) => (found === wanted ? [] : [`${what} : ${found} au lieu de ${wanted}`]));
}

function formulasOf(node: Node): number {
  let count = 0;
  node.descendants(({ type }) => {
    if (/^formula/.test(type.name)) count += 1;
  });
  return count;
}

const wordsOf = (node: Node): string => folded(node.textBetween(0, node.content.size, ' ', ' ').split(/\s+/).filter(Boolean));

/** Word processors curve apostrophes and join three periods. */
const folded = (words: readonly string[]): string => words.join(' ').replaceAll('’', "'").replaceAll('…', '...');
