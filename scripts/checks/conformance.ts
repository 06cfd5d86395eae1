/**
 * Holds docs/conformance/*.md against the tests: a row of those tables names what the specification asks, the literal text or value in a code
 * span, and the test that shows it. The text must stand in that test, and the test must have run and passed as it is. Every text that the
 * specification quotes must be named: by a row, or by a list item that says why it has none.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { hasPassed } from '../testing/passed-record.ts';

const SPECIFICATION = 'docs/specification.md';
const PROVIDERS = 'docs/payment-providers.md';
/** What integrators complain about. */
const COMPLAINTS = '7';
/** Screens, states, validation, messages and constants. */
const SECTIONS = new Set(['2', '4', '5', '8', '9']);
const WORD = '[\\p{L}\\p{N}_]';

interface Row {
  /** The table's file and line. */
  where: string;
  /** What must stand in the test, each. */
  texts: string[];
  test: string;
}

/** Null when every row holds; otherwise what is wrong, a line each. Tests that have not run as they are now are run. */
export async function checkConformance(folder = 'docs/conformance'): Promise<string | null> {
  const files = globSync(`${folder}/*.md`).sort();
  const faults: string[] = [];
  const rows = files.flatMap((file) => readRows(file, readFileSync(file, 'utf8'), faults));
  if (rows.length === 0) faults.push(`${folder} holds no row`);
  const named = [...rows.flatMap(({ texts }) => texts), ...files.flatMap((file) => exemptions(readFileSync(file, 'utf8')))];
  for (const quoted of new Set(quotedTexts(readFileSync(SPECIFICATION, 'utf8')))) {
    if (!isNamed(quoted, named)) faults.push(`${SPECIFICATION}: '${quoted}' has no row in ${folder}`);
  }
  const shown = files.flatMap((file) => firstCells(readFileSync(file, 'utf8')));
  for (const problem of unshown(readFileSync(PROVIDERS, 'utf8'), COMPLAINTS, shown)) {
    faults.push(`${PROVIDERS}: '${problem}' has no row in ${folder}`);
  }
  for (const { where, texts, test } of rows) {
    if (!existsSync(test)) faults.push(`${where}: ${test} does not exist`);
    else for (const text of texts) if (!standsIn(test, text)) faults.push(`${where}: ${test} does not say ${text}`);
  }
  if (faults.length > 0) return faults.join('\n');
  const tests = [...new Set(rows.map(({ test }) => test))];
  const waiting = tests.filter((test) => !hasPassed(test));
  if (waiting.length > 0) {
    console.log(
      `conformance: ${waiting.length} of the ${tests.length} tests that docs/conformance names have not passed as they are, and are run`,
    );
    spawnSync(process.execPath, ['scripts/test.ts', ...waiting], { stdio: 'inherit' });
  }
  const failed = tests.filter((test) => !hasPassed(test));
  return failed.length > 0 ? failed.map((test) => `${test} has not passed: what failed in it is shown above`).join('\n') : null;
}

/** The rows of every table whose last column is a test; a row that names no test or no text is a fault. */
export function readRows(file: string, markdown: string, faults: string[]): Row[] {
  return markdown.split('\n').flatMap((line, index) => {
    if (!line.startsWith('|') || isRule(line) || line.endsWith('| Test |')) return [];
    const where = `${file}:${index + 1}`;
    const cells = cellsOf(line);
    const test = spans(cells.at(-1) ?? '')[0];
    const texts = spans(cells.at(-2) ?? '');
    if (!test || texts.length === 0) {
      faults.push(`${where}: a row names a text and a test, each in a code span`);
      return [];
    }
    return [{ where, texts, test }];
  });
}

/** The first cell of each row of every table, headings and rules left out. */
const firstCells = (markdown: string): string[] =>
  markdown.split('\n').flatMap((line, index, lines) => {
    const isRow = line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1] ?? '');
    return isRow ? [(line.split(/(?<!\\)\|/)[1] ?? '').trim()] : [];
  });
const isRule = (line: string): boolean => /^\|[\s|:-]+$/.test(line);

/** The rows of a section's table, by their first cell, that none of `shown` begins with. */
export function unshown(markdown: string, section: string, shown: readonly string[]): string[] {
  const text = markdown.split(/^## /m).find((part) => part.startsWith(`${section}. `)) ?? '';
  const named = firstCells(text);
  if (named.length === 0) return [`§${section}`];
  return named.filter((problem) => !shown.some((cell) => cell.startsWith(problem)));
}

/** A row of a table, cell by cell. */
export const cellsOf = (line: string): string[] => line.split(/(?<!\\)\|/).slice(1, -1);

/** The code spans of a cell. */
export const spans = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\\|', '|'));

/** What a list item names has no row, for the reason that the item gives. */
const exemptions = (markdown: string): string[] => markdown.split('\n').flatMap((line) => (line.startsWith('- ') ? spans(line) : []));

/** Every text that the specification quotes in those sections; an apostrophe stands between letters. */
export function quotedTexts(specification: string): string[] {
  let section = '';
  return specification.split('\n').flatMap((line) => {
    section = /^## (\d+)/.exec(line)?.[1] ?? section;
    if (!SECTIONS.has(section)) return [];
    return [...line.matchAll(/(?<=^|[\s(])'((?:[^']|(?<=\p{L})'(?=\p{L}))+)'(?=[\s,.;:)/]|$)/gu)].map(([, text = '']) => text);
  });
}

/** Whether one of the texts is the quoted one: with anything for '{nom}', '...', '(n)', 'N', 'X' and 'Y'; of 'a / b', which share a beginning, a. */
export function isNamed(quoted: string, texts: readonly string[]): boolean {
  const [first = ''] = quoted.split(' / ');
  const literals = first.split(/\s*(?:\{[^}]*\}|\.\.\.|\(n\)|(?<!\p{L})[NXY](?!\p{L}))\s*/u).map(literally);
  const pattern = new RegExp(`(?<!${WORD})${literals.join('.*')}(?!${WORD})`, 'u');
  return texts.some((text) => pattern.test(text));
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const sources = new Map<string, string>();

/** Comments on lines of their own show nothing. */
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;

/** Whether a file says a text: literally, whichever quotes the test's author has chosen. */
export function standsIn(test: string, text: string): boolean {
  let source = sources.get(test);
  if (source === undefined) {
    source = readFileSync(test, 'utf8');
    sources.set(test, source);
  }
  return says(source, text);
}

/**
 * Whether a test's source says a text as a whole: between quotes, tags, slashes, brackets or operators. Neither a part of a longer word nor words of
 * a longer sentence are it: those would stay when what the row names is gone.
 */
export function says(source: string, text: string): boolean {
  const code = source
    .replaceAll(COMMENT, '')
    .replaceAll(/\\([^A-Za-z0-9\s])/g, '$1')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  const before = `(?<!${WORD} )${new RegExp(`^${WORD}`, 'u').test(text) ? `(?<!${WORD})` : ''}`;
  const after = `(?! ${WORD})${new RegExp(`${WORD}$`, 'u').test(text) ? `(?!${WORD})` : ''}`;
  return new RegExp(before + literally(text) + after, 'u').test(code);
}
